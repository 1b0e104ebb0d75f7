#pragma once

#include <algorithm>
#include <cstddef>

#include "rna/gpu/short_lists.hpp"
#include "warpfold/interval/stored_values.hpp"

/// How a block of a GPU folds one short sequence after the other (docs/explanation/kernels/grammar.md, "Batches of
/// foldings").
///
/// A block has some warps that fill tables, and one that follows the structure of the sequence before. Rows go from
/// below. A row has two steps:
///
///     1. Each warp finishes the pairs of 32 columns. The last one lists which bases pair two rows further up.
///     2. Each warp finishes branches and stems of 32 columns, and then adds the loops of the next row's pairs.
///
/// A pair's loops are shared by the lanes of a warp. Each lane has the same loop sizes all the time, so their energies
/// stay in registers. The loops that are listed have a lane for each pair, of the last warp.
///
/// A multiloop is a branch that begins with its first base, and one or more branches behind it; or its first base is
/// not paired. So a row of products has one term for each pair of the row.
///
/// Shared memory: the inner pairs' values of 32 rows for three kinds of loops, and the triangle of stems. Barriers: two
/// for each row.
namespace warpfold::rna::cuda {

/// The arguments.
struct ShortFoldings {
  const LoopTables* numbers;
  const ShortLists* lists;
  const Energy* hairpin_initiation;  ///< by the number of bases
  SpecialHairpinView special;
  unsigned max_span;
  unsigned bases_of_longest, stride;  ///< stride: of a window's rows

  const Base* bases;      ///< of all sequences
  const unsigned* first;  ///< where each sequence begins, and the end
  unsigned count;
  Energy* tables;  ///< of each block ShortTables::of_block
  Energy* energies;
  char* structures;  ///< in the places of the bases

  static constexpr Energy refused = no_loop;  ///< the energy of a sequence that has a value too large
};

/// Tables of a block in global memory, for the search: of this sequence and of the one before.
template <bool lone_pairs>
struct ShortTables {
  static constexpr unsigned paired = 0, helix = lone_pairs ? 0 : 1, stems = helix + 1, tables = helix + 2;
  static constexpr std::size_t of_sequence(std::size_t bases) { return (tables * bases + small_hairpins) * bases; }
  static constexpr std::size_t of_block(std::size_t bases) { return 2 * of_sequence(bases); }
  static constexpr std::size_t small_hairpins = LoopEnergyView::small_hairpin_place(1, 3);  ///< of a base
};

/// Places in shared memory, in values. `columns`: the most bases.
template <bool lone_pairs, int columns_>
struct ShortPlaces {
  static constexpr int columns = columns_, chunks = columns / 32;
  static constexpr int left = 10;  // columns before the first one of a window, which have no value

  static constexpr int lists = 0;
  static constexpr int starts = lists + static_cast<int>(PairLists::count * ShortLists::of_list);
  static constexpr int branches = starts + columns;            // of the row below
  static constexpr int listed_loops = branches + columns;      // the least of each pair
  static constexpr int summed_loops = listed_loops + columns;  // of each kind
  static constexpr int of_pairs =
      summed_loops + static_cast<int>(summed_kinds) * columns;  // what begins a stem, and the row of stems after it
  static constexpr int below = of_pairs + 2 * columns;          // pairs of two rows, if pairs may not be alone
  static constexpr int pairs = below + (lone_pairs ? 0 : 2 * columns);  // columns of the pairs of four rows, as bytes
  static constexpr int masks = pairs + columns;                         // of the pairs of four rows, as bits
  static constexpr int before = masks + 4 * chunks;           // the pairs of a row before 32 columns, and their number
  static constexpr int partners = before + 4 * (chunks + 1);  // of each base, as bits
  static constexpr int kinds = partners + 5 * chunks;         // of pairs, any for bases that do not pair, as bytes
  static constexpr int refused = kinds + 7;                   // whether a value is too large, of two sequences
  static constexpr int bases = refused + 2;                   // of two sequences, as bytes
  static constexpr int bytes_of_bases = columns + 16, first_base = 4;
  // Of the search:
  static constexpr int least = bases + 2 * bytes_of_bases / 4;
  static constexpr int last_pair = least + columns + 4;    // as bytes
  static constexpr int letters = last_pair + columns / 4;  // as bytes
  static constexpr int open = letters + columns / 4;
  static constexpr int windows = open + columns / 2 + left;

  /// The bytes of a block.
  static constexpr std::size_t bytes(std::size_t bases, std::size_t stride) {
    return (windows + summed_kinds * 32 * stride + bases * (bases + 1) / 2 + 32) * sizeof(Energy);
  }
  /// The stride of windows for so many bases: neither a small power of two nor close to one, for banks.
  static constexpr unsigned stride(unsigned bases) {
    unsigned width = bases + left;
    while (width % 8 == 0 || width % 8 == 7) ++width;
    return width;
  }
};

/// The warps of a block.
template <int fill_warps>
inline constexpr int short_threads = (fill_warps + 1) * 32;

/// What fills tables and the search have in common.
template <bool lone_pairs, int columns>
class ShortBlock : protected ShortPlaces<lone_pairs, columns> {
 public:
  using Places = ShortPlaces<lone_pairs, columns>;
  using Tables = ShortTables<lone_pairs>;
  using Values = interval::detail::Stored<MinPlus<Energy>>;

