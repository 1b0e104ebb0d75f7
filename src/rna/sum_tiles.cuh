#pragma once

#include <cstddef>

#include "rna/sum_lists.hpp"
#include "warpfold/interval/detail/tile_scales.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// How a block of a GPU closes a tile of the sums of a sequence (docs/explanation/kernels/grammar.md, "Sums by rows").
///
/// A thread of column c, of block b = c / 4, is in row 63 - t + b in step t. So the columns to its left that are not in
/// its block are ahead by a row or more, and each row goes from the left to the right, four columns at one time. All
/// that a step reads was written in the steps before it, except within a block of columns:
///
///     64 threads    finish the interval of their row: pairs, `last` along the row, branches and stems. Then they look
///                   up what they need of the next one. In rows below the tile they fetch intervals
///     128           generic loops, a thread for two columns and every fourth row
///     64            bulges
///     64            loops of 1 x n bases
///     64            products: the splits in the tile's rows of the row two above, then those in its columns of the row
///                   one above. Half of them fetch what is to the left
///
/// What a pair adds to a loop is added to the sums of all rows that read it, from the lowest row up. These sums stay in
/// registers. So a stencil takes its terms by a from the largest one, and then by b.
///
/// Shared memory: SumPlaces::bytes, 183 KB. One barrier in each of 80 steps, of 119 if there are tiles around.
namespace warpfold::rna::cuda {

/// The places in shared memory of what a block needs to close a tile, in doubles.
struct SumPlaces {
  static constexpr int side = tiles::tile_side;
  static constexpr int around = static_cast<int>(max_loop) + 1;  // rows below the tile, and columns to the left
  static constexpr int left = 32, width = left + side, ring_rows = 16;
  static constexpr int near = 16, near_width = near + side, near_rows = 8;
  static constexpr int stem_rows = 33, corner_rows = 65;
  enum Part : int { bulges, one_by_more, generic, splits, parts };

  static constexpr int rings = 0;  // of each kind of loop what an inner pair adds, of the last rows
  static constexpr int ring_size = ring_rows * width;
  static constexpr int helix = rings + static_cast<int>(summed_kinds) * ring_size;  // the same of values
  static constexpr int near_size = near_rows * near_width;
  static constexpr int paired = helix + near_size;
  static constexpr int branches = paired + near_size;
  static constexpr int last = branches + near_size;           // of this tile, by rows
  static constexpr int stems = last + side * side;            // of the last 32 rows, by columns
  static constexpr int sums = stems + side * stem_rows;       // parts of two rows
  static constexpr int starts = sums + 2 * parts * side;      // what begins `last`, of one row
  static constexpr int left_last = starts + side;             // of the column before the tile
  static constexpr int cleared = left_last + side;            // all so far are cleared
  static constexpr int columns = cleared;                     // `last` of the columns' diagonal tile, by rows
  static constexpr int corner = columns + side * side;        // stems of the rows' diagonal tile, by columns
  static constexpr int weights = corner + side * corner_rows; // of generic loops
  static constexpr int weight_count = SumLists::classes * (static_cast<int>(max_loop) + 2) * SumLists::places;
  static constexpr int bases = weights + weight_count;        // of rows from -1 on, and of columns from -33 on
  static constexpr int left_bases = side + around + 8, right_bases = 1 + left + side + 2;
  static constexpr int end = bases + (left_bases + right_bases + 1) / 2;
  static_assert(weights % 2 == 0 && columns % 2 == 0 && cleared % 2 == 0);
  static constexpr int bytes = end * static_cast<int>(sizeof(double));

  static constexpr int threads = 384;
  static constexpr int first_step = -40, last_step = side + side / 4 - 2;
};

/// The values of a table that a thread has seen, as the upper halves of doubles.
struct SeenValues {
  int top = 0, bottom = 0x7fffffff;
};

/// What all threads of a block know of the tile. `G`: a grammar with `loops` and `lists`. `Tile`:
/// interval::device::OpenSumTile.
template <class G, class Tile>
struct SumTile : SumPlaces {
  static constexpr bool lone_pairs = G::helix == G::paired;

