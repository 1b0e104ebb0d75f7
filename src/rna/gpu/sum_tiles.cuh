#pragma once

#include <cstddef>

#include "rna/gpu/sum_lists.hpp"
#include "warpfold/interval/detail/tile_scales.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// How a block of a GPU closes a tile of the sums of a sequence (docs/explanation/kernels/grammar.md, "Sums by rows").
///
/// A thread of column c, of block b = c / 4, is in row 63 - t + b in step t. So the columns to its left that are not in
/// its block are ahead by a row or more, and each row goes from the left to the right, four columns at one time. All
/// that a step reads was written in the steps before it, except within a block of columns:
///
///     64 threads    the pair of an interval in their row
///     64            what else an interval has, of the row below: `last` along the row, branches and stems. In rows
///                   below the tile they fetch intervals
///     64            look up what the pair of the row above needs
///     32            the splits in the tile's rows, of the row above and of two columns. They fetch what is to the left
///     32            then those in the tile's columns, of their row and of two columns
///     128           generic loops, a thread for two columns and every fourth row
///     64            bulges
///     64            loops of 1 x n bases
///
/// What a pair adds to a loop is added to the sums of all rows that read it, from the lowest row up. These sums stay in
/// registers. So a stencil takes its terms by a from the largest one, and then by b.
///
/// Shared memory: SumPlaces::bytes, 210 KB. One barrier in each of 81 steps, of 120 if there are tiles around.
namespace warpfold::rna::cuda {

/// The places in shared memory of what a block needs to close a tile, in doubles.
struct SumPlaces {
  static constexpr int side = tiles::tile_side;
  static constexpr int around = static_cast<int>(max_loop) + 1;  // rows below the tile, and columns to the left
  static constexpr int left = 32, width = left + side, ring_rows = 16;
  static constexpr int near = 16, near_width = near + side, near_rows = 8;
  static constexpr int stem_rows = 33, corner_rows = 65;
  enum Part : int { bulges, one_by_more, generic, row_splits, splits, parts };
  /// What is looked up of an interval, 0 if it has no pair: terms of its sum, and the weights of other terms.
  enum LookedUp : int {
    hairpin,
    stack,
    bulge_right,
    small_terms,  ///< of the other small loops
    outer = small_terms + 7,
    closing = outer + static_cast<int>(summed_kinds),
    inner_ends,
    branch_end = inner_ends + static_cast<int>(summed_kinds),
    looked_up_count
  };

  static constexpr int rings = 0;  // of each kind of loop what an inner pair adds, of the last rows
  static constexpr int ring_size = ring_rows * width;
  static constexpr int helix = rings + static_cast<int>(summed_kinds) * ring_size;  // the same of values
  static constexpr int near_size = near_rows * near_width;
  static constexpr int paired = helix + near_size;
  static constexpr int branches = paired + near_size;
  static constexpr int last = branches + near_size;            // of this tile, by rows
  static constexpr int stems = last + side * side;             // of the last 32 rows, by columns
  static constexpr int sums = stems + side * stem_rows;        // parts of two rows
  static constexpr int starts = sums + 2 * parts * side;       // what begins `last`, of two rows
  static constexpr int left_last = starts + 2 * side;          // of the column before the tile
  static constexpr int cleared = left_last + side;             // all so far are cleared
  static constexpr int columns = cleared;                      // `last` of the columns' diagonal tile, by rows
  static constexpr int corner = columns + side * side;         // stems of the rows' diagonal tile, by columns
  static constexpr int weights = corner + side * corner_rows;  // of generic loops
  static constexpr int weight_count = SumLists::classes * (static_cast<int>(max_loop) + 2) * SumLists::places;
  static constexpr int bases = weights + weight_count;  // of rows from -1 on, and of columns from -33 on
  static constexpr int left_bases = side + around + 8, before_columns = 1 + left,
                       right_bases = before_columns + side + 2;
  static constexpr int energies = bases + (left_bases + right_bases + 1) / 2;
  static constexpr int energy_count = static_cast<int>(sizeof(SumLists::Energies) / sizeof(Energy));
  static constexpr int nothing = (energies + energy_count / 2 + 1) / 2 * 2;  // places that are 0, for four rows
  static constexpr int looked_up = nothing + 3 * corner_rows + 1;            // LookedUp, of two rows
  static constexpr int end = looked_up + 2 * looked_up_count * side;
  static_assert(weights % 2 == 0 && last % 2 == 0 && columns % 2 == 0 && cleared % 2 == 0 && nothing % 2 == 0);
  static constexpr int bytes = end * static_cast<int>(sizeof(double));

  static constexpr int threads = 512;
  static constexpr int first_step = -40, last_step = side + side / 4 - 1;
};

/// What a block knows of the loops that a pair closes. `In`: SumTile or OutsideTile. Rows and columns are the tile's.
template <class In>
struct PairWeights {
  static constexpr int small_count = static_cast<int>(small_loops.size());
  SumEnds ends{};
  SumOuterEnds outer_ends{};
  double small[small_count] = {};  ///< of small_loops