  __device__ ShortBlock(const ShortFoldings& all, Energy* shared, int turn, unsigned sequence)
      : all_(all), shared_(shared), turn_(turn & 1), lane_(static_cast<int>(threadIdx.x % 32)) {
    begin_ = all.first[sequence];
    n_ = static_cast<int>(all.first[sequence + 1] - begin_);
    tables_ = all.tables + std::size_t{blockIdx.x} * Tables::of_block(all.bases_of_longest);
  }

 protected:
  static constexpr unsigned all_lanes = 0xffffffffU;

  [[nodiscard]] __device__ __forceinline__ Energy& at(int place) const { return shared_[place]; }
  [[nodiscard]] __device__ __forceinline__ unsigned char* bytes(int place) const {
    return reinterpret_cast<unsigned char*>(shared_ + place);
  }
  [[nodiscard]] __device__ __forceinline__ int base(int i) const {
    return bytes(Places::bases)[turn_ * Places::bytes_of_bases + Places::first_base + i];
  }
  [[nodiscard]] __device__ __forceinline__ Energy* table(unsigned which, int row) const {
    const std::size_t width = all_.bases_of_longest;
    return tables_ + turn_ * Tables::of_sequence(width) + (which * width + row) * width;
  }
  [[nodiscard]] __device__ __forceinline__ Energy listed(unsigned list, int kind, int code) const {
    return at(Places::lists + (static_cast<int>(list * pair_kinds) + kind) * static_cast<int>(ShortLists::codes) +
              code);
  }
  /// The kind of a pair, or any if the bases do not pair.
  [[nodiscard]] __device__ __forceinline__ int any_kind(int first, int second) const {
    return bytes(Places::kinds)[5 * first + second];
  }
  [[nodiscard]] __device__ __forceinline__ Energy* small_hairpins() const {
    const std::size_t bases = all_.bases_of_longest;
    return tables_ + turn_ * Tables::of_sequence(bases) + Tables::tables * bases * bases;
  }
  static __device__ __forceinline__ Energy stored(Energy sum) {
    return sum >= Values::infinite_from ? Values::zero() : sum;
  }

  /// The energies of a pair of bases i and q, and of the loops that are listed.
  struct Pair {
    int i, q, kind, inside;  ///< inside: 5 * base i+1 + base q-1
  };
  [[nodiscard]] __device__ __forceinline__ Pair pair(int i, int q) const {
    return {i, q, any_kind(base(i), base(q)), 5 * base(i + 1) + base(q - 1)};
  }
  [[nodiscard]] __device__ __forceinline__ Energy hairpin(const Pair& pair) const {
    const int size = pair.q - pair.i - 1;
    if (size <= static_cast<int>(LoopEnergyView::max_special_hairpin)) {
      return small_hairpins()[LoopEnergyView::small_hairpin_place(pair.i, size)];
    }
    return all_.hairpin_initiation[size] + listed(PairLists::hairpin, pair.kind, pair.inside);
  }
  /// What a pair adds at the end of a helix.
  [[nodiscard]] __device__ __forceinline__ Energy end_of(int kind) const {
    return kind >= 2 ? all_.lists->terminal_au : 0;
  }
  [[nodiscard]] __device__ __forceinline__ Energy stack(const Pair& pair) const {
    return listed(PairLists::stack, pair.kind, pair.inside);
  }
  /// The listed loop with `left` and `right` bases, without what is inside.
  template <int left, int right>
  [[nodiscard]] __device__ __forceinline__ Energy listed_loop(const Pair& pair) const {
    const LoopTables& n = *all_.numbers;
    const int p = pair.i + 1 + left, r = pair.q - 1 - right, inner = any_kind(base(r), base(p));
    if constexpr (left + right == 1) {
      return all_.lists->bulge_1 + listed(PairLists::stack, pair.kind, 5 * base(p) + base(r));
    }
    if constexpr (left == 1 && right == 1) return n.interior_11(pair.kind, inner, base(p - 1), base(r + 1));
    if constexpr (left == 1 && right == 2) {
      return n.interior_21(pair.kind, inner, base(p - 1), base(r + 1), base(r + 2));
    }
    if constexpr (left == 2 && right == 1) {
      return n.interior_21(inner, pair.kind, base(r + 1), base(p - 2), base(p - 1));
    }
    if constexpr (left == 2 && right == 2) {
      return n.interior_22(pair.kind, inner, base(p - 2), base(p - 1), base(r + 1), base(r + 2));
    }
    if constexpr (left + right == 5) {
      return all_.lists->of_23 + listed(PairLists::outer_23, pair.kind, pair.inside) +
             listed(PairLists::inner_23, any_kind(base(p), base(r)), 5 * base(p - 1) + base(r + 1));
    }
  }