  const G& grammar;
  const Tile& tile;
  double* shared;

  __device__ SumTile(const G& of_grammar, const Tile& of_tile, double* of_block)
      : grammar(of_grammar), tile(of_tile), shared(of_block) {}

  [[nodiscard]] __device__ __forceinline__ bool on_diagonal() const { return tile.i == tile.j; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_i() const { return tile.i * side; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_j() const { return tile.j * side; }
  /// The row of a column, which may be one to the left, in step t.
  static __device__ __forceinline__ int row(int c, int t) { return side - 1 - t + (c >> 2); }
  [[nodiscard]] __device__ __forceinline__ double& at(int place) const { return shared[place]; }
  /// What an inner pair of row r and column c adds to a kind of loop.
  [[nodiscard]] __device__ __forceinline__ double& inner(int kind, int r, int c) const {
    return shared[rings + kind * ring_size + (r & (ring_rows - 1)) * width + left + c];
  }
  /// A value of `helix`, `paired` or `branches`.
  [[nodiscard]] __device__ __forceinline__ double& near_value(int of, int r, int c) const {
    return shared[of + (r & (near_rows - 1)) * near_width + near + c];
  }
  [[nodiscard]] __device__ __forceinline__ double& stem(int r, int c) const {
    return shared[stems + c * stem_rows + (r & 31)];
  }
  [[nodiscard]] __device__ __forceinline__ double& last_of(int r, int c) const { return shared[last + r * side + c]; }
  /// `last` of the columns' diagonal tile.
  [[nodiscard]] __device__ __forceinline__ double column_last(int k, int c) const {
    return shared[(on_diagonal() ? last : columns) + k * side + c];
  }
  /// A part of the sums of the interval that column c has in step t.
  [[nodiscard]] __device__ __forceinline__ double& sum(Part part, int t, int c) const {
    return shared[sums + ((t & 1) * parts + part) * side + c];
  }
  [[nodiscard]] __device__ __forceinline__ int* base_list() const { return reinterpret_cast<int*>(shared + bases); }
  /// Base i of row r, and base j-1 of column c.
  [[nodiscard]] __device__ __forceinline__ int left_base(int r) const { return base_list()[1 + r]; }
  [[nodiscard]] __device__ __forceinline__ int right_base(int c) const { return base_list()[left_bases + 1 + left + c]; }
  static __device__ __forceinline__ int code(int first, int second) { return 5 * first + second; }
  [[nodiscard]] __device__ __forceinline__ double listed(unsigned list, int on_left, int on_right) const {
    return grammar.lists->weights[list][on_left][on_right];
  }
  [[nodiscard]] __device__ __forceinline__ bool has_neighbors(int r, int c) const {
    return first_i() + r > 0 && first_j() + c + 1 < tile.points;
  }
  /// The weights of a pair inside a loop of each kind.
  __device__ __forceinline__ void look_inside(int r, int c, double (&adds)[summed_kinds]) const {
    const int on_left = code(left_base(r), left_base(r - 1)), on_right = code(right_base(c), right_base(c + 1));
    const bool may = has_neighbors(r, c);
#pragma unroll
    for (unsigned kind = 0; kind < summed_kinds; ++kind) {
      adds[kind] = may ? listed(SumLists::inner + kind, on_left, on_right) : 0;
    }
  }

  /// A product that is not lost.
  static __device__ __forceinline__ double term(double weight, double value) {
    return interval::detail::with_trace(weight * value, 1);
  }
  /// A value around the tile, row r and column c, in the tile's unit.
  [[nodiscard]] __device__ __forceinline__ double in_unit(double stored, int r, int c) const {
    return stored == 0 ? 0 : interval::detail::with_trace(stored, tile.near[r >= side][c < 0]);
  }
  /// The stored value of an interval around the tile.
  [[nodiscard]] __device__ __forceinline__ double around_value(unsigned table, int r, int c) const {
    const unsigned tile_i = tile.i + (r >= side), tile_j = tile.j - (c < 0);
    if (on_diagonal() || tile_i > tile_j) return 0;
    return tile.load(tile.tile(table, tile_i, tile_j) + (r & 63) * side + (c & 63));
  }
  [[nodiscard]] __device__ __forceinline__ int base(unsigned i) const {
    return i < tile.points - 1 ? grammar.loops.energies().lists().bases[i] : 1;
  }

  /// Fetches what the tile needs that is final, and clears the rest.
  __device__ __forceinline__ void begin(int thread) const {
#pragma unroll 4
    for (int t = thread; t < cleared; t += threads) shared[t] = 0;
    for (int t = thread; t < left_bases; t += threads) base_list()[t] = base(first_i() + t - 1);
    for (int t = thread; t < right_bases; t += threads) {
      base_list()[left_bases + t] = base(first_j() + t - left - 2);
    }
    const double* const of_loops = &grammar.lists->generic[0][0][0];
    for (int t = thread; t < weight_count; t += threads) shared[weights + t] = of_loops[t];
    if (on_diagonal()) return;
    const double* const of_rows = tile.tile(G::stems, tile.i, tile.i);
    const double* const of_columns = tile.tile(G::last, tile.j, tile.j);
#pragma unroll 4
    for (int t = thread; t < side * side; t += threads) {
      shared[corner + t % side * corner_rows + t / side] = tile.load(of_rows + t);
      shared[columns + t] = tile.load(of_columns + t);
    }
  }
  /// Fetches what was cleared before.
  __device__ __forceinline__ void begin_left(int thread) const {
    if (on_diagonal() || thread >= side) return;
    shared[left_last + thread] = in_unit(around_value(G::last, thread, -1), thread, -1);
  }
};

/// What a thread fetches of the intervals around the tile, of one column: those of the next row.
template <class G, class Tile>
struct SumFetch {
  double helix = 0, adds[summed_kinds] = {}, paired = 0, branches = 0, single = 0;

  __device__ __forceinline__ void read(const SumTile<G, Tile>& in, int r, int c) {
    helix = in.around_value(G::helix, r, c);
    in.look_inside(r, c, adds);
    if (c < -1 || r > SumPlaces::side) return;
    if (G::helix != G::paired) paired = in.around_value(G::paired, r, c);
    branches = in.around_value(G::branches, r, c);
    if (c >= 0) single = in.around_value(G::single, r, c);
  }
  __device__ __forceinline__ void write(const SumTile<G, Tile>& in, int r, int c) const {
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      in.inner(kind, r, c) = in.in_unit(adds[kind] * helix, r, c);
    }
    if (c < -4 || r >= SumPlaces::side + 5) return;
    in.near_value(SumPlaces::helix, r, c) = in.in_unit(helix, r, c);
    if (c < -1 || r > SumPlaces::side) return;
    in.near_value(SumPlaces::paired, r, c) = in.in_unit(G::helix == G::paired ? helix : paired, r, c);
    in.near_value(SumPlaces::branches, r, c) = in.in_unit(branches, r, c);
  }
};

/// A thread that finishes the intervals of column c. Report: report(table, i, j) for a value that is not accepted.
template <class G, class Tile, class Report>
class SumIntervals {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;
  static constexpr int tables = static_cast<int>(G::tables), small_terms = 9;

