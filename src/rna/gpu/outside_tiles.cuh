#pragma once

#include "rna/gpu/sum_tiles.cuh"

/// How a block of a GPU closes a tile of the outside values of a sequence's sums (docs/explanation/kernels/grammar.md,
/// "Marginals by rows"), as it closes a tile of sums (sum_tiles.cuh) in a mirror: from the first row down, and from the
/// right to the left. Rows R and columns C are counted in the mirror, where row r of the tile is 63 - r: an interval
/// gets what those to its left and below it, in the mirror, give.
///
///     64 threads       the pair of an interval in their row, and what it gives: by each small loop, and by a
///                      multiloop, it stays in shared memory for a few rows. Then the branches of the row above
///     64               `last` along the row above
///     64               look up what the pair of the row above needs
///     32 and 32        products with the columns' and the rows' diagonal tile, of the row two above and two columns.
///                      The latter fetch what is to the right
///     128, 64, 64      stencils of what the pairs give, as in the sums
///
/// What intervals give beyond the tile is added by the same threads, four rows and four columns further on.
///
/// Shared memory: OutsidePlaces::bytes, 213 KB. One barrier in each of 86 steps, of 125 if there are tiles around.
namespace warpfold::rna::cuda {

/// The places in shared memory, in doubles.
struct OutsidePlaces {
  static constexpr int side = tiles::tile_side, around = SumPlaces::around;
  static constexpr int left = SumPlaces::left, width = SumPlaces::width, ring_rows = SumPlaces::ring_rows;
  static constexpr int near = 8, near_width = 80, near_rows = SumPlaces::near_rows;  // 4 columns on both sides
  static constexpr int padded = 66;
  enum Part : int { bulges, one_by_more, generic, as_left, as_right, parts };
  /// What intervals give: by the nine small loops, by a multiloop, and as the first of a helix; and outside values of
  /// `last`.
  enum Near : int { by_small, by_multi = 9, by_helix, last_out, near_count };
  /// What is looked up of an interval, 0 if it has no pair: what others give to its tables, seeds and values, and the
  /// weights of what it gives.
  enum LookedUp : int {
    seed,
    to_helix,  ///< without what is given from the next row
    to_paired,
    to_branches,  ///< of the row above
    value_helix,
    value_paired,
    inner_ends,
    branch_end = inner_ends + static_cast<int>(summed_kinds),
    small,
    closing = small + static_cast<int>(small_loops.size()),
    outer,
    looked_up_count = outer + static_cast<int>(summed_kinds)
  };

  static constexpr int rings = 0;
  static constexpr int ring_size = ring_rows * width;
  static constexpr int near_size = near_rows * near_width;
  static constexpr int nears = rings + static_cast<int>(summed_kinds) * ring_size;
  static constexpr int outside = nears + near_count * near_size;  // of the product, by rows of the tile
  static constexpr int sums = outside + side * padded;
  static constexpr int starts = sums + 2 * parts * side;
  static constexpr int cleared = starts + 2 * side;
  // Stems of the rows' diagonal tile by rows, and below the diagonal `last` of the columns' diagonal tile by columns.
  static constexpr int corners = cleared;
  static constexpr int weights = corners + side * padded;
  static constexpr int bases = weights + SumPlaces::weight_count;
  static constexpr int left_bases = side + 8, before_columns = 8, right_bases = side + 10;
  static constexpr int energies = bases + (left_bases + right_bases + 1) / 2;
  static constexpr int nothing = (energies + SumPlaces::energy_count / 2 + 1) / 2 * 2;  // places that are 0
  static constexpr int looked_up = nothing + 3 * padded + 2;                            // LookedUp, of two rows
  static constexpr int end = looked_up + 2 * looked_up_count * side;
  static_assert(weights % 2 == 0 && outside % 2 == 0 && corners % 2 == 0 && nothing % 2 == 0);
  static constexpr int bytes = end * static_cast<int>(sizeof(double));

  static constexpr int threads = 512;
  static constexpr int beyond = 4;  ///< rows and columns beyond the tile that its intervals give to
  static constexpr int first_step = -40, last_step = side + beyond - 1 + (side + beyond) / 4 - 1;
};

/// A tile of outside values that closes. `Tile`: OpenOutsideTile.
template <class G, class Tile>
struct OutsideTile : ClosingTile<OutsidePlaces, G, Tile> {
  using P = OutsidePlaces;
  using Base = ClosingTile<OutsidePlaces, G, Tile>;
  using Base::tile, Base::shared, Base::exists;

