#pragma once

#include <algorithm>
#include <cstddef>

#include "rna/gpu/pair_lists.hpp"
#include "rna/loop_energies.hpp"
#include "tiles/gpu/chunks.cuh"
#include "warpfold/interval/stored_values.hpp"

/// How a block of a GPU closes a tile of a folding (docs/explanation/kernels/grammar.md, "Foldings by rows"): row by
/// row, from below.
///
/// Pairs of a row read the rows below it alone, so all columns are computed at once. Branches and stems do not wait for
/// the column before them either (close_stems in row_kernels.cpp). A row has two steps:
///
///     1. 64 threads finish the pairs of row r, and what begins a stem without another one of its columns.
///     2. 128 threads finish branches and stems of row r.
///
/// Meanwhile the others add the loops of row r - 1: 64 bulges, 64 loops of 1 x n bases, 128 the generic ones, by size.
/// These 128 also add the products of rows. Bulges alone wait for the first step.
///
/// A thread has one column, and so the bases on the right. What a loop adds is a list by the bases on the left, the
/// same for all threads, and by those on the right.
///
/// Shared memory: ClosingPlaces::bytes, 206 or 223 KB. Barriers: one for each row and all threads, and two for some.
namespace warpfold::rna::cuda {

using tiles::device::all_lanes;
using tiles::device::copy_commit;
using tiles::device::copy_vector;
using tiles::device::copy_wait;

/// The places in shared memory of what a block needs to close a tile, in values.
template <bool lone_pairs>
struct ClosingPlaces {
  static constexpr int side = tiles::tile_side;
  static constexpr int around = max_loop + 1;           // rows below the tile, and columns to the left
  static constexpr int left = 32, width = left + side;  // of a window
  static constexpr int rows = side + around;
  /// What a row needs that is known before its pairs.
  enum Ahead : int { closing, stack, branch, inner, may_pair = inner + static_cast<int>(summed_kinds), ahead_values };
  static constexpr int sizes = 13;  // of generic loops, of one parity: 6, 8 .. 30
  static constexpr int rim = carried_rim;

  static constexpr int lists = 0;
  static constexpr int energies = lists + PairLists::count * 625 + 28;  // by the loops' sizes
  static constexpr int windows = lists + static_cast<int>(sizeof(PairLists) / sizeof(Energy));
  static constexpr int window_size = rows * width;
  static constexpr int corner = windows + summed_kinds * window_size;  // stems of the rows' diagonal tile
  static constexpr int borders = corner + side * side;                 // what carries over at the left edge, by rows
  static constexpr int edges = borders + (side + 1) * rim;             // the same before column 32, of two rows
  static constexpr int starts = edges + 2 * rim;                       // what begins a stem, of one row
  static constexpr int stems = starts + side;  // of this tile and a row below; before, the products between
  static constexpr int branches = stems + (side + 1) * side;
  static constexpr int helix_width = 68, helix = branches + side;  // with four rows below and columns left
  static constexpr int paired_width = 65, paired = helix + helix_width * helix_width;
  static constexpr int parts =
      paired +
      (lone_pairs ? 0 : paired_width * paired_width);  // of the loops of a row; these and the next ones of two rows
  static constexpr int parts_of_row = 4 * side;
  static constexpr int ahead = parts + 2 * parts_of_row;
  static constexpr int ahead_of_row = ahead_values * side;
  static constexpr int products = ahead + 2 * ahead_of_row;
  static constexpr int product_edges = products + 2 * side;  // between the halves
  static constexpr int splits = product_edges + 2 * side;
  static constexpr int left_branches = splits + side;
  static constexpr int left_stems = left_branches + side + 1;
  static constexpr int left_bases = left_stems + side;  // from one before the first row on
  static constexpr int right_bases = left_bases + rows + 1;
  static constexpr int end = right_bases + width + 2;
  static_assert(windows % 4 == 0 && corner % 4 == 0 && borders % 4 == 0 && edges % 4 == 0 && starts % 4 == 0);
  static_assert(stems % 4 == 0 && branches % 4 == 0);
  static constexpr int bytes = end * static_cast<int>(sizeof(Energy));
};

/// Closes a tile. `G`: a grammar with `energies`, `lists` and `rims`. `Tile`: interval::device::OpenTile.
/// report(table, i, j) is called for a value that is not accepted.
template <class G, class Tile, class Report>
class FoldingClosing : ClosingPlaces<G::helix == G::paired> {
 public:
  using Values = interval::detail::Stored<MinPlus<Energy>>;
  static constexpr int threads = 384;