  /// Whether the bases of an interval pair.
  static __device__ __forceinline__ bool may_pair(const In& in, int row, int column) {
    const unsigned i = in.first_i() + row, j = in.first_j() + column;
    return i + 5 <= j && j < in.tile.points && j - i <= in.grammar.loops.energies().max_span() &&
           (pairing >> code(in.left_base(row), in.right_base(column)) & 1) != 0;
  }
  __device__ __forceinline__ void look(const In& in, int row, int column) {
    const SumLists& lists = *in.grammar.lists;
    const SumLists::Energies& energies = in.energies_listed();
    const LoopTables& numbers = *in.grammar.loops.energies().lists().numbers;  // for places alone
    const int left[5] = {in.left_base(row), in.left_base(row + 1), in.left_base(row + 2), in.left_base(row + 3),
                         in.left_base(row + 4)};
    const int right[5] = {in.right_base(column), in.right_base(column - 1), in.right_base(column - 2),
                          in.right_base(column - 3), in.right_base(column - 4)};
    const int on_left = code(left[0], left[1]), on_right = code(right[0], right[1]);
    const auto kind = [&](int first, int second) { return energies.kinds[code(first, second)]; };
    const int outer = kind(left[0], right[0]);
    ends = lists.ends[on_left * SumLists::codes + on_right];
    look_outside(in, row, column);
    small[0] = ends.stack;
    small[1] = lists.ends[on_left * SumLists::codes + code(right[0], right[2])].bulge;
    small[2] = lists.ends[code(left[0], left[2]) * SumLists::codes + on_right].bulge;
    small[3] = lists.of_11[numbers.interior_11.place(outer, kind(right[2], left[2]), left[1], right[1])];
    small[4] = lists.of_21[numbers.interior_21.place(outer, kind(right[3], left[2]), left[1], right[2], right[1])];
    small[5] = lists.of_21[numbers.interior_21.place(kind(right[2], left[3]), outer, right[1], left[1], left[2])];
    small[6] =
        lists.of_22[numbers.interior_22.place(outer, kind(right[3], left[3]), left[1], left[2], right[2], right[1])];
    const Energy outer_23 = energies.outer_23[on_left * SumLists::codes + on_right];
    small[7] = in.grammar.loops.of_listed(
        outer_23 + energies.inner_23[code(left[3], left[2]) * SumLists::codes + code(right[4], right[3])]);
    small[8] = in.grammar.loops.of_listed(
        outer_23 + energies.inner_23[code(left[4], left[3]) * SumLists::codes + code(right[3], right[2])]);
  }
  /// What the pair adds to the loop around it: 0 without a base on both sides.
  __device__ __forceinline__ void look_outside(const In& in, int row, int column) {
    outer_ends = outer_ends_of(in, row, column);
  }
  static __device__ __forceinline__ SumOuterEnds outer_ends_of(const In& in, int row, int column) {
    const bool has_neighbors = in.first_i() + row > 0 && in.first_j() + column + 1 < in.tile.points;
    const int on_left = code(in.left_base(row), in.left_base(row - 1)),
              on_right = code(in.right_base(column), in.right_base(column + 1));
    constexpr int none = SumLists::codes * SumLists::codes;
    return in.grammar.lists->outer_ends[has_neighbors ? on_left * SumLists::codes + on_right : none];
  }

  static __device__ __forceinline__ int code(int first, int second) { return 5 * first + second; }

 private:
  /// A bit for each code of two bases that pair.
  static constexpr unsigned pairing = [] {
    unsigned all = 0;
    for (unsigned code = 0; code < 25; ++code) {
      const bool pairs = pair_kind(static_cast<Base>(code / 5), static_cast<Base>(code % 5)) < pair_kinds;
      all |= static_cast<unsigned>(pairs) << code;
    }
    return all;
  }();
};

/// The values of a table that a thread has seen, as the upper halves of doubles.
struct SeenValues {
  int top = 0;
  unsigned below = ~0U;  ///< one less than that of the smallest positive value
};

/// What all threads of a block know of the tile. Of: SumPlaces or OutsidePlaces. `G`: a grammar with `loops`, `lists`
/// and `lines`. Tile: interval::device::OpenSumTile or OpenOutsideTile.
template <class Of, class G, class Tile>
struct ClosingTile {
  using P = Of;
  static constexpr bool lone_pairs = G::helix == G::paired;

  const G& grammar;
  const Tile& tile;
  double* shared;