  __device__ OutsideTile(const G& of_grammar, const Tile& of_tile, double* of_block)
      : Base(of_grammar, of_tile, of_block) {}

  /// A value of Near.
  [[nodiscard]] __device__ __forceinline__ double& near_value(int of, int r, int c) const {
    return shared[P::nears + of * P::near_size + (r & (P::near_rows - 1)) * P::near_width + P::near + c];
  }
  /// The outside value of the product, by the tile's row and column.
  [[nodiscard]] __device__ __forceinline__ double& outside_of(int row, int column) const {
    return shared[P::outside + row * P::padded + column];
  }
  /// The outside value of `stems` in step t, for the product with `last`: the last terms are those of the blocks of
  /// columns before that of column c.
  [[nodiscard]] __device__ __forceinline__ double stems_of(int t, int row, int c) const {
    const int column = P::side - 1 - c, after = (column | 7) + 1;
    const bool is_upper = (column & 4) != 0;
    double stems = this->sum(P::as_left, t, c);
#pragma unroll
    for (int x = 0; x < 8; ++x) {
      const int k = is_upper ? after + x : after - 1 - x;
      if (is_upper ? after < P::side : x < 3)
        stems = fma(outside_of(row, k), shared[P::corners + k * P::padded + column], stems);
    }
    return exists(row, column) ? stems : 0;
  }
  /// What tiles above, to the right, and both, give to an interval of a table in the first rows. In other rows it is
  /// what the tile to the right gives, as it is there: nothing waits for it. `reach`: of the rows and columns that get
  /// anything.
  [[nodiscard]] __device__ __forceinline__ double rim_of(unsigned table, int row, int c, int reach) const {
    if (row >= P::beyond) return c < reach && tile.has(false, true) ? tile.in_rim(table, row, P::side + c) : 0;
    double total = 0;
    if (row < reach) total += tile.from_rim(table, row, c, true, false);
    if (c < reach) total += tile.from_rim(table, row, c, false, true);
    if (row < reach && c < reach) total += tile.from_rim(table, row, c, true, true);
    return total;
  }
  /// The same of row R, from what rim_of has read.
  [[nodiscard]] __device__ __forceinline__ double given_by_rim(int r, double read) const {
    return P::side - 1 - r < P::beyond || read == 0 ? read : read * tile.factor(false, true);
  }
  __device__ __forceinline__ void begin(int thread) const {
    this->begin_lists(thread);
    const double* const of_rows = tile.values(G::stems, tile.i, tile.i);
    const double* const of_columns = tile.values(G::last, tile.j, tile.j);
#pragma unroll 4
    for (int t = thread; t < P::side * P::side; t += P::threads) {
      const int row = t / P::side, column = t % P::side;
      if (row == column) shared[P::corners + row * P::padded + row] = 0;
      if (row >= column) continue;
      shared[P::corners + row * P::padded + column] = of_rows[t];
      shared[P::corners + column * P::padded + row] = of_columns[t];
    }
  }
};

/// What a thread fetches of the pairs around the tile.
template <class G, class Tile>
struct OutsideFetch {
  double given[summed_kinds] = {};

  __device__ __forceinline__ void read(const OutsideTile<G, Tile>& in, int r, int c) {
    const bool above = r >= OutsidePlaces::side, right = c < 0;
    const int place = (63 - (r & 63)) * OutsidePlaces::side + (c & 63);
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      given[kind] = in.tile.has(above, right) ? in.tile.given(kind, above, right)[place] : 0;
    }
  }
  __device__ __forceinline__ void write(const OutsideTile<G, Tile>& in, int r, int c) const {
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      in.inner(kind, r, c) = given[kind] == 0 ? 0 : given[kind] * in.tile.factor(r >= OutsidePlaces::side, c < 0);
    }
  }
};

/// What intervals give to one of row R and column C, in the order in which the CPU adds it (OutsideWindow).
template <class G, class Tile>
struct OutsideGiven {
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;
  const In& in;
  int r, c;

