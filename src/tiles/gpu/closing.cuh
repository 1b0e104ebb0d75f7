#pragma once

#include "tiles/gpu/block.cuh"

/// The work on a tile after its products: the splits at points of its own rows and columns, and the entries themselves,
/// by 16 x 16 sub-blocks.
namespace warpfold::tiles::device {

/// The place of a sub-block in the table of n points.
struct Origin {
  unsigned n, i, j;
};

template <class Rules, int Depth>
__device__ __forceinline__ Origin origin_of(const Task<Rules, Depth>& task, int a, int b) {
  return {task.job.n, task.tile.i * tile_side + a * sub, task.tile.j * tile_side + b * sub};
}

/// A warp's part of a sub-block during products: rows lane/4 and lane/4 + 8, columns 4 * (lane%4) .. + 3.
template <class Rules>
struct SubAccumulator {
  using T = typename Rules::Value;
  T value[2][4];

  __device__ __forceinline__ void load(SubBlock<T> c, int lane) {
    for_each(lane, [&](int u, int v, int i, int j) { value[u][v] = c(i, j); });
  }
  __device__ __forceinline__ void store(SubBlock<T> c, int lane) const {
    for_each(lane, [&](int u, int v, int i, int j) { c(i, j) = value[u][v]; });
  }
  /// Adds a (x) b, the terms from first_k on: 24 wide loads (f32) for 4096 terms of the warp.
  __device__ __forceinline__ void add(const Rules& rules, Origin at, SubBlock<T> a, SubBlock<T> b, unsigned first_k,
                                      int lane) {
#pragma unroll
    for (int k = 0; k < sub; k += 4) {
      const Four<T> left[2] = {a.four(lane / 4, k), a.four(lane / 4 + 8, k)};
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        const Four<T> right = b.four(k + x, lane % 4 * 4);
        for_each(lane, [&](int u, int v, int i, int j) {
          value[u][v] = Rules::plus(value[u][v],
                                    rules.join(left[u].value[x], right.value[v], at.i + i, first_k + k + x, at.j + j));
        });
      }
    }
  }

 private:
  template <class Visit>
  static __device__ __forceinline__ void for_each(int lane, Visit&& visit) {
#pragma unroll
    for (int v = 0; v < 4; ++v)
#pragma unroll
      for (int u = 0; u < 2; ++u) visit(u, v, lane / 4 + 8 * u, lane % 4 * 4 + v);
  }
};

/// The value of every lane's neighbor `d` lanes below in its half of the warp, or its own if there is none. The order
/// is that in which the program asks.
template <class T>
__device__ __forceinline__ T from_below(T value, int d) {
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0x1000, 0xffffffff;"
                 : "=r"(bits)
                 : "r"(__builtin_bit_cast(unsigned, value)), "r"(d));
    return __builtin_bit_cast(T, bits);
  } else {
    return __builtin_bit_cast(T, __shfl_up_sync(all_lanes, __builtin_bit_cast(Word<T>, value), d, 16));
  }
}
template <class T>
__device__ __forceinline__ T from_lane(T value, int lane) {
  return __builtin_bit_cast(T, __shfl_sync(all_lanes, __builtin_bit_cast(Word<T>, value), lane));
}

/// How close_sub_block joins values. A lane's cells are a row of the sub-block (in the lower half of the warp) or a
/// column. q counts along them from the lower left; outside of 0 .. 15 there is no cell.
template <class Rules>
struct Lane {
  Origin at;
  int u;
  bool by_rows;

  __device__ __forceinline__ Lane(Origin origin)
      : at(origin), u(static_cast<int>(threadIdx.x) % 16), by_rows(threadIdx.x % 32 < 16) {}
  static __device__ __forceinline__ bool inside(int q) { return q >= 0 && q < sub; }
  __device__ __forceinline__ int row(int q) const { return by_rows ? 15 - u : 15 - q; }
  __device__ __forceinline__ int column(int q) const { return by_rows ? q : u; }
};

