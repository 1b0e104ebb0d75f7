#pragma once

#include "rna/gpu/sum_tiles.cuh"

/// How a block of a GPU closes a tile of the outside values of a sequence's sums (docs/explanation/kernels/grammar.md,
/// "Marginals by rows"), as it closes a tile of sums (sum_tiles.cuh) in a mirror: from the first row down, and from the
/// right to the left. Rows R and columns C are counted in the mirror, where row r of the tile is 63 - r: an interval
/// gets what those to its left and below it, in the mirror, give.
///
///     64 threads    finish the interval of their row: branches and stems, `last` along the row, then the pair. What it
///                   gives by each small loop, and by a multiloop, stays in shared memory for a few rows
///     128, 64, 64   stencils of what the pairs give, as in the sums
///     64            products with the diagonal tiles, of the row one below. Half of them fetch what is to the right
///
/// What intervals give beyond the tile is added by the same threads, four rows and four columns further on.
///
/// Shared memory: OutsidePlaces::bytes, 220 KB. One barrier in each of 85 steps, of 124 if there are tiles around.
namespace warpfold::rna::cuda {

/// The places in shared memory, in doubles.
struct OutsidePlaces {
  static constexpr int side = tiles::tile_side, around = SumPlaces::around;
  static constexpr int left = SumPlaces::left, width = SumPlaces::width, ring_rows = SumPlaces::ring_rows;
  static constexpr int near = 8, near_width = 80, near_rows = SumPlaces::near_rows;  // 4 columns on both sides
  static constexpr int padded = 65;
  enum Part : int { bulges, one_by_more, generic, as_left, as_right, parts };
  /// What intervals give: by the nine small loops, by a multiloop, and as the first of a helix; and outside values of
  /// `last`.
  enum Near : int { by_small, by_multi = 9, by_helix, last_out, near_count };

  static constexpr int rings = 0;
  static constexpr int ring_size = ring_rows * width;
  static constexpr int near_size = near_rows * near_width;
  static constexpr int nears = rings + static_cast<int>(summed_kinds) * ring_size;
  static constexpr int outside = nears + near_count * near_size;  // of the product, by rows of the tile
  static constexpr int sums = outside + side * padded;
  static constexpr int starts = sums + 2 * parts * side;
  static constexpr int cleared = starts + 2 * side;
  static constexpr int rows = cleared;                // stems of the rows' diagonal tile, by rows
  static constexpr int columns = rows + side * side;  // `last` of the columns' diagonal tile, by columns
  static constexpr int weights = columns + side * padded;
  static constexpr int bases = weights + SumPlaces::weight_count;
  static constexpr int left_bases = side + 8, right_bases = side + 10;
  static constexpr int energies = bases + (left_bases + right_bases + 1) / 2;
  static constexpr int nothing = energies + SumPlaces::energy_count / 2;  // places that are 0
  static constexpr int end = nothing + 8;
  static_assert(weights % 2 == 0);
  static constexpr int bytes = end * static_cast<int>(sizeof(double));

  static constexpr int threads = 384;
  static constexpr int beyond = 4;  ///< rows and columns beyond the tile that its intervals give to
  static constexpr int first_step = -40, last_step = side + beyond - 1 + (side + beyond) / 4 - 1;
};

/// What all threads of a block know of the tile. `G`: a grammar with `loops` and `lists`. `Tile`: OutsideOfTile.
template <class G, class Tile>
struct OutsideTile : OutsidePlaces {
  using Places = OutsidePlaces;
  static constexpr bool lone_pairs = G::helix == G::paired;

  const G& grammar;
  const Tile& tile;
  double* shared;

  __device__ OutsideTile(const G& of_grammar, const Tile& of_tile, double* of_block)
      : grammar(of_grammar), tile(of_tile), shared(of_block) {}

