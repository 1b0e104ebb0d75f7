#pragma once

#include "tiles/gpu/block.cuh"

/// The work on a tile after its products: the splits at points of its own rows and columns, and the entries themselves,
/// by 8 x 8 sub-blocks.
namespace warpfold::tiles::device {

/// A place in the table of n points.
struct Origin {
  unsigned n, i, j;
};

template <class Rules, int Depth>
__device__ __forceinline__ Origin origin_of(const Task<Rules, Depth>& task, int i, int j) {
  return {task.job.n, task.tile.i * tile_side + i, task.tile.j * tile_side + j};
}

/// A lane's place among the 16 lanes that close a sub-block, and in its block of threads. Each lane has 2 x 2 cells.
struct HalfLane {
  static constexpr int side = sub / 2;  ///< lanes along a side
  int across;                           ///< the lane's column of cells, from the left
  int height;                           ///< the lane's row of cells, from below
  int half, warp;                       ///< half: of the warp

  __device__ __forceinline__ explicit HalfLane(int thread)
      : across(thread % side), height(thread / side % side), half(thread / 16 % 2), warp(thread / 32) {}
  [[nodiscard]] __device__ __forceinline__ int row() const { return sub - 2 - 2 * height; }
  [[nodiscard]] __device__ __forceinline__ int column() const { return 2 * across; }
};

/// The value of another lane of the half warp; both indices are taken modulo 4. Shuffles stay in the program's order.
template <class T>
__device__ __forceinline__ T from_lane(T value, int across, int height) {
  const int lane = (height & (HalfLane::side - 1)) * HalfLane::side + (across & (HalfLane::side - 1));
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x101f, 0xffffffff;"
                 : "=r"(bits)
                 : "r"(__builtin_bit_cast(unsigned, value)), "r"(lane));
    return __builtin_bit_cast(T, bits);
  } else {
    return __builtin_bit_cast(T, __shfl_sync(all_lanes, __builtin_bit_cast(Word<T>, value), lane, 16));
  }
}

/// The value of the lane whose number differs in one bit.
template <class T>
__device__ __forceinline__ T from_neighbor(T value, int bit) {
  return __builtin_bit_cast(T, __shfl_xor_sync(all_lanes, __builtin_bit_cast(Word<T>, value), bit));
}

/// Adds left (x) right, the terms k and k+1. `at`: the place of the sum.
template <class Rules, class T = typename Rules::Value>
__device__ __forceinline__ void add_terms(const Rules& rules, Cells<T>& sum, Origin at, const Cells<T>& left,
                                          const Cells<T>& right, unsigned k) {
  each_cell([&](int r, int c) {
    sum.value[r][c] = rules.accumulate(sum.value[r][c], left.value[r][0], right.value[0][c], left.value[r][1],
                                       right.value[1][c], at.i + r, k, at.j + c);
  });
}

/// A lane's operands of the product of two sub-blocks. The places that it is given begin at its rows of the first one,
/// and at its columns of the second.
template <class T>
struct Factors {
  Four<T> a[2][2];  // rows of the first, by halves
  Cells<T> b[4];

  __device__ __forceinline__ Factors(SubBlock<T> of_a, SubBlock<T> of_b) {
#pragma unroll
    for (int k = 0; k < sub; k += 2) {
      if (k % 4 == 0) {
        a[0][k / 4] = of_a.four(0, k);
        a[1][k / 4] = of_a.four(1, k);
      }
      b[k / 2] = of_b.cells(k, 0);
    }
  }
  /// Adds the product, whose terms begin with first_k: 12 loads (f32) for 32 terms of a lane.
  template <class Rules>
  __device__ __forceinline__ void add_to(Cells<T>& sum, const Rules& rules, Origin at, unsigned first_k) const {
#pragma unroll
    for (int k = 0; k < sub; k += 2) {
      Cells<T> left;
      each_cell([&](int u, int v) { left.value[u][v] = a[u][k / 4].value[k % 4 + v]; });
      add_terms(rules, sum, at, left, b[k / 2], first_k + k);
    }
  }
};

