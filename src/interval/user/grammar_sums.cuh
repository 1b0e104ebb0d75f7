#pragma once

#include "interval/user/sum_products.cuh"

/// How a block fills a tile of all tables of a grammar of sums (ScaledSum), with the bits of the CPU
/// (docs/explanation/kernels/grammar.md). Each sum is a chain of additions, and takes its terms in the CPU's order:
///
///     a product    the pairs of tiles in the order of TileScheduler, k ascending in a pair; then the splits k in the
///                  tile's rows, then those in its columns, k ascending
///     a stencil    loop(a,b) by a, then by b, from the largest ones
///
/// So a thread has whole sums, and threads share intervals. Ranges are those of tile_scales.hpp.
namespace warpfold::interval::device {

using tiles::TilePlace;

/// The weights loop(a,b), loop(a,b+1) and so on of a stencil: `count` from `first` on, between two that are zero.
struct alignas(16) WeightRow {
  int a, b, count, first;
};

/// The teams of a block. One copies the chunks of products, others add them, all close the tile. A multiprocessor has
/// 128 registers for each thread of four teams.
inline constexpr unsigned sum_teams = 2, own_closing_teams = 4;
inline constexpr int sum_threads = static_cast<int>(sum_teams) * block_threads;

/// The diagonals of a tile whose stencils are summed at one time, at most: a thread has one interval of one of them.
inline constexpr int max_diagonals = sum_threads / tile_side;

/// The weights of all stencils, by a from the largest one and then by b, without what is zero at the ends of a row.
template <class G>
struct SumWeightLists {
  static constexpr int stencils = ClosingArea<G>::stencils;
  static constexpr int max_rows() {
    int all = 0;
    for (int s = 0; s < stencils; ++s) all += ClosingArea<G>::deep(s) + 1;
    return all;
  }
  static constexpr int max_weights() {
    int all = 0;
    for (int s = 0; s < stencils; ++s) all += (ClosingArea<G>::deep(s) + 1) * (ClosingArea<G>::deep(s) + 6) / 2;
    return all;
  }
  /// The places that a block needs for them, in values.
  static constexpr int size =
      (max_rows() * static_cast<int>(sizeof(WeightRow) / sizeof(double)) + max_weights() + 1) / 2 * 2;

  const WeightRow* rows;
  const double* weights;
  int first_row[stencils + 1], weight_count;
  int diagonals;  ///< whose stencils read nothing of each other: 2 to max_diagonals
  unsigned char group[stencils + 1][max_diagonals / 2];  ///< of 64 threads, that adds two diagonals of a stencil

  /// Copies them to a block's place for them, by all of `threads` threads.
  __device__ __forceinline__ void copy_to(double* place, int thread, int threads) const {
    auto* const to_rows = reinterpret_cast<WeightRow*>(place + max_weights() + max_weights() % 2);
    for (int at = thread; at < weight_count; at += threads) place[at] = weights[at];
    for (int at = thread; at < first_row[stencils]; at += threads) to_rows[at] = rows[at];
  }
  /// Adds stencil s for diagonals t and t+1 to the sums. `ring`: the place of the value for a = 0 in slot 0; that for a
  /// is a * `step` further on.
  template <int s, int width, int step>
  __device__ __forceinline__ void add(const double* place, const double* ring, int t, double (&sums)[2]) const {
    constexpr int lags = ClosingArea<G>::lags(s);
    const auto* const listed = reinterpret_cast<const WeightRow*>(place + max_weights() + max_weights() % 2);
    const int newest = (t - 1 + 4 * tile_side * lags) % lags;
    for (int at = first_row[s]; at < first_row[s + 1]; ++at) {
      const WeightRow row = listed[at];
      const int before = row.a + row.b + row.count, slot = newest - before + (newest < before ? lags : 0);
      const double* weight = place + row.first + row.count;
      const double* from = ring + slot * width + row.a * step;
      double last = 0;
      const auto add_some = [&](int count) {
#pragma unroll 4
        for (int x = 0; x < count; ++x, from += width) {
          const double value = *from;
          sums[1] = fma(last, value, sums[1]);
          last = *--weight;
          sums[0] = fma(last, value, sums[0]);
        }
      };
      const int all = row.count + 1, to_end = min(all, lags - slot);
      add_some(to_end);
      from -= lags * width;
      add_some(all - to_end);
    }
  }
};

/// The terms of sparse tables that threads share: those of each part but the first have a place in a list.
template <class G>
struct SparseParts {
  static constexpr bool are_shared = requires { G::part_terms[0]; };
  static constexpr int parts = are_shared ? ClosingArea<G>::sparse_parts : 1;

  /// The terms of a part at most.
  static constexpr int terms(int part) {
    if constexpr (are_shared) return static_cast<int>(G::part_terms[static_cast<std::size_t>(part)]);
    return 0;
  }
  /// The terms of the parts before it.
  static constexpr int first(int part) {
    int before = 0;
    for (int t = 1; t < part; ++t) before += terms(t);
    return before;
  }
  static constexpr int places = first(parts);
};

/// The rows of a diagonal that may have values in sparse tables, in any order.
struct SparseRows {
  int count[2];  ///< of this diagonal and of the next
  unsigned char row[2][tile_side];