  /// The row in the mirror that a column has in step t.
  static __device__ __forceinline__ int row(int c, int t) { return side - 1 - t + (c >> 2); }
  [[nodiscard]] __device__ __forceinline__ double& at(int place) const { return shared[place]; }
  /// What the pair of row R and column C gives to a kind of loop.
  [[nodiscard]] __device__ __forceinline__ double& inner(int kind, int r, int c) const {
    return shared[rings + kind * ring_size + (r & (ring_rows - 1)) * width + left + c];
  }
  [[nodiscard]] __device__ __forceinline__ double& near_value(int of, int r, int c) const {
    return shared[nears + of * near_size + (r & (near_rows - 1)) * near_width + near + c];
  }
  [[nodiscard]] __device__ __forceinline__ double& sum(Part part, int t, int c) const {
    return shared[sums + ((t & 1) * parts + part) * side + c];
  }
  /// The outside value of the product, by the tile's row and column.
  [[nodiscard]] __device__ __forceinline__ double& outside_of(int row, int column) const {
    return shared[outside + row * padded + column];
  }
  [[nodiscard]] __device__ __forceinline__ int* base_list() const { return reinterpret_cast<int*>(shared + bases); }
  /// Base i of the tile's row, and base j-1 of its column.
  [[nodiscard]] __device__ __forceinline__ int left_base(int row) const { return base_list()[1 + row]; }
  [[nodiscard]] __device__ __forceinline__ int right_base(int column) const {
    return base_list()[left_bases + 8 + column];
  }
  [[nodiscard]] __device__ __forceinline__ unsigned first_i() const { return tile.i * side; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_j() const { return tile.j * side; }
  [[nodiscard]] __device__ __forceinline__ const SumLists::Energies& energies_listed() const {
    return *reinterpret_cast<const SumLists::Energies*>(shared + energies);
  }
  [[nodiscard]] __device__ __forceinline__ int base(unsigned i) const {
    return i < tile.points - 1 ? grammar.loops.energies().lists().bases[i] : 1;
  }
  __device__ __forceinline__ void begin(int thread) const {
#pragma unroll 4
    for (int t = thread; t < cleared; t += threads) shared[t] = 0;
    for (int t = thread; t < left_bases; t += threads) base_list()[t] = base(tile.i * side + t - 1);
    for (int t = thread; t < right_bases; t += threads) base_list()[left_bases + t] = base(tile.j * side + t - 9);
    const double* const of_loops = &grammar.lists->generic[0][0][0];
    for (int t = thread; t < SumPlaces::weight_count; t += threads) shared[weights + t] = of_loops[t];
    auto* const to = reinterpret_cast<Energy*>(shared + energies);
    const auto* const of_energies = reinterpret_cast<const Energy*>(&grammar.lists->energies);
    for (int t = thread; t < SumPlaces::energy_count; t += threads) to[t] = of_energies[t];
    if (thread < 8) shared[nothing + thread] = 0;
    const double* const of_rows = tile.values(G::stems, tile.i, tile.i);
    const double* const of_columns = tile.values(G::last, tile.j, tile.j);
#pragma unroll 4
    for (int t = thread; t < side * side; t += threads) {
      shared[rows + t] = of_rows[t];
      shared[columns + t % side * padded + t / side] = of_columns[t];
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
      in.inner(kind, r, c) = given[kind] == 0 ? 0 : given[kind] * in.tile.factor[r >= OutsidePlaces::side][c < 0];
    }
  }
};

/// What intervals give to one of row R and column C, in the order in which the CPU adds it (OutsideWindow).
template <class G, class Tile>
struct OutsideGiven {
  using In = OutsideTile<G, Tile>;
  const In& in;
  int r, c;

  /// By loops with these unpaired bases (small_loops).
  [[nodiscard]] __device__ __forceinline__ double by(int loop, int left, int right) const {
    return in.near_value(In::by_small + loop, r + 1 + left, c - 1 - right);
  }
  /// To `helix`, after what is given by other tiles.
  [[nodiscard]] __device__ __forceinline__ double to_helix(double others) const {
    double sum = others + by(8, 3, 2);
    sum += (by(7, 2, 3) + by(6, 2, 2)) + by(5, 2, 1);
    sum += (by(4, 1, 2) + by(3, 1, 1)) + by(2, 1, 0);
    double near = by(1, 0, 1);
    if (In::lone_pairs) near += by(0, 0, 0);
    return sum + near;
  }
  /// To `paired`, if it is another table.
  [[nodiscard]] __device__ __forceinline__ double to_paired(double others) const {
    return others + (in.near_value(In::by_helix, r + 1, c - 1) + by(0, 0, 0));
  }
  [[nodiscard]] __device__ __forceinline__ double to_branches(double others) const {
    return others + in.near_value(In::by_multi, r + 1, c - 1);
  }
};

/// A thread that finishes the intervals of column C, or what intervals give to columns beyond the tile.
template <class G, class Tile>
class OutsideIntervals {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

  __device__ OutsideIntervals(const In& in, int c) : in_(in), c_(c), column_(P::side - 1 - c) {
    multi_base_ = in.grammar.loops.multi_base();
    bulge_2_ = in.grammar.lists->bulges[2];
  }