/// A lane's part of the finished corners of a sub-block: l to its left, r below.
template <class T>
struct Corners {
  SubBlock<T> l, r;
  T near_left, near_below;  ///< between its own two rows, and its own two columns
  Cells<T> by_l, by_r;      ///< what is taken up in a step is joined with these

  Corners() = default;
  __device__ __forceinline__ Corners(HalfLane lane, SubBlock<T> left, SubBlock<T> below)
      : l(left), r(below), near_left(l(lane.row(), lane.row() + 1)), near_below(r(lane.column(), lane.column() + 1)) {
    load(lane, 1);
  }
  __device__ __forceinline__ void load(HalfLane lane, int step) {
    by_l = l.cells(lane.row(), k_below(lane, step));
    by_r = r.cells(k_left(lane, step), lane.column());
  }
  /// The first k of the terms that come from below, and from the left.
  [[nodiscard]] static __device__ __forceinline__ int k_below(HalfLane lane, int step) {
    return sub - 2 - 2 * ((step - 1 - lane.across) & (HalfLane::side - 1));
  }
  [[nodiscard]] static __device__ __forceinline__ int k_left(HalfLane lane, int step) {
    return 2 * ((step - 1 - lane.height) & (HalfLane::side - 1));
  }
};

/// Half a warp finishes a sub-block c, of which a lane has the sums over all other k, against the finished corners l
/// (to its left, k > i) and r (below, k < j), in 7 steps: in step t the lanes with across + height = t finish their
/// cells, and all take up what was finished in the step before in their row and column. `at`: of the lane's cells;
/// `other`: their weights, or the inner values that lie outside of the sub-block.
///
/// A lane that finishes nothing in a step sends zero() in it (by_weight), or until it finishes. So a value from a lane
/// outside of the sub-block has no effect. No barrier; 8 shuffles a step. Measured (f32, not negative): 103 cycles a
/// step, and a step finishes two cells of each row.
template <class Rules, class T = typename Rules::Value>
__device__ __forceinline__ void close_sub_block(const Rules& rules, Origin at, HalfLane lane, bool writes, Cells<T> sum,
                                                SubBlock<T> c, Corners<T> corners, const Cells<T>& other) {
  constexpr int side = HalfLane::side, steps = 2 * side - 1;
  constexpr bool by_weight = Rules::closing == ClosingKind::by_weight;
  const int row = lane.row(), column = lane.column();
  const unsigned first_i = at.i - row, first_j = at.j - column;
  Cells<T> value, left, below;
  each_cell([&](int u, int v) { value.value[u][v] = left.value[u][v] = below.value[u][v] = Rules::zero(); });
#pragma unroll(Rules::unrolled ? steps : 1)
  for (int t = 0; t < steps; ++t) {
    if (t > 0) {
      constexpr bool always =
          !Rules::splits || Rules::splits_by_product;  // else a caller's function would see an invalid k
      const int height = t - 1 - lane.across, across = t - 1 - lane.height;
      if (always || (height >= 0 && height < lane.height)) {
        add_terms(rules, sum, at, corners.by_l, below, first_i + corners.k_below(lane, t));
      }
      if (always || (across >= 0 && across < lane.across)) {
        add_terms(rules, sum, at, left, corners.by_r, first_j + corners.k_left(lane, t));
      }
      corners.load(lane, t + 1);
    }
    const bool here = t == lane.across + lane.height;
    const T inner_above = left.value[1][1], inner_beyond = below.value[0][0];
    T corner = Rules::zero();
    if constexpr (Rules::closing == ClosingKind::with_inner) {
      corner = from_lane(value.value[0][1], lane.across - 1, lane.height - 1);
    }
    const auto close = [&](int u, int v, T best, T inner, bool is_outside) {
      T beside = is_outside ? other.value[u][v] : inner;
      if constexpr (by_weight) beside = here ? other.value[u][v] : Rules::zero();
      value.value[u][v] = rules.close(at.n, at.i + u, at.j + v, best, beside);
    };
    const auto send = [&](int u, int v) {  // to the lanes that take it up in the next step
      if (t + 1 == steps) return;
      left.value[u][v] = from_lane(value.value[u][v], t - lane.height, lane.height);
      below.value[u][v] = from_lane(value.value[u][v], lane.across, t - lane.across);
    };
    const auto through_l = [&](int u, int v) {  // value(i+1,j+v) taken up by (i,j+v)
      return rules.join(corners.near_left, value.value[u][v], at.i, at.i + 1, at.j + v);
    };
    const auto through_r = [&](int u, int v) {
      return rules.join(value.value[u][v], corners.near_below, at.i + u, at.j, at.j + 1);
    };
    const auto close_all = [&](auto&& then) {
      const auto& s = sum.value;
      close(1, 0, s[1][0], corner, lane.across == 0 || lane.height == 0);
      then(1, 0);
      close(1, 1, Rules::plus(s[1][1], through_r(1, 0)), inner_beyond, lane.height == 0);
      then(1, 1);
      close(0, 0, Rules::plus(s[0][0], through_l(1, 0)), inner_above, lane.across == 0);
      then(0, 0);
      close(0, 1, Rules::plus(Rules::plus(s[0][1], through_l(1, 1)), through_r(0, 0)), value.value[1][0], false);
      then(0, 1);
    };
    if constexpr (by_weight) {
      close_all(send);
    } else {
      if (here) close_all([](int, int) {});  // together, so that the reads of a caller's function overlap
      each_cell(send);
    }
    if (here && writes) c.set_cells(row, column, value);
  }
}