  [[nodiscard]] __device__ __forceinline__ unsigned first_i() const { return tile.i * P::side; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_j() const { return tile.j * P::side; }
  /// Whether there is an interval in a row and a column of the tile.
  [[nodiscard]] __device__ __forceinline__ bool exists(int row, int column) const {
    return first_i() + row < first_j() + column && first_j() + column < tile.points;
  }
  /// The row of a column, which may be one beside the tile, in step t.
  static __device__ __forceinline__ int row(int c, int t) { return P::side - 1 - t + (c >> 2); }
  [[nodiscard]] __device__ __forceinline__ double& at(int place) const { return shared[place]; }
  /// What the pair of row r and column c adds or gives to a kind of loop.
  [[nodiscard]] __device__ __forceinline__ double& inner(int kind, int r, int c) const {
    return shared[P::rings + kind * P::ring_size + (r & (P::ring_rows - 1)) * P::width + P::left + c];
  }
  /// A part of the sums of the interval that column c has in step t.
  [[nodiscard]] __device__ __forceinline__ double& sum(typename P::Part part, int t, int c) const {
    return shared[P::sums + ((t & 1) * P::parts + part) * P::side + c];
  }
  /// What is looked up of it.
  [[nodiscard]] __device__ __forceinline__ double& looked_up_of(int what, int t, int c) const {
    return shared[P::looked_up + ((t & 1) * P::looked_up_count + what) * P::side + c];
  }
  /// Base i of a row, and base j-1 of a column.
  [[nodiscard]] __device__ __forceinline__ int left_base(int row) const { return base_list()[1 + row]; }
  [[nodiscard]] __device__ __forceinline__ int right_base(int column) const {
    return base_list()[P::left_bases + P::before_columns + column];
  }
  [[nodiscard]] __device__ __forceinline__ const SumLists::Energies& energies_listed() const {
    return *reinterpret_cast<const SumLists::Energies*>(shared + P::energies);
  }

 protected:
  __device__ ClosingTile(const G& of_grammar, const Tile& of_tile, double* of_block)
      : grammar(of_grammar), tile(of_tile), shared(of_block) {}

  /// Clears what is written later, and copies lists.
  __device__ __forceinline__ void begin_lists(int thread) const {
#pragma unroll 4
    for (int t = thread; t < P::cleared; t += P::threads) shared[t] = 0;
    for (int t = thread; t < P::left_bases; t += P::threads) base_list()[t] = base(first_i() + t - 1);
    for (int t = thread; t < P::right_bases; t += P::threads) {
      base_list()[P::left_bases + t] = base(first_j() + t - P::before_columns - 1);
    }
    const double* const of_loops = &grammar.lists->generic[0][0][0];
    for (int t = thread; t < SumPlaces::weight_count; t += P::threads) shared[P::weights + t] = of_loops[t];
    auto* const to = reinterpret_cast<Energy*>(shared + P::energies);
    const auto* const of_energies = reinterpret_cast<const Energy*>(&grammar.lists->energies);
    for (int t = thread; t < SumPlaces::energy_count; t += P::threads) to[t] = of_energies[t];
    if (thread < P::looked_up - P::nothing) shared[P::nothing + thread] = 0;
  }

 private:
  [[nodiscard]] __device__ __forceinline__ int* base_list() const { return reinterpret_cast<int*>(shared + P::bases); }
  [[nodiscard]] __device__ __forceinline__ int base(unsigned i) const {
    return i < tile.points - 1 ? grammar.loops.energies().lists().bases[i] : 1;
  }
};

/// A tile of sums that closes.
template <class G, class Tile>
struct SumTile : ClosingTile<SumPlaces, G, Tile> {
  using P = SumPlaces;
  using Base = ClosingTile<SumPlaces, G, Tile>;
  using Base::tile, Base::shared, Base::sum, Base::exists;

  __device__ SumTile(const G& of_grammar, const Tile& of_tile, double* of_block)
      : Base(of_grammar, of_tile, of_block) {}

  [[nodiscard]] __device__ __forceinline__ bool on_diagonal() const { return tile.i == tile.j; }
  /// A value of `helix`, `paired` or `branches`.
  [[nodiscard]] __device__ __forceinline__ double& near_value(int of, int r, int c) const {
    return shared[of + (r & (P::near_rows - 1)) * P::near_width + P::near + c];
  }
  [[nodiscard]] __device__ __forceinline__ double& stem(int r, int c) const {
    return shared[P::stems + c * P::stem_rows + (r & 31)];
  }
  [[nodiscard]] __device__ __forceinline__ double& last_of(int r, int c) const {
    return shared[P::last + r * P::side + c];
  }
  /// `last` of the columns' diagonal tile.
  [[nodiscard]] __device__ __forceinline__ double column_last(int k, int c) const {
    return shared[(on_diagonal() ? P::last : P::columns) + k * P::side + c];
  }
  /// What begins `last` of the interval that column c has in step t.
  [[nodiscard]] __device__ __forceinline__ double& start(int t, int c) const {
    return shared[P::starts + (t & 1) * P::side + c];
  }
  /// The value of `branches` in row r, which column c had in the step before t.
  [[nodiscard]] __device__ __forceinline__ double branches_of(int t, int r, int c) const {
    const int first = c & ~3;
    double splits = sum(P::splits, t, c);
    if (first > 0 && (!on_diagonal() || first > r + 4)) {  // a branch has five points or more
#pragma unroll
      for (int x = 4; x > 0; --x) splits = fma(stem(r, first - x), column_last(first - x, c), splits);
    }
    return exists(r, c) ? kept(splits, splits) : 0;
  }

  /// Values are compared as integers: nothing waits for the units of doubles. `exponent`: of a power of two.
  static constexpr int high_of(int exponent) { return (1023 + exponent) << 20; }
  [[nodiscard]] __device__ __forceinline__ bool is_zero(double value) const {
    return (tile.high(value) | tile.low(value)) == 0;
  }
  /// A product, or a trace if it is lost although `of` is not 0.
  [[nodiscard]] __device__ __forceinline__ double kept(double product, double of) const {
    return tile.high(product) < high_of(-900) && !is_zero(of) ? interval::detail::trace : product;
  }
  [[nodiscard]] __device__ __forceinline__ double term(double weight, double value) const {
    const double product = weight * value;
    return kept(product, product);
  }
  /// A value around the tile, row r and column c, in the tile's unit.
  [[nodiscard]] __device__ __forceinline__ double in_unit(double stored, int r, int c) const {
    return kept(stored * tile.near(r >= P::side, c < 0), stored);
  }
  /// The stored value of an interval around the tile.
  [[nodiscard]] __device__ __forceinline__ double around_value(unsigned table, int r, int c) const {
    const unsigned tile_i = tile.i + (r >= P::side), tile_j = tile.j - (c < 0);
    if (on_diagonal() || tile_i > tile_j) return 0;
    return tile.load(tile.tile(table, tile_i, tile_j) + (r & 63) * P::side + (c & 63));
  }