  /// Up to what the columns of a block give to each other.
  __device__ __forceinline__ void first(int t) {
    const int r = In::row(c_, t), row = P::side - 1 - r;
    if (r >= P::side) {
      if (r < P::side + P::around) fetched_.write(in_, r, c_);
      return;
    }
    if (r < 0) return;
    double stems = in_.sum(P::as_left, t, c_);
    const int after = (column_ | 7) + 1;
    const bool is_upper = (column_ & 4) != 0;
#pragma unroll
    for (int x = 0; x < 8; ++x) {  // those of the last blocks of columns
      const int k = is_upper ? after + x : after - 1 - x;
      if (is_upper ? after < P::side : x < 3)
        stems = fma(in_.outside_of(row, k), in_.at(P::columns + k * P::padded + column_), stems);
    }
    double branches = OutsideGiven<G, Tile>{in_, r, c_}.to_branches(from_rim(row, rim_branches_));
    const bool exists = this->exists(row);
    single_ = exists ? single_ + stems : 0;
    branches = exists ? branches + stems : 0;
    in_.outside_of(row, column_) = branches;
    largest = max(largest, branches);
    in_.at(P::starts + c_) = exists ? in_.sum(P::as_right, t, c_) : 0;
    in_.at(P::starts + P::side + c_) = single_;
  }
  /// The rest of the step.
  __device__ __forceinline__ void second(int t) {
    const int r = In::row(c_, t), row = P::side - 1 - r;
    if (r >= 0 && r < P::side) finish(t, r, row);
    if (r < 0 && row < P::side + P::beyond) {
      give_beyond(in_, row, c_);
#pragma unroll
      for (int of = 0; of < P::last_out; ++of) in_.near_value(of, r, c_) = 0;
    }
    look_ahead(r - 1);
  }
  /// Writes what intervals give to one of a row or a column beyond the tile.
  static __device__ __forceinline__ void give_beyond(const In& in, int row, int c) {
    const OutsideGiven<G, Tile> given{in, P::side - 1 - row, c};
    in.tile.give_to_rim(G::helix, row, c, given.to_helix(0));
    if (row > P::side || c > P::side) return;
    if (!In::lone_pairs) in.tile.give_to_rim(G::paired, row, c, given.to_paired(0));
    in.tile.give_to_rim(G::branches, row, c, given.to_branches(0));
  }

  double largest = 0;  ///< outside value of the product