  __device__ SumIntervals(const In& in, int c, const Report& report) : in_(in), report_(report), c_(c) {
    multi_base_ = in.grammar.loops.multi_base();
    bulge_2_ = in.grammar.lists->bulges[2];
  }

  /// Up to what the columns of a block give to each other.
  __device__ __forceinline__ void first(int t) {
    const int r = In::row(c_, t);
    if (r >= P::side) {
      if (r >= P::side + P::around) return;
      fetched_.write(in_, r, c_);
      single_ = in_.in_unit(fetched_.single, r, c_);
      return;
    }
    if (r < 0) return;
    double pair = 0;
    if (may_pair_) pair = accepted(G::paired, r, sum_of_loops(t, r));
    double value = pair;
    if constexpr (!In::lone_pairs) {
      if (may_pair_) value = accepted(G::helix, r, In::term(small_[0], in_.near_value(P::paired, r + 1, c_ - 1)));
    }
    in_.at(P::starts + c_) = In::term(branch_, value);
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      in_.inner(kind, r, c_) = value == 0 ? 0 : value * adds_[kind];
    }
    in_.near_value(P::helix, r, c_) = value;
    in_.near_value(P::paired, r, c_) = pair;
    store(G::paired, r, pair);
    if constexpr (!In::lone_pairs) store(G::helix, r, value);
  }
  /// The rest of the step.
  __device__ __forceinline__ void second(int t) {
    const int r = In::row(c_, t);
    if (r >= 0 && r < P::side) finish(t, r);
    look_ahead(r - 1);
  }