  const ShortFoldings& all_;
  Energy* shared_;
  int turn_, lane_, n_;
  unsigned begin_;
  Energy* tables_;
};

/// Fills the tables of a sequence: the warps but the last one.
template <bool lone_pairs, int columns, int fill_warps>
class ShortFilling : ShortBlock<lone_pairs, columns> {
  using Block = ShortBlock<lone_pairs, columns>;
  using Block::all_lanes, Block::all_, Block::shared_, Block::turn_, Block::lane_, Block::n_, Block::at, Block::bytes,
      Block::base, Block::table, Block::listed, Block::any_kind, Block::stored, Block::pair;
  using typename Block::Pair;
  static_assert(columns / 32 <= fill_warps);

 public:
  using Places = typename Block::Places;
  using Tables = typename Block::Tables;
  using Values = typename Block::Values;
  static constexpr int threads = fill_warps * 32;

  __device__ ShortFilling(const ShortFoldings& all, Energy* shared, int turn, unsigned sequence)
      : Block(all, shared, turn, sequence), stride_(static_cast<int>(all.stride)) {
    warp_ = static_cast<int>(threadIdx.x / 32);
    column_ = 32 * warp_ + lane_;
    stems_ = Places::windows + static_cast<int>(summed_kinds) * 32 * stride_;
  }

  __device__ void run() {
    begin();
    sync_filling();
    list_small_hairpins();
    if (is_last()) {
      list_pairs(n_ - 1);
      list_pairs(n_ - 2);
    }
    sync_filling();
    for (int i = n_ - 1; i >= 0; --i) {
      const bool is_mine = column_ - lane_ < n_ && column_ - lane_ + 31 >= i && warp_ < Places::chunks;
      if (is_last()) list_pairs(i - 2);
      if (is_mine) finish_pairs(i);
      sync_filling();
      if (is_mine) finish_stems(i);
      if (i > 0) add_loops(i - 1);
      sync_filling();
    }
  }

 private:
  /// The pairs of a row in these columns as bits, and how many are in the columns before.
  struct Row {
    unsigned mask;
    int before;
  };

  [[nodiscard]] __device__ __forceinline__ bool is_last() const { return warp_ == fill_warps - 1; }

  __device__ __forceinline__ void begin() {
    const int thread = static_cast<int>(threadIdx.x);
    for (int t = thread; t < n_ + 12; t += threads) {
      const int i = t - Places::first_base;
      bytes(Places::bases)[turn_ * Places::bytes_of_bases + t] = i >= 0 && i < n_ ? all_.bases[this->begin_ + i] : 1;
    }
    if (warp_ < Places::chunks) {
      const int own = column_ < n_ ? all_.bases[this->begin_ + column_] : 0;
      unsigned of[5] = {};
#pragma unroll
      for (int b = 1; b < 5; ++b) of[b] = __ballot_sync(all_lanes, own == b);
      const unsigned partners[5] = {0, of[4], of[3], of[2] | of[4], of[1] | of[3]};
#pragma unroll
      for (int b = 0; b < 5; ++b) {
        if (lane_ == b) at(Places::partners + b * Places::chunks + warp_) = static_cast<Energy>(partners[b]);
      }
    }
    for (int t = Places::windows - Places::left + thread; t < stems_; t += threads) at(t) = Values::zero();
    if (thread == 0) at(Places::refused + turn_) = 0;
    const LoopGroups& groups = all_.lists->groups;
#pragma unroll
    for (unsigned t = 0; t < LoopGroups::count; ++t) {
      const int kind = t < LoopGroups::one_by_more ? 0 : t < LoopGroups::generic ? 1 : 2;
      weights_[t] = groups.weights[t][lane_];
      first_[t] = 4 * (Places::windows + kind * 32 * stride_ - 1 - groups.right[t][lane_]);
      place_[t] = first_[t] + 4 * ((n_ + groups.left[t][lane_]) % 32 * stride_);  // of row n - 1
    }
  }
  __device__ __forceinline__ void list_small_hairpins() const {
    Energy* const list = this->small_hairpins();
    for (int t = static_cast<int>(threadIdx.x); t < 4 * n_; t += threads) {
      const int i = t / 4, size = 3 + t % 4, j = i + size + 1;
      if (j >= n_) continue;
      list[LoopEnergyView::small_hairpin_place(i, size)] = small_hairpin(
          *all_.numbers, all_.hairpin_initiation, all_.special, static_cast<unsigned>(i), static_cast<unsigned>(j),
          static_cast<std::size_t>(any_kind(base(i), base(j))), [&](unsigned t) { return base(static_cast<int>(t)); });
    }
  }
  /// The bits from one on.
  static __device__ __forceinline__ unsigned from(int bit) {
    return bit <= 0 ? all_lanes : bit >= 32 ? 0 : all_lanes << bit;
  }
  /// Lists the pairs of a row: one warp.
  __device__ __forceinline__ void list_pairs(int i) const {
    if (i < 0) return;
    constexpr int chunks = Places::chunks;
    unsigned mask = 0;
    if (lane_ < chunks) {
      const int first = i - 32 * lane_, span = static_cast<int>(min(all_.max_span, 1U << 20));
      mask = static_cast<unsigned>(at(Places::partners + base(i) * chunks + lane_)) & from(first + 4) &
             ~from(first + span);
      at(Places::masks + (i & 3) * chunks + lane_) = static_cast<Energy>(mask);
    }
    int before = __popc(mask);
#pragma unroll
    for (int distance = 1; distance < chunks; distance *= 2) {
      const int other = __shfl_up_sync(all_lanes, before, distance);
      if (lane_ >= distance) before += other;
    }
    if (lane_ < chunks) at(Places::before + (i & 3) * (chunks + 1) + lane_ + 1) = before;
    if (lane_ == 0) at(Places::before + (i & 3) * (chunks + 1)) = 0;
    __syncwarp();
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      if (32 * c + 31 < i) continue;
      const Row row = row_of(i, c);
      if ((row.mask >> lane_ & 1) == 0) continue;
      bytes(Places::pairs)[(i & 3) * Places::columns + place_in(row)] = static_cast<unsigned char>(32 * c + lane_);
    }
  }
  [[nodiscard]] __device__ __forceinline__ Row row_of(int i, int chunk) const {
    return {static_cast<unsigned>(at(Places::masks + (i & 3) * Places::chunks + chunk)),
            at(Places::before + (i & 3) * (Places::chunks + 1) + chunk)};
  }
  [[nodiscard]] __device__ __forceinline__ int pairs_of(int i) const {
    return at(Places::before + (i & 3) * (Places::chunks + 1) + Places::chunks);
  }
  [[nodiscard]] __device__ __forceinline__ int place_in(const Row& row) const {
    return row.before + __popc(row.mask & ((1U << lane_) - 1));
  }
  [[nodiscard]] __device__ __forceinline__ int listed_pair(int i, int t) const {
    return bytes(Places::pairs)[(i & 3) * Places::columns + t];
  }
  [[nodiscard]] __device__ __forceinline__ int window(int kind, int row, int column) const {
    return Places::windows + (kind * 32 + (row & 31)) * stride_ + column;
  }
  /// The row of stems that begin with base i, so that base j is j places on.
  [[nodiscard]] __device__ __forceinline__ int stems_of(int i) const { return stems_ + i * (n_ - 1) - i * (i - 1) / 2; }
  /// A value as it is stored.
  [[nodiscard]] __device__ __forceinline__ Energy accepted(Energy sum) const {
    if (!Values::accepts(sum) && sum < Values::infinite_from) at(Places::refused + turn_) = 1;
    return stored(sum);
  }