 private:
  __device__ __forceinline__ void finish(int t, int r, int row) {
    const int first = c_ & ~3;
    double given = first == 0 ? from_rim(row, rim_last_) : multi_base_ * in_.near_value(P::last_out, r, first - 1),
           last = 0;
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      if (first + x > c_) continue;
      last = given + in_.at(P::starts + first + x);
      last += in_.at(P::starts + P::side + first + x);
      given = multi_base_ * last;
    }
    in_.near_value(P::last_out, r, c_) = last;
    double helix = 0, paired = 0, marginal = 0;
    if (may_pair_) {
      const OutsideGiven<G, Tile> of{in_, r, c_};
      helix = seed_ + of.to_helix(from_rim(row, rim_helix_));
      helix = with_stencil(helix, bulges(t, r), 0);
      helix = with_stencil(helix, in_.sum(P::one_by_more, t, c_), 1);
      helix = with_stencil(helix, in_.sum(P::generic, t, c_), 2);
      helix += last * weights_.outer_ends.branch;
      paired = In::lone_pairs ? helix : of.to_paired(from_rim(row, rim_paired_));
      marginal = helix * value_helix_;
      if (!In::lone_pairs) marginal += paired * value_paired_;
    }
    in_.tile.result()[row * P::side + column_] = marginal;
    give(r, row, helix, paired);
    if (c_ == P::side - 1) in_.tile.give_to_rim(G::last, row, P::side, given);
    single_ = multi_base_ * single_;
    if (row == P::side - 1) in_.tile.give_to_rim(G::single, P::side, c_, single_);
  }
  [[nodiscard]] __device__ __forceinline__ double bulges(int t, int r) const {
    const double sum = in_.sum(P::bulges, t, c_);
    if (c_ % 4 != 3) return sum;
    return fma(bulge_2_, in_.inner(static_cast<int>(LoopKind::bulge), r + 1, c_ - 3), sum);
  }
  [[nodiscard]] __device__ __forceinline__ double with_stencil(double sum, double around, int kind) const {
    return around == 0 ? sum : sum + around * weights_.outer_ends.inner[kind];
  }
  __device__ __forceinline__ void give(int r, int row, double helix, double paired) const {
#pragma unroll
    for (int loop = 0; loop < PairWeights<In>::small_count; ++loop) {
      in_.near_value(P::by_small + loop, r, c_) = may_pair_ ? paired * weights_.small[loop] : 0;
    }
    in_.near_value(P::by_multi, r, c_) = may_pair_ ? paired * weights_.ends.closing : 0;
    if (!In::lone_pairs) in_.near_value(P::by_helix, r, c_) = may_pair_ ? helix * weights_.small[0] : 0;
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) {
      const double given = may_pair_ ? paired * weights_.ends.outer[kind] : 0;
      in_.inner(kind, r, c_) = given;
      in_.tile.own_given(kind)[row * P::side + c_] = given;
    }
  }
  [[nodiscard]] __device__ __forceinline__ bool exists(int row) const {
    const unsigned i = in_.tile.i * P::side + row, j = in_.tile.j * P::side + column_;
    return i < j && j < in_.tile.points;
  }
  /// What tiles above, to the right, and both, give to an interval of this row.
  [[nodiscard]] __device__ __forceinline__ double from_rims(unsigned table, int row, int reach) const {
    double total = 0;
    if (row < reach) total += in_.tile.from_rim(table, row, c_, true, false);
    if (c_ < reach) total += in_.tile.from_rim(table, row, c_, false, true);
    if (row < reach && c_ < reach) total += in_.tile.from_rim(table, row, c_, true, true);
    return total;
  }
  /// The same, if the row is one of the first. In other rows it is what the tile to the right gives, as it is there.
  [[nodiscard]] __device__ __forceinline__ double from_rim(int row, double looked_up) const {
    if (row < P::beyond || looked_up == 0) return looked_up;
    return looked_up * in_.tile.factor[0][1];
  }
  __device__ __forceinline__ void look_at_rims(int row) {
    if (row < P::beyond) {
      rim_branches_ = from_rims(G::branches, row, 1);
      rim_helix_ = from_rims(G::helix, row, P::beyond);
      if (!In::lone_pairs) rim_paired_ = from_rims(G::paired, row, 1);
      if (row == 0) single_ = in_.tile.from_rim(G::single, row, c_, true, false);
      if (c_ < 4) rim_last_ = in_.tile.from_rim(G::last, row, 0, false, true);  // of the whole block of columns
      return;
    }
    const bool has_right = in_.tile.has(false, true);
    const auto look = [&](unsigned table, int c) { return in_.tile.in_rim(table, row, P::side + c); };
    rim_branches_ = c_ == 0 && has_right ? look(G::branches, 0) : 0;
    rim_helix_ = c_ < P::beyond && has_right ? look(G::helix, c_) : 0;
    if (!In::lone_pairs) rim_paired_ = c_ == 0 && has_right ? look(G::paired, 0) : 0;
    rim_last_ = c_ < 4 && has_right ? look(G::last, 0) : 0;
  }
  /// Looks up what row R needs. In most rows nothing waits for it in this step.
  __device__ __forceinline__ void look_ahead(int r) {
    const int row = P::side - 1 - r;
    may_pair_ = false;
    if (r < 0 || r >= P::side + P::around) return;
    if (r >= P::side) return fetched_.read(in_, r, c_);
    look_at_rims(row);
    may_pair_ = PairWeights<In>::may_pair(in_, row, column_);
    if (!may_pair_) return;
    weights_.look(in_, row, column_);
    seed_ = in_.tile.result()[row * P::side + column_];  // until its marginal is there
    value_helix_ = in_.tile.values(G::helix, in_.tile.i, in_.tile.j)[row * P::side + column_];
    if (!In::lone_pairs) value_paired_ = in_.tile.values(G::paired, in_.tile.i, in_.tile.j)[row * P::side + column_];
  }

  const In& in_;
  int c_, column_;
  double multi_base_, bulge_2_;
  double seed_ = 0, value_helix_ = 0, value_paired_ = 0, single_ = 0;
  double rim_branches_ = 0, rim_helix_ = 0, rim_paired_ = 0, rim_last_ = 0;
  bool may_pair_ = false;
  PairWeights<In> weights_;
  OutsideFetch<G, Tile> fetched_;
};