  /// Fetches what the tile needs that is final, and clears the rest.
  __device__ __forceinline__ void begin(int thread) const {
    this->begin_lists(thread);
    if (on_diagonal()) return;
    const double* const of_rows = tile.tile(G::stems, tile.i, tile.i);
    const double* const of_columns = tile.tile(G::last, tile.j, tile.j);
#pragma unroll 4
    for (int t = thread; t < P::side * P::side; t += P::threads) {
      shared[P::corner + t % P::side * P::corner_rows + t / P::side] = tile.load(of_rows + t);
      shared[P::columns + t] = tile.load(of_columns + t);
    }
  }
  /// Fetches what was cleared before.
  __device__ __forceinline__ void begin_left(int thread) const {
    if (on_diagonal() || thread >= P::side) return;
    shared[P::left_last + thread] = in_unit(around_value(G::last, thread, -1), thread, -1);
  }
};

/// What a thread fetches of the intervals around the tile, of one column: those of the next row.
template <class G, class Tile>
struct SumFetch {
  using In = SumTile<G, Tile>;
  double helix = 0, paired = 0, branches = 0, single = 0;
  SumOuterEnds ends{};

  __device__ __forceinline__ void read(const In& in, int r, int c) {
    helix = in.around_value(G::helix, r, c);
    ends = PairWeights<In>::outer_ends_of(in, r, c);
    if (c < -1 || r > SumPlaces::side) return;
    if (G::helix != G::paired) paired = in.around_value(G::paired, r, c);
    branches = in.around_value(G::branches, r, c);
    if (c >= 0) single = in.around_value(G::single, r, c);
  }
  __device__ __forceinline__ void write(const In& in, int r, int c) const {
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      in.inner(kind, r, c) = in.in_unit(ends.inner[kind] * helix, r, c);
    }
    if (c < -4 || r >= SumPlaces::side + 5) return;
    in.near_value(SumPlaces::helix, r, c) = in.in_unit(helix, r, c);
    if (c < -1 || r > SumPlaces::side) return;
    in.near_value(SumPlaces::paired, r, c) = in.in_unit(G::helix == G::paired ? helix : paired, r, c);
    in.near_value(SumPlaces::branches, r, c) = in.in_unit(branches, r, c);
  }
};

/// A thread that looks up what the next interval of column c needs for its pair.
template <class G, class Tile>
class SumLookup {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumLookup(const In& in, int c) : in_(in), c_(c) {}

  /// Tells what was read in the step before, and reads what the row above needs. Nothing waits for that in this step.
  __device__ __forceinline__ void step(int t) {
    const int r = In::row(c_, t) - 1;
    if (r >= 0 && r < P::side) tell(t, r);
    may_pair_ = r >= 1 && r <= P::side && PairWeights<In>::may_pair(in_, r - 1, c_);
    if (may_pair_) look(r - 1);
    look_at_hairpin(r - 2);
  }

 private:
  __device__ __forceinline__ void tell(int t, int r) const {
    double found[P::looked_up_count] = {};
    if (may_pair_) {
      const double hairpin = in_.term(hairpin_, long_loop_);
      found[P::hairpin] = in_.kept(hairpin * in_.tile.one, hairpin);
      found[P::stack] = weights_.small[0];
      found[P::bulge_right] = weights_.small[1];
      const auto helix = [&](int a, int b) { return in_.near_value(P::helix, r + a, c_ - b); };
      found[P::small_terms] = in_.term(weights_.small[2], helix(2, 1));
      found[P::small_terms + 1] = in_.term(weights_.small[3], helix(2, 2));
      found[P::small_terms + 2] = in_.term(weights_.small[4], helix(2, 3));
      found[P::small_terms + 3] = in_.term(weights_.small[5], helix(3, 2));
      found[P::small_terms + 4] = in_.term(weights_.small[6], helix(3, 3));
      found[P::small_terms + 5] = in_.term(weights_.small[7], helix(3, 4));
      found[P::small_terms + 6] = in_.term(weights_.small[8], helix(4, 3));
#pragma unroll
      for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
        found[P::outer + kind] = weights_.ends.outer[kind];
        found[P::inner_ends + kind] = weights_.outer_ends.inner[kind];
      }
      found[P::closing] = weights_.ends.closing;
      found[P::branch_end] = weights_.outer_ends.branch;
    }
#pragma unroll
    for (int what = 0; what < P::looked_up_count; ++what) in_.looked_up_of(what, t + 1, c_) = found[what];
  }
  __device__ __forceinline__ void look(int r) {
    const int code = PairWeights<In>::code(in_.left_base(r), in_.left_base(r + 1)) * SumLists::codes +
                     PairWeights<In>::code(in_.right_base(c_), in_.right_base(c_ - 1));
    const unsigned size = in_.first_j() + c_ - in_.first_i() - r - 2;
    const Energy mismatch = size > LoopEnergyView::max_special_hairpin ? in_.energies_listed().hairpin[code] : 0;
    hairpin_ = in_.grammar.loops.of_listed(initiation_ + mismatch);
    long_loop_ = in_.grammar.loops.long_loops()[size];
    weights_.look(in_, r, c_);
  }
  /// Looks up the energy of a hairpin without its mismatch.
  __device__ __forceinline__ void look_at_hairpin(int r) {
    const unsigned i = in_.first_i() + r, j = in_.first_j() + c_;
    if (r < 0 || r >= P::side || i + 5 > j || j >= in_.tile.points) return;
    const unsigned size = j - i - 2;
    const LoopLists& lists = in_.grammar.loops.energies().lists();
    initiation_ = size <= LoopEnergyView::max_special_hairpin
                      ? lists.small_hairpins[LoopEnergyView::small_hairpin_place(i, size)]
                      : lists.hairpin_initiation[size];
  }