  __device__ FoldingClosing(const G& grammar, const Tile& tile, Energy* shared, int thread, const Report& report)
      : grammar_(grammar), tile_(tile), shared_(shared), report_(report), thread_(thread), column_(thread % side) {}

  __device__ void run() {
    begin();
    Energy around_tile[turns];
    read_around(around_tile);
    copy_wait<0>();
    __syncthreads();
    for (int t = 0; t < 6; ++t) right_[t] = right_base(column_ + 1 - t);
    in_ = code(right_[1], right_[2]);
    exists_ = first_j() + column_ < tile_.points;
    write_around(around_tile);
    __syncthreads();
    switch (thread_ / side) {
      case 0:
        return run_generic<0>();
      case 1:
        return run_generic<1>();
      case 2:
        return run_bulges();
      case 3:
        return run_one_by_more();
      case 4:
        return run_stems<0>();
      default:
        return run_stems<1>();
    }
  }

 private:
  static constexpr bool lone_pairs = G::helix == G::paired;
  using Places = ClosingPlaces<lone_pairs>;
  using Places::side, Places::around, Places::left, Places::width, Places::rows, Places::sizes, Places::rim,
      Places::lists, Places::energies, Places::windows, Places::window_size, Places::corner, Places::borders,
      Places::edges, Places::starts, Places::stems, Places::branches, Places::helix_width, Places::helix,
      Places::paired_width, Places::paired, Places::parts, Places::parts_of_row, Places::ahead, Places::ahead_of_row,
      Places::products, Places::product_edges, Places::splits, Places::left_branches, Places::left_stems,
      Places::left_bases, Places::right_bases;

  struct alignas(16) Four {
    Energy value[4];
  };