  __device__ __forceinline__ void finish_pairs(int i) {
    const int j = column_;
    Energy pair = Values::zero(), helix = pair, start = pair, inner[summed_kinds] = {pair, pair, pair};
    const Row row = row_of(i, warp_);
    if ((row.mask >> lane_ & 1) != 0) {
      const Pair it = this->pair(i, j);
      pair = min(at(Places::listed_loops + j),
                 listed(PairLists::closing, it.kind, it.inside) + at(Places::branches + j - 1));
#pragma unroll
      for (unsigned kind = 0; kind < summed_kinds; ++kind) {
        const int sum = Places::summed_loops + static_cast<int>(kind) * Places::columns + j;
        pair = min(pair, at(sum) + listed(PairLists::outer + kind, it.kind, it.inside));
      }
      pair = accepted(pair);
      helix = pair;
      if constexpr (!lone_pairs) helix = accepted(this->stack(it) + pair_below(i + 1, j - 1));
      if (i > 0 && j + 1 < n_) {
        const int outside = 5 * base(i - 1) + base(j + 1);
#pragma unroll
        for (unsigned kind = 0; kind < summed_kinds; ++kind) {
          inner[kind] = stored(helix + listed(PairLists::inner + kind, it.kind, outside));
        }
        start = accepted(listed(PairLists::branch, it.kind, outside) + helix);
      }
      at(Places::of_pairs + 2 * place_in(row)) = start;
      at(Places::of_pairs + 2 * place_in(row) + 1) = stems_of(j + 1);
    }
    at(Places::starts + j) = start;
    if constexpr (!lone_pairs) at(Places::below + (i & 1) * Places::columns + j) = pair;
    if (j >= n_) return;
#pragma unroll
    for (unsigned kind = 0; kind < summed_kinds; ++kind) at(window(kind, i, j)) = inner[kind];
    table(Tables::paired, i)[j] = pair;
    if constexpr (!lone_pairs) table(Tables::helix, i)[j] = helix;
  }
  [[nodiscard]] __device__ __forceinline__ Energy pair_below(int i, int j) const {
    return at(Places::below + (i & 1) * Places::columns + j);
  }