/// The splits along a lane: between cell q and the cell d nearer to the corner in the lane's row (column), or in the
/// other direction (`nearest`, d = 1). Without a product split there is nothing to remember.
template <class Rules>
class LaneSplits {
 public:
  using T = typename Rules::Value;
  __device__ __forceinline__ LaneSplits(const Rules& rules, const Lane<Rules>& lane) : rules_(rules), lane_(lane) {}
  __device__ __forceinline__ T nearest(T value, T coefficient, int q) const {
    return join(value, coefficient, q, 1, lane_.by_rows);
  }
  __device__ __forceinline__ T distant(T value, T coefficient, int q, int d) const {
    return join(value, coefficient, q, d, !lane_.by_rows);
  }
  __device__ __forceinline__ void advance(int) {}

 private:
  __device__ __forceinline__ T join(T value, T coefficient, int q, int d, bool value_is_left) const {
    if constexpr (Rules::commutes && !Rules::splits) return Rules::times(value, coefficient);
    const T left = value_is_left ? value : coefficient, right = value_is_left ? coefficient : value;
    if constexpr (!Rules::splits) return Rules::times(left, right);
    const unsigned i = lane_.at.i + lane_.row(q), j = lane_.at.j + lane_.column(q), k = value_is_left ? j - d : i + d;
    const bool exists = lane_.inside(q) && d <= (value_is_left ? lane_.column(q) : 15 - lane_.row(q));
    return exists ? rules_.join(left, right, i, k, j) : Rules::zero();
  }

  const Rules& rules_;
  const Lane<Rules>& lane_;
};

/// With a product split, the factors of the lane's row or column and of its next 16 cells stay in registers.
template <class Rules>
requires Rules::splits_by_product class LaneSplits<Rules> {
 public:
  using T = typename Rules::Value;
  __device__ __forceinline__ LaneSplits(const Rules& rules, const Lane<Rules>& lane) : rules_(rules), lane_(lane) {
    const Origin at = lane.at;
    own_ = lane.by_rows ? rules.left(at.i + 15 - lane.u) : rules.right(at.j + lane.u);
#pragma unroll
    for (int d = 1; d < sub; ++d) {
      middle_[d] = rules.middle(lane.by_rows ? at.i + 15 - lane.u + d : at.j + lane.u - d);
    }
#pragma unroll
    for (int d = 0; d < sub; ++d) cell_[d] = cell_factor(d - lane.u);
    nearest_ = nearest_factor(-lane.u);
  }
  __device__ __forceinline__ T nearest(T value, T coefficient, int) const {
    return join(value, coefficient, nearest_, cell_[0]);
  }
  __device__ __forceinline__ T distant(T value, T coefficient, int, int d) const {
    return join(value, coefficient, middle_[d], cell_[d]);
  }
  /// Moves from cell q to the next.
  __device__ __forceinline__ void advance(int q) {
#pragma unroll
    for (int d = 1; d < sub; ++d) cell_[d - 1] = cell_[d];
    cell_[sub - 1] = cell_factor(q + sub);
    nearest_ = nearest_factor(q + 1);
  }

 private:
  __device__ __forceinline__ T join(T value, T coefficient, T middle, T cell) const {
    return rules_.join_product(value, coefficient, lane_.by_rows ? own_ : cell, middle, lane_.by_rows ? cell : own_);
  }
  __device__ __forceinline__ T cell_factor(int q) const {
    const int known = lane_.inside(q) ? q : 0;
    return lane_.by_rows ? rules_.right(lane_.at.j + known) : rules_.left(lane_.at.i + 15 - known);
  }
  __device__ __forceinline__ T nearest_factor(int q) const {
    const int known = lane_.inside(q) ? q : 0;
    return rules_.middle(lane_.by_rows ? lane_.at.j + known - 1 : lane_.at.i + 16 - known);
  }

  const Rules& rules_;
  const Lane<Rules>& lane_;
  T own_, nearest_, middle_[sub], cell_[sub];
};