  SeenValues seen[tables];

 private:
  [[nodiscard]] __device__ __forceinline__ double accepted(unsigned table, int r, double value) {
    using interval::detail::largest_value, interval::detail::smallest_value;
    if (value != 0 && !(value >= smallest_value && value <= largest_value)) {
      report_(table, in_.first_i() + r, in_.first_j() + c_);
    }
    return value;
  }
  __device__ __forceinline__ void store(unsigned table, int r, double value) {
    in_.tile.tile(table, in_.tile.i, in_.tile.j)[r * P::side + c_] = value;
    const int high = in_.tile.high(value);
    seen[table].top = max(seen[table].top, high);
    seen[table].bottom = value == 0 ? seen[table].bottom : min(seen[table].bottom, high);
  }
  /// The sum of the loops that the pair closes, in the order of their terms (add_loops).
  [[nodiscard]] __device__ __forceinline__ double sum_of_loops(int t, int r) const {
    const auto helix = [&](int a, int b) { return in_.near_value(P::helix, r + a, c_ - b); };
    double sum = hairpin_;
    sum += In::term(small_[0], in_.near_value(P::paired, r + 1, c_ - 1));
    sum += In::term(small_[1], helix(1, 2));
    sum += In::term(small_[2], helix(2, 1));
    sum += In::term(small_[3], helix(2, 2));
    sum += In::term(small_[4], helix(2, 3));
    sum += In::term(small_[5], helix(3, 2));
    sum += In::term(small_[6], helix(3, 3));
    sum += In::term(small_[7], helix(3, 4));
    sum += In::term(small_[8], helix(4, 3));
    double bulges = in_.sum(P::bulges, t, c_);
    if (c_ % 4 == 3) bulges += bulge_2_ * in_.inner(static_cast<int>(LoopKind::bulge), r + 1, c_ - 3);
    sum += In::term(outer_[0], bulges);
    sum += In::term(outer_[1], in_.sum(P::one_by_more, t, c_));
    sum += In::term(outer_[2], in_.sum(P::generic, t, c_));
    return sum + In::term(closing_, in_.near_value(P::branches, r + 1, c_ - 1));
  }
  __device__ __forceinline__ void finish(int t, int r) {
    const int first = c_ & ~3;
    double last = first == 0 ? in_.at(P::left_last + r) : in_.last_of(r, first - 1);
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      if (first + x <= c_) last = in_.at(P::starts + first + x) + In::term(multi_base_, last);
    }
    double splits = in_.sum(P::splits, t, c_);
#pragma unroll
    for (int x = 4; x > 0; --x) {
      if (first > 0) splits += in_.stem(r, first - x) * in_.column_last(first - x, c_);
    }
    if (!exists(r)) last = splits = single_ = 0;
    last = accepted(G::last, r, last);
    single_ = accepted(G::single, r, In::term(1, last) + In::term(multi_base_, single_));
    const double branches = accepted(G::branches, r, In::term(1, splits));
    const double stem = accepted(G::stems, r, single_ + branches);
    in_.last_of(r, c_) = last;
    in_.stem(r, c_) = stem;
    in_.near_value(P::branches, r, c_) = branches;
    store(G::last, r, last);
    store(G::single, r, single_);
    store(G::branches, r, branches);
    store(G::stems, r, stem);
  }
  [[nodiscard]] __device__ __forceinline__ bool exists(int r) const {
    return in_.first_i() + r < in_.first_j() + c_ && in_.first_j() + c_ < in_.tile.points;
  }
  /// Looks up what row r needs.
  __device__ __forceinline__ void look_ahead(int r) {
    may_pair_ = false;
    if (r < 0 || r >= P::side + P::around) return;
    if (r >= P::side) return fetched_.read(in_, r, c_);
    const unsigned i = in_.first_i() + r, j = in_.first_j() + c_;
    branch_ = 0;
    if (!exists(r) || in_.grammar.loops.kind(i, j - 1) == pair_kinds) return;
    may_pair_ = true;
    const auto& loops = in_.grammar.loops;
    const auto left = [&](int x) { return in_.left_base(r + x); };
    const auto right = [&](int x) { return in_.right_base(c_ - x); };
    const int on_left = In::code(left(0), left(1)), on_right = In::code(right(0), right(1));
    in_.look_inside(r, c_, adds_);
    branch_ = in_.has_neighbors(r, c_)
                  ? in_.listed(SumLists::branch, In::code(left(0), left(-1)), In::code(right(0), right(-1)))
                  : 0;
    closing_ = in_.listed(SumLists::closing, on_left, on_right);
#pragma unroll
    for (unsigned kind = 0; kind < summed_kinds; ++kind) {
      outer_[kind] = in_.listed(SumLists::outer + kind, on_left, on_right);
    }
    small_[0] = in_.listed(SumLists::stack, on_left, on_right);
    small_[1] = in_.listed(SumLists::bulge, on_left, In::code(right(0), right(2)));
    small_[2] = in_.listed(SumLists::bulge, In::code(left(0), left(2)), on_right);
    small_[3] = loops.template small_loop<1, 1>(i, j - 1);
    small_[4] = loops.template small_loop<1, 2>(i, j - 1);
    small_[5] = loops.template small_loop<2, 1>(i, j - 1);
    small_[6] = loops.template small_loop<2, 2>(i, j - 1);
    small_[7] = loops.template small_loop<2, 3>(i, j - 1);
    small_[8] = loops.template small_loop<3, 2>(i, j - 1);
    hairpin_ = interval::detail::with_trace(interval::detail::with_trace(loops.hairpin(i, j - 1), 1), in_.tile.one);
  }

