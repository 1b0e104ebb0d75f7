#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sequence/gpu/cells.cuh"
#include "sequence/gpu/pair_layout.hpp"
#include "sequence/gpu/runs.cuh"

/// Many pairs on a GPU. A word has a bit of 32 pairs, a group. L lanes of a warp have K rows of the group's tables
/// each. Lane q works in step t on column t - q, below the last row of lane q - 1 from the step before. So the entry
/// above is the word before, and only from lane to lane one shuffle moves h. Rows beyond L K follow in further strips,
/// whose first row is kept in memory.
///
/// As in lanes/kernel.hpp, tables of different sizes share the words: columns are aligned at the end, rows at the
/// beginning. Before its column 0 a pair gets h = -1 (LCS: 1) from above, which keeps v = +1 (LCS: 0). Behind its last
/// column a lane waits for the others.
namespace warpfold::sequence::cuda {

inline constexpr std::uint32_t no_bound = ~0U;

/// The memory of a batch on the device.
struct PairTables {
  const std::uint8_t *a, *b;  ///< symbols
  const Pair* pairs;
  const PairGroup* groups;
  const PairWarp* warps;
  std::uint32_t pair_count, group_count, warp_count;
  unsigned* words;  ///< of the groups
  std::uint32_t* distances;
  std::uint32_t bound;               ///< larger distances are given as bound + 1; no_bound: all are given
  std::array<std::uint8_t, 8> bits;  ///< numbers of the bits that are a symbol's planes
};

__device__ __forceinline__ unsigned lane_of_warp() { return threadIdx.x % warp; }
__device__ __forceinline__ unsigned number_of_warp() { return (blockIdx.x * blockDim.x + threadIdx.x) / warp; }

/// Transposes a matrix of 32 x 32 bits: bit i of lane q becomes bit q of lane i.
__device__ __forceinline__ unsigned transposed(unsigned word) {
  constexpr unsigned low[] = {0x0000FFFF, 0x00FF00FF, 0x0F0F0F0F, 0x33333333, 0x55555555};
#pragma unroll
  for (int round = 0; round < 5; ++round) {
    const unsigned distance = 16U >> round;
    const bool is_upper = (lane_of_warp() & distance) != 0;
    const unsigned other = __shfl_xor_sync(~0U, word, distance);
    const unsigned turned = __funnelshift_l(other, other, is_upper ? warp - distance : distance);
    word = logic<(A & B) | (~A & C)>(is_upper ? ~low[round] : low[round], word, turned);
  }
  return word;
}

/// 32 symbols of a sequence from symbol `first` on, 4 a word. Those that it lacks may be any.
struct SymbolBlock {
  unsigned words[8];

  __device__ SymbolBlock(const std::uint8_t* sequence, std::uint32_t length, std::int64_t first) {
    const auto begin = reinterpret_cast<std::uintptr_t>(sequence);
    const std::uintptr_t at = begin + static_cast<std::uintptr_t>(first);
    const auto* from = reinterpret_cast<const unsigned*>(at & ~std::uintptr_t{3});
    const auto least = static_cast<std::int64_t>(begin & ~std::uintptr_t{3}) - reinterpret_cast<std::int64_t>(from);
    const auto most = static_cast<std::int64_t>(begin + length) - reinterpret_cast<std::int64_t>(from);
    const auto load = [&](int i) { return 4 * i >= least && 4 * i < most ? from[i] : 0; };
    unsigned word = load(0);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const unsigned next = load(i + 1);
      words[i] = __funnelshift_r(word, next, 8 * (at & 3));
      word = next;
    }
  }

  /// A bit of every symbol: that of symbol 4 j + k is bit 8 k + j.
  [[nodiscard]] __device__ unsigned plane(unsigned bit) const {
    unsigned plane = 0;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      const unsigned turned = __funnelshift_l(words[j], words[j], j - bit);
      plane = logic<(A & B) | C>(turned, 0x01010101U << j, plane);
    }
    return plane;
  }
  /// The symbol whose bits a transposed plane has in this lane.
  static __device__ unsigned symbol_of_lane() { return 4 * (lane_of_warp() % 8) + lane_of_warp() / 8; }
};