  [[nodiscard]] __device__ __forceinline__ bool on_diagonal() const { return tile_.i == tile_.j; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_i() const { return tile_.i * side; }
  [[nodiscard]] __device__ __forceinline__ unsigned first_j() const { return tile_.j * side; }
  [[nodiscard]] __device__ __forceinline__ Energy& at(int place) const { return shared_[place]; }
  [[nodiscard]] __device__ __forceinline__ const Four& four(int place) const {
    return *reinterpret_cast<const Four*>(shared_ + place);
  }
  static __device__ __forceinline__ bool pairs(int first, int second) {
    return pair_kind(static_cast<Base>(first), static_cast<Base>(second)) < pair_kinds;
  }
  static __device__ __forceinline__ int code(int first, int second) { return 5 * first + second; }
  /// Base i of row r, and base j-1 of column c.
  [[nodiscard]] __device__ __forceinline__ int left_base(int r) const { return at(left_bases + 1 + r); }
  [[nodiscard]] __device__ __forceinline__ int right_base(int c) const { return at(right_bases + left + c); }
  [[nodiscard]] __device__ __forceinline__ Energy listed(unsigned list, int on_left, int on_right) const {
    return at(lists + static_cast<int>(list) * 625 + on_left * 25 + on_right);
  }
  [[nodiscard]] __device__ __forceinline__ int window(std::size_t kind, int r, int c) const {
    return windows + static_cast<int>(kind) * window_size + r * width + left + c;
  }
  [[nodiscard]] __device__ __forceinline__ int helix_at(int r, int c) const { return helix + r * helix_width + 4 + c; }
  [[nodiscard]] __device__ __forceinline__ int paired_at(int r, int c) const {
    if constexpr (lone_pairs) return helix_at(r, c);
    return paired + r * paired_width + 1 + c;
  }
  static __device__ __forceinline__ Energy load(const Energy* from) { return __ldcg(from); }

  /// Copies values to shared memory, four at once, or clears them if there are none.
  __device__ __forceinline__ void copy(int place, const Energy* from, int count) {
    for (int t = 4 * thread_; t < count; t += 4 * threads) {
      if (from) {
        copy_vector(shared_ + place + t, from + t);
      } else {
        *reinterpret_cast<Four*>(shared_ + place + t) = {Values::zero(), Values::zero(), Values::zero(),
                                                         Values::zero()};
      }
    }
  }
  /// Fetches all but the pairs around the tile.
  __device__ __forceinline__ void begin() {
    const bool has_around = !on_diagonal();
    copy(lists, reinterpret_cast<const Energy*>(grammar_.lists), windows);
    copy(stems, tile_.products, side * side);
    copy(stems + side * side, has_around ? tile_.tile(G::stems, tile_.i + 1, tile_.j) : nullptr, side);
    copy(branches, has_around ? tile_.tile(G::branches, tile_.i + 1, tile_.j) : nullptr, side);
    copy(borders, has_around ? column_rim() : nullptr, (side + 1) * rim);
    copy_commit();
    for (int t = thread_; t < rows + 1; t += threads) at(left_bases + t) = base(first_i() + t - 1);
    for (int t = thread_; t < width + 2; t += threads) at(right_bases + t) = base(first_j() + t - left - 1);
    for (int t = thread_; t < side; t += threads) {
      at(left_branches + t) = has_around ? last_of_row(G::branches, tile_.i, t) : Values::zero();
      at(left_stems + t) = has_around ? last_of_row(G::stems, tile_.i, t) : Values::zero();
    }
    if (thread_ == side) {
      at(left_branches + side) = tile_.i + 1 < tile_.j ? last_of_row(G::branches, tile_.i + 1, 0) : Values::zero();
    }
    if (!has_around) return;
    const Energy* of_rows = tile_.tile(G::stems, tile_.i, tile_.i);
#pragma unroll
    for (int t = thread_; t < side * side; t += threads) {
      const int r = t / side, k = t % side, m = k - shortest_stem - r;
      at(corner + k * side + (m < 0 ? r : m)) = m < 0 ? Values::zero() : load(of_rows + t);
    }
  }
  /// The value of row r in the last column of the tile to the left.
  [[nodiscard]] __device__ __forceinline__ Energy last_of_row(unsigned table, unsigned tile_i, int r) const {
    return load(tile_.tile(table, tile_i, tile_.j - 1) + r * side + side - 1);
  }
  /// Base i, or any base beyond the ends.
  [[nodiscard]] __device__ __forceinline__ Energy base(unsigned i) const {
    return i < tile_.points - 1 ? grammar_.energies.lists().bases[i] : 1;
  }
  [[nodiscard]] __device__ __forceinline__ Energy* column_rim() const {
    return grammar_.rims.columns + std::size_t{tile_.i} * (side + 1) * rim;
  }
  [[nodiscard]] __device__ __forceinline__ Energy* row_rim() const {
    return grammar_.rims.rows + std::size_t{tile_.j} * side * rim;
  }

  // A thread's places around the tile: to the left of rows, then below.
  static constexpr int left_turns = (rows * left + threads - 1) / threads,
                       turns = left_turns + (around * side + threads - 1) / threads;

  /// Calls visit(x, r, c) for the thread's places around the tile. Its column is always the same on the left, and
  /// below.
  template <class Visit>
  __device__ __forceinline__ void each_around(const Visit& visit) const {
#pragma unroll
    for (int x = 0; x < left_turns; ++x) {
      const int r = thread_ / left + x * (threads / left);
      if (r < rows) visit(x, r, thread_ % left - left);
    }
#pragma unroll
    for (int x = left_turns; x < turns; ++x) {
      const int r = side + thread_ / side + (x - left_turns) * (threads / side);
      if (r < rows) visit(x, r, column_);
    }
  }
  [[nodiscard]] __device__ __forceinline__ Energy read_around(unsigned table, int r, int c) const {
    const unsigned tile_i = tile_.i + (r >= side), tile_j = tile_.j - (c < 0);
    if (on_diagonal() || tile_i > tile_j) return Values::zero();
    return load(tile_.tile(table, tile_i, tile_j) + r % side * side + (c < 0 ? c + side : c));
  }
  __device__ __forceinline__ void read_around(Energy (&values)[turns]) const {
    each_around([&](int x, int r, int c) { values[x] = read_around(G::helix, r, c); });
  }
  __device__ __forceinline__ void write_around(const Energy (&values)[turns]) const {
    const int c_left = thread_ % left - left,
              on_right[2] = {code(right_base(c_left), right_base(c_left + 1)), code(right_[1], right_[0])};
    each_around([&](int x, int r, int c) {
      Energy of_loops[summed_kinds];
      look_inside(r, c, on_right[x < left_turns ? 0 : 1], of_loops);
      write_helix(r, c, values[x], of_loops);
      if (!lone_pairs && r <= side && c >= -1) at(paired_at(r, c)) = read_around(G::paired, r, c);
    });
  }
  [[nodiscard]] __device__ __forceinline__ bool has_neighbors(int r, int c) const {
    return first_i() + r > 0 && first_j() + c + 1 < tile_.points;
  }
  /// What a pair inside a loop adds to each kind of loop.
  __device__ __forceinline__ void look_inside(int r, int c, int on_right, Energy (&adds)[summed_kinds]) const {
    const int on_left = code(left_base(r), left_base(r - 1));
#pragma unroll
    for (unsigned kind = 0; kind < summed_kinds; ++kind) {
      adds[kind] = has_neighbors(r, c) ? listed(PairLists::inner + kind, on_left, on_right) : Values::zero();
    }
  }
  __device__ __forceinline__ void write_helix(int r, int c, Energy value, const Energy (&adds)[summed_kinds]) const {
#pragma unroll
    for (std::size_t kind = 0; kind < summed_kinds; ++kind) at(window(kind, r, c)) = stored(value + adds[kind]);
    if (r < side + 4 && c >= -4) at(helix_at(r, c)) = value;
  }
  static __device__ __forceinline__ Energy stored(Energy sum) {
    return sum >= Values::infinite_from ? Values::zero() : sum;
  }
  /// A value as it is stored.
  [[nodiscard]] __device__ __forceinline__ Energy accepted(unsigned table, int r, Energy sum) const {
    if (!Values::accepts(sum) && sum < Values::infinite_from) {
      report_(table, first_i() + r, first_j() + column_);
    }
    return stored(sum);
  }

  /// Calls the two steps of each row: row r is being finished, and row r - 1 begins. The first row is 64, which lies
  /// below. `waits`: whether the second step needs the pairs of row r.
  template <bool waits, class First, class Second>
  __device__ __forceinline__ void each_row(const First& first, const Second& second) {
    first(side);
    second(side);
#pragma unroll 1
    for (int r = side - 1; r >= 0; --r) {
      __syncthreads();
      first(r);
      if constexpr (waits) sync_pairs();
      second(r);
    }
    __syncthreads();
  }

  /// Generic loops of even or odd sizes. `carried`: of each size the sum of row r. Also half of the products of rows.
  template <int parity>
  __device__ __forceinline__ void run_generic() {
    Energy carried[sizes], weights[sizes], steps[sizes], sums[side / 2];
    const int c = column_;
    const SizeEnergies& e = size_energies();
#pragma unroll
    for (int t = 0; t < sizes; ++t) {
      const int size = size_of<parity>(t);
      weights[t] = e.generic[size];
      steps[t] = t == 0 ? e.of_beside[parity] : e.step[size];
      carried[t] = on_diagonal() ? Values::zero() : load(row_rim() + (parity * rim / 2 + t) * side + c);
    }
    for (Energy& sum : sums) sum = Values::zero();
    at(product_edges + parity * side + c) = Values::zero();
    write_edges<parity>(carried, side);
    __syncthreads();
    each_row<false>([](int) {},
                    [&](int r) {
                      if (r == 0) return;
                      if (!on_diagonal()) add_products<parity>(r, sums);
                      add_generic<parity>(r, weights, steps, carried);
                      write_edges<parity>(carried, r - 1);
                    });
    for (int t = 0; t < sizes; ++t) row_rim()[(parity * rim / 2 + t) * side + c] = carried[t];
    __syncthreads();
  }
  /// The t-th size of this parity; the last one, of odd sizes, is too large.
  template <int parity>
  static __device__ __forceinline__ constexpr int size_of(int t) {
    return min(6 + parity + 2 * t, static_cast<int>(max_loop));
  }
  [[nodiscard]] __device__ __forceinline__ const SizeEnergies& size_energies() const {
    return *reinterpret_cast<const SizeEnergies*>(shared_ + energies);
  }
  template <int parity>
  __device__ __forceinline__ void write_edges(const Energy (&carried)[sizes], int r) const {
    if (column_ % 32 != 31) return;
    Energy* const to =
        column_ == 31 ? shared_ + edges + (r & 1) * rim + parity * rim / 2 : column_rim() + r * rim + parity * rim / 2;
#pragma unroll
    for (int t = 0; t < sizes; t += 4) {
      Four values{};
      for (int x = 0; x < 4 && t + x < sizes; ++x) values.value[x] = carried[t + x];
      *reinterpret_cast<Four*>(to + t) = values;
    }
  }
  template <int parity>
  __device__ __forceinline__ void add_generic(int r, const Energy (&weights)[sizes], const Energy (&steps)[sizes],
                                              Energy (&carried)[sizes]) const {
    const int c = column_;
    const int generic = static_cast<int>(LoopKind::generic);
    Energy before[sizes];
#pragma unroll
    for (int t = 0; t < sizes; ++t) before[t] = __shfl_up_sync(all_lanes, carried[t], 1);
    if (c % 32 == 0) {
      const int border = (c == 0 ? borders + r * rim : edges + (r & 1) * rim) + parity * rim / 2;
#pragma unroll
      for (int t = 0; t < sizes; ++t) before[t] = at(border + t);
    }
    const int row = window(generic, r + 2, c), column = window(generic, r, c - 3);
    Energy all = Values::zero();
#pragma unroll
    for (int t = 0; t < sizes; ++t) {
      const int size = 6 + parity + 2 * t;
      if (size > static_cast<int>(max_loop)) continue;
      const Energy read = min(at(row + 1 - size), at(column + (size - 2) * width));
      Energy other;  // of the loop with a base less on both sides, or of one without it
      if (t > 0) {
        other = before[t - 1];
      } else if (parity == 0) {
        other = at(window(generic, r + 3, c - 4));
      } else {
        other = min(at(window(generic, r + 3, c - 5)), at(window(generic, r + 4, c - 4)));
      }
      carried[t] = min(weights[t] + read, steps[t] + other);
      all = min(all, carried[t]);
    }
    part(r - 1, 2 + parity) = all + outer(LoopKind::generic, r - 1);
  }
  /// The least energy of some of the loops of row r.
  [[nodiscard]] __device__ __forceinline__ Energy& part(int r, int number) const {
    return at(parts + (r & 1) * parts_of_row + number * side + column_);
  }
  static constexpr int shortest_stem = 5;  // in points

  /// Adds the products with row k = r + 4 of this tile to those of the rows above: sums[m] is that of row k - 5 - m,
  /// and of half 1 that of 32 rows further up. Row k was the last one that row k - 5 needs.
  template <int half>
  __device__ __forceinline__ void add_products(int r, Energy (&sums)[side / 2]) const {
    const int k = r + shortest_stem - 1, c = column_;
    if (k >= side) {
      if (half == 0) at(products + (~r & 1) * side + c) = Values::zero();
      return;
    }
    const Energy value = at(stems + k * side + c);
    const Energy from_half = half == 0 ? at(product_edges + (~r & 1) * side + c) : Values::zero();
#pragma unroll
    for (int t = 0; t < side / 2; t += 4) {
      const Four& on_left = four(corner + k * side + half * side / 2 + t);
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        const int m = t + x;
        sums[m] = min(m + 1 < side / 2 ? sums[min(m + 1, side / 2 - 1)] : from_half, on_left.value[x] + value);
      }
    }
    at(half == 0 ? products + (~r & 1) * side + c : product_edges + (r & 1) * side + c) = sums[0];
  }
  [[nodiscard]] __device__ __forceinline__ Energy outer(LoopKind kind, int r) const {
    return listed(PairLists::outer + static_cast<unsigned>(kind), code(left_base(r), left_base(r + 1)), in_);
  }

