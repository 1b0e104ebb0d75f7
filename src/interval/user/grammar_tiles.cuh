#pragma once

#include <utility>

#include "interval/user/grammar_rules.cuh"

/// How a block fills a tile of all tables of a grammar (docs/explanation/kernels/grammar.md). fill_tables gives it the
/// tile. The products are those of one table, one pair of tables after the other. The tile is closed diagonal by
/// diagonal, each in two steps: all threads add what products and stencils read in this tile and next to it; then each
/// interval has a thread, which calls the caller's terms.
namespace warpfold::interval::device {

/// Calls visit(t) for 0 .. count-1, as constants.
template <int count, class Visit>
__device__ __forceinline__ void each_number(Visit&& visit) {
  [&]<int... t>(std::integer_sequence<int, t...>) { (visit(std::integral_constant<int, t>()), ...); }
  (std::make_integer_sequence<int, count>());
}

/// What stencil s reads of interval (i,j) with this value.
template <class G>
__device__ __forceinline__ GrammarValue<G> weighted(const GrammarRules<G>& rules, [[maybe_unused]] int s,
                                                    [[maybe_unused]] unsigned i, [[maybe_unused]] unsigned j,
                                                    GrammarValue<G> stored) {
  if constexpr (interval::detail::weights_inner<G>) {
    using Values = interval::detail::Stored<typename G::Semiring>;
    if (Values::is_zero(stored)) return stored;
    const GrammarValue<G> weight = interval::detail::inner_of(rules.grammar, static_cast<std::size_t>(s), i, j);
    if (!Values::accepts(weight)) rules.report(GrammarMisfit::encode(i, j, 0, GrammarMisfit::inner));
    return Values::is_zero(weight) ? Values::zero() : Values::times(stored, Values::of(weight));
  } else {
    return stored;
  }
}

/// A diagonal of a tile: its intervals (first + x, first + x + number), x < cells, counted in the tile.
struct TileDiagonal {
  int number;

  [[nodiscard]] __device__ __forceinline__ int first() const { return number < 0 ? -number : 0; }
  [[nodiscard]] __device__ __forceinline__ int cells() const { return tile_side - (number < 0 ? -number : number); }
  /// The threads side by side along it. The others share the terms of the same intervals.
  [[nodiscard]] __device__ __forceinline__ int width() const { return cells() > tile_side / 2 ? 64 : 32; }
  /// The first of its rows, down to a multiple of four.
  [[nodiscard]] __device__ __forceinline__ int first_of_four() const { return first() / 4 * 4; }
};

/// Closes the block's tile.
template <class G, int Depth>
class TableClosing {
 public:
  using Rules = GrammarRules<G>;
  using T = typename Rules::Value;
  using S = typename G::Semiring;
  using Values = typename Rules::Values;
  using Area = ClosingArea<G>;

  __device__ explicit TableClosing(const Task<Rules, Depth>& task) : task_(task), rules_(task.rules) {}

  __device__ void run() {
    begin();
    for (TileDiagonal at{on_diagonal() ? 1 : 1 - tile_side}; at.number < tile_side; ++at.number) {
      add_products_of(at);
      add_stencils_of(at);
      __syncthreads();
      if (threadIdx.x < tile_side) {
        finish(at);
      } else {
        fetch_around(at.number, static_cast<int>(threadIdx.x) - tile_side, block_threads - tile_side);
      }
      __syncthreads();
    }
  }

 private:
  [[nodiscard]] __device__ __forceinline__ bool on_diagonal() const { return task_.diagonal() == 0; }
  [[nodiscard]] __device__ __forceinline__ T* area() const {
    if constexpr (Area::is_shared(this_capability)) {
      return shared_values<T>();
    } else {
      return rules_.areas + std::size_t{blockIdx.x} * Area::size;
    }
  }
  [[nodiscard]] __device__ __forceinline__ T* table(unsigned t) const {
    return task_.job.table + t * rules_.table_size;
  }
  [[nodiscard]] __device__ __forceinline__ T* tile(unsigned t, unsigned i, unsigned j) const {
    return table(t) + tiles::tile_offset(i, j, tile_side);
  }