/// One warp finishes sub-block c in 31 steps: step t finishes the cells with (15-i) + j = t. c holds the products over
/// all other k. The finished corners are l (to its left, k > i) and r (below, k < j). `other`: the weights, or the
/// inner values along its left and lower rim.
///
/// Both halves of the warp hold every cell, in different lanes. In the lower half lane u has row 15-u, in the upper
/// half column u; cell[0] is that of the step. A finished cell reaches its dependents by shuffles, which every lane
/// does with the same distance. The lower half shuffles down the columns (with l, constant per lane and distance), the
/// upper half along the rows (with r). Distance 1 of the other half's kind stays inside the lane, so a step waits for
/// one shuffle.
///
/// No block barrier; 17 shuffles a step. Measured: 166 cycles a step; 185 without unrolling the steps (1 KB of code
/// instead of 25).
template <class Rules, class T = typename Rules::Value>
__device__ __noinline__ void close_sub_block(const Rules rules, Origin at, SubBlock<T> c, SubBlock<T> l, SubBlock<T> r,
                                             SubBlock<T> other) {
  constexpr int steps = 2 * sub - 1;
  const Lane<Rules> lane(at);
  const int u = lane.u;
  const bool by_rows = lane.by_rows;
  const int farther = by_rows ? 1 : -r.stride, own = by_rows ? l.at(15 - u, 15 - u) : r.at(u, u);
  const T* shared = shared_values<T>();
  T distance[sub], cell[sub];
#pragma unroll
  for (int d = 1; d < sub; ++d) {
    const T coefficient = shared[own + (d <= u ? d : 0) * farther];
    distance[d] = d <= u ? coefficient : Rules::zero();
  }
#pragma unroll
  for (int t = 0; t < sub; ++t) {
    const T sum = c(15 - u, (t - u) & 15);
    cell[t] = by_rows ? sum : Rules::zero();
  }

  __syncwarp();  // every lane has read what the steps replace

  // At step t the lane's cell is q = t - u places along its row, or up its column. Values that are read for a cell
  // outside of the sub-block have no effect.
  const int weight_step = by_rows ? 1 : -other.stride, near_step = by_rows ? r.stride + 1 : -(l.stride + 1);
  const int first_weight = by_rows ? other.at(15 - u, 0) : other.at(15, u);
  const int first_near = by_rows ? r.at(-1, 0) : l.at(15, 16);
  const auto near_of = [&](int q) { return shared[q >= 1 && q < sub ? first_near + q * near_step : l.offset]; };
  const auto best_elsewhere = [&](T mine, int q) { return from_lane(mine, (by_rows ? 16 : 0) | (q & 15)); };
  const auto other_of = [&](int q, T inner) {
    if constexpr (Rules::closing == ClosingKind::by_weight) {
      return shared[lane.inside(q) ? first_weight + q * weight_step : other.offset];
    } else if constexpr (Rules::closing == ClosingKind::with_inner) {
      return u == 0 || q == 0 ? shared[lane.inside(q) ? other.offset + lane.row(q) + lane.column(q) : other.offset]
                              : inner;
    } else {
      return inner;
    }
  };
  LaneSplits<Rules> splits(rules, lane);
  T value = Rules::zero(), inner = Rules::zero();  // finished in the last step by the lane and its neighbor below
  T elsewhere = best_elsewhere(cell[0], -u);       // the other half's sum for the lane's next cell, without distance 1
  T near = near_of(-u), beside = other_of(-u, inner);
#pragma unroll(Rules::unrolled ? steps : 1)
  for (int t = 0; t < steps; ++t) {
    const int q = t - u;
    const bool here = lane.inside(q);
    const T nearest = splits.nearest(value, near, q);
    const T best = Rules::plus(Rules::plus(elsewhere, nearest), cell[0]);
    value = Rules::zero();
    if (here) value = rules.close(at.n, at.i + lane.row(q), at.j + lane.column(q), best, beside);
    const T first = from_below(value, 1);
    elsewhere = best_elsewhere(cell[1], q + 1);
    beside = other_of(q + 1, inner);
    inner = first;
    near = near_of(q + 1);
    if (here && by_rows) c(15 - u, q) = value;
    const T oldest = cell[0];
    cell[0] = Rules::plus(cell[1], splits.distant(first, distance[1], q + 1, 1));
#pragma unroll
    for (int d = 2; d < sub; ++d) {
      if (Rules::unrolled && t + d >= steps) break;
      cell[d - 1] = Rules::plus(cell[d], splits.distant(from_below(value, d), distance[d], q + d, d));
    }
    cell[sub - 1] = oldest;
    splits.advance(q);
  }
}