  /// Sums of loops whose inner pairs lie in one column, of all rows that read them: sums[a] is that of row q-1-a after
  /// those of rows q and below were added.
  template <int first, int last>
  static __device__ __forceinline__ void add_column(Energy (&sums)[last + 1], const Energy (&weights)[last + 1],
                                                    Energy value) {
#pragma unroll
    for (int a = 0; a <= last; ++a) {
      const Energy before = a == last ? Values::zero() : sums[a == last ? a : a + 1];
      sums[a] = a < first ? before : min(before, weights[a] + value);
    }
  }

  /// Sums of the loops with 1 x n bases, or of bulges: `beside` bases are on the other side. before(r) is the least of
  /// the other loops of row r, without those that read row r + 1; after(r) the least of these.
  template <LoopKind of, int first, int last, int beside, class Before, class After>
  __device__ __forceinline__ void run_lines(const Energy* energies, int number, const Before& before,
                                            const After& after) {
    constexpr int kind = static_cast<int>(of);
    Energy sums[last + 1], weights[last + 1], others = Values::zero();
    const int c = column_;
#pragma unroll
    for (int t = 0; t <= last; ++t) {
      sums[t] = Values::zero();
      weights[t] = energies[t];
    }
    if (!on_diagonal()) {
      Energy next = at(window(kind, rows - 1, c - 1 - beside));
#pragma unroll 1
      for (int q = rows - 1; q > side + 1; --q) {
        const Energy value = next;
        next = at(window(kind, q - 1, c - 1 - beside));
        add_column<first, last>(sums, weights, value);
      }
    }
    __syncthreads();
    each_row<beside == 0>(
        [&](int r) {
          if (r == 0) return;
          others = before(r - 1);
          add_column<first, last>(sums, weights, at(window(kind, r + 1, c - 1 - beside)));
        },
        [&](int r) {
          if (r == 0) return;
          const Energy others_too = after(r - 1);
          Energy sum = sums[1];
          const int row = window(kind, r + beside, c - 1);
#pragma unroll
          for (int b = first; b <= last; ++b) sum = min(sum, weights[b] + at(row - b));
          part(r - 1, number) = min(min(others, others_too), sum + outer(of, r - 1));
        });
    __syncthreads();
  }