  /// Fetches what lies around the tile, and clears what is below the diagonal of the table.
  __device__ void begin() {
    const int thread = static_cast<int>(threadIdx.x);
    for (int at = Area::ring(0) + thread; at < Area::ring(Area::stencils); at += block_threads) {
      area()[at] = Values::zero();
    }
    for (int at = thread; at < Area::tile; at += block_threads) fetch_corners(at);
    __syncthreads();
    if (on_diagonal()) return;
    each_number<Area::stencils>([&](auto s) {
      for (int c = 1 - tile_side - Area::lags(s); c < 1 - tile_side; ++c) fetch_around_for<s>(c, thread, block_threads);
    });
    __syncthreads();
  }
  __device__ __forceinline__ void fetch_corners(int at) {
    if (on_diagonal()) {
      each_number<static_cast<int>(table_count<G>)>(
          [&](auto t) { tile(t, task_.tile.i, task_.tile.j)[at] = Values::zero(); });
    } else if (at / tile_side < at % tile_side) {
      each_number<Area::products>([&](auto p) {
        constexpr interval::Product product = Area::product(p);
        T* const corners = area() + Area::corners(p);
        corners[at] = load_shared_by_blocks(tile(product.left, task_.tile.i, task_.tile.i) + at);
        corners[Area::tile - 1 - at] = load_shared_by_blocks(tile(product.right, task_.tile.j, task_.tile.j) + at);
      });
    }
  }

  /// The place of row r of a diagonal in the ring of stencil s.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ T* ring(int diagonal, int row) const {
    const int slot = (diagonal + 2 * tile_side * Area::lags(s)) % Area::lags(s);
    return area() + Area::ring(s) + slot * Area::ring_width(s) + row - 1;
  }
  /// Fetches a diagonal's intervals outside the tile that stencils read: in the tiles to the left, below, and between.
  __device__ __forceinline__ void fetch_around(int diagonal, int thread, int threads) {
    if (on_diagonal()) return;
    each_number<Area::stencils>([&](auto s) { fetch_around_for<s>(diagonal, thread, threads); });
  }
  template <int s>
  __device__ __forceinline__ void fetch_around_for(int diagonal, int thread, int threads) {
    for (int row = 1 + thread; row <= tile_side + Area::deep(s); row += threads) {
      const int column = row + diagonal;
      const bool below = row >= tile_side, left = column < 0;
      if ((!below && !left) || column >= tile_side || column < -1 - Area::deep(s)) continue;
      const unsigned i = task_.tile.i + below, j = task_.tile.j - left;
      T value = Values::zero();
      if (i <= j) {
        const int r = row % tile_side, c = left ? column + tile_side : column;
        value = weighted(rules_, s, i * tile_side + r, j * tile_side + c,
                         load_shared_by_blocks(tile(Area::of(s), i, j) + r * tile_side + c));
      }
      *ring<s>(diagonal, row) = value;
    }
  }