/// Bits begin .. end - 1 of a word, where both may be outside of it.
__device__ __forceinline__ unsigned bits_between(std::int64_t begin, std::int64_t end) {
  const auto below = [](std::int64_t bit) { return bit <= 0 ? 0 : bit >= 32 ? ~0U : (1U << bit) - 1; };
  return below(end) & ~below(begin);
}

/// Writes the words of a sequence of each pair of a group. `before`: places before the first symbol.
template <int Planes, class StorePresence>
__device__ void pack_sequences(const PairTables& tables, const std::uint8_t* sequence, std::uint32_t length,
                               std::uint32_t before, std::uint32_t width, unsigned* to, const StorePresence& store) {
  for (std::uint32_t first = 0; first < width; first += block_symbols) {
    const std::int64_t from = std::int64_t{first} - before;
    const SymbolBlock block(sequence, length, from);
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
      to[p * width + first + SymbolBlock::symbol_of_lane()] = transposed(block.plane(tables.bits[p]));
    }
    store(first + lane_of_warp(), transposed(bits_between(-from, std::int64_t{length} - from)));
  }
}

/// Packs the symbols of all groups. A warp packs A or B of one.
template <Measure measure, int Planes>
__global__ void pack_pairs(const PairTables tables) {
  using Bits = Difference<measure>;
  const unsigned number = number_of_warp(), side = number % 2;
  if (number / 2 >= tables.group_count) return;
  const PairGroup group = tables.groups[number / 2];
  const std::uint32_t at = group.first + lane_of_warp();
  const Pair pair = at < tables.pair_count ? tables.pairs[at] : Pair{};
  if (side == 0) {
    unsigned* const has_row = tables.words + group.a + Planes * group.width_a;
    pack_sequences<Planes>(tables, tables.a + pair.a, pair.n, 0, group.width_a, tables.words + group.a,
                           [&](std::uint32_t row, unsigned has) { has_row[row] = has; });
  } else {
    unsigned* const border = tables.words + group.b + Planes * group.width_b;
    pack_sequences<Planes>(
        tables, tables.b + pair.b, pair.m, group.columns - pair.m, group.width_b, tables.words + group.b,
        [&](std::uint32_t column, unsigned has) { Bits::above(has).store(border + column, group.width_b); });
  }
}

/// The sum of `count` words, bit by bit, in binary digits: 32 sums at once. `count` is a power of two.
template <int count>
class BitSums {
 public:
  static constexpr int digits = std::bit_width(static_cast<unsigned>(count));

  /// word(i): the words, for constant i.
  template <class Word>
  __device__ explicit BitSums(const Word& word) {
    digits_[digits - 1] = carry<digits - 2>(word, 0);
  }
  [[nodiscard]] __device__ unsigned digit(int d) const { return digits_[d]; }

 private:
  /// Adds 2^(level + 1) words from `first` on, and returns what they carry to the next digit.
  template <int level, class Word>
  __device__ __forceinline__ unsigned carry(const Word& word, int first) {
    unsigned one, other;
    if constexpr (level == 0) {
      one = word(first), other = word(first + 1);
    } else {
      one = carry<level - 1>(word, first), other = carry<level - 1>(word, first + (1 << level));
    }
    const unsigned sum = digits_[level];
    digits_[level] = logic<A ^ B ^ C>(sum, one, other);
    return logic<(A & B) | (A & C) | (B & C)>(sum, one, other);
  }

  unsigned digits_[digits] = {};
};

/// A warp's groups. K: rows of a lane.
template <Measure measure, int Planes, int K>
class PairStrips {
 public:
  using Bits = Difference<measure>;

  __device__ PairStrips(const PairTables& tables, const PairWarp& work)
      : tables_(tables),
        lanes_(work.lanes),
        lane_(lane_of_warp() % work.lanes),
        group_(tables.groups[min(work.first_group + lane_of_warp() / work.lanes, tables.group_count - 1)]),
        first_group_(work.first_group) {}