  /// Bulges, stacks and hairpins.
  __device__ __forceinline__ void run_bulges() {
    const Energy bulge = size_energies().bulge[1];
    const int c = column_, on_right = code(right_[1], right_[3]);
    run_lines<LoopKind::bulge, 2, static_cast<int>(max_loop), 0>(
        size_energies().bulge, 0,
        [&](int r) {
          const Energy on_left = bulge + listed(PairLists::stack, code(left_base(r), left_base(r + 2)), in_);
          return min(hairpin(r), on_left + at(helix_at(r + 2, c - 1)));
        },
        [&](int r) {
          const int on_left = code(left_base(r), left_base(r + 1));
          const Energy stack = listed(PairLists::stack, on_left, in_) + at(paired_at(r + 1, c - 1));
          return min(stack, bulge + listed(PairLists::stack, on_left, on_right) + at(helix_at(r + 1, c - 2)));
        });
  }
  [[nodiscard]] __device__ __forceinline__ Energy hairpin(int r) const {
    const unsigned i = first_i() + r, j = first_j() + column_;
    if (!exists_ || j < i + 5) return Values::zero();
    const LoopLists& all = grammar_.energies.lists();
    const unsigned size = j - i - 2;
    if (size <= LoopEnergyView::max_special_hairpin) {
      return all.small_hairpins[LoopEnergyView::small_hairpin_place(i, size)];
    }
    return all.hairpin_initiation[size] + listed(PairLists::hairpin, code(left_base(r), left_base(r + 1)), in_);
  }