  /// By loops with these unpaired bases (small_loops).
  [[nodiscard]] __device__ __forceinline__ double by(int loop, int left, int right) const {
    return in.near_value(P::by_small + loop, r + 1 + left, c - 1 - right);
  }
  /// To `helix`, after what is given by other tiles, but for what comes from the row below.
  [[nodiscard]] __device__ __forceinline__ double to_helix_from_afar(double others) const {
    double sum = others + by(8, 3, 2);
    sum += (by(7, 2, 3) + by(6, 2, 2)) + by(5, 2, 1);
    return sum + ((by(4, 1, 2) + by(3, 1, 1)) + by(2, 1, 0));
  }
  /// To `helix`, from the row below.
  [[nodiscard]] __device__ __forceinline__ double to_helix_from_below() const {
    const double near = by(1, 0, 1);
    return In::lone_pairs ? near + by(0, 0, 0) : near;
  }
  /// To `paired`, if it is another table.
  [[nodiscard]] __device__ __forceinline__ double to_paired(double others) const {
    return others + (in.near_value(P::by_helix, r + 1, c - 1) + by(0, 0, 0));
  }
  [[nodiscard]] __device__ __forceinline__ double to_branches(double others) const {
    return others + in.near_value(P::by_multi, r + 1, c - 1);
  }
  /// Writes what is given to an interval beyond the tile.
  __device__ __forceinline__ void give_beyond() const {
    const int row = P::side - 1 - r;
    in.tile.give_to_rim(G::helix, row, c, to_helix_from_afar(0) + to_helix_from_below());
    if (row > P::side || c > P::side) return;
    if (!In::lone_pairs) in.tile.give_to_rim(G::paired, row, c, to_paired(0));
    in.tile.give_to_rim(G::branches, row, c, to_branches(0));
  }
};

/// A thread that looks up what the next pair of column C needs.
template <class G, class Tile>
class OutsideLookup {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

  __device__ OutsideLookup(const In& in, int c) : in_(in), c_(c), column_(P::side - 1 - c) {}

  /// Tells what was read in the step before, and reads what the row above needs. In most rows nothing waits for that in
  /// this step.
  __device__ __forceinline__ void step(int t) {
    const int r = In::row(c_, t) - 1;
    if (r >= 0 && r < P::side) tell(t, r);
    if (r >= 1 && r <= P::side) in_.looked_up_of(P::to_branches, t + 1, c_) = in_.given_by_rim(r - 1, rim_branches_);
    look_at_rims(P::side + 1 - r);
    const int row = P::side - r;  // of the row above
    may_pair_ = row >= 0 && row < P::side && PairWeights<In>::may_pair(in_, row, column_);
    if (may_pair_) look(row);
  }

 private:
  __device__ __forceinline__ void tell(int t, int r) const {
    double found[P::looked_up_count] = {};
    if (may_pair_) {
      found[P::seed] = seed_;
      found[P::value_helix] = value_helix_;
      if (!In::lone_pairs) found[P::value_paired] = value_paired_;
#pragma unroll
      for (int loop = 0; loop < PairWeights<In>::small_count; ++loop) found[P::small + loop] = weights_.small[loop];
#pragma unroll
      for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
        found[P::outer + kind] = weights_.ends.outer[kind];
        found[P::inner_ends + kind] = weights_.outer_ends.inner[kind];
      }
      found[P::closing] = weights_.ends.closing;
      found[P::branch_end] = weights_.outer_ends.branch;
      found[P::to_helix] = OutsideGiven<G, Tile>{in_, r, c_}.to_helix_from_afar(in_.given_by_rim(r, rim_helix_));
      if (!In::lone_pairs) found[P::to_paired] = in_.given_by_rim(r, rim_paired_);
    }
#pragma unroll
    for (int what = 0; what < P::looked_up_count; ++what) {
      if (what != P::to_branches) in_.looked_up_of(what, t + 1, c_) = found[what];
    }
  }
  __device__ __forceinline__ void look(int row) {
    const int place = row * P::side + column_;
    const auto value = [&](unsigned table) { return in_.tile.values(table, in_.tile.i, in_.tile.j)[place]; };
    seed_ = in_.tile.result()[place];  // until its marginal is there
    value_helix_ = value(G::helix);
    if (!In::lone_pairs) value_paired_ = value(G::paired);
    weights_.look(in_, row, column_);
    rim_helix_ = in_.rim_of(G::helix, row, c_, P::beyond);
    if (!In::lone_pairs) rim_paired_ = in_.rim_of(G::paired, row, c_, 1);
  }
  __device__ __forceinline__ void look_at_rims(int row) {
    if (row >= 0 && row < P::side) rim_branches_ = in_.rim_of(G::branches, row, c_, 1);
  }

  const In& in_;
  int c_, column_;
  double seed_ = 0, value_helix_ = 0, value_paired_ = 0, rim_helix_ = 0, rim_paired_ = 0, rim_branches_ = 0;
  PairWeights<In> weights_;
  bool may_pair_ = false;
};