  /// Branches: the first base is not paired, or it begins a branch. Stems: also one branch alone.
  __device__ __forceinline__ void finish_stems(int i) {
    const int j = column_;
    const Energy step = all_.lists->multi_base;
    const Row row = row_of(i, warp_);
    const int end = row.before + __popc(row.mask);
    Energy sum = branches_ + step;
    const auto value = [&](int t) { return at(Places::of_pairs + 2 * t) + at(at(Places::of_pairs + 2 * t + 1) + j); };
#pragma unroll 4
    for (int t = 0; t < row.before; ++t) sum = min(sum, value(t));
#pragma unroll 4
    for (int t = row.before; t < end; ++t) sum = j > listed_pair(i, t) ? min(sum, value(t)) : sum;
    branches_ = accepted(sum);
    const Energy one = least_start(i, step);
    stem_ = accepted(min(min(branches_, stem_ + step), one));
    at(Places::branches + j) = branches_;
    if (j >= n_ || j < i) return;
    at(stems_of(i) + j) = stem_;
    table(Tables::stems, i)[j] = stem_;
  }
  /// The least of what begins a stem in a column up to this one, with the bases from there on.
  [[nodiscard]] __device__ __forceinline__ Energy least_start(int i, Energy step) const {
    const int j = column_;
    Energy least = at(Places::starts + j) - j * step;
    for (int chunk = (i + 4) / 32; chunk < warp_; ++chunk) {
      const int column = 32 * chunk + lane_;
      least = min(least, __reduce_min_sync(all_lanes, at(Places::starts + column) - column * step));
    }
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      least = min(least, __shfl_up_sync(all_lanes, least, distance));
    }
    return least + j * step;
  }

  /// Adds the loops of a row's pairs: the last warps those that are listed, the others those that are sums.
  __device__ __forceinline__ void add_loops(int i) {
    const int up = 4 * stride_;
#pragma unroll
    for (unsigned t = 0; t < LoopGroups::count; ++t) {
      const int next = place_[t] - up;
      place_[t] = next < first_[t] ? next + 32 * up : next;
    }
    const int pairs = pairs_of(i), lists = (pairs + 31) / 32;
    const int listing = min(lists, max(1, fill_warps / 3)), from_last = fill_warps - 1 - warp_;
    if (from_last < listing) {
      for (int t = from_last; t < lists; t += listing) add_listed(i, 32 * t + lane_, pairs);
    } else {
      for (int t = from_last - listing; t < pairs; t += fill_warps - listing) add_summed(i, listed_pair(i, t));
    }
  }
  /// The least of the loops that are sums, without what the pair adds.
  __device__ __forceinline__ void add_summed(int i, int j) const {
    const int most = j - i - 6;  // unpaired bases
    Energy sums[summed_kinds] = {Values::zero(), Values::zero(), Values::zero()};
    const auto add = [&](int kind, unsigned group) {
      const int place = place_[group] + 4 * j;
      sums[kind] =
          min(sums[kind],
              weights_[group] + *reinterpret_cast<const Energy*>(reinterpret_cast<const char*>(shared_) + place));
    };
    if (most >= 2) add(0, LoopGroups::bulges);
    if (most >= static_cast<int>(LoopGroups::second_bulge)) add(0, LoopGroups::bulges + 1);
    if (most >= 4) add(1, LoopGroups::one_by_more);
    if (most >= static_cast<int>(LoopGroups::second_one_by_more)) add(1, LoopGroups::one_by_more + 1);
#pragma unroll
    for (unsigned t = 0; t < 4; ++t) {
      if (most < static_cast<int>(LoopGroups::generic_from(t))) break;
#pragma unroll
      for (unsigned x = 0; x < 3; ++x) add(2, LoopGroups::generic + 3 * t + x);
    }
#pragma unroll
    for (unsigned kind = 0; kind < summed_kinds; ++kind) {
      const Energy least = __reduce_min_sync(all_lanes, sums[kind]);
      if (lane_ == 0) at(Places::summed_loops + static_cast<int>(kind) * Places::columns + j) = least;
    }
  }
  /// The least of the loops that are listed, of a pair for each lane.
  __device__ __forceinline__ void add_listed(int i, int t, int pairs) const {
    if (t >= pairs) return;
    const int j = listed_pair(i, t);
    const Pair it = this->pair(i, j);
    Energy least = this->hairpin(it);
    least = min(least, this->stack(it) + (lone_pairs ? inside<0, 0>(it) : pair_below(i + 1, j - 1)));
    least = min(least, this->template listed_loop<0, 1>(it) + inside<0, 1>(it));
    least = min(least, this->template listed_loop<1, 0>(it) + inside<1, 0>(it));
    least = min(least, this->template listed_loop<1, 1>(it) + inside<1, 1>(it));
    least = min(least, this->template listed_loop<1, 2>(it) + inside<1, 2>(it));
    least = min(least, this->template listed_loop<2, 1>(it) + inside<2, 1>(it));
    least = min(least, this->template listed_loop<2, 2>(it) + inside<2, 2>(it));
    least = min(least, this->template listed_loop<2, 3>(it) + inside<2, 3>(it));
    least = min(least, this->template listed_loop<3, 2>(it) + inside<3, 2>(it));
    at(Places::listed_loops + j) = least;
  }
  /// The inner pair: its value in the window of bulges, without what it adds to them.
  template <int left, int right>
  [[nodiscard]] __device__ __forceinline__ Energy inside(const Pair& pair) const {
    const int p = pair.i + 1 + left, r = pair.q - 1 - right;
    return at(window(static_cast<int>(LoopKind::bulge), p, r)) - this->end_of(any_kind(base(p), base(r)));
  }

  /// Waits for the warps that fill tables.
  static __device__ __forceinline__ void sync_filling() {
#ifdef __CUDACC__
    asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
#else
    sync_some(1, threads);
#endif
  }

  int stride_, warp_, column_, stems_;
  Energy weights_[LoopGroups::count];
  /// Of each group, where this lane reads in column 0: in the first of 32 rows, and for the row at hand, in bytes.
  int first_[LoopGroups::count], place_[LoopGroups::count];
  Energy branches_ = Values::zero(), stem_ = Values::zero();  ///< of the row below
};