  /// Loops of 1 x n bases, and those that are listed.
  __device__ __forceinline__ void run_one_by_more() {
    run_lines<LoopKind::one_by_more, 3, static_cast<int>(max_loop) - 1, 1>(
        size_energies().one_by_more, 1, [&](int r) { return least_of_listed(r); }, [](int) { return Values::zero(); });
  }
  [[nodiscard]] __device__ __forceinline__ Energy least_of_listed(int r) const {
    const int c = column_, left_0 = left_base(r), left_1 = left_base(r + 1), left_2 = left_base(r + 2),
              left_3 = left_base(r + 3);
    const LoopTables& n = *grammar_.energies.lists().numbers;
    const auto kind = [&](int first, int second) { return at(lists + PairLists::count * 625 + code(first, second)); };
    Energy least = Values::zero();
    if (pairs(left_0, right_[1])) {
      const int outer = kind(left_0, right_[1]);
      least = min(least, n.interior_11(outer, kind(right_[3], left_2), left_1, right_[2]) + at(helix_at(r + 2, c - 2)));
      least = min(least, n.interior_21(outer, kind(right_[4], left_2), left_1, right_[3], right_[2]) +
                             at(helix_at(r + 2, c - 3)));
      least = min(
          least, n.interior_21(kind(right_[3], left_3), outer, right_[2], left_1, left_2) + at(helix_at(r + 3, c - 2)));
      least = min(least, n.interior_22(outer, kind(right_[4], left_3), left_1, left_2, right_[3], right_[2]) +
                             at(helix_at(r + 3, c - 3)));
    }
    const Energy outer_23 = size_energies().of_23 + listed(PairLists::outer_23, code(left_0, left_1), in_);
    least = min(least, outer_23 + listed(PairLists::inner_23, code(left_3, left_2), code(right_[5], right_[4])) +
                           at(helix_at(r + 3, c - 4)));
    return min(least, outer_23 +
                          listed(PairLists::inner_23, code(left_base(r + 4), left_3), code(right_[4], right_[3])) +
                          at(helix_at(r + 4, c - 3)));
  }