  const In& in_;
  int c_;
  Energy initiation_ = 0;
  double hairpin_ = 0, long_loop_ = 0;
  PairWeights<In> weights_;
  bool may_pair_ = false;
};

/// What threads that write values of column c have in common. Report: report(table, i, j) for a value that is not
/// accepted.
template <class G, class Tile, class Report>
class SumColumn {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  SeenValues seen[static_cast<int>(G::tables)];

 protected:
  __device__ SumColumn(const In& in, int c, const Report& report)
      : in_(in), report_(report), c_(c), own_(in.tile.tile(0, in.tile.i, in.tile.j) + c) {}

  [[nodiscard]] __device__ __forceinline__ double accepted(unsigned table, int r, double value) {
    using interval::detail::largest_value, interval::detail::smallest_value;
    constexpr int least = In::high_of(-500), beyond = In::high_of(500);
    const auto above = static_cast<unsigned>(in_.tile.high(value) - least);
    if (above < unsigned{beyond - least} || in_.is_zero(value)) return value;  // nearly all
    if (!(value >= smallest_value && value <= largest_value)) report_(table, in_.first_i() + r, in_.first_j() + c_);
    return value;
  }
  __device__ __forceinline__ void store(unsigned table, int r, double value) {
    own_[table * in_.tile.table_size + r * P::side] = value;
    const int high = in_.tile.high(value);
    seen[table].top = max(seen[table].top, high);
    seen[table].below = min(seen[table].below, static_cast<unsigned>(high) - 1);  // 0 becomes the largest
  }

  const In& in_;
  const Report& report_;
  int c_;

 private:
  double* own_;  ///< its values of the first table
};

/// A thread that finishes the pairs of column c.
template <class G, class Tile, class Report>
class SumPairs : public SumColumn<G, Tile, Report> {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumPairs(const In& in, int c, const Report& report)
      : SumColumn<G, Tile, Report>(in, c, report), bulge_2_(in.grammar.lines.bulges[2]) {}

  /// Finishes `branches` of the row below, which the next column's pair reads.
  __device__ __forceinline__ void first(int t) const {
    const int below = In::row(c_, t) + 1;
    if (below >= 1 && below < P::side) in_.near_value(P::branches, below, c_) = in_.branches_of(t, below, c_);
  }
  /// The rest of the step.
  __device__ __forceinline__ void second(int t) {
    const int r = In::row(c_, t);
    if (r < 0 || r >= P::side) return;
    const auto looked_up = [&](int what) { return in_.looked_up_of(what, t, c_); };
    const double pair = this->accepted(G::paired, r, sum_of_loops(t, r));
    double value = pair;
    if constexpr (!In::lone_pairs) {
      value = this->accepted(G::helix, r, in_.term(looked_up(P::stack), in_.near_value(P::paired, r + 1, c_ - 1)));
    }
    in_.start(t, c_) = in_.term(looked_up(P::branch_end), value);
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      in_.inner(kind, r, c_) = value * looked_up(P::inner_ends + kind);
    }
    in_.near_value(P::helix, r, c_) = value;
    in_.near_value(P::paired, r, c_) = pair;
    this->store(G::paired, r, pair);
    if constexpr (!In::lone_pairs) this->store(G::helix, r, value);
  }

 private:
  using SumColumn<G, Tile, Report>::in_, SumColumn<G, Tile, Report>::c_;

  /// The sum of the loops that the pair closes, in the order of their terms (add_loops).
  [[nodiscard]] __device__ __forceinline__ double sum_of_loops(int t, int r) const {
    const auto looked_up = [&](int what) { return in_.looked_up_of(what, t, c_); };
    double sum = looked_up(P::hairpin);
    sum += in_.term(looked_up(P::stack), in_.near_value(P::paired, r + 1, c_ - 1));
    sum += in_.term(looked_up(P::bulge_right), in_.near_value(P::helix, r + 1, c_ - 2));
#pragma unroll
    for (int x = 0; x < 7; ++x) sum += looked_up(P::small_terms + x);
    double bulges = in_.sum(P::bulges, t, c_);
    if (c_ % 4 == 3) bulges = fma(bulge_2_, in_.inner(static_cast<int>(LoopKind::bulge), r + 1, c_ - 3), bulges);
    sum += in_.term(looked_up(P::outer), bulges);
    sum += in_.term(looked_up(P::outer + 1), in_.sum(P::one_by_more, t, c_));
    sum += in_.term(looked_up(P::outer + 2), in_.sum(P::generic, t, c_));
    return sum + in_.term(looked_up(P::closing), in_.near_value(P::branches, r + 1, c_ - 1));
  }

  double bulge_2_;
};