/// A thread that finishes the pairs of column C, or what intervals give to rows beyond the tile.
template <class G, class Tile>
class OutsidePairs {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

  __device__ OutsidePairs(const In& in, int c) : in_(in), c_(c), column_(P::side - 1 - c) {
    bulge_2_ = in.grammar.lines.bulges[2];
  }

  __device__ __forceinline__ void first(int t) const {
    const int r = In::row(c_, t), row = P::side - 1 - r;
    if (r >= 0 && r < P::side) finish(t, r, row);
    if (r < 0 && row < P::side + P::beyond) {
      OutsideGiven<G, Tile>{in_, r, c_}.give_beyond();
#pragma unroll
      for (int of = 0; of < P::last_out; ++of) in_.near_value(of, r, c_) = 0;
    }
  }
  /// Finishes `branches` of the row above, to which the pair of the column before gives.
  __device__ __forceinline__ void second(int t) {
    const int above = In::row(c_, t) - 1, row = P::side - 1 - above;
    if (above < 0 || above >= P::side) return;
    const double given = OutsideGiven<G, Tile>{in_, above, c_}.to_branches(in_.looked_up_of(P::to_branches, t, c_));
    const double branches = in_.exists(row, column_) ? given + in_.stems_of(t + 1, row, c_) : 0;
    in_.outside_of(row, column_) = branches;
    largest = max(largest, branches);
  }

  double largest = 0;  ///< outside value of the product

 private:
  __device__ __forceinline__ void finish(int t, int r, int row) const {
    const auto looked_up = [&](int what) { return in_.looked_up_of(what, t, c_); };
    const OutsideGiven<G, Tile> of{in_, r, c_};
    double helix = looked_up(P::seed) + (looked_up(P::to_helix) + of.to_helix_from_below());
    helix += bulges(t, r) * looked_up(P::inner_ends);
    helix += in_.sum(P::one_by_more, t, c_) * looked_up(P::inner_ends + 1);
    helix += in_.sum(P::generic, t, c_) * looked_up(P::inner_ends + 2);
    helix += in_.near_value(P::last_out, r, c_) * looked_up(P::branch_end);
    double paired = helix, marginal = helix * looked_up(P::value_helix);
    if (!In::lone_pairs) {
      paired = of.to_paired(looked_up(P::to_paired));
      marginal += paired * looked_up(P::value_paired);
      in_.near_value(P::by_helix, r, c_) = helix * looked_up(P::small);
    }
    in_.tile.result()[row * P::side + column_] = marginal;
#pragma unroll
    for (int loop = 0; loop < static_cast<int>(small_loops.size()); ++loop) {
      in_.near_value(P::by_small + loop, r, c_) = paired * looked_up(P::small + loop);
    }
    in_.near_value(P::by_multi, r, c_) = paired * looked_up(P::closing);
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      const double given = paired * looked_up(P::outer + kind);
      in_.inner(kind, r, c_) = given;
      in_.tile.own_given(kind)[row * P::side + c_] = given;
    }
  }
  [[nodiscard]] __device__ __forceinline__ double bulges(int t, int r) const {
    const double sum = in_.sum(P::bulges, t, c_);
    if (c_ % 4 != 3) return sum;
    return fma(bulge_2_, in_.inner(static_cast<int>(LoopKind::bulge), r + 1, c_ - 3), sum);
  }

  const In& in_;
  int c_, column_;
  double bulge_2_;
};

/// A thread that finishes `single` and `last` of column C, one step before its pairs, and fetches the pairs around the
/// tile.
template <class G, class Tile>
class OutsideRows {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

  __device__ OutsideRows(const In& in, int c) : in_(in), c_(c), multi_base_(in.grammar.loops.multi_base()) {}