  __device__ __forceinline__ void add(int turn, int r) { row[turn][atomicAdd(&count[turn], 1)] = r; }
};

/// Calls visit(part, row) for the parts of the terms of these rows: a warp has a part for 32 rows. `first`, `warps`: of
/// the warps that share them.
template <class G, class Visit>
__device__ __forceinline__ void each_sparse_part(const SparseRows& rows, int turn, int first, int warps,
                                                 const Visit& visit) {
  constexpr int parts = SparseParts<G>::parts;
  const int count = rows.count[turn], lane = static_cast<int>(threadIdx.x) % 32;
  for (int task = thread_of_block() / 32 - first; task < (count + 31) / 32 * parts; task += warps) {
    const int at = task / parts * 32 + lane;
    each_number<parts>([&](auto part) {
      if (part == task % parts && at < count) visit(part, static_cast<int>(rows.row[turn][at]));
    });
  }
}

/// The places of what a block needs to close a tile, in values:
///
///     operands     of each product the tile of the left table, by columns, and that of the right one, by rows
///     corners      of each product the diagonal tile of its row, of the left table, by columns and so below the
///                  diagonal; and that of its column, of the right table, by rows above it
///     rings        of each stencil the last deep + 2 diagonals of what it reads, by rows of the tile and those below
///     sums         of each stencil for the next diagonals, of each product for one
///     values       of the sparse tables of one diagonal, and their terms by places (SparseParts): the sum of the first
///                  part, then the others
///     weights      of all stencils
template <class G>
struct SumArea : ClosingArea<G> {
  using Base = ClosingArea<G>;
  using Base::products, Base::stencils, Base::tile;

  static constexpr int left(int p) { return 3 * p * tile; }
  static constexpr int right(int p) { return left(p) + tile; }
  static constexpr int corners(int p) { return left(p) + 2 * tile; }
  static constexpr int ring_width(int s) { return tile_side + Base::deep(s); }
  static constexpr int ring(int s) {
    int before = left(products);
    for (int t = 0; t < s; ++t) before += Base::lags(t) * ring_width(t);
    return before;
  }
  static constexpr int stencil_sums(int s) { return ring(stencils) + s * max_diagonals * tile_side; }
  static constexpr int product_sums(int p) { return stencil_sums(stencils) + p * tile_side; }
  static constexpr int sparse_values(int t) { return product_sums(products) + t * tile_side; }
  static constexpr int terms(int t, int place) {
    constexpr int of_table = SparseParts<G>::are_shared ? SparseParts<G>::places + 1 : 0;
    return sparse_values(Base::sparse) + (t * of_table + place) * tile_side;
  }
  static constexpr int weights = (terms(Base::sparse, 0) + 1) / 2 * 2;
  static constexpr int size = weights + SumWeightLists<G>::size;

  static constexpr bool is_shared(int capability) {
    return size * static_cast<int>(sizeof(double)) + 1024 <= warpfold::cuda::shared_bytes_of_block(capability);
  }
};

/// The teams of a block that fills the tables of a grammar.
template <class G>
inline constexpr unsigned sum_teams_of = ClosesTiles<G> ? own_closing_teams : sum_teams;

template <class G>
struct SumRules {
  using Semiring = typename G::Semiring;
  using Value = double;
  using Area = SumArea<G>;
  static constexpr unsigned teams = sum_teams_of<G>;
  static constexpr int threads = static_cast<int>(teams) * block_threads;
  static constexpr unsigned max_blocks = 512;  ///< each has its own sums of products in global memory

  G grammar;
  unsigned points;
  std::size_t table_size;  ///< the values of a table; the tables follow each other
  double* sums;            ///< of each block a tile for each product
  double* areas;           ///< of each block a SumArea, or null if that is in shared memory
  SumWeightLists<G> weights;
  unsigned group;              ///< tiles along a side of a group (TileScheduler)
  std::int32_t* exponents;     ///< of each tile
  TileScale* scales;           ///< of each tile those of its tables
  unsigned long long* misfit;  ///< the least GrammarMisfit that was seen
  Stop stop;

  static constexpr int shared_bytes(int depth, int capability) {
    if constexpr (ClosesTiles<G>) {
      return std::max(Layout<double>::shared_bytes(depth), G::closing_bytes);
    } else {
      const int of_closing = Area::is_shared(capability) ? Area::size * static_cast<int>(sizeof(double)) : 0;
      return std::max(Layout<double>::shared_bytes(depth), of_closing);
    }
  }
  __device__ void report(unsigned long long code) const {
    if (code == GrammarMisfit::none) return;
    atomicMin_system(misfit, code);
    stop.ask();
  }
  /// Notes that the values of a tile span too much.
  __device__ void report_span(TilePlace tile) const {
    report(GrammarMisfit::encode(tile.i * tile_side, tile.j * tile_side, 0, GrammarMisfit::span));
  }
  [[nodiscard]] __device__ __forceinline__ int exponent(unsigned i, unsigned j) const {
    return load_shared_by_blocks(exponents + tiles::tile_number(i, j));
  }
  /// The scale of a table's tile. Whoever reads it does so without the L1 cache.
  [[nodiscard]] __device__ __forceinline__ TileScale* scale(unsigned table, unsigned i, unsigned j) const {
    return scales + tiles::tile_number(i, j) * table_count<G> + table;
  }
  [[nodiscard]] __device__ __forceinline__ Extent extent(unsigned table, unsigned i, unsigned j) const {
    return load_shared_by_blocks(&scale(table, i, j)->extent);
  }
};

/// The exponent of a positive number that is not subnormal.
__device__ __forceinline__ int exponent_of(double value) { return (__double2hiint(value) >> 20) - 1023; }

/// The largest and the smallest exponent of positive values that a thread has seen.
struct SeenExponents {
  int top = std::numeric_limits<int>::min(), bottom = std::numeric_limits<int>::max();