/// Half a warp finishes a sub-block on the diagonal of the table: its cells i < j, one row per lane.
template <class Rules, int Depth>
__device__ __forceinline__ void close_corner(const Task<Rules, Depth>& task, int a) {
  using T = typename Rules::Value;
  const SubBlock<T> c = of_tile<T>(a, a);
  const Origin at = origin_of(task, a * sub, a * sub);
  const int i = thread_anew() % 16;
  T weights[sub];
#pragma unroll
  for (int e = 1; e < sub; ++e) {
    weights[e] = Rules::zero();
    if constexpr (Rules::closing == ClosingKind::by_weight) {
      if (i + e < sub) weights[e] = task.rules.weight(task.job, at.i + i, at.j + i + e);
    }
  }
#pragma unroll
  for (int e = 1; e < sub; ++e) {
    const int j = i + e;
    if (j < sub) {
      T best = c(i, j);
      for (int k = i + 1; k < j; ++k) {
        best = Rules::plus(best, task.rules.join(c(i, k), c(k, j), at.i + i, at.i + k, at.j + j));
      }
      const T beside = Rules::closing == ClosingKind::by_weight ? weights[e] : c(i + 1, j - 1);
      c(i, j) = task.rules.close(at.n, at.i + i, at.j + j, best, beside);
    }
    __syncwarp();
  }
}

/// The number of a half warp's sub-block in a wave. If there is none for a warp's second half, both halves close the
/// same one and share its products.
struct Share {
  int number;
  bool any;
  bool both;
  bool helps;  ///< as the second half, which writes nothing

  __device__ __forceinline__ Share(HalfLane lane, int blocks)
      : any(lane.warp < blocks), both(lane.warp + warps >= blocks), helps(both && lane.half == 1) {
    number = both ? lane.warp : lane.warp + lane.half * warps;
  }
};

/// A half warp's sub-block (a,b) of a wave. Wave 0 is the lower left sub-block, or the diagonal of a diagonal tile; the
/// last one is the upper right sub-block.
struct SubPlace {
  Share share;
  int a, b;

  __device__ __forceinline__ SubPlace(HalfLane lane, int wave, bool diagonal)
      : share(lane, diagonal      ? subs - wave
                    : wave < subs ? wave + 1
                                  : 2 * subs - 1 - wave) {
    a = share.number + (diagonal ? 0 : max(subs - 1 - wave, 0));
    b = a + wave - (diagonal ? 0 : subs - 1);
  }
};

