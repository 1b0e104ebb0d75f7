#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/machine/machine.hpp"

/// Times in closed form, apart from the programs: pure functions of the problem's size n, p threads, width w and
/// latency l. "Exact" ones equal what the lockstep simulation measures; each comment says where the paper rounds.
/// Arrays start at multiples of w.
namespace warpfold::machine::formulas {

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// The DMM, the UMM and the HMM.
[[nodiscard]] constexpr bool has_latency(const Machine& machine) {
  return machine.kind != Kind::pram && machine.kind != Kind::bpram;
}

/// The UMM, and the HMM by its global memory, which is one: without a word on shared memories, formulas count the
/// global memory alone.
[[nodiscard]] constexpr bool has_groups(const Machine& machine) {
  return machine.kind == Kind::umm || machine.kind == Kind::hmm;
}

/// No program makes `accesses` accesses with p threads in less: a stage serves at most w of them, and a thread makes
/// one in l time units. max(ceil(A/w) + l - 1, ceil(A/p) l); without latency or width where the machine has none.
[[nodiscard]] std::uint64_t accesses_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t accesses);

/// n/w + nl/p with every constant 1 (n/p on the PRAM, n/w + n/p on the BPRAM): the papers' optimal time.
[[nodiscard]] double optimal(const Machine& machine, std::uint32_t p, double n);