  __device__ __forceinline__ void see(double value) {
    if (!(value > 0)) return;
    top = max(top, exponent_of(value));
    bottom = min(bottom, exponent_of(value));
  }
  /// Adds them to a block's, which begins as a SeenExponents.
  __device__ __forceinline__ void add_to(SeenExponents& of_block) const {
    const int highest = __reduce_max_sync(all_lanes, top), lowest = __reduce_min_sync(all_lanes, bottom);
    if (threadIdx.x % 32 != 0) return;
    atomicMax(&of_block.top, highest);
    atomicMin(&of_block.bottom, lowest);
  }
  [[nodiscard]] __device__ Extent extent() const { return {top, bottom}; }
};

/// The scales of the tile that a block makes, in shared memory.
template <class G>
struct TileScales {
  interval::detail::SumUnit units[ClosingArea<G>::products + 1];  ///< of the products' sums
  SeenExponents seen[table_count<G> + ClosingArea<G>::products];  ///< of the tables, and of these sums
  int exponent;                                                   ///< in which the tile closes
  double near[2][2];  ///< the factors of the values of the tiles to the left and below
  SparseRows rows;

  __device__ void begin() {
    const int thread = thread_of_block();
    if (thread < static_cast<int>(sizeof seen / sizeof *seen)) seen[thread] = {};
    if (thread < static_cast<int>(sizeof units / sizeof *units)) units[thread] = {};
    __syncthreads();
  }
};

/// The unit in which a tile closes, with what it takes to read other tiles in it (TileUnit).
template <class G>
class DeviceTileUnit {
 public:
  constexpr DeviceTileUnit(const std::int32_t* exponents, TilePlace tile, const TileScales<G>& scales)
      : exponents_(exponents), tile_(tile), scales_(scales), one_(power_of_two(-std::int64_t{scales.exponent})) {}

  /// A value of interval (i,j) in this unit.
  [[nodiscard]] constexpr double read(double stored, unsigned i, unsigned j) const {
    const unsigned a = i / tile_side - tile_.i, b = tile_.j - j / tile_side;
    if (stored == 0 || a + b == 0) return stored;
    const bool is_near = a < 2 && b < 2;
    return interval::detail::with_trace(stored,
                                        is_near ? scales_.near[a][b] : far_factor(i / tile_side, j / tile_side));
  }
  /// A number in this unit.
  [[nodiscard]] constexpr double constant(double value) const {
    return value == 0 ? 0 : interval::detail::with_trace(value, one_);
  }

 private:
  /// The factor of the values of tile (i,j). Reads its exponent without the L1 cache.
  [[nodiscard]] constexpr double far_factor(unsigned i, unsigned j) const {
    const volatile std::int32_t* const exponents = exponents_;
    return power_of_two(std::int64_t{exponents[tiles::tile_number(i, j)]} - scales_.exponent);
  }

  const std::int32_t* exponents_;
  TilePlace tile_;
  const TileScales<G>& scales_;
  double one_;
};

/// What the terms of one interval read, and their values, as on the CPU (IntervalTerms).
template <class G>
class SumOperands : public CheckedTerms<typename G::Semiring> {
 public:
  using S = typename G::Semiring;
  using Checks = CheckedTerms<S>;
  using Operand = interval::detail::Operand<double>;
  using Kind = typename Operand::Kind;

  double products[ClosingArea<G>::products + 1], stencils[ClosingArea<G>::stencils + 1];  ///< no array is empty

  /// `tables`: the first one. The others follow, `table_size` values each.
  constexpr SumOperands(const DeviceTileUnit<G>& unit, const double* tables, std::size_t table_size, unsigned i,
                        unsigned j)
      : Checks(i, j, 0), unit_(unit), tables_(tables), table_size_(table_size) {}

  constexpr Operand inside(unsigned table, std::size_t a, std::size_t b) {
    if (a + b == 0) refuse(table, GrammarMisfit::nothing_inside);
    const auto i = i_ + static_cast<unsigned>(a), j = j_ - static_cast<unsigned>(b);
    const bool has_length = a < j_ - i_ && b < j_ - i_ - a;
    return {Kind::inside, table, i, j, has_length ? unit_.read(*entry(table, i, j), i, j) : 0};
  }
  constexpr Operand product(unsigned p) const { return {Kind::product, p, i_, j_, products[p]}; }
  constexpr Operand stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, stencils[s]}; }

 protected:
  using Checks::i_, Checks::j_;
  using Checks::refuse;

  /// The value of a term in the tile's unit.
  template <class... Parts>
  constexpr double term(unsigned table, const Parts&... parts) {
    interval::detail::check_parts<Parts...>();
    const double product = interval::detail::product_of_parts<S>({Checks::stored(table, parts)...});
    constexpr bool reads = (interval::detail::is_operand<Parts> || ...);
    return reads ? product : unit_.constant(product);
  }

  const DeviceTileUnit<G>& unit_;
  const double* tables_;
  std::size_t table_size_;

 private:
  [[nodiscard]] constexpr const double* entry(unsigned table, unsigned i, unsigned j) const {
    return tables_ + table * table_size_ + tiles::entry_offset(i, j, tile_side);
  }
};