/// The weights of a lane's cells of a sub-block: from the tile's place in the table or, on the diagonal, from the
/// recurrence. `own`: the lane's first cell of that place.
template <class Rules, int Depth>
__device__ __forceinline__ Cells<typename Rules::Value> weights_of(const Task<Rules, Depth>& task,
                                                                   const typename Rules::Value* own, HalfLane lane,
                                                                   SubPlace place) {
  using T = typename Rules::Value;
  Cells<T> weights;
  each_cell([&](int u, int v) { weights.value[u][v] = Rules::zero(); });
  if constexpr (Rules::closing == ClosingKind::by_weight) {
    if (!place.share.any) return weights;
    const Origin at = origin_of(task, place.a * sub + lane.row(), place.b * sub + lane.column());
    const T* cell = own + (place.a * tile_side + place.b) * sub;
    each_cell([&](int u, int v) {
      weights.value[u][v] = task.diagonal() == 0 ? task.rules.weight(task.job, at.i + u, at.j + v)
                                                 : load_shared_by_blocks(cell + u * tile_side + v);
    });
  }
  return weights;
}

/// value(i+1,j-1), counted in the tile. Values in other tiles are final: the two neighbors are operands of the last
/// products, or the two diagonal tiles on the first diagonal.
template <class Rules, int Depth>
__device__ __forceinline__ typename Rules::Value inner_value(const Task<Rules, Depth>& task, int i, int j) {
  using T = typename Rules::Value;
  const bool below = i + 1 == tile_side, left = j == 0;
  if (!below && !left) return of_tile<T>(0, 0)(i + 1, j - 1);
  const unsigned tile_i = task.tile.i + below, tile_j = task.tile.j - left;
  if (tile_i > tile_j) return Rules::zero();
  return load_shared_by_blocks(task.global(tile_i, tile_j) + (below ? 0 : i + 1) * tile_side +
                               (left ? tile_side - 1 : j - 1));
}

/// Reads the inner values of a lane's cells that lie outside of the sub-block.
template <class Rules, int Depth>
__device__ __forceinline__ void fetch_inner_values(const Task<Rules, Depth>& task, SubPlace place, HalfLane lane,
                                                   Cells<typename Rules::Value>& other) {
  if constexpr (Rules::closing == ClosingKind::with_inner) {
    const int i = place.a * sub + lane.row(), j = place.b * sub + lane.column();
    if (lane.across == 0) other.value[0][0] = inner_value(task, i, j);
    if (lane.height == 0) other.value[1][1] = inner_value(task, i + 1, j + 1);
    if (lane.across == 0 || lane.height == 0) other.value[1][0] = inner_value(task, i + 1, j);
  }
}

/// A sub-block that half a warp closes, with the operands that it reads before the wave begins.
template <class Rules, int Depth>
struct SubClosing {
  using T = typename Rules::Value;
  HalfLane lane;
  SubPlace place;
  SubBlock<T> l, r;
  Cells<T> sum, other;
  Corners<T> corners;

  __device__ __forceinline__ SubClosing(const Task<Rules, Depth>& task, HalfLane of, int wave, const Cells<T>& weights)
      : lane(of),
        place(lane, wave, task.diagonal() == 0),
        l(task.diagonal() == 0 ? of_tile<T>(place.a, place.a) : of_left<T, Depth>(place.a, place.a)),
        r(task.diagonal() == 0 ? of_tile<T>(place.b, place.b) : of_below<T, Depth>(place.b, place.b)),
        other(weights) {
    if (!place.share.any) return;
    sum = of_tile<T>(place.a, place.b).cells(lane.row(), lane.column());
    if (place.share.helps) each_cell([&](int u, int v) { sum.value[u][v] = Rules::zero(); });
    corners = Corners<T>(lane, l, r);
  }