/// A thread that finishes the other values of column c, one step after its pairs.
template <class G, class Tile, class Report>
class SumRows : public SumColumn<G, Tile, Report> {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

  __device__ SumRows(const In& in, int c, const Report& report)
      : SumColumn<G, Tile, Report>(in, c, report), multi_base_(in.grammar.loops.multi_base()) {}

  __device__ __forceinline__ void step(int t) {
    const int r = In::row(c_, t);
    if (r >= P::side) return fetch(r);
    if (r + 1 >= 0 && r + 1 < P::side) finish(t, r + 1);
  }

 private:
  using SumColumn<G, Tile, Report>::in_, SumColumn<G, Tile, Report>::c_;

  __device__ __forceinline__ void fetch(int r) {
    if (r < P::side + P::around) {
      fetched_.write(in_, r, c_);
      single_ = in_.in_unit(fetched_.single, r, c_);
    }
    if (r > P::side && r <= P::side + P::around) fetched_.read(in_, r - 1, c_);
  }
  __device__ __forceinline__ void finish(int t, int r) {
    const int first = c_ & ~3;
    double last = first == 0 ? in_.at(P::left_last + r) : in_.last_of(r, first - 1);
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      const double sum = in_.start(t - 1, first + x) + in_.term(multi_base_, last);
      last = first + x <= c_ ? sum : last;
    }
    const bool exists = in_.exists(r, c_);
    last = this->accepted(G::last, r, exists ? last : 0);
    single_ = exists ? single_ : 0;
    single_ = this->accepted(G::single, r, in_.term(1, last) + in_.term(multi_base_, single_));
    const double branches = this->accepted(G::branches, r, in_.branches_of(t, r, c_));
    const double stem = this->accepted(G::stems, r, single_ + branches);
    in_.last_of(r, c_) = last;
    in_.stem(r, c_) = stem;
    this->store(G::last, r, last);
    this->store(G::single, r, single_);
    this->store(G::branches, r, branches);
    this->store(G::stems, r, stem);
  }

  double multi_base_, single_ = 0;
  SumFetch<G, Tile> fetched_;
};

/// A thread that adds generic loops to every fourth row, of columns c and c + 32. `In`: SumTile or OutsideTile.
template <class In>
class SumGeneric {
 public:
  using P = typename In::P;

  __device__ SumGeneric(const In& in, int c, int row_class) : in_(in), c_(c), class_(row_class) {
    for (auto& of_column : sums_) {
      for (double& sum : of_column) sum = 0;
    }
  }
  /// Adds what is two rows below. Place m has the sum of the row that reads it with a = 4 m + first_a. Weights of other
  /// kinds of loops are 0, so that all four classes run the same code: with a copy each it did not fit the
  /// multiprocessor's instruction cache.
  __device__ __forceinline__ void step(int t) {
    if (t < first_step) return;
    constexpr int kind = static_cast<int>(LoopKind::generic);
    const int first_a = (P::side - t - class_) & 3;
    const double* from[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int c = c_ + 32 * half;
      from[half] = &in_.inner(kind, In::row(c, t) + 2, c - 1);
    }
    const double* const weights = in_.shared + P::weights + first_a * (static_cast<int>(max_loop) + 2) * places;
#pragma unroll
    for (int b = max_b; b >= 2; --b) {
      const double read[2] = {from[0][-b], from[1][-b]};
#pragma unroll
      for (int m = 0; m < places; ++m) {
        if (4 * m + b > static_cast<int>(max_loop)) continue;
        const double weight = weights[b * places + m];
#pragma unroll
        for (int half = 0; half < 2; ++half) sums_[half][m] = fma(weight, read[half], sums_[half][m]);
      }
    }
    if (first_a == 2) {
#pragma unroll
      for (int half = 0; half < 2; ++half) in_.sum(P::generic, t + 1, c_ + 32 * half) = sums_[half][0];
    }
    if (first_a == 0) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int m = 0; m < places; ++m) sums_[half][m] = m + 1 < places ? sums_[half][m + 1] : 0;
      }
    }
  }

 private:
  static constexpr int first_step = -28, places = SumLists::places, max_b = static_cast<int>(max_loop) - 2;

  const In& in_;
  int c_, class_;
  double sums_[2][places];
};

/// A thread that adds the loops with `beside` bases on one side, 0 or 1, and `first` to `last` on the other, of column
/// c.
template <class In, LoopKind of, int first, int last, int beside>
class SumLines {
 public:
  using P = typename In::P;

  __device__ SumLines(const In& in, int c) : in_(in), c_(c) {
#pragma unroll
    for (double& sum : sums_) sum = 0;
  }
  __device__ __forceinline__ void step(int t) {
    constexpr int kind = static_cast<int>(of);
    const int r = In::row(c_, t);
    if (r + first >= P::side + P::around) return;
    const double value = in_.inner(kind, r + first, c_ - 1 - beside);
    double sum = fma(weight(first), value, sums_[first]);
#pragma unroll
    for (int n = first + 1; n <= last; ++n) sums_[n - 1] = fma(weight(n), value, sums_[n]);
    sums_[last] = 0;
    if (r > P::side || r < 1) return;
    const double* const row = &in_.inner(kind, r + beside, c_ - 1);
    const int ready = beside == 0 && c_ % 4 == 3 ? first + 1 : first;  // the last one is of this block of columns
#pragma unroll
    for (int n = last; n >= first; --n) {
      if (n > first || ready == first) sum = fma(weight(n), row[-n], sum);
    }
    in_.sum(beside == 0 ? P::bulges : P::one_by_more, t + 1, c_) = sum;
  }