  __device__ void solve() {
    unsigned sum = 0;  // of strips, for warps of one group
    for (std::uint32_t row = 0; row < group_.rows; row += rows_of_a_strip()) {
      sweep(row, [](std::uint32_t, const Choice*) {});
      sum = add_sums(row + lane_ * K, sum, is_last(row));
      if (!is_last(row) && all_exceed(row + rows_of_a_strip(), sum)) return store_beyond();
      __syncwarp();
    }
  }

  /// Visits all cells. visit(cell, choices): gets the choices of K rows from a cell on, counted column by column.
  template <class Visit>
  __device__ void visit_choices(const Visit& visit) {
    for (std::uint32_t row = 0; row < group_.rows; row += rows_of_a_strip()) {
      const auto visit_column = [&](std::uint32_t column, const Choice* choices) {
        if (column < group_.columns) visit(column * group_.choices_of_column() + row + lane_ * K, choices);
      };
      sweep(row, visit_column);
      __syncwarp();
    }
  }
  [[nodiscard]] __device__ std::uint64_t first_choice() const { return group_.choices; }

 private:
  [[nodiscard]] __device__ const unsigned* a() const { return tables_.words + group_.a; }
  [[nodiscard]] __device__ unsigned* border() const { return tables_.words + group_.b + Planes * group_.width_b; }

  [[nodiscard]] __device__ std::uint32_t rows_of_a_strip() const { return lanes_ * K; }
  [[nodiscard]] __device__ bool is_last(std::uint32_t row) const { return row + rows_of_a_strip() >= group_.rows; }