  __device__ __forceinline__ void first(int t) {
    fetch(In::row(c_, t));
    const int r = In::row(c_, t) - 1, row = P::side - 1 - r;
    if (r < 0 || r >= P::side) return;
    if (row == 0) single_ = in_.tile.from_rim(G::single, row, c_, true, false);
    single_ = in_.exists(row, P::side - 1 - c_) ? single_ + in_.stems_of(t + 1, row, c_) : 0;
    in_.at(P::starts + c_) = in_.exists(row, P::side - 1 - c_) ? in_.sum(P::as_right, t + 1, c_) : 0;
    in_.at(P::starts + P::side + c_) = single_;
  }
  /// After what the columns of a block give to each other.
  __device__ __forceinline__ void second(int t) {
    const int r = In::row(c_, t) - 1, row = P::side - 1 - r;
    if (r >= 0 && r < P::side) finish(r, row);
    const bool has_rim = c_ < 4 && row + 1 >= 0 && row + 1 < P::side && in_.tile.has(false, true);
    rim_ = has_rim ? in_.tile.in_rim(G::last, row + 1, P::side) : 0;  // nothing waits for it in this step
  }

 private:
  __device__ __forceinline__ void fetch(int r) {
    if (r >= P::side && r < P::side + P::around) fetched_.write(in_, r, c_);
    if (r > P::side && r <= P::side + P::around) fetched_.read(in_, r - 1, c_);
  }
  __device__ __forceinline__ void finish(int r, int row) {
    const int first = c_ & ~3;
    double given = first == 0 ? from_rim() : multi_base_ * in_.near_value(P::last_out, r, first - 1), last = 0;
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      if (first + x > c_) continue;
      last = given + in_.at(P::starts + first + x);
      last += in_.at(P::starts + P::side + first + x);
      given = multi_base_ * last;
    }
    in_.near_value(P::last_out, r, c_) = last;
    if (c_ == P::side - 1) in_.tile.give_to_rim(G::last, row, P::side, given);
    single_ = multi_base_ * single_;
    if (row == P::side - 1) in_.tile.give_to_rim(G::single, P::side, c_, single_);
  }
  /// What the tile to the right gives to `last` of the row.
  [[nodiscard]] __device__ __forceinline__ double from_rim() const {
    return rim_ == 0 ? 0 : rim_ * in_.tile.factor(false, true);
  }

  const In& in_;
  int c_;
  double multi_base_, single_ = 0, rim_ = 0;
  OutsideFetch<G, Tile> fetched_;
};

/// What threads have in common that add products of two columns with a diagonal tile, one step before the pairs of
/// these columns. Both columns, C and C + 1, are in the same row. Sum x is that of the tile's column column_ + x.
template <class G, class Tile>
class OutsideSplits {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

 protected:
  static constexpr int shortest = 5;  // in points
  static constexpr int some = 2 * PairTerms::count;

  __device__ OutsideSplits(const In& in, int lane, int product)
      : in_(in), lane_(lane), c_(2 * lane), column_(P::side - 2 - c_), of_product_(product) {}

  /// The row of the tile whose sums are used in the next step.
  [[nodiscard]] __device__ __forceinline__ int next_row(int t) const { return P::side + 1 - In::row(c_, t); }
  /// Adds to the sums of the next row, and reads the products with other tiles for the one after it.
  template <class Add>
  __device__ __forceinline__ void step_by(int t, const Add& add) {
    const int next = next_row(t);
    if (next >= 0 && next < P::side) {
      double sums[2] = {products_[0], products_[1]};
      add(next, sums);
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        in_.sum(of_product_ == 0 ? P::as_left : P::as_right, t + 2, c_ + 1 - x) = sums[x];
      }
    }
    if (next < -1 || next + 1 >= P::side) return;
    const PairTerms::Two read = two(in_.tile.products(of_product_) + (next + 1) * P::side + column_);
#pragma unroll
    for (int x = 0; x < 2; ++x) products_[x] = read.of[x];
  }

  const In& in_;
  int lane_, c_, column_;

 private:
  int of_product_;
  double products_[2] = {};
};

/// A thread that adds those with the columns' diagonal tile, where the interval is the left operand: without the last
/// columns, blocks of 8 from the right, k ascending in a block.
template <class G, class Tile>
class OutsideLeftSplits : OutsideSplits<G, Tile> {
 public:
  using Base = OutsideSplits<G, Tile>;
  using typename Base::In, typename Base::P;

  __device__ OutsideLeftSplits(const In& in, int lane) : Base(in, lane, 0) {}

  __device__ __forceinline__ void step(int t) {
    this->step_by(t, [&](int row, double(&sums)[2]) { add(row, sums); });
  }

 private:
  using Base::in_, Base::column_, Base::some;