 private:
  /// An argument of the kernel, so that an instruction has it as a constant.
  [[nodiscard]] __device__ __forceinline__ double weight(int n) const {
    return beside == 0 ? in_.grammar.lines.bulges[n] : in_.grammar.lines.one_by_more[n];
  }

  const In& in_;
  int c_;
  double sums_[last + 1];
};

/// Factors of four terms of two sums, which do not wait for each other. The left factors are those of both.
struct PairTerms {
  static constexpr int count = 4;
  struct alignas(2 * sizeof(double)) Two {
    double of[2];
  };
  double left[count];
  Two right[count];

  __device__ __forceinline__ void add_to(double& first, double& second) const {
#pragma unroll
    for (int x = 0; x < count; ++x) {
      first = fma(left[x], right[x].of[0], first);
      second = fma(left[x], right[x].of[1], second);
    }
  }
};

[[nodiscard]] inline __device__ PairTerms::Two two(const double* from) {
  return *reinterpret_cast<const PairTerms::Two*>(from);
}

/// Adds 8 * `rounds` terms to two sums. read(x, terms) reads those from term x on, while the four before are added.
template <class Read>
__device__ __forceinline__ void add_to_sums(int rounds, double& first, double& second, const Read& read) {
  constexpr int count = PairTerms::count;
  if (rounds <= 0) return;
  PairTerms even, odd;
  read(0, even);
#pragma unroll 1
  for (int x = 0; x < 2 * count * rounds; x += 2 * count) {
    read(x + count, odd);
    even.add_to(first, second);
    read(x + 2 * count, even);
    odd.add_to(first, second);
  }
}

/// Takes in what lies beside the tile, in column lane - 32: writes what the step before read, and reads the next row.
template <class Fetched, class In>
__device__ __forceinline__ void fetch_beside(Fetched& fetched, const In& in, int lane, int t) {
  using P = typename In::P;
  const int c = lane - P::left, r = In::row(c, t);
  if (r >= 1 && r < P::side + P::around) fetched.write(in, r, c);
  if (r >= 2 && r <= P::side + P::around) fetched.read(in, r - 1, c);
}

/// What threads that add splits of two columns have in common. Both columns are in the same row.
template <class G, class Tile>
class SumSplits {
 public:
  using In = SumTile<G, Tile>;
  using P = SumPlaces;

 protected:
  static constexpr int shortest = 5;  // in points
  static constexpr int some = 2 * PairTerms::count;
  static constexpr int rows_of_warp = P::side / 4;

  __device__ SumSplits(const In& in, int lane) : in_(in), lane_(lane), c_(2 * lane) {}

  static __device__ __forceinline__ int in_tile(int row) { return min(max(row, 0), P::side - 1); }
  [[nodiscard]] __device__ __forceinline__ int row_of_first_lane(int row) const { return row - c_ / 4; }

  const In& in_;
  int lane_, c_;  ///< c_: the first column
};

/// A thread that adds the splits in the tile's rows, and fetches what is to the left of the tile, in column lane - 32.
template <class G, class Tile>
class SumRowSplits : SumSplits<G, Tile> {
 public:
  using Base = SumSplits<G, Tile>;
  using typename Base::In, typename Base::P;

  __device__ SumRowSplits(const In& in, int lane) : Base(in, lane) {}

  /// Adds those of row r, which the other splits of the row follow in the next step.
  __device__ __forceinline__ void step(int t) {
    if (in_.on_diagonal()) return;
    fetch_beside(fetched_, in_, lane_, t);
    const int r = In::row(c_, t) - 1;
    double sums[2] = {};
    if (in_.tile.products) {
#pragma unroll
      for (int x = 0; x < 2; ++x) sums[x] = in_.tile.factor.times_with_trace(products_[x]);
    }
    add(r, sums);
#pragma unroll
    for (int x = 0; x < 2; ++x) {
      if (r >= 0 && r < P::side) in_.sum(P::row_splits, t + 1, c_ + x) = sums[x];
      products_[x] = r >= 1 && r <= P::side ? product(r - 1, c_ + x) : 0;
    }
  }

 private:
  using Base::in_, Base::lane_, Base::c_, Base::shortest, Base::some;

  /// The sum of the products of other tiles.
  [[nodiscard]] __device__ __forceinline__ double product(int r, int c) const {
    return in_.tile.products ? in_.tile.load(in_.tile.products + r * P::side + c) : 0;
  }
  /// Rows whose sums are not needed are computed as if they were the nearest of the tile.
  __device__ __forceinline__ void add(int r, double (&sums)[2]) const {
    const int first_row = this->row_of_first_lane(r);
    const bool has_any = first_row + Base::rows_of_warp > 0 && first_row < P::side;
    const int begin = has_any ? (max(first_row, 0) + shortest) / some * some : P::side, row = Base::in_tile(r);
    const double* const nothing = in_.shared + P::nothing;
    const double* const corner = in_.shared + P::corner + row;
    const double* const lasts = in_.shared + P::last + c_;
    add_to_sums((P::side - begin) / some, sums[0], sums[1], [&](int at, PairTerms& terms) {
      const int k = begin + at;
      const bool has = k + 3 >= row + shortest && k < P::side;
      const double* const from_corner = has ? corner + k * P::corner_rows : nothing;
      const double* const from_lasts = has ? lasts + k * P::side : nothing;
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        terms.left[x] = from_corner[x * P::corner_rows];
        // Row + 2 is not ready. Its factor is 0.
        terms.right[x] = two(x > 0 || k > row + 2 ? from_lasts + x * P::side : nothing);
      }
    });
  }

  double products_[2] = {};
  SumFetch<G, Tile> fetched_;
};

