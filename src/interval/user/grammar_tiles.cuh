#pragma once

#include <utility>

#include "interval/user/grammar_rules.cuh"

/// How a block fills a tile of all tables of a grammar (docs/explanation/kernels/grammar.md). fill_tables gives it the
/// tile. The products are those of one table, one pair of tables after the other. The tile is closed diagonal by
/// diagonal, each in two steps. First all threads add what products read in this tile and next to it, and the terms of
/// sparse tables. Then each interval has a thread, which calls the other terms, while the other threads begin the
/// stencils of the next diagonal: these read what lies two diagonals back.
namespace warpfold::interval::device {

/// Calls visit(t) for 0 .. count-1, as constants.
template <int count, class Visit>
__device__ __forceinline__ void each_number(Visit&& visit) {
  [&]<int... t>(std::integer_sequence<int, t...>) { (visit(std::integral_constant<int, t>()), ...); }
  (std::make_integer_sequence<int, count>());
}

/// What stencil s reads of interval (i,j) with this value, which is not zero(). Notes a weight that is not accepted.
template <class G>
__device__ __forceinline__ GrammarValue<G> weighted([[maybe_unused]] const G& grammar, [[maybe_unused]] int s,
                                                    [[maybe_unused]] unsigned i, [[maybe_unused]] unsigned j,
                                                    GrammarValue<G> stored,
                                                    [[maybe_unused]] unsigned long long& misfit) {
  if constexpr (interval::detail::weights_inner<G>) {
    using Values = interval::detail::Stored<typename G::Semiring>;
    const GrammarValue<G> weight = interval::detail::inner_of(grammar, static_cast<std::size_t>(s), i, j);
    if (!Values::accepts(weight) && misfit == GrammarMisfit::none) {
      misfit = GrammarMisfit::encode(i, j, 0, GrammarMisfit::inner);
    }
    return Values::is_zero(weight) ? Values::zero() : Values::times(stored, Values::of(weight));
  } else {
    return stored;
  }
}

/// The number of the thread, all teams counted.
__device__ __forceinline__ int thread_of_block() { return static_cast<int>(threadIdx.y * block_threads + threadIdx.x); }

/// A diagonal of a tile: its intervals (first + x, first + x + number), x < cells, counted in the tile.
struct TileDiagonal {
  int number;

  [[nodiscard]] __device__ __forceinline__ int first() const { return number < 0 ? -number : 0; }
  [[nodiscard]] __device__ __forceinline__ int cells() const { return tile_side - (number < 0 ? -number : number); }
  /// Calls visit with the number of threads side by side along it, as a constant. The others share the terms of the
  /// same intervals.
  template <class Visit>
  __device__ __forceinline__ void with_width(Visit&& visit) const {
    if (cells() > tile_side / 2) {
      visit(std::integral_constant<int, tile_side>());
    } else {
      visit(std::integral_constant<int, tile_side / 2>());
    }
  }
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
  using Area = typename Rules::Area;
  using Products = ProductRules<G>;
  static constexpr int threads = Area::threads, warps = Area::warps;

  __device__ explicit TableClosing(const Task<Rules, Depth>& task) : task_(task), rules_(task.rules) {}