  __device__ __forceinline__ void add(int row, double (&sums)[2]) const {
    const int end = (column_ | 7) + ((column_ & 4) != 0 ? 9 : 1);
    const double* const nothing = in_.shared + P::nothing;
    const double* const of_columns = in_.shared + P::corners + column_;
    add_to_sums(P::side / some, sums[0], sums[1], [&](int at, PairTerms& terms) {
      const int of_eight = P::side - some - at / some * some, first = of_eight + at % some;
      const bool has = of_eight >= end;
      const double* const from_row = has ? &in_.outside_of(row, first) : nothing;
      const double* const from_columns = has ? of_columns + first * P::padded : nothing;
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        terms.left[x] = from_row[x];
        terms.right[x] = two(from_columns + x * P::padded);
      }
    });
  }
};

/// A thread that adds those with the rows' diagonal tile, where the interval is the right operand, and fetches what is
/// to the right of the tile. The last four add what intervals give to columns beyond it.
template <class G, class Tile>
class OutsideRightSplits : OutsideSplits<G, Tile> {
 public:
  using Base = OutsideSplits<G, Tile>;
  using typename Base::In, typename Base::P;

  __device__ OutsideRightSplits(const In& in, int lane) : Base(in, lane, 1) {}

  __device__ __forceinline__ void step(int t) {
    fetch_beside(fetched_, in_, lane_, t);
    this->step_by(t, [&](int row, double(&sums)[2]) { add(row, sums); });
    const int beyond = P::side / 2 + P::beyond + lane_, r = In::row(beyond, t);
    if (beyond >= P::side && r < P::side && r >= -P::beyond) OutsideGiven<G, Tile>{in_, r, beyond}.give_beyond();
  }

 private:
  using Base::in_, Base::lane_, Base::c_, Base::column_, Base::shortest, Base::some;

  __device__ __forceinline__ void add(int row, double (&sums)[2]) const {
    const int rows_end = min(row + c_ / 4, P::side - 1) - shortest;  // of the warp's first columns
    const double* const nothing = in_.shared + P::nothing;
    const double* const of_rows = in_.shared + P::corners + row;
    const double* const of_column = &in_.outside_of(0, column_);
    add_to_sums((rows_end + some) / some, sums[0], sums[1], [&](int at, PairTerms& terms) {
      const bool has = at <= row - shortest;
      const double* const from_rows = has ? of_rows + at * P::padded : nothing;
      const double* const from_column = has ? of_column + at * P::padded : nothing;
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        terms.left[x] = from_rows[x * P::padded];  // 0 beyond row - shortest
        terms.right[x] = two(from_column + x * P::padded);
      }
    });
  }

  OutsideFetch<G, Tile> fetched_;
};

/// Closes a tile. All threads of a block run it. Returns the thread's largest outside value of the product.
template <class G, class Tile>
__device__ __forceinline__ double close_outside_rows(const OutsideTile<G, Tile>& in, int thread) {
  using P = OutsidePlaces;
  in.begin(thread);
  __syncthreads();
  const int first_step = in.tile.has(true, false) || in.tile.has(false, true) ? P::first_step : -3;
  const int c = thread % P::side;
  double largest = 0;
  const auto run = [&](auto work) {
#pragma unroll 1
    for (int t = first_step; t <= P::last_step; ++t) {
      work.step(t);
      __syncthreads();
    }
  };
  const auto run_in_halves = [&](auto& work) {
#pragma unroll 1
    for (int t = first_step; t <= P::last_step; ++t) {
      work.first(t);
      __syncwarp();
      work.second(t);
      __syncthreads();
    }
  };
  switch (thread / P::side) {
    case 0: {
      OutsidePairs<G, Tile> work(in, c);
      run_in_halves(work);
      largest = work.largest;
      break;
    }
    case 1: {
      OutsideRows<G, Tile> work(in, c);
      run_in_halves(work);
      break;
    }
    case 2:
      run(OutsideLookup<G, Tile>(in, c));
      break;
    case 3:
      if (c < 32) {
        run(OutsideLeftSplits<G, Tile>(in, c));
      } else {
        run(OutsideRightSplits<G, Tile>(in, c - 32));
      }
      break;
    default:
      with_stencils(in, thread - 4 * P::side, run);
  }
  double* const to = in.tile.transposed();
#pragma unroll 4
  for (int t = thread; t < P::side * P::side; t += P::threads) to[t] = in.outside_of(t % P::side, t / P::side);
  return largest;
}

}  // namespace warpfold::rna::cuda