/// Computes the sums of the tables begin .. end-1.
template <class G, unsigned begin, unsigned end>
class SumTerms : public SumOperands<G> {
 public:
  using Operand = typename SumOperands<G>::Operand;

  double before[begin + 1];  ///< the values of the tables before `begin`

  template <class... Given>
  constexpr explicit SumTerms(const Given&... given) : SumOperands<G>(given...) {
    for (double& value : values_) value = 0;
  }

  template <class... Parts>
  constexpr void operator()(unsigned table, const Parts&... parts) {
    if (table < first_open_ || table >= end) return this->refuse(table, GrammarMisfit::order);
    first_open_ = table;
    values_[table - begin] += this->term(table, parts...);
  }
  constexpr Operand here(unsigned table) {
    first_open_ = first_open_ > table + 1 ? first_open_ : table + 1;
    return {Operand::Kind::here, table, this->i_, this->j_, table < begin ? before[table] : value(table)};
  }

  /// The value of a table after all its terms.
  constexpr double value(unsigned table) {
    using interval::detail::largest_value, interval::detail::smallest_value;
    const double sum = values_[table - begin];
    if (sum != 0 && !(sum >= smallest_value && sum <= largest_value)) this->refuse(table, GrammarMisfit::value);
    return sum;
  }
  /// Makes `sum` that of a table's terms.
  constexpr void set(unsigned table, double sum) { values_[table - begin] = sum; }

 private:
  double values_[end - begin];
  unsigned first_open_ = begin;  ///< the tables before it are complete
};

/// Computes the terms of a part of sparse tables for others to add: the sum of the first part's terms, or each term.
template <class G, int part>
class PartTerms : public SumOperands<G> {
 public:
  using Parts = SparseParts<G>;

  /// `places`: those of the row in the first table's terms.
  template <class... Given>
  constexpr explicit PartTerms(double* places, const Given&... given) : SumOperands<G>(given...), places_(places) {
    for (int t = 0; t < ClosingArea<G>::sparse; ++t) {
      if (part == 0) *place(t, 0) = 0;
      for (int at = 0; at < Parts::terms(part); ++at) *place(t, 1 + Parts::first(part) + at) = 0;
    }
  }

  template <class... Given>
  constexpr void operator()(unsigned table, const Given&... given) {
    if (table >= ClosingArea<G>::sparse || (part > 0 && count_ == Parts::terms(part))) {
      return this->refuse(table, GrammarMisfit::order);
    }
    const double term = this->term(table, given...);
    if (part == 0) {
      *place(static_cast<int>(table), 0) += term;
    } else {
      *place(static_cast<int>(table), 1 + Parts::first(part) + count_++) = term;
    }
  }

 private:
  constexpr double* place(int table, int at) const { return places_ + (table * (Parts::places + 1) + at) * tile_side; }

  double* places_;
  int count_ = 0;
};

/// Gives a tile its exponent (GrammarSolver::normalize), and tells others its scales. All threads run it.
template <class G, int Depth>
__device__ void normalize(const Task<SumRules<G>, Depth>& task, TileScales<G>& scales) {
  constexpr int threads = SumRules<G>::threads, vectors = ClosingArea<G>::tile / Vector<double>::width,
                turns = (vectors + threads - 1) / threads;
  const auto& rules = task.rules;
  SeenExponents all;
  for (unsigned t = 0; t < table_count<G>; ++t) {
    all.top = max(all.top, scales.seen[t].top);
    all.bottom = min(all.bottom, scales.seen[t].bottom);
  }
  const bool is_final = task.diagonal() == 0 || all.extent().is_zero();
  const int shift = is_final ? 0 : interval::detail::normal_shift(all.top);
  if (shift != 0) {
    const TwoFactors factor(-shift);
    for (unsigned t = 0; t < table_count<G>; ++t) {
      auto* const tile = reinterpret_cast<Vector<double>*>(task.job.table + t * rules.table_size +
                                                           tiles::tile_offset(task.tile.i, task.tile.j, tile_side));
      Vector<double> values[turns];
#pragma unroll
      for (int x = 0; x < turns; ++x) {
        const int at = thread_of_block() + x * threads;
        if (at < vectors) values[x] = tile[at];
      }
#pragma unroll
      for (int x = 0; x < turns; ++x) {
        const int at = thread_of_block() + x * threads;
        if (at < vectors) tile[at] = {factor.times(values[x].value[0]), factor.times(values[x].value[1])};
      }
    }
  }
  const std::size_t number = tiles::tile_number(task.tile.i, task.tile.j);
  if (thread_of_block() == 0) {
    const bool fits = is_final || all.bottom - shift >= -interval::detail::value_bits;
    if (!fits) rules.report_span(task.tile);
    rules.exponents[number] = is_final ? 0 : scales.exponent + shift;
  }
  if (const int t = thread_of_block(); t < static_cast<int>(table_count<G>)) {
    Extent extent = scales.seen[t].extent();
    if (!extent.is_zero()) extent = {extent.top - shift, extent.bottom - shift};
    *rules.scale(t, task.tile.i, task.tile.j) = {extent, is_final ? 0 : scales.exponent + shift};
  }
  __syncthreads();
}