/// Finds the structure of a sequence whose tables are full: one warp. The order of ties is that of
/// interval::derivation.
template <bool lone_pairs, int columns>
class ShortSearch : ShortBlock<lone_pairs, columns> {
  using Block = ShortBlock<lone_pairs, columns>;
  using Block::all_lanes, Block::all_, Block::shared_, Block::turn_, Block::lane_, Block::n_, Block::begin_, Block::at,
      Block::bytes, Block::base, Block::table, Block::listed, Block::any_kind;
  using typename Block::Pair;

 public:
  using Places = typename Block::Places;
  using Tables = typename Block::Tables;
  using Values = typename Block::Values;
  using Block::Block;

  __device__ void run(unsigned sequence) {
    for (int t = lane_; t < n_; t += 32) bytes(Places::letters)[t] = '.';
    const Energy energy = finish_exterior();
    is_wrong_ = at(Places::refused + turn_) != 0;
    open_exterior();
    while (opened_ > 0 && !is_wrong_) follow(at(Places::open + --opened_));
    __syncwarp();
    for (int t = lane_; t < n_; t += 32) all_.structures[begin_ + t] = static_cast<char>(bytes(Places::letters)[t]);
    if (lane_ == 0) all_.energies[sequence] = is_wrong_ ? ShortFoldings::refused : energy;
  }

 private:
  static constexpr int helix_code = 0, stems_code = 1;

  /// The exterior loop (exterior.hpp). Returns its energy.
  __device__ __forceinline__ Energy finish_exterior() {
    constexpr int chunks = Places::chunks;
    Energy best[chunks], row[chunks];
    int from[chunks], right[chunks];
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      best[c] = no_loop;
      from[c] = 0;
      right[c] = base(32 * c + lane_ < n_ ? 32 * c + lane_ : 0);
      row[c] = read(Tables::helix, 0, 32 * c + lane_);
    }
    Energy least = 0;
    if (lane_ == 0) at(Places::least) = 0;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
#pragma unroll 1
      for (int r = 0; r < 32 && 32 * c + r < n_; ++r) {
        const int i = 32 * c + r;
        Energy next[chunks];
#pragma unroll
        for (int d = c; d < chunks; ++d) next[d] = i + 1 < n_ ? read(Tables::helix, i + 1, 32 * d + lane_) : no_loop;
#pragma unroll
        for (int d = c; d < chunks; ++d) {
          if (row[d] >= no_loop) continue;
          const Energy all = least + row[d] + exterior(i, 32 * d + lane_, right[d]);
          from[d] = all < best[d] ? i : from[d];
          best[d] = min(best[d], all);
        }
        least = min(least, __shfl_sync(all_lanes, best[c], r));
        if (lane_ == 0) at(Places::least + i + 1) = least;
#pragma unroll
        for (int d = c; d < chunks; ++d) row[d] = next[d];
      }
    }