  __device__ void set_rows(std::uint32_t first) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int p = 0; p < Planes; ++p) rows_[k][p] = a()[p * group_.width_a + first + k];
      v_[k] = Bits::column_zero();
    }
  }

  /// What a column needs: its symbols, and for the first lane h above.
  struct Column {
    unsigned symbols[Planes];
    Bits above;
  };
  /// Beside the table anything will do, also words behind all others that nobody writes.
  __device__ __forceinline__ Column load(std::uint32_t step) const {
    const unsigned* const symbols = tables_.words + group_.b - lane_;
    Column column;
#pragma unroll
    for (int p = 0; p < Planes; ++p) column.symbols[p] = symbols[p * group_.width_b + step];
    column.above = Bits::load(border() + step, group_.width_b);
    return column;
  }

  /// The columns of a strip that scripts within the bound come to. Lane q begins and ends q steps later than the first
  /// one. Before the first column it works on others with h as before column 0, which keeps v.
  template <class Visit>
  __device__ void sweep(std::uint32_t row, const Visit& visit) {
    set_rows(row + lane_ * K);
    const std::uint32_t first = group_.first_column(row), end = group_.last_column(row + rows_of_a_strip());
    Bits h = Bits::before();
    Column next = load(first);
    const bool hands_on = !is_last(row);
    run_steps<false>(first, end, end, hands_on, h, next, visit);
    run_steps<true>(end, end + lanes_ - 1, end, hands_on, h, next, visit);
  }

  template <bool ends, class Visit>
  __device__ __forceinline__ void run_steps(std::uint32_t first, std::uint32_t last, std::uint32_t end, bool hands_on,
                                            Bits& h, Column& next, const Visit& visit) {
    constexpr int unrolled = ends || K >= 32 ? 1 : 32 / K;
#pragma unroll unrolled
    for (std::uint32_t step = first; step < last; ++step) {
      const Column column = next;
      next = load(step + 1);
      h = Bits::each(h, column.above, [&](unsigned word, unsigned above) {
        const unsigned before = __shfl_up_sync(~0U, word, 1);
        return lane_ == 0 ? above : before;
      });
      if (!ends || step < end + lane_) run_column(column, h, step - lane_, visit);
      if (hands_on && lane_ + 1 == lanes_ && step >= lane_) h.store(border() + (step - lane_), group_.width_b);
    }
  }

  template <class Visit>
  __device__ __forceinline__ void run_column(const Column& column, Bits& h, std::uint32_t number, const Visit& visit) {
    Choice choices[K];
#pragma unroll
    for (int k = 0; k < K; ++k) {
      unsigned differ = rows_[k][0] ^ column.symbols[0];
#pragma unroll
      for (int p = 1; p < Planes; ++p) differ = logic<A | (B ^ C)>(differ, rows_[k][p], column.symbols[p]);
      const Bits above = h, left = v_[k];
      Bits::cell(differ, h, v_[k]);
      choices[k] = Bits::choice(differ, above, left, v_[k]);
    }
    visit(number, choices);
  }

  /// Adds v of the rows that pairs have. Lane q has the sums of pair q of each group.
  __device__ unsigned add_sums(std::uint32_t first, unsigned before, bool is_last) {
    const unsigned* const has_row = a() + Planes * group_.width_a + first;
    const BitSums<K * Bits::words> sums(
        [&](int i) { return v_[i / Bits::words].counted(i % Bits::words) & has_row[i / Bits::words]; });
    unsigned sum = 0;
#pragma unroll
    for (int d = 0; d < sums.digits; ++d) digits_[d] = transposed(sums.digit(d));
    for (unsigned number = 0; number < warp / lanes_; ++number) {
      sum = number == 0 ? before : 0;
      const unsigned of_group = (lanes_ == warp ? ~0U : (1U << lanes_) - 1) << number * lanes_;
#pragma unroll
      for (int d = 0; d < sums.digits; ++d) sum += __popc(digits_[d] & of_group) << d;
      if (is_last) store(first_group_ + number, sum);
    }
    return sum;
  }

  /// Whether no pair can have a distance within the bound, by the sums of the first `rows` rows. Entries do not
  /// decrease along the last diagonal, and the last column's are at most one larger for each column from there.
  __device__ bool all_exceed(std::uint32_t rows, unsigned sum) const {
    if (tables_.bound == no_bound) return false;
    const std::uint32_t at = group_.first + lane_of_warp();
    bool exceeds = true;
    if (at < tables_.pair_count) {
      const Pair pair = tables_.pairs[at];
      const std::uint32_t taken = min(rows, pair.n);
      exceeds = Bits::distance(taken, pair.m, sum) > std::uint64_t{tables_.bound} + (pair.n - taken);
    }
    return __all_sync(~0U, exceeds);
  }
  /// Of the group of a warp that has only one.
  __device__ void store_beyond() const {
    const std::uint32_t at = group_.first + lane_of_warp();
    if (at < tables_.pair_count) tables_.distances[tables_.pairs[at].place] = tables_.bound + 1;
  }

  __device__ void store(std::uint32_t group, unsigned sum) const {
    if (group >= tables_.group_count) return;
    const std::uint32_t at = tables_.groups[group].first + lane_of_warp();
    if (at >= tables_.pair_count) return;
    const Pair pair = tables_.pairs[at];
    const std::uint32_t distance = Bits::distance(pair.n, pair.m, sum);
    tables_.distances[pair.place] = distance > tables_.bound ? tables_.bound + 1 : distance;
  }

  const PairTables& tables_;
  const unsigned lanes_, lane_;
  const PairGroup group_;
  const std::uint32_t first_group_;
  unsigned rows_[K][Planes];
  Bits v_[K];
  unsigned digits_[8];
};

inline constexpr unsigned pair_threads = 128;

/// Blocks of a multiprocessor: as many as the registers allow.
template <int Planes, int K>
inline constexpr unsigned pair_blocks = [] {
  constexpr unsigned registers = 65536, of_a_thread = K * (Planes + 2) + 2 * Planes + 38;
  return registers / (pair_threads * of_a_thread);
}();

template <Measure measure, int Planes, int K>
__global__ void __launch_bounds__(pair_threads, pair_blocks<Planes, K>) compare_pairs(const PairTables tables) {
  const unsigned number = number_of_warp();
  if (number >= tables.warp_count) return;
  PairStrips<measure, Planes, K>(tables, tables.warps[number]).solve();
}