  /// Adds its products within the tile. If both halves of a warp share them, each adds every other one. Measured: 145
  /// cycles a product (f32, not negative).
  __device__ __forceinline__ void add_products(const Task<Rules, Depth>& task, Origin at, int products) {
    const int a = place.a, b = place.b, below = task.diagonal() == 0 ? products : subs - 1 - a;
    const int step = 1 + place.share.both;
    const int to_row = of_tile<T>(0, 0).at(lane.row(), 0);
    const int left[2] = {to_row + l.offset + sub, to_row + of_tile<T>(a, -below).offset};
    const int right[2] = {lane.column() + of_tile<T>(a + 1, b).offset,
                          lane.column() + of_below<T, Depth>(-below, b).offset};
    const auto read = [&](int x) {
      const bool is_below = x < below;
      return Factors<T>(SubBlock<T>{(is_below ? left[0] : left[1]) + x * sub},
                        SubBlock<T>{(is_below ? right[0] : right[1]) + x * (is_below ? of_tile<T>(1, 0).offset : sub)});
    };
    const int first = place.share.helps;
    if (first < products) {
      Factors<T> next = read(first);
#pragma unroll 2
      for (int x = first; x < products; x += step) {
        const Factors<T> now = next;
        next = read(min(x + step, products - 1));
        now.add_to(
            sum, task.rules, at,
            x < below ? task.tile.i * tile_side + (a + 1 + x) * sub : task.tile.j * tile_side + (x - below) * sub);
      }
    }
    if (place.share.both) {
      each_cell(
          [&](int u, int v) { sum.value[u][v] = Rules::plus(sum.value[u][v], from_neighbor(sum.value[u][v], 16)); });
    }
  }

  __device__ __forceinline__ void run(const Task<Rules, Depth>& task, int products) {
    const Origin at = origin_of(task, place.a * sub + lane.row(), place.b * sub + lane.column());
    fetch_inner_values(task, place, lane, other);
    add_products(task, at, products);
    close_sub_block(task.rules, at, lane, !place.share.helps, sum, of_tile<T>(place.a, place.b), corners, other);
  }
};

/// Finishes a tile whose products are in shared memory: its 64 sub-blocks in 15 waves, half a warp each; of a diagonal
/// tile those above the diagonal in 7. The weights of the next wave are fetched meanwhile. One barrier a wave.
template <class Rules, int Depth>
__device__ __forceinline__ void close_tile(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  const bool diagonal = task.diagonal() == 0;
  const int first_wave = diagonal ? 1 : 0, waves = diagonal ? subs : 2 * subs - 1;
  const HalfLane lane(thread_anew());
  const T* own = task.global(task.tile.i, task.tile.j) + lane.row() * tile_side + lane.column();
  const auto fetch = [&](int wave) { return weights_of(task, own, lane, SubPlace(lane, wave, diagonal)); };
  Cells<T> weights = fetch(first_wave);
  __syncthreads();
  for (int wave = first_wave; wave < waves; ++wave) {
    SubClosing<Rules, Depth> closing(task, lane, wave, weights);
    if (wave + 1 < waves) weights = fetch(wave + 1);
    __syncthreads();
    if (closing.place.share.any) closing.run(task, wave - first_wave);
  }
  __syncthreads();
}

/// Initializes a diagonal tile and finishes its sub-blocks on the diagonal.
template <class Rules, int Depth>
__device__ __forceinline__ void close_corners(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  for (int at = thread_in_block<Rules>(); at < Layout<T>::tile_size; at += threads_of<Rules>) {
    const int i = at / Layout<T>::tile_stride, j = at % Layout<T>::tile_stride;
    shared_values<T>()[at] = j == i + 1 ? Rules::one() : Rules::zero();
  }
  __syncthreads();
  if (teams_of<Rules>() > 1 && threadIdx.y > 0) return;
  close_corner(task, SubPlace(HalfLane(thread_anew()), 0, true).a);
}

}  // namespace warpfold::tiles::device
