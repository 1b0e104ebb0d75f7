#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/machine/machine.hpp"

/// Times in closed form, as pure functions of the problem's size n, p threads, width w and latency l. "Exact" times
/// equal those of the lockstep simulation; the comments say where the paper rounds. Arrays start at multiples of w.
namespace warpfold::machine::formulas {

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// The DMM, the UMM and the HMM.
[[nodiscard]] constexpr bool has_latency(const Machine& machine) {
  return machine.kind != Kind::pram && machine.kind != Kind::bpram;
}

/// The UMM, or the HMM's global memory, which is a UMM. A formula counts the global memory only, unless it names shared
/// memories.
[[nodiscard]] constexpr bool has_groups(const Machine& machine) {
  return machine.kind == Kind::umm || machine.kind == Kind::hmm;
}

/// The most distinct words of a stage: the width, or the threads of a warp if these are fewer. Where a formula below
/// says w words of a stage, these are meant.
[[nodiscard]] constexpr std::uint32_t words_of_stage(const Machine& machine) {
  return has_latency(machine) ? std::min(machine.width, machine.warp_size()) : machine.width;
}

/// Whether the width and the threads of a warp divide `side`, so that a warp stays in one row.
[[nodiscard]] constexpr bool divides(const Machine& machine, std::uint64_t side) {
  return side % std::max(machine.width, machine.warp_size()) == 0;
}

/// The lower bound for accesses of A distinct words with p threads: max(ceil(A/w) + l - 1, ceil(A/p) l). A stage serves
/// at most w words, and a thread makes an access in l time units. Terms with a latency or width that the machine lacks
/// are left out.
[[nodiscard]] std::uint64_t accesses_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t accesses);

/// n/w + nl/p with every constant 1 (n/p on the PRAM, n/w + n/p on the BPRAM): the papers' optimal time.
[[nodiscard]] double optimal(const Machine& machine, std::uint32_t p, double n);