/// Closes the block's tile, diagonal by diagonal. Four threads belong to a row of the tile: two add the splits, while a
/// third one calls the terms of sparse tables. Then one calls the other terms, and others fetch what lies around.
template <class G, int Depth>
class SumClosing {
 public:
  using Rules = SumRules<G>;
  using Area = SumArea<G>;

  __device__ SumClosing(const Task<Rules, Depth>& task, TileScales<G>& scales)
      : task_(task), rules_(task.rules), scales_(scales), unit_(task.rules.exponents, task.tile, scales) {}

  __device__ void run() {
    begin();
    if (thread_of_block() == 0) scales_.rows.count[0] = scales_.rows.count[1] = 0;
    __syncthreads();
    if (group() == 1) list_sparse_rows(on_diagonal() ? 1 : 1 - tile_side);
    __syncthreads();
    const int first = on_diagonal() ? 1 : 1 - tile_side;
    for (int diagonal = first; diagonal < tile_side; ++diagonal) {
      const int number = (diagonal - first) % rules_.weights.diagonals;
      if (number == 0) {
        add_stencils_from(diagonal);
        __syncthreads();
      }
      if (group() < 2) add_products_of(diagonal);
      call_sparse_terms(diagonal, number);
      __syncthreads();
      if (group() == 0) finish(diagonal, number);
      if (group() == 1) list_sparse_rows(diagonal + 1);
      if (group() >= 2) fetch_around(diagonal);
      __syncthreads();
    }
    see_values();
    normalize(task_, scales_);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ bool on_diagonal() const { return task_.diagonal() == 0; }
  static constexpr int sparse = ClosingArea<G>::sparse, tables = static_cast<int>(table_count<G>);

  static __device__ __forceinline__ int row() { return thread_of_block() % tile_side; }
  static __device__ __forceinline__ int group() { return thread_of_block() / tile_side; }
  [[nodiscard]] __device__ __forceinline__ double* area() const {
    if constexpr (Area::is_shared(this_capability)) {
      return shared_values<double>();
    } else {
      return rules_.areas + std::size_t{blockIdx.x} * Area::size;
    }
  }
  [[nodiscard]] __device__ __forceinline__ double* tile(unsigned t, unsigned i, unsigned j) const {
    return task_.job.table + t * rules_.table_size + tiles::tile_offset(i, j, tile_side);
  }
  [[nodiscard]] __device__ __forceinline__ double* own_tile(unsigned t) const {
    return tile(t, task_.tile.i, task_.tile.j);
  }

  /// Fetches what lies around the tile, and clears what is below the diagonal of the table.
  __device__ void begin() {
    const int thread = thread_of_block();
    for (int at = Area::ring(0) + thread; at < Area::ring(Area::stencils); at += sum_threads) area()[at] = 0;
    rules_.weights.copy_to(area() + Area::weights, thread, sum_threads);
    for (int at = thread; at < Area::tile; at += sum_threads) {
      if (on_diagonal()) {
        for (unsigned t = 0; t < table_count<G>; ++t) own_tile(t)[at] = 0;
      } else {
        fetch_corners(at / tile_side, at % tile_side);
      }
    }
    __syncthreads();
    for (int before = Area::deepest(); before > 0 && group() >= 2; --before) fetch_around(-tile_side + 1 - before);
    __syncthreads();
  }
  __device__ __forceinline__ void fetch_corners(int i, int k) {
    if (i >= k) return;
    each_number<Area::products>([&](auto p) {
      constexpr interval::Product product = Area::product(p);
      double* const corners = area() + Area::corners(p);
      const int at = i * tile_side + k;
      corners[k * tile_side + i] = load_shared_by_blocks(tile(product.left, task_.tile.i, task_.tile.i) + at);
      corners[at] = load_shared_by_blocks(tile(product.right, task_.tile.j, task_.tile.j) + at);
    });
  }

  /// The place of row r > 0 of a diagonal in the ring of stencil s.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ double* ring(int diagonal, int r) const {
    const int slot = (diagonal + 2 * tile_side * Area::lags(s)) % Area::lags(s);
    return area() + Area::ring(s) + slot * Area::ring_width(s) + r - 1;
  }
  /// Fetches a diagonal's intervals outside the tile that stencils read: in the tiles to the left, below, and between.
  /// The last 128 threads run it.
  __device__ __forceinline__ void fetch_around(int diagonal) {
    if (on_diagonal() || diagonal >= 0) return;
    unsigned long long misfit = GrammarMisfit::none;
    each_number<Area::stencils>([&](auto s) { fetch_around_for<decltype(s)::value>(diagonal, misfit); });
    rules_.report(misfit);
  }
  template <int s>
  __device__ __forceinline__ void fetch_around_for(int diagonal, unsigned long long& misfit) {
    constexpr int reach = 1 + Area::deep(s);
    const int r = thread_of_block() - 2 * tile_side + 1, column = r + diagonal;
    const bool below = r >= tile_side, left = column < 0;
    const unsigned i = task_.tile.i + below, j = task_.tile.j - left;
    if ((!below && !left) || r >= tile_side + reach || column < -reach || column >= tile_side || i > j) return;
    const unsigned point_i = i * tile_side + r % tile_side, point_j = j * tile_side + (column + tile_side) % tile_side;
    const double stored =
        load_shared_by_blocks(tile(Area::of(s), 0, 0) + tiles::entry_offset(point_i, point_j, tile_side));
    *ring<s>(diagonal, r) = unit_.read(weighed<s>(point_i, point_j, stored, misfit), point_i, point_j);
  }