  __device__ void run() {
    const int first = on_diagonal() ? 1 : 1 - tile_side;
    list_sparse({first});
    begin();
    for (TileDiagonal at{first - 1}; at.number < tile_side; ++at.number) {
      if (at.number >= first) {
        at.with_width([&](auto width) { add_products_of<decltype(width)::value>(at); });
        if constexpr (!Area::stencils_are_sparse) add_sums_of_stencils(at);
        add_sparse_of(at);
        __syncthreads();
        finish_diagonal(at);
      }
      list_sparse({at.number + 2});
      const TileDiagonal next{at.number + 1};
      if (next.number < tile_side) {
        next.with_width([&](auto width) { add_stencils_of<decltype(width)::value>(next); });
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

  __device__ __forceinline__ void finish_diagonal(TileDiagonal at) {
    const int thread = thread_of_block();
    if (thread < tile_side) {
      at.with_width([&](auto width) { finish<decltype(width)::value>(at); });
      return;
    }
    finish_sparse(at, thread - tile_side);
    for (int number = threads - 1 - thread; number < 2 * Area::deepest(); number += threads - tile_side) {
      fetch_around(at.number, number);
    }
  }

  /// Fetches what lies around the tile, and clears what is below the diagonal of the table.
  __device__ void begin() {
    const int thread = thread_of_block();
    for (int at = Area::ring(0) + thread; at < Area::ring(Area::stencils); at += threads) {
      area()[at] = Values::zero();
    }
    for (int at = thread; at < Area::tile; at += threads) fetch_corners(at);
    __syncthreads();
    if (on_diagonal()) return;
    if constexpr (Area::stencils > 0) {
      constexpr int number = 2 * Area::deepest();  // and no more intervals of a diagonal are around the tile
      for (int at = thread; at < Area::deepest() * number; at += threads) {
        fetch_around(-tile_side - at / number, at % number);
      }
    }
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

  /// An interval, with its place in its tile.
  struct Place {
    int row, column;
    unsigned i, j;
    [[nodiscard]] __device__ __forceinline__ int in_tile() const { return row * tile_side + column; }
  };

  /// The place of row r of a diagonal in the ring of stencil s.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ T* ring(int diagonal, int row) const {
    return area() + Area::ring(s) + ring_place<s>(diagonal) + row - 1;
  }
  template <int s>
  [[nodiscard]] static __device__ __forceinline__ int ring_place(int diagonal) {
    const unsigned slot = static_cast<unsigned>(diagonal + 2 * tile_side * Area::lags(s)) % Area::lags(s);
    return static_cast<int>(slot) * Area::ring_width(s);
  }
  /// What weights read for an interval in this row. `newest`: the place of the diagonal that lag 0 reads.
  template <int s, class Weights>
  [[nodiscard]] __device__ __forceinline__ const T* weighed(int newest, const Weights& weights, int row) const {
    const auto place = static_cast<unsigned>(newest - weights.back);  // of the ring's end if it is below 0
    const unsigned in_ring = min(place, place + Area::ring_size(s));
    return area() + Area::ring(s) + static_cast<int>(in_ring) + row + weights.first;
  }
  /// Fetches one of a diagonal's intervals outside the tile that stencils read: in the tiles to the left, below, and
  /// between. There are at most 2 * deepest of them.
  __device__ __forceinline__ void fetch_around(int diagonal, int number) {
    constexpr int reach = Area::deepest() - 1;
    if (on_diagonal() || diagonal >= 0 || diagonal <= -tile_side - Area::deepest()) return;
    const int first = max(1, -reach - diagonal), left_rows = max(0, min(tile_side, -diagonal) - first);
    const int row = number < left_rows ? first + number : tile_side + number - left_rows, column = row + diagonal;
    if (row >= tile_side + reach || column < -reach || column >= tile_side) return;
    const bool below = row >= tile_side, left = column < 0;
    const unsigned i = task_.tile.i + below, j = task_.tile.j - left;
    const int r = row % tile_side, c = left ? column + tile_side : column;
    const Place interval{r, c, i * tile_side + r, j * tile_side + c};
    unsigned long long misfit = GrammarMisfit::none;
    each_number<static_cast<int>(table_count<G>)>([&](auto t) {
      if constexpr (Area::is_weighed(t)) {
        const T value = i <= j ? load_shared_by_blocks(tile(t, i, j) + interval.in_tile()) : Values::zero();
        write_to_rings<t>(diagonal, row, interval, value, misfit);
      }
    });
    rules_.report(misfit);
  }

  /// Adds terms of a product, each `step` after the other, of the next `count`. a moves along a row, b along a column;
  /// the columns' diagonal tile is turned, so that there b moves up while a moves down.
  template <int step>
  static __device__ __forceinline__ T added(T sum, const T* a, const T* b, int count) {
    constexpr int distance = step < 0 ? -step : step;
#pragma unroll 4
    for (int x = 0; x < count; x += distance) {
      sum = Products::plus(sum, Products::times(*a, *b));
      a += step;
      b += distance * tile_side;
    }
    return sum;
  }
  /// The terms of the intervals' products that this tile and the two diagonal tiles have, in parts.
  template <int width>
  __device__ __forceinline__ void add_products_of(TileDiagonal at) {
    constexpr int parts = threads / width, half = parts / 2;
    const int x = thread_of_block() % width, part = thread_of_block() / width;
    const int i = at.first() + x, j = i + at.number;
    if (x >= at.cells()) return;
    each_number<Area::products>([&](auto p) {
      constexpr interval::Product product = Area::product(p);
      constexpr int left = Area::panel(product.left), right = Area::panel(product.right), corners = Area::corners(p);
      T sum = Values::zero();
      if (part == 0 && task_.diagonal() > 1) {
        sum = load_shared_by_blocks(rules_.sums + (blockIdx.x * Area::products + p) * Area::tile + i * tile_side + j);
      }
      if (on_diagonal()) {
        const int first = i + 1 + part;
        sum =
            added<parts>(sum, area() + left + i * tile_side + first, area() + right + first * tile_side + j, j - first);
      } else if (part < half) {  // k in the rows' tile, from i+1 up
        const int first = i + 1 + part;
        sum = added<half>(sum, area() + corners + i * tile_side + first, area() + right + first * tile_side + j,
                          tile_side - first);
      } else {  // k in the columns' tile, from j-1 down
        const int first = j - 1 - (part - half);
        sum = added<-half>(sum, area() + left + i * tile_side + first,
                           area() + corners + Area::tile - 1 - (first * tile_side + j), first + 1);
      }
      area()[Area::product_parts(p) + part * width + x] = sum;
    });
  }

  /// The terms of the intervals' stencils, in parts: each warp adds some of the weights.
  template <int width>
  __device__ __forceinline__ void add_stencils_of(TileDiagonal at) {
    if (warp() < warps - Area::stencil_warps) return;
    each_number<Area::stencils>([&](auto s) {
      T* const parts = area() + Area::stencil_parts(s) + (warp() - (warps - Area::stencil_warps)) * tile_side;
      const bool has_chunks = rules_.weights.first_chunk[s] < rules_.weights.first_chunk[s + 1];
      if (has_chunks) add_chunks_of<decltype(s)::value, width>(at, parts);
      add_singles_of<decltype(s)::value>(at, parts, has_chunks);
    });
  }
  /// A thread has four rows, and a group of threads some of the chunks. A warp's groups add their sums.
  template <int s, int width>
  __device__ __forceinline__ void add_chunks_of(TileDiagonal at, T* parts) {
    constexpr int fours = width / 4, groups = Area::stencil_warps * 32 / fours;
    const int thread = thread_of_block() - (warps - Area::stencil_warps) * 32;
    const int four = thread % fours, row = at.first_of_four() + 4 * four;
    const int newest = ring_place<s>(at.number - 2);
    Four<T> sums;
    for (T& sum : sums.value) sum = Values::zero();
    if (row < tile_side) {
#pragma unroll 2
      for (int t = rules_.weights.first_chunk[s] + thread / fours; t < rules_.weights.first_chunk[s + 1]; t += groups) {
        const auto chunk = rules_.weights.chunks[t];
        add_chunk(sums, chunk, weighed<s>(newest, chunk, row));
      }
    }
#pragma unroll
    for (int distance = fours; distance < 32; distance *= 2) {
      for (T& sum : sums.value) sum = Products::plus(sum, from_lane(sum, distance));
    }
    if (thread % 32 < fours) *reinterpret_cast<Four<T>*>(parts + 4 * four) = sums;
    __syncwarp();
  }
  /// A thread has an interval, and a warp some of the weights that are alone in their chunks.
  template <int s>
  __device__ __forceinline__ void add_singles_of(TileDiagonal at, T* parts, bool has_chunks) {
    const int first = rules_.weights.first_single[s] + warp() - (warps - Area::stencil_warps);
    const int count = Area::stencils_are_sparse ? listed(at).count() : at.cells(),
              newest = ring_place<s>(at.number - 2);
    for (int t = thread_of_block() % 32; t < count; t += 32) {
      const int row = at.first() + (Area::stencils_are_sparse ? listed(at).x[t] : t);
      T& part = parts[row - at.first_of_four()];
      T sum = has_chunks ? part : Values::zero();
#pragma unroll 4
      for (int single = first; single < rules_.weights.first_single[s + 1]; single += Area::stencil_warps) {
        const auto weight = rules_.weights.singles[single];
        sum = Products::plus(sum, Products::times(weight.weight[0], *weighed<s>(newest, weight, row)));
      }
      part = sum;
    }
  }
  static __device__ __forceinline__ int warp() { return thread_of_block() / 32; }
  /// The value of the lane whose number differs in this bit.
  static __device__ __forceinline__ T from_lane(T value, int bit) {
    return __builtin_bit_cast(T, __shfl_xor_sync(all_lanes, __builtin_bit_cast(Word<T>, value), bit));
  }
  /// The sum of the warps' parts for the interval in this row.
  [[nodiscard]] __device__ __forceinline__ T stencil(int s, TileDiagonal at, int row) const {
    return sum_of<Area::stencil_warps>(area() + Area::stencil_parts(s) + row - at.first_of_four(), tile_side);
  }
  __device__ __forceinline__ void add_sums_of_stencils(TileDiagonal at) {
    for (int x = thread_of_block(); x < Area::stencils * tile_side; x += threads) {
      const int row = at.first_of_four() + x % tile_side;
      if (row < tile_side) area()[Area::stencil_sums(0) + x] = stencil(x / tile_side, at, row);
    }
  }
  template <class Chunk>
  static __device__ __forceinline__ void add_chunk(Four<T>& sums, const Chunk& chunk, const T* from) {
    constexpr int count = WeightLists<T, Area::stencils>::of_chunk;
    Four<T> read[count / 4 + 1];
#pragma unroll
    for (int four = 0; four <= count / 4; ++four) read[four] = reinterpret_cast<const Four<T>*>(from)[four];
#pragma unroll
    for (int w = 0; w < count; ++w) {
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        T& sum = sums.value[x];
        sum = Products::plus(sum, Products::times(chunk.weight[w], read[(x + w) / 4].value[(x + w) % 4]));
      }
    }
  }
  /// The sum of the parts of an interval's sum.
  template <int count>
  [[nodiscard]] static __device__ __forceinline__ T sum_of(const T* parts, int width) {
    T sum = parts[0];
#pragma unroll
    for (int part = 1; part < count; ++part) sum = Products::plus(sum, parts[part * width]);
    return sum;
  }
  /// The intervals of a diagonal that may have values in the sparse tables. There are lists of this diagonal, of the
  /// next and of the one after it.
  struct Listed {
    unsigned long long mask;  ///< of the diagonal's intervals, by x
    unsigned char x[tile_side];

    [[nodiscard]] __device__ __forceinline__ int count() const { return __popcll(mask); }
    [[nodiscard]] __device__ __forceinline__ bool has(int at) const { return (mask >> at & 1) != 0; }
  };
  static __device__ __forceinline__ Listed& listed(TileDiagonal at) {
    __shared__ Listed lists[4];
    return lists[at.number & 3];
  }
  [[nodiscard]] __device__ __forceinline__ Place place(TileDiagonal at, int x) const {
    const int row = at.first() + x, column = row + at.number;
    return {row, column, task_.tile.i * tile_side + row, task_.tile.j * tile_side + column};
  }
  template <unsigned begin, unsigned end>
  [[nodiscard]] __device__ __forceinline__ DeviceTerms<G, begin, end> terms_of(const Place& interval) const {
    return {task_.job.table, rules_.table_size, tile(0, task_.tile.i, task_.tile.j) + interval.in_tile(), interval.i,
            interval.j};
  }
  /// One warp lists a diagonal.
  __device__ __forceinline__ void list_sparse([[maybe_unused]] TileDiagonal at) {
    if constexpr (Area::sparse > 0) {
      if (warp() == warps / 2 && at.number < tile_side) list_sparse_of(at);
    }
  }
  __device__ __forceinline__ void list_sparse_of(TileDiagonal at) {
    const int lane = thread_of_block() % 32;
    Listed& list = listed(at);
    unsigned long long mask = 0;
#pragma unroll 1
    for (int half = 0; half < tile_side; half += 32) {
      const Place interval = place(at, half + lane);
      const bool may = half + lane < at.cells() && interval.j < rules_.points &&
                       rules_.grammar.may_have_value(interval.i, interval.j);
      const unsigned here = __ballot_sync(all_lanes, may);
      if (may) {
        list.x[__popcll(mask) + __popc(here & ((1U << lane) - 1))] = static_cast<unsigned char>(half + lane);
      }
      mask |= static_cast<unsigned long long>(here) << half;
    }
    if (lane == 0) list.mask = mask;
  }
  /// The terms of the sparse tables. Each warp has a part of those of each listed interval.
  __device__ __forceinline__ void add_sparse_of([[maybe_unused]] TileDiagonal at) {
    if constexpr (Area::sparse > 0) {
      const int group = warp() % Area::sparse_groups, turn = warp() / Area::sparse_groups;
      const int lane = thread_of_block() % 32;
      constexpr int turns = warps / Area::sparse_groups;
      if (turn >= turns) return;
      for (int at_list = turn * 32 + lane; at_list < listed(at).count(); at_list += turns * 32) {
        const int x = listed(at).x[at_list];
        each_number<Area::sparse_groups>([&](auto g) {
          if (group == g) add_sparse_group<decltype(g)::value>(at, x);
        });
      }
    }
  }
  template <int group>
  __device__ __forceinline__ void add_sparse_group(TileDiagonal at, int x) {
    const Place interval = place(at, x);
    auto terms = terms_of<0, Area::sparse>(interval);
    each_number<Area::stencils>([&](auto s) { terms.stencils[s] = stencil(s, at, interval.row); });
    if constexpr (Area::sparse_parts == 1) {
      rules_.grammar.sparse_terms(interval.i, interval.j, terms);
    } else {
      each_number<Area::first_part(group + 1) - Area::first_part(group)>([&](auto p) {
        constexpr unsigned part = Area::first_part(group) + p;
        rules_.grammar.template sparse_part<part>(interval.i, interval.j, terms);
      });
    }
    each_number<Area::sparse>([&](auto t) { area()[Area::sparse_sums(t) + group * tile_side + x] = terms.sum(t); });
    rules_.report(terms.misfit);
  }
  /// The value of a sparse table of a listed interval.
  template <class Terms>
  [[nodiscard]] __device__ __forceinline__ T sparse_value(int t, int x, Terms& terms) const {
    return terms.final_value(t, sum_of<Area::sparse_groups>(area() + Area::sparse_sums(t) + x, tile_side));
  }
  /// Writes the values of the sparse tables of the listed intervals.
  __device__ __forceinline__ void finish_sparse([[maybe_unused]] TileDiagonal at, [[maybe_unused]] int helper) {
    if constexpr (Area::sparse > 0) {
      if (helper >= listed(at).count()) return;
      const int x = listed(at).x[helper];
      const Place interval = place(at, x);
      auto terms = terms_of<0, Area::sparse>(interval);
      each_number<Area::sparse>([&](auto t) { write<t>(at, interval, sparse_value(t, x, terms), terms.misfit); });
      rules_.report(terms.misfit);
    }
  }
  /// Finishes the thread's interval: calls the caller's terms, and writes the values to where they are read.
  template <int width>
  __device__ __forceinline__ void finish(TileDiagonal at) {
    const int x = thread_of_block();
    if (x >= at.cells()) return;
    const Place interval = place(at, x);
    auto terms = terms_of<Area::sparse, table_count<G>>(interval);
    each_number<Area::products>(
        [&](auto p) { terms.products[p] = sum_of<threads / width>(area() + Area::product_parts(p) + x, width); });
    if constexpr (!Area::stencils_are_sparse) {
      each_number<Area::stencils>(
          [&](auto s) { terms.stencils[s] = area()[Area::stencil_sums(s) + interval.row - at.first_of_four()]; });
    }
    if constexpr (Area::sparse > 0) {
      const bool is_listed = listed(at).has(x);
      each_number<Area::sparse>([&](auto t) {
        terms.before[t] = is_listed ? sparse_value(t, x, terms) : Values::zero();
        if (!is_listed) write<t>(at, interval, Values::zero(), terms.misfit);
      });
    }
    const bool exists = interval.j < rules_.points;
    if (exists) {
      if constexpr (Area::sparse > 0) {
        rules_.grammar.dense_terms(interval.i, interval.j, terms);
      } else {
        rules_.grammar.terms(interval.i, interval.j, terms);
      }
    }
    each_number<static_cast<int>(table_count<G>) - Area::sparse>([&](auto t) {
      constexpr int table = Area::sparse + t;
      write<table>(at, interval, terms.value(table), terms.misfit);
    });
    if (exists) rules_.report(terms.misfit);
  }
  /// Writes a value of table t to where it is read.
  template <int t>
  __device__ __forceinline__ void write(TileDiagonal at, const Place& interval, T value, unsigned long long& misfit) {
    tile(t, task_.tile.i, task_.tile.j)[interval.in_tile()] = value;
    if constexpr (Area::is_read(t)) area()[Area::panel(t) + interval.in_tile()] = value;
    if (Area::is_weighed(t) && interval.row > 0) write_to_rings<t>(at.number, interval.row, interval, value, misfit);
  }
  /// Writes what the stencils of table t read of an interval. What lies before a ring's diagonals is left out.
  template <int t>
  __device__ __forceinline__ void write_to_rings(int diagonal, int row, const Place& interval, T value,
                                                 unsigned long long& misfit) {
    T weighed[Area::stencils + 1];  // all before any is written, so that the compiler reads the caller's lists once
    each_number<Area::stencils>([&](auto s) { weighed[s] = value; });
    if (!Values::is_zero(value)) {
      each_number<Area::stencils>([&](auto s) {
        if (Area::of(s) == t) weighed[s] = weighted(rules_.grammar, s, interval.i, interval.j, value, misfit);
      });
    }
    each_number<Area::stencils>([&](auto s) {
      const bool is_in_ring = row <= tile_side + Area::deep(s) && diagonal > -tile_side - Area::lags(s);
      if (Area::of(s) == t && is_in_ring) *ring<s>(diagonal, row) = weighed[s];
    });
  }

  const Task<Rules, Depth>& task_;
  const Rules& rules_;
};

/// Adds all products of a pair of tables' tiles, and writes the sums to the block's place for them. Each team adds
/// some.
template <class G, int Depth>
__device__ void sum_product(const Task<GrammarRules<G>, Depth>& task, int p) {
  using T = GrammarValue<G>;
  using Rules = ProductRules<G>;
  constexpr unsigned teams = adding_teams_of<Rules>(this_capability);
  const interval::Product tables = ClosingArea<G>::product(p);
  const Rules rules{tables.left * task.rules.table_size, tables.right * task.rules.table_size};
  const Task<Rules, Depth> product{rules, task.sharing, task.job, task.tile};
  if (threadIdx.y < teams) {
    TileSum<Rules, Depth> sum(product);
    add_products(product, sum);
    copy_wait<0>();
    sum.store(product);
  }
  __syncthreads();
  T* const sums = task.rules.sums + (blockIdx.x * ClosingArea<G>::products + p) * ClosingArea<G>::tile;
  for (int at = thread_of_block(); at < ClosingArea<G>::tile; at += ClosingArea<G>::threads) {
    const T* const of_team = shared_values<T>() + at / tile_side * Layout<T>::tile_stride + at % tile_side;
    T sum = *of_team;
#pragma unroll
    for (unsigned team = 1; team < teams; ++team) sum = Rules::plus(sum, of_team[team * Layout<T>::corners(Depth)]);
    sums[at] = sum;
  }
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
  if (is_first_thread<Rules>() && i < j) {
    wait_for(task, i, i);
    wait_for(task, j, j);
    wait_for(task, i, j - 1);
    wait_for(task, i + 1, j);
  }
  __syncthreads();
}

template <class G, int Depth>
__device__ void close_by_grammar(const Task<GrammarRules<G>, Depth>& task) {
  const auto& [rules, sharing, job, place] = task;
  const auto* sums = task.diagonal() > 1 ? rules.sums + blockIdx.x * ClosingArea<G>::tile : nullptr;
  const OpenTile<GrammarValue<G>> tile{job.table, rules.table_size, place.i, place.j, rules.points, sums};
  rules.grammar.close(tile, shared_values<GrammarValue<G>>(), thread_of_block(),
                      [&](unsigned table, unsigned i, unsigned j) {
                        rules.report(GrammarMisfit::encode(i, j, table, GrammarMisfit::value));
                      });
}

/// fill_tables calls these two for a tile of a grammar.
template <class G, int Depth>
__device__ void run_task(const Task<GrammarRules<G>, Depth>& task) {
  if (task.diagonal() > 1) {
#pragma unroll 1
    for (int p = 0; p < ClosingArea<G>::products; ++p) sum_product(task, p);
  }
  wait_for_tiles_around(task);
  if constexpr (ClosesTiles<G>) {
    close_by_grammar(task);
  } else {
    TableClosing<G, Depth>(task).run();
  }
}
template <class G, int Depth>
__device__ void publish(const Task<GrammarRules<G>, Depth>& task, bool) {
  if (is_first_thread<GrammarRules<G>>()) announce<OwnCounter>(task.job, task.tile);
}

}  // namespace warpfold::interval::device