/// Exact: one contiguous access of n words by p threads, ceil(n/w) + ceil(n/p) (l - 1) on the DMM and the UMM. The 2012
/// paper, section III, has (p/w + l - 1) n/p, and assumes that p divides n.
[[nodiscard]] std::uint64_t contiguous(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: each warp of n threads reads one word, ceil(n/W) + ceil(n/p) (l - 1) for warps of W threads. On the PRAM and
/// the BPRAM: as contiguous.
[[nodiscard]] std::uint64_t broadcast(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: one stride access of n words, s = n/p an integer. On the DMM it takes (G p/w + l - 1) s with G = gcd(s, w).
/// On the UMM it takes (min(s, w) p/w + l - 1) s. The 2012 paper, section III, bounds the groups of s < w by s, which
/// is exact.
[[nodiscard]] std::uint64_t stride(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Table I of 2012, the row of the stride access, with every constant 1. DMM: n G/w + n l/p. UMM: min(n, n/w n/p) + n
/// l/p.
[[nodiscard]] double stride_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: the stages of `count` addresses start, start + step, .., step > 0, in warps of consecutive addresses. A warp
/// of m of them takes ceil(m gcd(step, w) / w) stages on the DMM. On the UMM it takes m stages if step >= w, else
/// last/w - first/w + 1.
[[nodiscard]] std::uint64_t progression_stages(const Machine& machine, std::uint64_t start, std::uint64_t step,
                                               std::uint64_t count);

/// Exact: the time of such a progression, taken in turn by p threads.
[[nodiscard]] std::uint64_t progression(const Machine& machine, std::uint32_t p, std::uint64_t start,
                                        std::uint64_t step, std::uint64_t count);

/// An interval of addresses, first .. last.
struct Interval {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Exact: the number of address groups of width w that intervals touch. Sorts its argument.
[[nodiscard]] std::uint64_t groups(std::span<Interval> intervals, std::uint64_t w);

/// A run of `length` accesses to first, first + 1, .., or all of them to first.
struct AccessRun {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  bool still = false;
};

/// Exact: one sequential access (UMM 2013, section II) to the runs, one after another, on any machine but the DMM.
/// Theorem 1 of UMM 2013 bounds the groups of a warp with f gaps by 2 f + 2.
[[nodiscard]] std::uint64_t sequential(const Machine& machine, std::uint32_t p, std::span<const AccessRun> runs);

/// UMM 2013, Theorem 1, with the constants of its proof: 2 ceil(n/w) + 2 f + ceil(n/p) (l - 1).
[[nodiscard]] std::uint64_t sequential_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t f);

/// Exact, on the DMM and the UMM, for a side s that is a multiple of w, n = s s. A thread makes two accesses along a
/// row and two along a column, where m threads of a warp take m stages. As printed: 2 contiguous(n) + 2 (n + ceil(n/p)
/// (l - 1)). With exchanges for j < k only: 2 (warps with an exchange) + s (s - 1) + 4 (steps with an exchange) (l -
/// 1).
[[nodiscard]] std::uint64_t transpose_straightforward(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                                      bool as_printed);

/// The bound of 2012, section IV, with every constant 1. DMM: n/w gcd(s, w) + n l/p. UMM: min(n, n/w s) + n l/p. s is
/// the distance between words of a column, which is the side. Printed for the UMM: s = n/p.
[[nodiscard]] double transpose_bound(const Machine& machine, std::uint32_t p, std::uint64_t side, bool as_printed);

/// Exact, for a side that is a multiple of w: 4 contiguous(n) on the DMM. The 2012 paper, section IV, has (p/w + l)
/// n/p, which counts either reads or writes, and one of the two copies. On the UMM the diagonal copy takes n stages
/// each way.
[[nodiscard]] std::uint64_t transpose_diagonal(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the DMM and the UMM: `matrices` transposes of side s, a multiple of w, by the rotating technique. With m =
/// s/w, a warp turns each of the m m blocks with 2 w accesses a thread. Then w m (m - 1)/2 pairs of block rows are
/// swapped, 4 accesses a pair. The 2012 paper, section IV, has O(n/w + nl/p).
[[nodiscard]] std::uint64_t transpose_rotating(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                               std::uint64_t matrices = 1);

/// Exact, on the UMM, for n = w^(2^m): 3^m passes that permute rows of w, and 2 * 3^(m-k) transposes of side
/// w^(2^(k-1)) for each k = 1 .. m. The 2012 paper, section VI, has O(n/w + nl/p) for constant m.
[[nodiscard]] std::uint64_t permute_umm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: the sum of n words by halving: two reads and a write of the lower half in each round. Cited as O(n/w + nl/p +
/// l log n).
[[nodiscard]] std::uint64_t sum(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: prefix sums over a tree of pairwise sums, up and down. Cited as O(n/w + nl/p + l log n).
[[nodiscard]] std::uint64_t prefix_sums(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l log2 n, every constant 1.
[[nodiscard]] double tree_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on any machine but the DMM: Algorithm DP-OPT of UMM 2013 with one thread per element of the diagonal. Every
/// access after Loop A is a progression with step n + 1.
[[nodiscard]] std::uint64_t dp_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, bool as_printed);

/// Exact: the thread-based method of the 2013 GPU paper, section 4. M(i,j) is at (i, j) or, if sliding, at (j - i, j).
/// Every access is a progression with step n + 1 or 1.
[[nodiscard]] std::uint64_t opt_by_threads(const Machine& machine, std::uint32_t p, std::uint64_t n, bool sliding);

/// The rows that Loops D and E of Algorithm UMM-OPT access in stage r: `full` rows of `length`, then rows of `tail`,
/// tail - 1, .., 1 elements.
struct Trapezoid {
  std::uint64_t full = 0;
  std::uint64_t length = 0;
  std::uint64_t tail = 0;

  struct Place {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
  };

  [[nodiscard]] std::uint64_t rows() const { return full + tail; }
  [[nodiscard]] std::uint64_t size() const { return full * length + tail * (tail + 1) / 2; }
  [[nodiscard]] std::uint64_t length_of(std::uint64_t row) const { return row < full ? length : rows() - row; }
  [[nodiscard]] Place at(std::uint64_t index) const;
};

/// Row i of Loops D and E, i = 1 .. n-r-1, has min(n-1, i+2r-1) - (i+r) + 1 elements.
[[nodiscard]] Trapezoid umm_opt_rows(std::uint64_t n, std::uint64_t r);

/// Exact, on any machine but the DMM: Algorithm UMM-OPT of UMM 2013. Its Table I bounds every access by Theorem 1.
[[nodiscard]] std::uint64_t umm_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, bool as_printed);

/// n^3/w + n^3 l/p + n l, every constant 1: Theorems 2 and 3 of UMM 2013.
[[nodiscard]] double opt_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// The lower bound of every program: max(ceil(S'/w), ceil(S'/p) l, l). S' = n(n-3)/2 weights are read at least once,
/// and the result is written. On the HMM the weights are in the global memory.
[[nodiscard]] std::uint64_t opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// The lower bound of Theorem 3 with its constants: max(ceil(S/w), ceil(S/p) l, (n - 2) l). S = n(n-1)(n-2)/6 numbers
/// are read, a warp per time unit and p per l time units. Each of the n - 2 diagonals waits for the one before. The
/// proof reads a number for every split, so it assumes threads that keep O(1) words.
[[nodiscard]] std::uint64_t few_words_opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: n(n-3)/2 reads and a write of one thread, one after another.
[[nodiscard]] std::uint64_t opt_one_thread(const Machine& machine, std::uint64_t n);

/// Exact, for a tile side B that w divides, and that is a multiple or a divisor of the warp: UMM-OPT by tiles on the
/// HMM, T = ceil(n/B), with q = p/d threads per multiprocessor and a <= d tiles of a diagonal at a time.
///
/// * Moving a tile between global and shared memory takes (a + 1) B^2/w + ceil(B^2/q) (l + l' - 2).
/// * A product takes 2 B^3/w + 2 B ceil(B^2/q) (l' - 1).
/// * The s-th diagonal of a closing has E = min(s + 1, 2B - 1 - s) elements. It makes 2 s + 3 accesses of ceil(E/w) +
///   ceil(E/q) (l' - 1).
[[nodiscard]] std::uint64_t tiled_umm_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t side);

/// n^3/(3 w) ((1 + 1/B)/d + 1/B): the shared accesses of all products, spread over d multiprocessors, and the global
/// reads, which all of them share. So the time is o(n^3/w) only if both d and B grow. Beyond d = B the global memory
/// sets it.
[[nodiscard]] double tiled_umm_opt_leading(const Machine& machine, std::uint64_t n, std::uint64_t side);

/// The lower bound of Theorem 3 on the HMM, whose d + 1 memories each serve a warp per time unit.
[[nodiscard]] std::uint64_t few_words_hmm_opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM: n words, then the d parts, are read in turn. q = p/d threads of a multiprocessor add up what each
/// has read (`block_total`). Then d words, then one, are written.
[[nodiscard]] std::uint64_t sum_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l + d + q/w + l' log2 q, every constant 1.
[[nodiscard]] double sum_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, whose multiprocessors have C = ceil(n/(q d)) chunks of q words each. The parts of the time:
///
/// * Three accesses of all words, ceil(n/w) + C (l - 1) each.
/// * Two block totals.
/// * The d parts written, m of which multiprocessor m reads.
/// * For each chunk the prefix sums of q words, and three accesses of the words in shared memory.
[[nodiscard]] std::uint64_t prefix_sums_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l + d + d d/w + (n/p + 1)(q/w + l' log2 q), every constant 1.
[[nodiscard]] double prefix_sums_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, for a side s that is a multiple of w: (s/w)^2 tiles, d at a time. Each word is read and written
/// once in global and once in shared memory. Rows are w + padding words apart, so a column has gcd(padding, w) words in
/// a bank.
[[nodiscard]] std::uint64_t transpose_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                          std::uint64_t padding);

/// The number of rows of `side` words that a multiprocessor permutes at once, at least one. It is the largest number
/// that divides the side evenly, has threads, and leaves rows for the other multiprocessors.
[[nodiscard]] std::uint64_t rows_at_once(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the HMM, for a side s that is a multiple of w: three passes over s rows, a few on each multiprocessor, and
/// two transposes. A pass reads and writes each row once in global and twice in shared memory.
[[nodiscard]] std::uint64_t permute_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the DMM, the UMM and the HMM for n that w divides, and on the others for every n. Each of the n n elements
/// takes 2 n reads and a write. A warp reads one word of the first matrix, or neighbors of the second.
[[nodiscard]] std::uint64_t matrix_product(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, for n that w divides, m = n/w: m m tiles, d at a time. For each tile two tiles are loaded and
/// multiplied, m times.
[[nodiscard]] std::uint64_t matrix_product_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n^3/w (1/w + 1/d) + n^3/p (l/w + l'), every constant 1. A multiprocessor has at most w w threads, and one tile.
[[nodiscard]] double matrix_product_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, for n and w that are powers of 2, and on the PRAM and the BPRAM for every w. Merge m = 1 .. log n has m steps
/// of 4 accesses to n/2 words. At a distance below w a warp accesses half of the words of two groups, or two words in
/// each bank: 2 stages.
[[nodiscard]] std::uint64_t bitonic_sort(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// (n/w + nl/p + l) log2^2 n, every constant 1.
[[nodiscard]] double bitonic_sort_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// (n + nl/p + l) log2 n, every constant 1: each jump may need its own stage. On the PRAM and the BPRAM it does not.
[[nodiscard]] double list_ranking_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// D ((n + p)/w + k (n/p + 1) l) + k n for D levels of n vertices with k edges each, every constant 1. Each level reads
/// all vertices and waits for their edges. Each edge may once need its own stage.
[[nodiscard]] double search_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t degree,
                                  std::uint64_t levels);

/// Exact: for each of `taps` taps, one word that a warp reads together and a progression that starts at it; then the
/// outputs.
[[nodiscard]] std::uint64_t convolution(const Machine& machine, std::uint32_t p, std::uint64_t outputs,
                                        std::uint64_t taps);

/// Exact, on the PRAM and the BPRAM, for n a power of 2: two accesses to n words, and four to n/2 words in each of log
/// n rounds. On the DMM and the UMM the bit reversal takes a stage for each word if n >= w^2.
[[nodiscard]] std::uint64_t fft(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// (n/w + nl/p + l) log2 n + n, every constant 1; without the last n on the PRAM and the BPRAM.
[[nodiscard]] double fft_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, for p that divides n: three stride accesses to n words, two accesses to p words, and the prefix sums of p
/// words.
[[nodiscard]] std::uint64_t prefix_sums_blocks(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// The time of a stride access plus l log2 p, every constant 1.
[[nodiscard]] double prefix_sums_blocks_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Where the table of two sequences of n and m symbols is (2013 GPU paper, section 4).
enum class PairArrangement : std::uint8_t {
  naive,     ///< D(i,j) at (i, j)
  sliding,   ///< D(i,j) at (i + j, i)
  mirroring  ///< D(i,j) at (i, j), and at (j, i) of a second table
};

struct PairLayout {
  PairArrangement arrangement;
  std::uint64_t n, m;
  std::uint64_t padding = 0;  ///< words between two rows

  [[nodiscard]] std::uint64_t pitch() const { return (arrangement == PairArrangement::sliding ? n : m) + padding; }
  [[nodiscard]] std::uint64_t place(std::uint64_t i, std::uint64_t j) const {
    return (arrangement == PairArrangement::sliding ? i + j : i) * pitch() +
           (arrangement == PairArrangement::sliding ? i : j);
  }
  [[nodiscard]] std::uint64_t mirror_place(std::uint64_t i, std::uint64_t j) const { return j * (n + padding) + i; }
  [[nodiscard]] std::uint64_t words() const {
    return (arrangement == PairArrangement::sliding ? n + m - 1 : n) * pitch();
  }
  [[nodiscard]] std::uint64_t mirror_words() const {
    return arrangement == PairArrangement::mirroring ? m * (n + padding) : 0;
  }
};

/// Exact: n + (3 n - 1) m accesses of one thread, one after another.
[[nodiscard]] std::uint64_t pair_sequential(const Machine& machine, std::uint64_t n, std::uint64_t m);

/// Exact: n rows. The terms of a row take a broadcast, a read of B, two reads of the row before and a write. Each of
/// log2 m rounds reads all words, all but the first 1, 2, 4, .. words, and writes all.
[[nodiscard]] std::uint64_t pair_rows(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m);

/// Exact: n + m - 1 diagonals. Each reads A, B and three neighbors, and writes D. Rows are `pitch` words apart, so the
/// accesses of a diagonal are a progression with step pitch - 1, or 1 if sliding. On the DMM a warp of w threads takes
/// gcd(pitch - 1, w) stages. On the UMM it takes w, or 2 at most if sliding.
[[nodiscard]] std::uint64_t pair_diagonals(const Machine& machine, std::uint32_t p, const PairLayout& layout);

struct PairStages {
  std::uint64_t read = 0, written = 0;
};

/// The stages of that program's reads and of its writes.
[[nodiscard]] PairStages pair_diagonals_stages(const Machine& machine, std::uint32_t p, const PairLayout& layout);

/// Exact, on the HMM, for a tile side B that divides n and m and is a multiple of w. The table of a tile in shared
/// memory has rows of B + 2 words, so a diagonal's words are in distinct banks.
///
/// * Each tile reads 2 B symbols and 2 B + 1 words of its borders, and writes 2 B words of them.
/// * The s-th of 2 B - 1 diagonals takes 6 accesses of min(s + 1, 2 B - 1 - s) words in shared memory.
/// * d tiles of a diagonal of tiles run at a time.
[[nodiscard]] std::uint64_t pair_tiles(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m,
                                       std::uint64_t side);

/// The bits of words in which bit b of word k is row b K + k, K = ceil(n/bits), and works K columns behind bit b - 1.
struct PairSlices {
  std::uint64_t n, m, bits;
  std::uint64_t planes;  ///< bits of a symbol
  std::uint64_t signs;   ///< words of a difference: 1 of a common subsequence, 2 of an edit distance

  [[nodiscard]] std::uint64_t words() const { return ceil_div(n, bits); }
  /// The columns of a word, skewed.
  [[nodiscard]] std::uint64_t steps() const { return m + words() * (bits - 1); }
};

/// Exact: the planes of A, then those of B, K columns at a time, then K m/w + .. words by m + K bits - 1 diagonals. A
/// word takes 2 planes + 4 signs accesses, and the first one of its diagonal `signs` more.
[[nodiscard]] std::uint64_t pair_slices(const Machine& machine, std::uint32_t p, const PairSlices& slices);

/// n m/w + n m l/p + (n + m) l, with n m / `bits` words, every constant 1.
[[nodiscard]] double pair_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m,
                                std::uint64_t bits);
/// (n m/w + n m l/p + n l) log2 m, every constant 1.
[[nodiscard]] double pair_rows_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m);
/// n m (1/d + 1/B)/w + n m l'/p + (n + m)(B/w + l' + l/B), every constant 1.
[[nodiscard]] double pair_tiles_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t m,
                                      std::uint64_t side);

/// The lower bound of programs that write each of the n m cells, each of the n + m - 1 diagonals after the one before:
/// max(n m/w, ceil(n m/p) l, (n + m - 1) l).
[[nodiscard]] std::uint64_t few_words_pair_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n,
                                                       std::uint64_t m);
/// The same on the HMM, whose d + 1 memories each serve a warp per time unit, with the lesser latency.
[[nodiscard]] std::uint64_t few_words_hmm_pair_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n,
                                                           std::uint64_t m);

/// The expected number of stages for reading w random-shift rows down a column: the expected largest count when w balls
/// fall into w bins at random.
[[nodiscard]] double expected_largest_bin(std::uint32_t w);

}  // namespace warpfold::machine::formulas