  /// What stencil s reads of interval (i,j) with this value.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ double weighed(unsigned i, unsigned j, double value,
                                                          unsigned long long& misfit) const {
    return value == 0 ? 0 : weighted(rules_.grammar, s, i, j, value, misfit);
  }

  /// The sums of stencils for the next diagonals, which read nothing of each other. A thread has an interval of two.
  __device__ __forceinline__ void add_stencils_from(int diagonal) {
    each_number<Area::stencils>([&](auto s) {
      constexpr int stencil = decltype(s)::value;
      for (int number = 0; number < rules_.weights.diagonals; number += 2) {
        if (rules_.weights.group[s][number / 2] != group()) continue;
        double sums[2] = {0, 0};
        rules_.weights.template add<stencil, Area::ring_width(stencil), 1>(
            area() + Area::weights, area() + Area::ring(s) + row(), diagonal + number, sums);
        double* const to = area() + Area::stencil_sums(s) + number * tile_side + row();
        to[0] = sums[0];
        to[tile_side] = sums[1];
      }
    });
  }

  /// The sums of products for one diagonal.
  __device__ __forceinline__ void add_products_of(int diagonal) {
    const int i = row(), j = i + diagonal;
    if (j < 0 || j >= tile_side) return;
    each_number<Area::products>([&](auto p) {
      if (group() == p % 2) area()[Area::product_sums(p) + i] = product_sum<decltype(p)::value>(i, j);
    });
  }
  template <int p>
  [[nodiscard]] __device__ __forceinline__ double product_sum(int i, int j) const {
    const double* const left = area() + Area::left(p) + i;
    const double* const right = area() + Area::right(p) + j;
    const double* const corners = area() + Area::corners(p);
    const int first_row = i / 32 * 32, last_column = min(j - i + first_row + 31, tile_side - 1);  // of the warp
    double sum = 0;
    if (on_diagonal()) {
#pragma unroll 4
      for (int k = first_row + 1; k < last_column; ++k) {
        if (k > i && k < j) sum = fma(left[k * tile_side], right[k * tile_side], sum);
      }
      return sum;
    }
    if (scales_.units[p].is_set) {
      const TwoFactors factor(scales_.units[p].exponent - scales_.exponent);
      sum = factor.times_with_trace(
          load_shared_by_blocks(rules_.sums + (blockIdx.x * Area::products + p) * Area::tile + i * tile_side + j));
    }
#pragma unroll 4
    for (int k = first_row + 1; k < tile_side; ++k) {
      if (k > i) sum = fma(corners[k * tile_side + i], right[k * tile_side], sum);
    }
#pragma unroll 4
    for (int k = 0; k < last_column; ++k) {
      if (k < j) sum = fma(left[k * tile_side], corners[k * tile_side + j], sum);
    }
    return sum;
  }

  /// Lists the rows of a diagonal that may have values in sparse tables. Group 1 runs it.
  __device__ __forceinline__ void list_sparse_rows(int diagonal) {
    const int r = row(), column = r + diagonal;
    if (!SparseParts<G>::are_shared || column < 0 || column >= tile_side) return;
    const unsigned i = task_.tile.i * tile_side + r, j = task_.tile.j * tile_side + column;
    if (j < rules_.points && may_have_value(i, j)) scales_.rows.add(diagonal & 1, r);
  }
  [[nodiscard]] __device__ __forceinline__ bool may_have_value(unsigned i, unsigned j) const {
    if constexpr (sparse > 0) return rules_.grammar.may_have_value(i, j);
    return true;
  }
  /// Calls the terms of sparse tables, by all warps but those that add splits. `number`: of the diagonal among those
  /// whose stencils were summed with it.
  __device__ __forceinline__ void call_sparse_terms(int diagonal, int number) {
    if constexpr (SparseParts<G>::are_shared) {
      constexpr int first = Area::products > 1 ? 4 : 2;
      if (thread_of_block() == 0) scales_.rows.count[(diagonal + 1) & 1] = 0;
      if (thread_of_block() < first * 32) return;
      each_sparse_part<G>(scales_.rows, diagonal & 1, first, sum_threads / 32 - first, [&](auto part, int r) {
        const unsigned i = task_.tile.i * tile_side + r, j = task_.tile.j * tile_side + r + diagonal;
        PartTerms<G, decltype(part)::value> terms(area() + Area::terms(0, 0) + r, unit_, task_.job.table,
                                                  rules_.table_size, i, j);
        each_number<Area::stencils>(
            [&](auto s) { terms.stencils[s] = area()[Area::stencil_sums(s) + number * tile_side + r]; });
        rules_.grammar.template sparse_part<decltype(part)::value>(i, j, terms);
        rules_.report(terms.misfit);
      });
    } else if constexpr (sparse > 0) {
      if (group() != 2) return;
      finish_tables<0, sparse>(diagonal, number, [&](unsigned i, unsigned j, auto& terms) {
        if (rules_.grammar.may_have_value(i, j)) rules_.grammar.sparse_terms(i, j, terms);
      });
    }
  }
  /// The sum of a sparse table's terms.
  template <int t>
  [[nodiscard]] __device__ __forceinline__ double sum_of_parts(int r) const {
    double sum = area()[Area::terms(t, 0) + r];
#pragma unroll
    for (int place = 1; place <= SparseParts<G>::places; ++place) sum += area()[Area::terms(t, place) + r];
    return sum;
  }
  /// Finishes the other tables.
  __device__ __forceinline__ void finish(int diagonal, int number) {
    if constexpr (SparseParts<G>::are_shared) {
      finish_tables<0, sparse>(diagonal, number, [&](unsigned i, unsigned j, auto& terms) {
        if (!may_have_value(i, j)) return;
        each_number<sparse>([&](auto t) { terms.set(t, sum_of_parts<decltype(t)::value>(row())); });
      });
    }
    finish_tables<sparse, tables>(diagonal, number, [&](unsigned i, unsigned j, auto& terms) {
      if constexpr (sparse > 0) {
        each_number<sparse>([&](auto t) { terms.before[t] = area()[Area::sparse_values(t) + row()]; });
        rules_.grammar.dense_terms(i, j, terms);
      } else {
        rules_.grammar.terms(i, j, terms);
      }
    });
  }
  /// Calls the caller's terms, call(i, j, terms), and writes the values to where they are read.
  template <int begin, int end, class Call>
  __device__ __forceinline__ void finish_tables(int diagonal, int number, const Call& call) {
    const int r = row(), column = r + diagonal;
    if (column < 0 || column >= tile_side) return;
    const unsigned i = task_.tile.i * tile_side + r, j = task_.tile.j * tile_side + column;
    SumTerms<G, begin, end> terms(unit_, task_.job.table, rules_.table_size, i, j);
    each_number<Area::products>([&](auto p) { terms.products[p] = area()[Area::product_sums(p) + r]; });
    each_number<Area::stencils>(
        [&](auto s) { terms.stencils[s] = area()[Area::stencil_sums(s) + number * tile_side + r]; });
    const bool exists = j < rules_.points;
    if (exists) call(i, j, terms);
    each_number<end - begin>([&](auto place) {
      constexpr unsigned t = begin + decltype(place)::value;
      const double value = terms.value(t);
      own_tile(t)[r * tile_side + column] = value;
      if constexpr (t < sparse) area()[Area::sparse_values(t) + r] = value;
      each_number<Area::products>([&](auto p) {
        constexpr interval::Product product = Area::product(decltype(p)::value);
        if (product.left == t) area()[Area::left(p) + column * tile_side + r] = value;
        if (product.right == t) area()[Area::right(p) + r * tile_side + column] = value;
      });
      each_number<Area::stencils>([&](auto s) {
        if constexpr (Area::of(decltype(s)::value) == t) {
          if (r > 0) *ring<s>(diagonal, r) = weighed<decltype(s)::value>(i, j, value, terms.misfit);
        }
      });
    });
    if (exists) rules_.report(terms.misfit);
  }

  /// Finds the exponents of the tile's values.
  __device__ void see_values() {
    each_number<static_cast<int>(table_count<G>)>([&](auto t) {
      SeenExponents seen;
#pragma unroll 8
      for (int at = thread_of_block(); at < Area::tile; at += sum_threads) seen.see(own_tile(t)[at]);
      seen.add_to(scales_.seen[t]);
    });
    __syncthreads();
  }

  const Task<Rules, Depth>& task_;
  const Rules& rules_;
  TileScales<G>& scales_;
  DeviceTileUnit<G> unit_;
};