  /// Adds terms of a product that lie `step` apart: a moves along a row, b along a column.
  static __device__ __forceinline__ T added(T sum, const T* a, int a_step, const T* b, int b_step, int terms) {
#pragma unroll 4
    for (int x = 0; x < terms; ++x) {
      sum = ProductRules<G>::plus(sum, ProductRules<G>::times(*a, *b));
      a += a_step;
      b += b_step;
    }
    return sum;
  }
  /// The terms of the intervals' products that this tile and the two diagonal tiles have, in parts.
  __device__ __forceinline__ void add_products_of(TileDiagonal at) {
    const int width = at.width(), x = static_cast<int>(threadIdx.x) % width,
              part = static_cast<int>(threadIdx.x) / width;
    const int i = at.first() + x, j = i + at.number;
    if (x >= at.cells()) return;
    each_number<Area::products>([&](auto p) {
      constexpr interval::Product product = Area::product(p);
      constexpr int left = Area::panel(product.left), right = Area::panel(product.right), corners = Area::corners(p);
      const int parts = block_threads / width;
      T sum = Values::zero();
      if (part == 0 && task_.diagonal() > 1) {
        sum = load_shared_by_blocks(rules_.sums + (blockIdx.x * Area::products + p) * Area::tile + i * tile_side + j);
      }
      if (on_diagonal()) {
        const int first = i + 1 + part, terms = (j - first + parts - 1) / parts;
        sum = added(sum, area() + left + i * tile_side + first, parts, area() + right + first * tile_side + j,
                    parts * tile_side, terms);
      } else {
        const int half = parts / 2, skip = part % half;
        const T *a, *b;
        int step, terms;
        if (part < half) {  // k in the rows' tile, from i+1 up
          const int first = i + 1 + skip;
          a = area() + corners + i * tile_side + first;
          b = area() + right + first * tile_side + j;
          step = half;
          terms = (tile_side - first + half - 1) / half;
          sum = added(sum, a, step, b, step * tile_side, terms);
        } else {  // k in the columns' tile, from j-1 down
          const int first = j - 1 - skip;
          a = area() + left + i * tile_side + first;
          b = area() + corners + Area::tile - 1 - (first * tile_side + j);
          step = half;
          terms = (first + half) / half;
          sum = added(sum, a, -step, b, step * tile_side, terms);
        }
      }
      area()[Area::product_parts(p) + part * width + x] = sum;
    });
  }

  /// The terms of the intervals' stencils, in parts: a thread has four intervals, and a group of threads some of the
  /// weights.
  __device__ __forceinline__ void add_stencils_of(TileDiagonal at) {
    const int width = at.width(), fours = width / 4, groups = block_threads / fours;
    const int four = static_cast<int>(threadIdx.x) % fours, group = static_cast<int>(threadIdx.x) / fours;
    if (at.first_of_four() + 4 * four >= tile_side) return;
    each_number<Area::stencils>([&](auto s) {
      Four<T> sums;
      for (T& sum : sums.value) sum = Values::zero();
      const int last = static_cast<int>(rules_.first_chunk[s + 1]);
#pragma unroll 2
      for (int at_chunk = static_cast<int>(rules_.first_chunk[s]) + group; at_chunk < last; at_chunk += groups) {
        const WeightChunk<T> chunk = rules_.chunks[at_chunk];
        add_chunk(sums, chunk, ring<s>(at.number - 2 - chunk.lag, at.first_of_four() + 4 * four + 1 + chunk.first));
      }
      *reinterpret_cast<Four<T>*>(area() + Area::stencil_parts(s) + group * width + 4 * four) = sums;
    });
  }
  static __device__ __forceinline__ void add_chunk(Four<T>& sums, const WeightChunk<T>& chunk, const T* from) {
    const auto* const fours = reinterpret_cast<const Four<T>*>(from);
    const Four<T> low = fours[0], high = fours[1];
#pragma unroll
    for (int x = 0; x < 4; ++x) {
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        const T read = x + w < 4 ? low.value[x + w] : high.value[(x + w) % 4];
        sums.value[x] = ProductRules<G>::plus(sums.value[x], ProductRules<G>::times(chunk.weight[w], read));
      }
    }
  }

  /// The sum of the parts of an interval's sum.
  [[nodiscard]] __device__ __forceinline__ T sum_of(const T* parts, int count, int width) const {
    T sum = parts[0];
    for (int part = 1; part < count; ++part) sum = ProductRules<G>::plus(sum, parts[part * width]);
    return sum;
  }
  /// Finishes the thread's interval: calls the caller's terms, and writes the values to where they are read.
  __device__ __forceinline__ void finish(TileDiagonal at) {
    const int x = static_cast<int>(threadIdx.x), width = at.width();
    const int row = at.first() + x, column = row + at.number;
    if (x >= at.cells()) return;
    const unsigned i = task_.tile.i * tile_side + row, j = task_.tile.j * tile_side + column;
    DeviceTerms<G> terms(task_.job.table, rules_.table_size, i, j);
    each_number<Area::products>(
        [&](auto p) { terms.products[p] = sum_of(area() + Area::product_parts(p) + x, block_threads / width, width); });
    each_number<Area::stencils>([&](auto s) {
      const T* const parts = area() + Area::stencil_parts(s) + row - at.first_of_four();
      terms.stencils[s] = sum_of(parts, 4 * block_threads / width, width);
    });
    const bool exists = j < rules_.points;
    if (exists) rules_.grammar.terms(i, j, terms);
    each_number<static_cast<int>(table_count<G>)>([&](auto t) {
      const T value = terms.value(t);
      const int place = row * tile_side + column;
      tile(t, task_.tile.i, task_.tile.j)[place] = value;
      if constexpr (Area::is_read(t)) area()[Area::panel(t) + place] = value;
      each_number<Area::stencils>([&](auto s) {
        if constexpr (Area::of(decltype(s)::value) == decltype(t)::value) {
          if (row > 0) *ring<s>(at.number, row) = weighted(rules_, s, i, j, value);
        }
      });
    });
    if (exists) rules_.report(terms.misfit);
  }

  const Task<Rules, Depth>& task_;
  const Rules& rules_;
};