/// Computes and keeps the choices of all cells.
template <Measure measure, int Planes>
__global__ void __launch_bounds__(pair_threads) keep_pair_choices(const PairTables tables, uint2* choices) {
  constexpr int K = rows_for_scripts;
  const unsigned number = number_of_warp();
  if (number >= tables.warp_count) return;
  PairStrips<measure, Planes, K> strips(tables, tables.warps[number]);
  uint2* const to = choices + strips.first_choice();
  strips.visit_choices([&](std::uint64_t cell, const Choice* of_rows) {
    *reinterpret_cast<Choices<K>*>(to + cell) = Choices<K>(of_rows);
  });
}

/// Where the scripts of a batch are written.
struct PairRuns {
  const uint2* choices;
  const std::uint64_t* begins;  ///< of each pair's runs, by its place
  std::uint8_t* runs;
  std::uint32_t* written;  ///< bytes of each pair's runs, by its place
};

/// Writes the scripts of the pairs of groups first .. end - 1, from the end to row 0 or column 0. A thread walks.
__global__ void __launch_bounds__(pair_threads)
    write_pair_runs(const PairTables tables, const PairRuns to, std::uint32_t first, std::uint32_t end) {
  const std::uint32_t number = first + number_of_warp();
  if (number >= end) return;
  const PairGroup group = tables.groups[number];
  const std::uint32_t at = group.first + lane_of_warp();
  if (lane_of_warp() >= pairs_of_group || at >= tables.pair_count) return;
  const Pair pair = tables.pairs[at];
  const uint2* const choices = to.choices + group.choices;
  std::uint32_t row = pair.n, column = group.columns;
  const std::uint32_t before = group.columns - pair.m;
  RunBytes runs(to.runs + to.begins[pair.place]);
  while (row > 0 && column > before) {
    const uint2 choice = __ldg(choices + ((column - 1) * group.choices_of_column() + row - 1));
    const unsigned edit = (choice.x >> lane_of_warp() & 1) | (choice.y >> lane_of_warp() & 1) << 1;
    runs.add(edit, 1, true);
    row -= edit != 3;
    column -= edit != 2;
  }
  to.written[pair.place] = runs.end(true);
}

/// Copies from pinned memory of the host.
__global__ void copy_words(const std::uint64_t* from, std::uint64_t* to, std::size_t count) {
  for (std::size_t at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x) {
    to[at] = from[at];
  }
}

/// Adds the bytes of all sequences to a set of 256 bits. A warp reads one sequence after another. The words at its ends
/// have bytes besides that nobody has to have written.
__global__ void collect_symbols(const PairTables tables, unsigned* set) {
  __shared__ unsigned found[8];
  volatile unsigned* const seen = found;
  if (threadIdx.x < 8) found[threadIdx.x] = 0;
  __syncthreads();
  const unsigned warps = gridDim.x * blockDim.x / warp;
  for (std::uint64_t number = number_of_warp(); number < std::uint64_t{2} * tables.pair_count; number += warps) {
    const Pair pair = tables.pairs[number / 2];
    const std::uint8_t* const sequence = number % 2 ? tables.b + pair.b : tables.a + pair.a;
    const std::uint32_t length = number % 2 ? pair.m : pair.n;
    const auto skipped = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(sequence) & 3);
    const auto* const words = reinterpret_cast<const unsigned*>(sequence - skipped);
    for (std::uint32_t i = lane_of_warp(); 4 * i < length + skipped; i += warp) {
      const unsigned word = words[i];
      for (std::uint32_t k = 0; k < 4; ++k) {
        if (4 * i + k < skipped || 4 * i + k >= length + skipped) continue;
        const unsigned symbol = word >> 8 * k & 0xFF, bit = 1U << symbol % 32;
        if (!(seen[symbol / 32] & bit)) atomicOr(found + symbol / 32, bit);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < 8 && found[threadIdx.x]) atomicOr(set + threadIdx.x, found[threadIdx.x]);
}

}  // namespace warpfold::sequence::cuda