/// A tile of all tables of sums that a grammar closes by code of its own:
///
///     static constexpr int closing_bytes;                                                  of shared memory
///     void close(const OpenSumTile& tile, double* shared, int thread, const Report& report, SeenExponents* seen)
///
/// All threads of a block call `close`, as that of OpenTile. `seen`: of each table what the thread has written.
struct OpenSumTile {
  double* tables;  ///< the first one; the others follow
  std::size_t table_size;
  unsigned i, j, points;
  const double* products;       ///< the sums of the tiles between, or null
  TwoFactors factor;            ///< of these sums
  double to_left, below, both;  ///< factors of the values of the tiles around
  double one;                   ///< 1 in the tile's unit

  /// That of the values of a tile around. No array: what is chosen from one lies in memory, with all members.
  [[nodiscard]] __device__ __forceinline__ double near(bool is_below, bool is_left) const {
    return is_below ? (is_left ? both : below) : (is_left ? to_left : 1);
  }

  [[nodiscard]] __device__ __forceinline__ double* tile(unsigned table, unsigned tile_i, unsigned tile_j) const {
    return tables + table * table_size + tiles::tile_offset(tile_i, tile_j, tile_side);
  }
  /// A value that another tile has.
  static __device__ __forceinline__ double load(const double* from) { return load_shared_by_blocks(from); }
  /// The halves of a value.
  static __device__ __forceinline__ int high(double value) { return __double2hiint(value); }
  static __device__ __forceinline__ int low(double value) { return __double2loint(value); }
};