/// A thread that adds the products of column C with the diagonal tiles. If C < 32 it also fetches what is to the right
/// of the tile; the last four add what intervals give to columns beyond it.
template <class G, class Tile>
class OutsideSplits {
 public:
  using In = OutsideTile<G, Tile>;
  using P = OutsidePlaces;

  __device__ OutsideSplits(const In& in, int c) : in_(in), c_(c), column_(P::side - 1 - c) {}

  __device__ __forceinline__ void step(int t) {
    if (c_ < P::left) fetch(t);
    const int next = P::side - In::row(c_, t);  // the row of the tile in the next step
    if (next >= 0 && next < P::side) {
      double as_left = product_[0], as_right = product_[1];
      add(next, as_left, as_right);
      in_.sum(P::as_left, t + 1, c_) = as_left;
      in_.sum(P::as_right, t + 1, c_) = as_right;
    }
    if (next >= -1 && next + 1 < P::side) {
      for (int s = 0; s < 2; ++s) product_[s] = in_.tile.products(s)[(next + 1) * P::side + column_];
    }
    const int beyond = c_ + P::beyond, row = P::side - 1 - In::row(beyond, t);
    if (beyond >= P::side && row >= 0 && row < P::side + P::beyond) {
      OutsideIntervals<G, Tile>::give_beyond(in_, row, beyond);
    }
  }

 private:
  static constexpr int shortest = 5;  // in points
  static constexpr int some = ChainTerms::count;

  __device__ __forceinline__ void fetch(int t) {
    const int c = c_ - P::left, r = In::row(c, t);
    if (r >= 1 && r < P::side + P::around) fetched_.write(in_, r, c);
    if (r >= 2 && r <= P::side + P::around) fetched_.read(in_, r - 1, c);
  }
  /// As the left operand, without the last columns: blocks of 8 from the right, k ascending in a block. And as the
  /// right operand.
  __device__ __forceinline__ void add(int row, double& as_left, double& as_right) const {
    const int end = (column_ | 7) + ((column_ & 4) != 0 ? 9 : 1), warp_end = column_ & 32;
    const int rows_end = min(row + (c_ % 32 >> 2), P::side - 1) - shortest;  // of the first column of the warp
    const double* const nothing = in_.shared + P::nothing;
    const double* const of_columns = in_.shared + P::columns + column_;
    const double* const of_rows = in_.shared + P::rows + row;
    const double* const of_column = &in_.outside_of(0, column_);
#pragma unroll 1
    for (int at = 0; at < P::side; at += some) {
      const int first = P::side - some - at;
      const double* const of_row = first >= end ? &in_.outside_of(row, first) : nothing;
      add_to_chains(
          first >= warp_end, as_left,
          [&](int x, double& left, double& right) {
            left = of_row[x];
            right = of_columns[(first + x) * P::padded];
          },
          at <= rows_end, as_right,
          [&](int x, double& left, double& right) {
            const int k = at + x;
            left = of_rows[k * P::side];
            right = *(k <= row - shortest ? of_column + k * P::padded : nothing);
          });
    }
  }

  const In& in_;
  int c_, column_;
  double product_[2] = {};
  OutsideFetch<G, Tile> fetched_;
};

/// Closes a tile. All threads of a block run it. Returns the thread's largest outside value of the product.
template <class G, class Tile>
__device__ __forceinline__ double close_outside_rows(const OutsideTile<G, Tile>& in, int thread) {
  using P = OutsidePlaces;
  in.begin(thread);
  __syncthreads();
  const int first_step = in.tile.has(true, false) || in.tile.has(false, true) ? P::first_step : -1;
  double largest = 0;
  const auto run = [&](auto work) {
#pragma unroll 1
    for (int t = first_step; t <= P::last_step; ++t) {
      work.step(t);
      __syncthreads();
    }
  };
  if (thread < P::side) {
    OutsideIntervals<G, Tile> work(in, thread);
#pragma unroll 1
    for (int t = first_step; t <= P::last_step; ++t) {
      work.first(t);
      __syncwarp();
      work.second(t);
      __syncthreads();
    }
    largest = work.largest;
  } else if (thread >= 5 * P::side) {
    run(OutsideSplits<G, Tile>(in, thread % P::side));
  } else {
    with_stencils(in, thread, run);
  }
  double* const to = in.tile.transposed();
#pragma unroll 4
  for (int t = thread; t < P::side * P::side; t += P::threads) to[t] = in.outside_of(t % P::side, t / P::side);
  return largest;
}

}  // namespace warpfold::rna::cuda