/// A thread that adds the splits in the tile's columns.
template <class G, class Tile>
class SumColumnSplits : SumSplits<G, Tile> {
 public:
  using Base = SumSplits<G, Tile>;
  using typename Base::In, typename Base::P;

  __device__ SumColumnSplits(const In& in, int lane) : Base(in, lane) {}

  __device__ __forceinline__ void step(int t) {
    const int r = In::row(c_, t);
    double sums[2] = {in_.sum(P::row_splits, t, c_), in_.sum(P::row_splits, t, c_ + 1)};
    add(r, sums);
    if (r < 0 || r >= P::side) return;
#pragma unroll
    for (int x = 0; x < 2; ++x) in_.sum(P::splits, t + 1, c_ + x) = sums[x];
  }

 private:
  using Base::in_, Base::c_, Base::shortest, Base::some;

  __device__ __forceinline__ void add(int r, double (&sums)[2]) const {
    const int first_row = this->row_of_first_lane(r), row = Base::in_tile(r);
    const bool has_any = first_row + Base::rows_of_warp > 0 && first_row < P::side;
    const int begin = in_.on_diagonal() ? row + shortest : 0;
    // Rows below the tile, whose sums are not needed, read no stems: those of the last row are written meanwhile.
    const int end = r < P::side ? c_ / 4 * 4 - 4 : 0;
    const double* const nothing = in_.shared + P::nothing;
    const double* const stems = in_.shared + P::stems + (row & 31);
    const double* const column = in_.shared + (in_.on_diagonal() ? P::last : P::columns) + c_;
    add_to_sums(has_any ? P::side / some - 1 : 0, sums[0], sums[1], [&](int at, PairTerms& terms) {
      const bool has = at + 3 >= begin && at < end;
      const double* const from_stems = has ? stems + at * P::stem_rows : nothing;
      const double* const from_column = has ? column + at * P::side : nothing;
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        terms.left[x] = from_stems[x * P::stem_rows];
        terms.right[x] = two(from_column + x * P::side);
      }
    });
  }
};

/// Calls visit(the thread's work) for a thread of the 256 that add stencils.
template <class In, class Visit>
__device__ __forceinline__ void with_stencils(const In& in, int thread, const Visit& visit) {
  constexpr int longest = static_cast<int>(max_loop);
  const int c = thread % tiles::tile_side;
  switch (thread / tiles::tile_side) {
    case 0:
    case 1:
      return visit(SumGeneric<In>(in, thread % 32, thread / 32));
    case 2:
      return visit(SumLines<In, LoopKind::bulge, 2, longest, 0>(in, c));
    default:
      return visit(SumLines<In, LoopKind::one_by_more, 3, longest - 1, 1>(in, c));
  }
}

/// Closes a tile. All threads of a block run it.
template <class G, class Tile, class Report, class Seen>
__device__ __forceinline__ void close_sums(const SumTile<G, Tile>& in, int thread, const Report& report, Seen* seen) {
  in.begin(thread);
  __syncthreads();
  in.begin_left(thread);
  __syncthreads();
  const int first_step = in.on_diagonal() ? -2 : SumPlaces::first_step, c = thread % SumPlaces::side;
  const auto run = [&](auto& work) {
#pragma unroll 1
    for (int t = first_step; t <= SumPlaces::last_step; ++t) {
      work.step(t);
      __syncthreads();
    }
  };
  const auto tell = [&](const auto& work) {
#pragma unroll
    for (unsigned table = 0; table < G::tables; ++table) {
      if (work.seen[table].top == 0) continue;
      seen[table].top = (work.seen[table].top >> 20) - 1023;
      seen[table].bottom = static_cast<int>((work.seen[table].below + 1) >> 20) - 1023;
    }
  };
  switch (thread / SumPlaces::side) {
    case 0: {
      SumPairs<G, Tile, Report> work(in, c, report);
#pragma unroll 1
      for (int t = first_step; t <= SumPlaces::last_step; ++t) {
        work.first(t);
        __syncwarp();
        work.second(t);
        __syncthreads();
      }
      return tell(work);
    }
    case 1: {
      SumRows<G, Tile, Report> work(in, c, report);
      run(work);
      return tell(work);
    }
    case 2: {
      SumLookup<G, Tile> work(in, c);
      return run(work);
    }
    case 3: {
      if (c < 32) {
        SumRowSplits<G, Tile> work(in, c);
        return run(work);
      }
      SumColumnSplits<G, Tile> work(in, c - 32);
      return run(work);
    }
    default:
      with_stencils(in, thread - 4 * SumPlaces::side, [&](auto work) { run(work); });
  }
}

}  // namespace warpfold::rna::cuda