/// One warp finishes a sub-block on the diagonal of the table: its cells i < j.
template <class Rules, class T = typename Rules::Value>
__device__ __noinline__ void close_corner(const Rules rules, Origin at, SubBlock<T> c, SubBlock<T> other) {
  const int i = static_cast<int>(threadIdx.x) % 32;
  for (int e = 1; e < sub; ++e) {
    const int j = i + e;
    if (j < sub) {
      T best = c(i, j);
      for (int k = i + 1; k < j; ++k) {
        best = Rules::plus(best, rules.join(c(i, k), c(k, j), at.i + i, at.i + k, at.j + j));
      }
      const T beside = Rules::closing == ClosingKind::by_weight ? other(i, j) : c(i + 1, j - 1);
      c(i, j) = rules.close(at.n, at.i + i, at.j + j, best, beside);
    }
    __syncwarp();
  }
}

/// The weights that a warp fetches into registers before it closes a sub-block.
template <class Rules>
struct SubWeights {
  using T = typename Rules::Value;
  T value[sub * sub / 32];

  /// Fetches them from the tile's place in the table.
  template <int Depth>
  __device__ __forceinline__ void load(const Task<Rules, Depth>& task, int a, int b, int lane) {
    if constexpr (Rules::closing != ClosingKind::by_weight) return;
    const T* own = task.global(task.tile.i, task.tile.j) + a * sub * tile_side + b * sub;
#pragma unroll
    for (int x = 0; x < sub * sub / 32; ++x) {
      value[x] = load_shared_by_blocks(own + (x * 2 + lane / 16) * tile_side + lane % 16);
    }
  }
  /// Fetches them from the recurrence.
  template <int Depth>
  __device__ __forceinline__ void fetch(const Task<Rules, Depth>& task, int a, int b, int lane) {
    if constexpr (Rules::closing == ClosingKind::by_weight) {
      const Origin at = origin_of(task, a, b);
#pragma unroll
      for (int x = 0; x < sub * sub / 32; ++x) {
        value[x] = task.rules.weight(task.job, at.i + lane / 16 + x * 2, at.j + lane % 16);
      }
    }
  }
  __device__ __forceinline__ void store(int lane) const {
    if constexpr (Rules::closing != ClosingKind::by_weight) return;
    const SubBlock<T> w = of_warp<T>();
#pragma unroll
    for (int x = 0; x < sub * sub / 32; ++x) w(x * 2 + lane / 16, lane % 16) = value[x];
  }
};

/// The 31 inner values outside of sub-block (a,b), from its upper left to its lower right. Cell (i,j) of its first
/// column or last row needs number i + j. Values in other tiles are final. The two neighbors are operands of the last
/// products, or the two diagonal tiles on the first diagonal.
template <class Rules, int Depth>
__device__ __forceinline__ void fetch_inner_values(const Task<Rules, Depth>& task, int a, int b, int lane) {
  if constexpr (Rules::closing == ClosingKind::with_inner) {
    using T = typename Rules::Value;
    const int i = a * sub + (lane < sub ? lane + 1 : sub), j = b * sub + (lane < sub ? -1 : lane - sub);
    const bool below = i == tile_side, left = j < 0;
    const unsigned tile_i = task.tile.i + below, tile_j = task.tile.j - left;
    T value = Rules::zero();
    if (!below && !left) {
      value = shared_values<T>()[i * Layout<T>::tile_stride + j];
    } else if (lane < 2 * sub - 1 && tile_i <= tile_j) {
      const T* tile = task.global(tile_i, tile_j);
      value = load_shared_by_blocks(tile + (below ? 0 : i) * tile_side + (left ? tile_side - 1 : j));
    }
    shared_values<T>()[of_warp<T>().offset + lane] = value;
  }
}