/// Adds all products of a pair of tables' tiles, and writes the sums to the block's place for them.
template <class G, int Depth>
__device__ void sum_product(const Task<GrammarRules<G>, Depth>& task, int p) {
  using T = GrammarValue<G>;
  const interval::Product tables = ClosingArea<G>::product(p);
  const ProductRules<G> rules{tables.left * task.rules.table_size, tables.right * task.rules.table_size};
  const Task<ProductRules<G>, Depth> product{rules, task.sharing, task.job, task.tile};
  TileSum<ProductRules<G>, Depth> sum(product);
  add_products(product, sum);
  copy_wait<0>();
  sum.store(product);
  write_tile(task.rules.sums + (blockIdx.x * ClosingArea<G>::products + p) * ClosingArea<G>::tile,
             [](int, int, const Vector<T>&) {});
  __syncthreads();
}

template <class Rules, int Depth>
__device__ void wait_for(const Task<Rules, Depth>& task, unsigned i, unsigned j) {
  while ((task.ready(i, j).load(::cuda::memory_order_acquire) & tiles::is_final) == 0) __nanosleep(32);
}
/// Waits until the tiles around a tile are final. All others inside it were waited for to make these.
template <class Rules, int Depth>
__device__ void wait_for_tiles_around(const Task<Rules, Depth>& task) {
  const auto [i, j] = task.tile;
  if (threadIdx.x == 0 && i < j) {
    wait_for(task, i, i);
    wait_for(task, j, j);
    wait_for(task, i, j - 1);
    wait_for(task, i + 1, j);
  }
  __syncthreads();
}

/// fill_tables calls these two for a tile of a grammar.
template <class G, int Depth>
__device__ void run_task(const Task<GrammarRules<G>, Depth>& task) {
  if (task.diagonal() > 1) {
#pragma unroll 1
    for (int p = 0; p < ClosingArea<G>::products; ++p) sum_product(task, p);
  }
  wait_for_tiles_around(task);
  TableClosing<G, Depth>(task).run();
}
template <class G, int Depth>
__device__ void publish(const Task<GrammarRules<G>, Depth>& task, bool) {
  if (threadIdx.x == 0) announce<OwnCounter>(task.job, task.tile);
}

}  // namespace warpfold::interval::device