#pragma unroll
    for (int c = 0; c < chunks; ++c) bytes(Places::last_pair)[32 * c + lane_] = static_cast<unsigned char>(from[c]);
    __syncwarp();
    return least;
  }
  [[nodiscard]] __device__ __forceinline__ Energy read(unsigned which, int i, int j) const {
    return j < n_ ? table(which, i)[j] : Values::zero();
  }
  [[nodiscard]] __device__ __forceinline__ Energy exterior(int i, int j, int right) const {
    const int sides = (i > 0 ? 1 : 0) + (j + 1 < n_ ? 2 : 0), left = base(i);
    return all_.lists->exterior[sides][any_kind(left, right)][5 * base(i - 1) + base(j + 1)];
  }
  __device__ __forceinline__ void open_exterior() {
    for (int j = n_; j > 0;) {
      const int t = j - lane_;
      const bool pairs = t > 0 && at(Places::least + t) != at(Places::least + t - 1);
      const unsigned those = __ballot_sync(all_lanes, pairs);
      if (those == 0) {
        j -= 32;
        continue;
      }
      j -= __ffs(static_cast<int>(those)) - 1;
      const int i = bytes(Places::last_pair)[j - 1];
      open(helix_code, i, j - 1);
      j = i;
    }
  }
  __device__ __forceinline__ void open(int code, int i, int j) {
    if (lane_ == 0) at(Places::open + opened_) = code << 16 | i << 8 | j;
    ++opened_;
    __syncwarp();
  }
  /// Follows an interval to its end.
  __device__ __forceinline__ void follow(int code) {
    i_ = code >> 8 & 255;
    j_ = code & 255;
    bool is_stems = code >> 16 == stems_code;
    bool goes_on = true;
    while (goes_on && !is_wrong_) {
      if (is_stems) {
        goes_on = step_stems(is_stems);
      } else {
        goes_on = step_pairs(is_stems);
      }
    }
  }
  __device__ __forceinline__ void mark(int i, int j) const {
    bytes(Places::letters)[i] = '(';
    bytes(Places::letters)[j] = ')';
  }
  /// From the pair (i_,j_), the first of its helix, to the next helix inside, or to the stems of a multiloop.
  __device__ __forceinline__ bool step_pairs(bool& is_stems) {
    if constexpr (!lone_pairs) {
      if (lane_ == 0) mark(i_, j_);
      ++i_, --j_;
    }
    for (;;) {  // of a helix, each lane looks at a pair
      const int i = i_ + lane_, j = j_ - lane_;
      bool is_stack = false;
      if (j >= i + 6) {
        const Pair it = this->pair(i, j);
        const Energy value = table(Tables::paired, i)[j], inner = table(Tables::paired, i + 1)[j - 1];
        is_stack = value < no_loop_from && inner < no_loop_from && this->hairpin(it) != value &&
                   this->stack(it) + inner == value;
      }
      const unsigned ends = ~__ballot_sync(all_lanes, is_stack);
      const int length = ends == 0 ? 31 : __ffs(static_cast<int>(ends)) - 1;
      if (lane_ <= length) mark(i, j);
      i_ += length, j_ -= length;
      if (ends != 0) break;
      ++i_, --j_;
    }
    const Pair it = this->pair(i_, j_);
    const Energy value = table(Tables::paired, i_)[j_];
    if (this->hairpin(it) == value) return false;
    if (find_listed(it, value) || find_summed(it, value)) return true;
    is_stems = true;
    return split(i_ + 1, j_ - 1, value - listed(PairLists::closing, it.kind, it.inside));
  }
  static constexpr Energy no_loop_from = Values::infinite_from;
  template <int left, int right>
  [[nodiscard]] __device__ __forceinline__ Energy listed_with_inside(const Pair& pair) const {
    const Energy inner = table(Tables::helix, pair.i + 1 + left)[pair.q - 1 - right];
    return inner < no_loop_from ? this->template listed_loop<left, right>(pair) + inner : Values::zero();
  }
  /// Goes on inside a loop that is listed: each lane looks at one.
  __device__ __forceinline__ bool find_listed(const Pair& pair, Energy value) {
    const int left = lane_ < 8 ? 0x32221110 >> 4 * lane_ & 15 : 31,
              right = lane_ < 8 ? 0x23212101 >> 4 * lane_ & 15 : 31;
    bool has_value = false;
    if (left + right <= pair.q - pair.i - 6) {
      Energy sum = 0;
      switch (lane_) {
        case 0:
          sum = listed_with_inside<0, 1>(pair);
          break;
        case 1:
          sum = listed_with_inside<1, 0>(pair);
          break;
        case 2:
          sum = listed_with_inside<1, 1>(pair);
          break;
        case 3:
          sum = listed_with_inside<1, 2>(pair);
          break;
        case 4:
          sum = listed_with_inside<2, 1>(pair);
          break;
        case 5:
          sum = listed_with_inside<2, 2>(pair);
          break;
        case 6:
          sum = listed_with_inside<2, 3>(pair);
          break;
        default:
          sum = listed_with_inside<3, 2>(pair);
          break;
      }
      has_value = sum == value;
    }
    __syncwarp();
    const unsigned those = __ballot_sync(all_lanes, has_value);
    if (those == 0) return false;
    const int first = __ffs(static_cast<int>(those)) - 1;
    i_ += 1 + __shfl_sync(all_lanes, left, first);
    j_ -= 1 + __shfl_sync(all_lanes, right, first);
    return true;
  }
  /// Goes on inside a loop that is a sum.
  __device__ __forceinline__ bool find_summed(const Pair& pair, Energy value) {
    return find_kind<0, LoopGroups::bulges, LoopGroups::one_by_more>(pair, value) ||
           find_kind<1, LoopGroups::one_by_more, LoopGroups::generic>(pair, value) ||
           find_kind<2, LoopGroups::generic, LoopGroups::count>(pair, value);
  }
  template <unsigned kind, unsigned begin, unsigned end>
  __device__ __forceinline__ bool find_kind(const Pair& pair, Energy value) {
    const LoopGroups& groups = all_.lists->groups;
    const Energy outer = listed(PairLists::outer + kind, pair.kind, pair.inside);
    unsigned found = ~0U;
#pragma unroll 2
    for (unsigned t = begin; t < end; ++t) {
      const int left = groups.left[t][lane_], right = groups.right[t][lane_];
      if (left + right < 2 || left + right > pair.q - pair.i - 6) continue;
      const int p = pair.i + 1 + left, r = pair.q - 1 - right;
      const Energy inner = table(Tables::helix, p)[r];
      if (inner >= no_loop_from) continue;
      const Energy adds = listed(PairLists::inner + kind, any_kind(base(p), base(r)), 5 * base(p - 1) + base(r + 1));
      if (groups.weights[t][lane_] + inner + adds + outer == value) {
        found = min(found, static_cast<unsigned>(left << 8 | right));
      }
    }
    __syncwarp();
    found = __reduce_min_sync(all_lanes, found);
    if (found == ~0U) return false;
    i_ += 1 + static_cast<int>(found >> 8);
    j_ -= 1 + static_cast<int>(found & 255);
    return true;
  }
  /// Goes on with the first of two branches that have this energy together, and leaves the others for later.
  __device__ __forceinline__ bool split(int i, int j, Energy value) {
    for (int first = i; first < j; first += 32) {
      const int k = first + lane_;
      const bool has_value = k < j && table(Tables::stems, i)[k] + table(Tables::stems, k + 1)[j] == value;
      const unsigned those = __ballot_sync(all_lanes, has_value);
      if (those == 0) continue;
      const int found = first + __ffs(static_cast<int>(those)) - 1;
      open(stems_code, found + 1, j);
      i_ = i, j_ = found;
      return true;
    }
    is_wrong_ = true;
    return false;
  }
  /// What gave a value of stems: a branch, or one of these with a base more on the left, or on the right.
  struct Stem {
    bool is_branch, is_left, is_right;
  };
  [[nodiscard]] __device__ __forceinline__ Stem stem(int i, int j) const {
    if (i >= j) return {false, false, false};
    const Energy value = table(Tables::stems, i)[j], step = all_.lists->multi_base;
    Energy helix = Values::zero();
    if (i > 0 && j + 1 < n_) helix = table(Tables::helix, i)[j];
    const bool is_branch =
        helix < no_loop_from &&
        listed(PairLists::branch, any_kind(base(i), base(j)), 5 * base(i - 1) + base(j + 1)) + helix == value;
    return {is_branch, table(Tables::stems, i + 1)[j] + step == value, table(Tables::stems, i)[j - 1] + step == value};
  }
  __device__ __forceinline__ bool step_stems(bool& is_stems) {
    Stem it = stem(i_ + lane_, j_);
    const unsigned ends = ~__ballot_sync(all_lanes, !it.is_branch && it.is_left);
    if (ends == 0) {
      i_ += 32;
      return true;
    }
    const int length = __ffs(static_cast<int>(ends)) - 1;
    i_ += length;
    if (__shfl_sync(all_lanes, it.is_branch, length)) {
      is_stems = false;
      return true;
    }
    it = stem(i_, j_ - lane_);
    const unsigned right_ends = ~__ballot_sync(all_lanes, !it.is_branch && !it.is_left && it.is_right);
    const int on_right = right_ends == 0 ? 32 : __ffs(static_cast<int>(right_ends)) - 1;
    if (on_right == 0) return split(i_, j_, table(Tables::stems, i_)[j_]);
    j_ -= on_right;
    return true;
  }

  int i_ = 0, j_ = 0, opened_ = 0;
  bool is_wrong_ = false;
};