  const In& in_;
  const Report& report_;
  int c_;
  double multi_base_, bulge_2_;
  double hairpin_ = 0, small_[small_terms] = {}, outer_[summed_kinds] = {}, adds_[summed_kinds] = {}, closing_ = 0,
         branch_ = 0, single_ = 0;
  bool may_pair_ = false;
  SumFetch<G, Tile> fetched_;
};

/// A thread that adds generic loops to every fourth row, of columns c and c + 32.
template <class G, class Tile>
class SumGeneric {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumGeneric(const In& in, int c, int row_class) : in_(in), c_(c), class_(row_class) {
    for (auto& of_column : sums_) {
      for (double& sum : of_column) sum = 0;
    }
  }
  __device__ __forceinline__ void step(int t) {
    if (t < first_step) return;
    switch ((P::side - t - class_) & 3) {
      case 0:
        return add<0>(t);
      case 1:
        return add<1>(t);
      case 2:
        return add<2>(t);
      default:
        return add<3>(t);
    }
  }

 private:
  static constexpr int first_step = -28, places = SumLists::places, most_b = static_cast<int>(max_loop) - 2;

  static constexpr bool is_generic(int a, int b) {
    return a + b <= static_cast<int>(max_loop) &&
           loop_kind(static_cast<std::size_t>(a), static_cast<std::size_t>(b)) == LoopKind::generic;
  }
  /// Adds what is two rows below. Place m has the sum of the row that reads it with a = 4 m + first_a.
  template <int first_a>
  __device__ __forceinline__ void add(int t) {
    constexpr int kind = static_cast<int>(LoopKind::generic);
    const double* from[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int c = c_ + 32 * half;
      from[half] = &in_.inner(kind, In::row(c, t) + 2, c - 1);
    }
    const double* const weights = in_.shared + P::weights + first_a * (static_cast<int>(max_loop) + 2) * places;
#pragma unroll
    for (int b = most_b; b >= 2; --b) {
      const double read[2] = {from[0][-b], from[1][-b]};
#pragma unroll
      for (int m = 0; m < places; ++m) {
        if (!is_generic(4 * m + first_a, b)) continue;
        const double weight = weights[b * places + m];
#pragma unroll
        for (int half = 0; half < 2; ++half) sums_[half][m] += weight * read[half];
      }
    }
    if constexpr (first_a == 2) {
#pragma unroll
      for (int half = 0; half < 2; ++half) in_.sum(P::generic, t + 1, c_ + 32 * half) = sums_[half][0];
    }
    if constexpr (first_a == 0) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int m = 0; m < places; ++m) sums_[half][m] = m + 1 < places ? sums_[half][m + 1] : 0;
      }
    }
  }

  const In& in_;
  int c_, class_;
  double sums_[2][places];
};