/// Exact: one contiguous access of n words by p threads. ceil(n/w) + ceil(n/p) (l - 1) on the DMM and the UMM, where
/// 2012, section III, has (p/w + l - 1) n/p and assumes that p divides n.
[[nodiscard]] std::uint64_t contiguous(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: one stride access of n words, s = n/p an integer. (G p/w + l - 1) s on the DMM, G = gcd(s, w), and
/// (min(s, w) p/w + l - 1) s on the UMM: 2012, section III, bounds the groups of s < w by s, and s it is.
[[nodiscard]] std::uint64_t stride(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Table I of 2012, the row of the stride access, with every constant 1: n G/w + n l/p on the DMM,
/// min(n, n/w n/p) + n l/p on the UMM.
[[nodiscard]] double stride_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: the addresses start, start + step, .. , `count` of them, in turn by p threads. A warp of m of them takes
/// ceil(m gcd(step, w) / w) stages on the DMM, and on the UMM m where step >= w, else last/w - first/w + 1.
[[nodiscard]] std::uint64_t progression(const Machine& machine, std::uint32_t p, std::uint64_t start,
                                        std::uint64_t step, std::uint64_t count);

/// Addresses first .. last.
struct Interval {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Exact: the address groups of width w that intervals touch. Sorts its argument.
[[nodiscard]] std::uint64_t groups(std::span<Interval> intervals, std::uint64_t w);

/// `length` accesses to first, first + 1, .., or all to first.
struct Run {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  bool still = false;
};

/// Exact: one sequential access (UMM 2013, section II) to the runs, one after the other, on any machine but the DMM.
/// UMM 2013, Theorem 1, bounds the groups of a warp with f gaps by 2 f + 2.
[[nodiscard]] std::uint64_t sequential(const Machine& machine, std::uint32_t p, std::span<const Run> runs);

/// UMM 2013, Theorem 1, with the constants of its proof: 2 ceil(n/w) + 2 f + ceil(n/p) (l - 1).
[[nodiscard]] std::uint64_t sequential_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t f);

/// Exact, on the DMM and the UMM, for a side s that is a multiple of w, n = s s: a thread makes two accesses along a
/// row and two along a column, where m threads of a warp take m stages. Printed: 2 contiguous(n) + 2 (n + ceil(n/p) (l
/// - 1)). With exchanges for j < k only: 2 (warps with an exchange) + s (s - 1) + 4 (steps with an exchange) (l - 1).
[[nodiscard]] std::uint64_t transpose_straightforward(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                                      bool as_printed);

/// 2012, section IV, with every constant 1, on the DMM and the UMM: n/w gcd(s, w) + n l/p and min(n, n/w s) + n l/p,
/// where s is the distance of a column's words, the side. Printed for the UMM: s = n/p.
[[nodiscard]] double transpose_bound(const Machine& machine, std::uint32_t p, std::uint64_t side, bool as_printed);

/// Exact, for a side that is a multiple of w: 4 contiguous(n) on the DMM. 2012, section IV, has (p/w + l) n/p, which
/// counts reads or writes, and one of the two copies. On the UMM the diagonal copy takes n stages each way.
[[nodiscard]] std::uint64_t transpose_diagonal(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the DMM and the UMM: `matrices` transposes of side s, a multiple of w, by the rotating technique. m = s/w;
/// the matrices' m m blocks are turned by a warp each, 2 w accesses a thread, then w m (m - 1)/2 pairs of block rows
/// swapped, 4 accesses a pair. 2012, section IV, has O(n/w + nl/p).
[[nodiscard]] std::uint64_t transpose_rotating(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                               std::uint64_t matrices = 1);

/// Exact, on the UMM, for n = w^(2^m): 3^m passes that permute rows of w, and 2 * 3^(m-k) transposes of side
/// w^(2^(k-1)) for each k = 1 .. m. 2012, section VI, has O(n/w + nl/p) for constant m.
[[nodiscard]] std::uint64_t permute_umm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: the sum of n words by halving: two reads and a write of the lower half a round. Cited as
/// O(n/w + nl/p + l log n).
[[nodiscard]] std::uint64_t sum(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: prefix sums over a tree of pairwise sums, up and down. Cited as O(n/w + nl/p + l log n).
[[nodiscard]] std::uint64_t prefix_sums(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l log2 n, every constant 1.
[[nodiscard]] double tree_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on any machine but the DMM: Algorithm DP-OPT of UMM 2013 with a thread for each element of the diagonal.
/// Every access after Loop A is a progression with step n + 1.
[[nodiscard]] std::uint64_t dp_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, bool as_printed);

/// The rows that Loops D and E of Algorithm UMM-OPT walk in stage r: `full` rows of `length`, then rows of `tail`,
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

/// The argument of Theorem 3 with its constants: S = n(n-1)(n-2)/6 numbers are read, w a time unit and p in l time
/// units, and each of the n - 2 diagonals waits for the one before. max(ceil(S/w), ceil(S/p) l, (n - 2) l).
[[nodiscard]] std::uint64_t opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, for a tile side B that w divides: UMM-OPT by tiles on the HMM, T = ceil(n/B), q = p/d threads of a
/// multiprocessor. With a <= d tiles of a diagonal at a time, one tile moves between global and shared memory in
/// (a + 1) B^2/w + ceil(B^2/q) (l + l' - 2), and a product takes 2 B^3/w + 2 B ceil(B^2/q) (l' - 1); the s-th diagonal
/// of a closing has E = min(s + 1, 2B - 1 - s) elements with 2 s + 3 accesses of ceil(E/w) + ceil(E/q) (l' - 1).
[[nodiscard]] std::uint64_t tiled_umm_opt(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t side);

/// n^3/(3 w) ((1 + 1/B)/d + 1/B): the shared accesses of all products, spread over d multiprocessors, and the global
/// reads, which all of them share. So the time is o(n^3/w) only where both d and B grow; beyond d = B the global memory
/// sets it.
[[nodiscard]] double tiled_umm_opt_leading(const Machine& machine, std::uint64_t n, std::uint64_t side);

/// The argument of Theorem 3 on the HMM, whose d + 1 memories serve w words each a time unit.
[[nodiscard]] std::uint64_t hmm_opt_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM: n words and then the d parts are read in turn, q = p/d threads of a multiprocessor add up what
/// each has read (`block_total`), and d words and then one are written.
[[nodiscard]] std::uint64_t sum_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l + d + q/w + l' log2 q, every constant 1.
[[nodiscard]] double sum_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, whose multiprocessors have C = ceil(n/(q d)) chunks of q words each: three accesses of all words,
/// ceil(n/w) + C (l - 1) each; two block totals; the d parts written, and m of them read by multiprocessor m; and for
/// each chunk the prefix sums of q words and three accesses of them in shared memory.
[[nodiscard]] std::uint64_t prefix_sums_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n/w + nl/p + l + d + d d/w + (n/p + 1)(q/w + l' log2 q), every constant 1.
[[nodiscard]] double prefix_sums_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, for a side s that is a multiple of w: (s/w)^2 tiles, d at a time, each word of them read and
/// written once in global and once in shared memory, where a column of rows w + padding words apart has
/// gcd(padding, w) words in a bank.
[[nodiscard]] std::uint64_t transpose_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side,
                                          std::uint64_t padding);

/// The rows of `side` words that a multiprocessor permutes at once: the most that divide the side evenly, for which
/// there are threads, and which leave rows to the other multiprocessors; at least one.
[[nodiscard]] std::uint64_t rows_at_once(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the HMM, for a side s that is a multiple of w: three times s rows, a few on each multiprocessor, each read
/// and written once in global and twice in shared memory, and two transposes.
[[nodiscard]] std::uint64_t permute_hmm(const Machine& machine, std::uint32_t p, std::uint64_t side);

/// Exact, on the DMM, the UMM and the HMM for n that w divides, on the others for every n: each of the n n elements
/// takes 2 n reads and a write, where a warp reads one word of the first matrix or neighbours of the second.
[[nodiscard]] std::uint64_t matrix_product(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, on the HMM, for n that w divides, m = n/w: m m tiles, d at a time, m times two tiles loaded and multiplied.
[[nodiscard]] std::uint64_t matrix_product_hmm(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// n^3/w (1/w + 1/d) + n^3/p (l/w + l'), every constant 1; where a multiprocessor has at most w w threads, and a tile.
[[nodiscard]] double matrix_product_hmm_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact, for n and w that are powers of 2, and on the PRAM and the BPRAM for every w: m steps in merge m = 1 .. log n,
/// of 4 accesses to n/2 words. At a distance below w half of the words of two groups, or two of each bank, are
/// accessed: 2 stages a warp.
[[nodiscard]] std::uint64_t bitonic_sort(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// (n/w + nl/p + l) log2^2 n, every constant 1.
[[nodiscard]] double bitonic_sort_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// (n + nl/p + l) log2 n, every constant 1: a jump may have a stage of its own. On the PRAM and the BPRAM it has none.
[[nodiscard]] double list_ranking_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// D ((n + p)/w + k (n/p + 1) l) + k n for D levels of n vertices with k edges each, every constant 1: vertices are
/// read once a level, a level waits for the edges of its vertices, and each edge may have a stage of its own, once.
[[nodiscard]] double search_bound(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t degree,
                                  std::uint64_t levels);

/// Exact: for each of `taps` taps one word that a warp reads together and a progression that starts at it, and then the
/// outputs.
[[nodiscard]] std::uint64_t convolution(const Machine& machine, std::uint32_t p, std::uint64_t outputs,
                                        std::uint64_t taps);

/// The expected stages of w random-shift rows read down a column: the expected largest of w counts when w balls fall
/// into w bins at random.
[[nodiscard]] double expected_largest_bin(std::uint32_t w);

}  // namespace warpfold::machine::formulas