  /// Pairs, branches and stems. `half`: of the splits, the even or the odd ones. The first half finishes the values,
  /// the second one looks ahead.
  template <int half>
  __device__ __forceinline__ void run_stems() {
    const int c = column_;
    Energy right[side / 2];
#pragma unroll
    for (int t = 0; t < side / 2; ++t) {
      right[t] =
          on_diagonal() ? Values::zero() : load(tile_.tile(G::stems, tile_.j, tile_.j) + (2 * t + half) * side + c);
    }
    const Energy step = size_energies().multi_base;
    Energy so_far = Values::zero();
    __syncthreads();
    each_row<true>(
        [&](int r) {
          if (half == 0 && r < side) so_far = finish_pairs(r, step);
          if (half == 1 && r > 0) look_ahead(r - 1);
        },
        [&](int r) {
          if (r < side) add_splits<half>(r, right, step, so_far);
        });
    __syncthreads();
  }
  __device__ __forceinline__ void look_ahead(int r) const {
    const int c = column_, on_left = code(left_base(r), left_base(r + 1)), on_right = code(right_[1], right_[0]);
    const unsigned i = first_i() + r, j = first_j() + c;
    const auto write = [&](int what, Energy value) { at(ahead + (r & 1) * ahead_of_row + what * side + c) = value; };
    Energy adds[summed_kinds];
    look_inside(r, c, on_right, adds);
    const Energy closing = listed(PairLists::closing, on_left, in_);
    const Energy stack = lone_pairs ? 0 : listed(PairLists::stack, on_left, in_);
    const Energy branch = has_neighbors(r, c)
                              ? listed(PairLists::branch, code(left_base(r), left_base(r - 1)), on_right)
                              : Values::zero();
    const bool may_pair =
        exists_ && i + 5 <= j && j - i <= grammar_.energies.max_span() && pairs(left_base(r), right_[1]);
    write(Places::closing, closing);
    write(Places::stack, stack);
    write(Places::branch, branch);
    write(Places::may_pair, may_pair);
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) write(Places::inner + kind, adds[kind]);
  }
  /// Finishes the pairs of a row, and what begins a stem without another one of these columns. Returns the sum of
  /// products so far.
  [[nodiscard]] __device__ __forceinline__ Energy finish_pairs(int r, Energy step) const {
    const int c = column_;
    const auto known = [&](int what) { return at(ahead + (r & 1) * ahead_of_row + what * side + c); };
    Energy adds[summed_kinds];
#pragma unroll
    for (int kind = 0; kind < static_cast<int>(summed_kinds); ++kind) adds[kind] = known(Places::inner + kind);
    const Energy branch = known(Places::branch), stack = lone_pairs ? 0 : known(Places::stack);
    const Energy longer = at(stems + (r + 1) * side + c) + step, inside = at(paired_at(r + 1, c - 1));
    Energy so_far = at(stems + r * side + c);
    if (!on_diagonal()) so_far = min(so_far, at(products + (r & 1) * side + c));
    Energy start = min(so_far, longer);
    if (c == 0) start = min(start, at(left_stems + r) + step);
    const bool may_pair = known(Places::may_pair) != 0;
    Energy least = known(Places::closing) + (c > 0 ? at(branches + c - 1) : at(left_branches + r + 1));
#pragma unroll
    for (int number = 0; number < 4; ++number) least = min(least, part(r, number));
    const Energy pair = may_pair ? accepted(G::paired, r, least) : Values::zero();
    Energy value = pair;
    if constexpr (!lone_pairs) value = may_pair ? accepted(G::helix, r, stack + inside) : Values::zero();
    at(starts + c) = accepted(G::stems, r, min(start, branch + value));
    write_helix(r, c, value, adds);
    tile_.tile(G::paired, tile_.i, tile_.j)[r * side + c] = pair;
    if constexpr (!lone_pairs) {
      at(paired_at(r, c)) = pair;
      tile_.tile(G::helix, tile_.i, tile_.j)[r * side + c] = value;
    }
    return so_far;
  }
  template <int half>
  __device__ __forceinline__ void add_splits(int r, Energy (&right)[side / 2], Energy step, Energy so_far) const {
    const int c = column_;
    if (on_diagonal()) {
#pragma unroll
      for (int t = 0; t < side / 2; ++t) right[t] = at(stems + (2 * t + half) * side + c);
    }
    Energy split = Values::zero();
    const auto add = [&](int first) {
#pragma unroll
      for (int t = 0; t < side / 8; ++t) {
        const Four& start = four(starts + 4 * (first + t));
        split = min(split, start.value[half] + right[2 * (first + t)]);
        split = min(split, start.value[2 + half] + right[2 * (first + t) + 1]);
      }
    };
    add(0);
    if (c >= side / 2) add(side / 8);
    if (half == 1) at(splits + c) = split;
    const Energy stepped = half == 0 ? least_steps(step) : Values::zero();
    sync_stems();
    if (half == 1) return;
    const Energy branch = accepted(G::branches, r, min(so_far, min(split, at(splits + c))));
    const Energy stem = exists_ ? accepted(G::stems, r, min(branch, stepped)) : Values::zero();
    at(branches + c) = branch;
    at(stems + r * side + c) = stem;
    tile_.tile(G::branches, tile_.i, tile_.j)[r * side + c] = branch;
    tile_.tile(G::stems, tile_.i, tile_.j)[r * side + c] = stem;
  }
  /// The least of what begins a stem in a column up to this one, with the bases from there on.
  [[nodiscard]] __device__ __forceinline__ Energy least_steps(Energy step) const {
    const int c = column_;
    Energy least = at(starts + c) - c * step;
    if (c >= 32) least = min(least, least_of_warp(at(starts + c - 32) - (c - 32) * step));
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      least = min(least, __shfl_up_sync(all_lanes, least, distance));
    }
    return least + c * step;
  }
  static __device__ __forceinline__ Energy least_of_warp(Energy value) { return __reduce_min_sync(all_lanes, value); }
  /// Waits for the pairs of a row.
  static __device__ __forceinline__ void sync_pairs() { asm volatile("bar.sync 2, 192;" ::: "memory"); }
  /// Waits for the threads of run_stems.
  static __device__ __forceinline__ void sync_stems() { asm volatile("bar.sync 1, 128;" ::: "memory"); }

  const G& grammar_;
  const Tile& tile_;
  Energy* shared_;
  const Report& report_;
  int thread_, column_, in_ = 0;
  int right_[6] = {};  ///< base j-t at t
  bool exists_ = false;
};

}  // namespace warpfold::rna::cuda