/// A thread that adds the loops with `beside` bases on one side, 0 or 1, and `first` to `last` on the other, of column
/// c.
template <class G, class Tile, LoopKind of, int first, int last, int beside>
class SumLines {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumLines(const In& in, int c) : in_(in), c_(c) {
    const double* const weights = beside == 0 ? in.grammar.lists->bulges : in.grammar.lists->one_by_more;
#pragma unroll
    for (int n = 0; n <= last; ++n) {
      weights_[n] = weights[n];
      sums_[n] = 0;
    }
  }
  __device__ __forceinline__ void step(int t) {
    constexpr int kind = static_cast<int>(of);
    const int r = In::row(c_, t);
    if (r + first >= P::side + P::around) return;
    const double value = in_.inner(kind, r + first, c_ - 1 - beside);
    double sum = sums_[first] + weights_[first] * value;
#pragma unroll
    for (int n = first + 1; n <= last; ++n) sums_[n - 1] = sums_[n] + weights_[n] * value;
    sums_[last] = 0;
    if (r > P::side || r < 1) return;
    const double* const row = &in_.inner(kind, r + beside, c_ - 1);
    const int ready = beside == 0 && c_ % 4 == 3 ? first + 1 : first;  // the last one is of this block of columns
#pragma unroll
    for (int n = last; n >= first; --n) {
      if (n > first || ready == first) sum += weights_[n] * row[-n];
    }
    in_.sum(beside == 0 ? P::bulges : P::one_by_more, t + 1, c_) = sum;
  }

 private:
  const In& in_;
  int c_;
  double weights_[last + 1], sums_[last + 1];
};

/// A thread that adds the splits of column c, and if c < 32 also fetches what is to the left of the tile, in column
/// c - 32.
template <class G, class Tile>
class SumSplits {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumSplits(const In& in, int c) : in_(in), c_(c) {}

  __device__ __forceinline__ void step(int t) {
    if (c_ < P::left && !in_.on_diagonal()) fetch(t);
    const int r = In::row(c_, t);
    if (r >= 1 && r <= P::side) in_.sum(P::splits, t + 1, c_) = with_columns(r - 1);
    of_rows_ = r >= 2 && r <= P::side + 1 ? with_rows(r - 2) : 0;
    product_ = r >= 3 && r <= P::side + 2 ? product(r - 3) : 0;
  }

 private:
  static constexpr int shortest = 5;  // in points