template <class G, int Depth>
__device__ void close_by_grammar(const Task<SumRules<G>, Depth>& task, TileScales<G>& scales) {
  const auto& [rules, sharing, job, place] = task;
  const bool has_products = scales.units[0].is_set;
  const OpenSumTile tile{job.table,
                         rules.table_size,
                         place.i,
                         place.j,
                         rules.points,
                         has_products ? rules.sums + blockIdx.x * ClosingArea<G>::tile : nullptr,
                         TwoFactors(has_products ? scales.units[0].exponent - scales.exponent : 0),
                         scales.near[0][1],
                         scales.near[1][0],
                         scales.near[1][1],
                         power_of_two(-std::int64_t{scales.exponent})};
  SeenExponents seen[table_count<G>];
  rules.grammar.close(
      tile, shared_values<double>(), thread_of_block(),
      [&](unsigned table, unsigned i, unsigned j) {
        rules.report(GrammarMisfit::encode(i, j, table, GrammarMisfit::value));
      },
      seen);
  for (unsigned t = 0; t < table_count<G>; ++t) seen[t].add_to(scales.seen[t]);
  __syncthreads();
  normalize(task, scales);
}

/// Adds all products of a pair of tables' tiles, and writes the sums to the block's place for them.
template <class G, int Depth>
__device__ void sum_product(const Task<SumRules<G>, Depth>& task, int p, TileScales<G>& scales) {
  SumProduct<SumRules<G>, Depth> product(task, ClosingArea<G>::product(p));
  product.run([&](auto& sums) {
    double* const to = task.rules.sums + (blockIdx.x * ClosingArea<G>::products + p) * ClosingArea<G>::tile;
    SeenExponents seen;
    sums.each([&](double value, int row, int column) {
      to[row * tile_side + column] = value;
      seen.see(value);
    });
    seen.add_to(scales.seen[table_count<G> + p]);
    if (thread_of_block() == 0) scales.units[p] = sums.unit();
  });
}

/// Finds the exponent of the largest value that a tile is made from (GrammarSolver::closing_unit). One warp runs it.
template <class G, int Depth>
__device__ void find_unit(const Task<SumRules<G>, Depth>& task, TileScales<G>& scales) {
  constexpr int products = ClosingArea<G>::products, tables = static_cast<int>(table_count<G>);
  const auto [i, j] = task.tile;
  int largest = std::numeric_limits<int>::min();
  for (int at = static_cast<int>(threadIdx.x); at < 3 * tables + products && i < j; at += 32) {
    const unsigned below = at / tables > 0, left = at / tables != 1;
    const bool of_sums = at >= 3 * tables;
    if (!of_sums && i + below + left > j) continue;
    const Extent extent =
        of_sums ? scales.seen[at - 2 * tables].extent() : task.rules.extent(at % tables, i + below, j - left);
    const int exponent =
        of_sums ? static_cast<int>(scales.units[at - 3 * tables].exponent) : task.rules.exponent(i + below, j - left);
    if (!extent.is_zero()) largest = max(largest, exponent + extent.top);
  }
  largest = __reduce_max_sync(all_lanes, largest);
  if (largest == std::numeric_limits<int>::min()) largest = 0;
  if (threadIdx.x < 4) {
    const unsigned below = threadIdx.x / 2, left = threadIdx.x % 2;
    const bool exists = i + below + left <= j;
    scales.near[below][left] =
        exists ? power_of_two(std::int64_t{task.rules.exponent(i + below, j - left)} - largest) : 1;
  }
  if (threadIdx.x != 0) return;
  scales.exponent = largest;
  for (int p = 0; p < products; ++p) {
    if (scales.units[p].loses(scales.units[p].exponent - scales.exponent)) task.rules.report_span(task.tile);
  }
}

/// fill_tables calls these two for a tile of a grammar.
template <class G, int Depth>
__device__ void run_task(const Task<SumRules<G>, Depth>& task) {
  __shared__ alignas(16) unsigned char bytes[sizeof(TileScales<G>)];  // a shared object has no constructor
  TileScales<G>& scales = reinterpret_cast<TileScales<G>&>(bytes);
  scales.begin();
  if (task.diagonal() > 1) {
#pragma unroll 1
    for (int p = 0; p < ClosingArea<G>::products; ++p) sum_product(task, p, scales);
  }
  wait_for_tiles_around(task);
  if (thread_of_block() < 32) find_unit(task, scales);
  __syncthreads();
  if constexpr (ClosesTiles<G>) {
    close_by_grammar(task, scales);
  } else {
    SumClosing<G, Depth>(task, scales).run();
  }
}
template <class G, int Depth>
__device__ void publish(const Task<SumRules<G>, Depth>& task, bool) {
  if (is_first_thread<SumRules<G>>()) announce<OwnCounter>(task.job, task.tile);
}

}  // namespace warpfold::interval::device