/// Folds sequences: block b has sequences b, b + the number of blocks, and so on.
template <bool lone_pairs, int columns, int fill_warps>
__device__ __forceinline__ void fold_short_sequences(const ShortFoldings& all, Energy* shared) {
  using Places = ShortPlaces<lone_pairs, columns>;
  constexpr int lists = static_cast<int>(PairLists::count * ShortLists::of_list);
  const auto* const from = &all.lists->pairs[0][0][0];
  for (int t = static_cast<int>(threadIdx.x); t < lists; t += short_threads<fill_warps>) {
    shared[Places::lists + t] = from[t];
  }
  if (threadIdx.x < ShortLists::codes) {
    const auto first = static_cast<Base>(threadIdx.x / 5), second = static_cast<Base>(threadIdx.x % 5);
    const std::size_t kind = pair_kind(first, second);
    reinterpret_cast<unsigned char*>(shared + Places::kinds)[threadIdx.x] =
        static_cast<unsigned char>(kind < pair_kinds ? kind : pair_kinds - 1);
  }
  __syncthreads();
  const bool fills = threadIdx.x < fill_warps * 32;
  int turn = 0;
  for (unsigned sequence = blockIdx.x;; sequence += gridDim.x, ++turn) {
    if (fills && sequence < all.count) {
      ShortFilling<lone_pairs, columns, fill_warps>(all, shared, turn, sequence).run();
    }
    if (!fills && turn > 0) {
      ShortSearch<lone_pairs, columns>(all, shared, turn - 1, sequence - gridDim.x).run(sequence - gridDim.x);
    }
    if (sequence >= all.count) return;
    __syncthreads();
  }
}

}  // namespace warpfold::rna::cuda