  __device__ __forceinline__ void fetch(int t) {
    const int c = c_ - P::left, r = In::row(c, t);
    if (r >= 1 && r < P::side + P::around) fetched_.write(in_, r, c);
    if (r >= 2 && r <= P::side + P::around) fetched_.read(in_, r - 1, c);
  }
  /// The sum of the products of other tiles.
  [[nodiscard]] __device__ __forceinline__ double product(int r) const {
    return in_.tile.products ? in_.tile.load(in_.tile.products + r * P::side + c_) : 0;
  }
  [[nodiscard]] __device__ __forceinline__ double with_rows(int r) const {
    if (in_.on_diagonal()) return 0;
    double sum = in_.tile.products ? in_.tile.factor.times_with_trace(product_) : 0;
    const int warp_row = r - (c_ % 32 >> 2);  // of the first column of the warp
    const double* const left = in_.shared + P::corner + r;
    const double* const right = in_.shared + P::last + c_;
#pragma unroll 4
    for (int k = max(warp_row, 0) + shortest; k < P::side; ++k) {
      if (k >= r + shortest) sum += left[k * P::corner_rows] * right[k * P::side];
    }
    return sum;
  }
  [[nodiscard]] __device__ __forceinline__ double with_columns(int r) const {
    double sum = of_rows_;
    const int begin = in_.on_diagonal() ? r + shortest : 0, end = (c_ & ~3) - 4, warp_end = (c_ | 31) - 7;
    const double* const left = in_.shared + P::stems + (r & 31);
    const double* const right = in_.shared + (in_.on_diagonal() ? P::last : P::columns) + c_;
#pragma unroll 4
    for (int k = 0; k < warp_end; ++k) {
      if (k >= begin && k < end) sum += left[k * P::stem_rows] * right[k * P::side];
    }
    return sum;
  }

  const In& in_;
  int c_;
  double of_rows_ = 0, product_ = 0;
  SumFetch<G, Tile> fetched_;
};

/// Calls visit(the thread's work) for a thread of a block.
template <class G, class Tile, class Visit>
__device__ __forceinline__ void with_sum_thread(const SumTile<G, Tile>& in, int thread, const Visit& visit) {
  constexpr int longest = static_cast<int>(max_loop);
  const int c = thread % SumPlaces::side;
  switch (thread / SumPlaces::side) {
    case 1:
    case 2:
      return visit(SumGeneric<G, Tile>(in, thread % 32, thread / 32 - 2));
    case 3:
      return visit(SumLines<G, Tile, LoopKind::bulge, 2, longest, 0>(in, c));
    case 4:
      return visit(SumLines<G, Tile, LoopKind::one_by_more, 3, longest - 1, 1>(in, c));
    default:
      return visit(SumSplits<G, Tile>(in, c));
  }
}

/// Closes a tile. All threads of a block run it.
template <class G, class Tile, class Report, class Seen>
__device__ __forceinline__ void close_sums(const SumTile<G, Tile>& in, int thread, const Report& report, Seen* seen) {
  in.begin(thread);
  __syncthreads();
  in.begin_left(thread);
  __syncthreads();
  const int first_step = in.on_diagonal() ? -1 : SumPlaces::first_step;
  if (thread < SumPlaces::side) {
    SumIntervals<G, Tile, Report> work(in, thread, report);
#pragma unroll 1
    for (int t = first_step; t <= SumPlaces::last_step; ++t) {
      work.first(t);
      __syncwarp();
      work.second(t);
      __syncthreads();
    }
#pragma unroll
    for (unsigned table = 0; table < G::tables; ++table) {
      if (work.seen[table].top == 0) continue;
      seen[table].top = (work.seen[table].top >> 20) - 1023;
      seen[table].bottom = (work.seen[table].bottom >> 20) - 1023;
    }
    return;
  }
  with_sum_thread(in, thread, [&](auto work) {
#pragma unroll 1
    for (int t = first_step; t <= SumPlaces::last_step; ++t) {
      work.step(t);
      __syncthreads();
    }
  });
}

}  // namespace warpfold::rna::cuda