/// Adds the products of sub-block (a,b) with the finished ones of its own row and column.
template <class Rules, int Depth>
__device__ __forceinline__ void add_sub_products(const Task<Rules, Depth>& task, int a, int b, int lane) {
  using T = typename Rules::Value;
  SubAccumulator<Rules> sum;
  const SubBlock<T> c = of_tile<T>(a, b);
  const Origin at = origin_of(task, a, b), tile = origin_of(task, 0, 0);
  sum.load(c, lane);
  for (int k = a + 1; k < subs; ++k) {
    sum.add(task.rules, at, of_left<T, Depth>(a, k), of_tile<T>(k, b), tile.i + k * sub, lane);
  }
  for (int k = 0; k < b; ++k)
    sum.add(task.rules, at, of_tile<T>(a, k), of_below<T, Depth>(k, b), tile.j + k * sub, lane);
  sum.store(c, lane);
}

/// Finishes an off-diagonal tile whose products are in shared memory: its 16 sub-blocks in 7 waves, a warp each. A warp
/// fetches the weights of its next sub-block while it closes one.
template <class Rules, int Depth>
__device__ __forceinline__ void close_tile(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int waves = 2 * subs - 1;
  SubWeights<Rules> weights;
  const auto fetch = [&](int wave) {
    const int b = (wave < subs ? 0 : wave - subs + 1) + warp, a = subs - 1 - wave + b;
    if (b <= wave && b < subs && a < subs) weights.load(task, a, b, lane);
  };
  fetch(0);
  for (int wave = 0; wave < waves; ++wave) {
    const int b = (wave < subs ? 0 : wave - subs + 1) + warp, a = subs - 1 - wave + b;
    __syncthreads();
    if (b > wave || b >= subs || a >= subs) {
      fetch(wave + 1);
      continue;
    }
    weights.store(lane);
    fetch(wave + 1);
    fetch_inner_values(task, a, b, lane);
    add_sub_products(task, a, b, lane);
    __syncwarp();
    close_sub_block<Rules>(task.rules, origin_of(task, a, b), of_tile<T>(a, b), of_left<T, Depth>(a, a),
                           of_below<T, Depth>(b, b), of_warp<T>());
  }
  __syncthreads();
}

/// Finishes a diagonal tile: its sub-blocks diagonal by diagonal, a warp each.
template <class Rules, int Depth>
__device__ __forceinline__ void close_diagonal_tile(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int at = static_cast<int>(threadIdx.x); at < Layout<T>::tile_size; at += block_threads) {
    const int i = at / Layout<T>::tile_stride, j = at % Layout<T>::tile_stride;
    shared_values<T>()[at] = j == i + 1 ? Rules::one() : Rules::zero();
  }
  SubWeights<Rules> weights;
  weights.fetch(task, warp, warp, lane);
  for (int e = 0; e < subs; ++e) {
    const int a = warp, b = warp + e;
    __syncthreads();
    if (b >= subs) continue;
    const SubBlock<T> c = of_tile<T>(a, b);
    const Origin at = origin_of(task, a, b);
    weights.store(lane);
    if (b + 1 < subs) weights.fetch(task, a, b + 1, lane);
    if (e > 0) fetch_inner_values(task, a, b, lane);
    SubAccumulator<Rules> sum;
    sum.load(c, lane);
    for (int k = a + 1; k < b; ++k) {
      sum.add(task.rules, at, of_tile<T>(a, k), of_tile<T>(k, b), origin_of(task, k, k).i, lane);
    }
    sum.store(c, lane);
    __syncwarp();
    if (e == 0) {
      close_corner<Rules>(task.rules, at, c, of_warp<T>());
    } else {
      close_sub_block<Rules>(task.rules, at, c, of_tile<T>(a, a), of_tile<T>(b, b), of_warp<T>());
    }
  }
  __syncthreads();
}

}  // namespace warpfold::tiles::device
