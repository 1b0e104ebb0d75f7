#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/sequence/script.hpp"
#include "warpfold/sequence/symbols.hpp"

namespace warpfold::sequence {

/// The score of every pair of some symbols.
class ScoreMatrix {
 public:
  /// `scores`: row by row, entry (x, y) for symbols[x] of A and symbols[y] of B. Raises Error{input} for a symbol that
  /// occurs twice, and for another number of scores than the square of the number of symbols.
  ScoreMatrix(std::vector<std::uint32_t> symbols, std::vector<std::int64_t> scores);

  [[nodiscard]] std::span<const std::uint32_t> symbols() const { return symbols_; }
  /// The score of the symbols at two positions of `symbols()`.
  [[nodiscard]] std::int64_t score(std::size_t x, std::size_t y) const { return scores_[x * symbols_.size() + y]; }
  /// The position of a symbol.
  [[nodiscard]] std::optional<std::size_t> find(std::uint32_t symbol) const;
  [[nodiscard]] bool is_symmetric() const;

 private:
  std::vector<std::uint32_t> symbols_;
  std::vector<std::int64_t> scores_;
  std::vector<std::size_t> ascending_;  ///< positions, by symbol
};

/// Two sequences and the scores of their symbols. Made once, it serves any number of alignments.
class ScoredPair {
 public:
  /// Symbols that match score `match`, others `mismatch`. Raises Error{usage} for a score beyond 2^61.
  ScoredPair(const Coded& pair, std::int64_t match, std::int64_t mismatch);
  /// Raises Error{input} for a symbol that the matrix lacks, with its position, and for a sequence longer than
  /// `max_length`.
  ScoredPair(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, const ScoreMatrix& matrix);
  /// The same for two strings, whose symbols are their bytes.
  ScoredPair(std::string_view a, std::string_view b, const ScoreMatrix& matrix);

  [[nodiscard]] std::span<const std::uint32_t> a() const { return a_; }  ///< codes, equal for equal symbols
  [[nodiscard]] std::span<const std::uint32_t> b() const { return b_; }
  [[nodiscard]] std::size_t n() const { return a_.size(); }
  [[nodiscard]] std::size_t m() const { return b_.size(); }
  [[nodiscard]] std::uint32_t codes() const { return codes_; }  ///< all codes are less
  [[nodiscard]] bool has_matrix() const { return !scores_.empty(); }

  /// Whether the symbols of two codes match: they are equal, or sets that have an element in common.
  [[nodiscard]] bool matches(std::uint32_t x, std::uint32_t y) const {
    if (matches_.empty()) return x == y;
    return matches_[std::size_t{x} * codes_ + y];
  }
  /// The score of two codes.
  [[nodiscard]] std::int64_t score(std::uint32_t x, std::uint32_t y) const {
    if (scores_.empty()) return x == y ? max_score_ : min_score_;
    return scores_[std::size_t{x} * codes_ + y];
  }
  /// No score is less, and with a mismatch as the least one, which then may be larger than the match.
  [[nodiscard]] std::int64_t min_score() const { return std::min(min_score_, max_score_); }
  [[nodiscard]] std::int64_t max_score() const { return std::max(min_score_, max_score_); }

  /// Both sequences reversed.
  [[nodiscard]] ScoredPair reversed() const;
  /// The symbols from begin_a to end_a of A and from begin_b to end_b of B, the ends not included.
  [[nodiscard]] ScoredPair part(std::size_t begin_a, std::size_t end_a, std::size_t begin_b, std::size_t end_b) const;
  /// Both sequences, every score times `factor` plus `added`.
  [[nodiscard]] ScoredPair rescored(std::int64_t factor, std::int64_t added) const;

 private:
  std::vector<std::uint32_t> a_, b_;
  std::uint32_t codes_ = 0;
  std::vector<std::int64_t> scores_;  ///< of a matrix or of sets, by codes
  std::vector<bool> matches_;         ///< of sets, by codes
  std::int64_t max_score_ = 0;        ///< without a matrix: of equal symbols
  std::int64_t min_score_ = 0;        ///< without a matrix: of different symbols
};

/// What a gap costs: open + extend * length, and with a second piece the lesser of both. No gap costs nothing.
struct GapCosts {
  /// open + extend * length.
  struct Piece {
    std::int64_t open = 0;
    std::int64_t extend = 1;

    bool operator==(const Piece&) const = default;
  };

  std::int64_t open = 0;
  std::int64_t extend = 1;
  std::optional<Piece> second = {};

  [[nodiscard]] std::int64_t of(std::uint64_t length) const {
    if (length == 0) return 0;
    const auto symbols = static_cast<std::int64_t>(length);
    const std::int64_t cost = open + extend * symbols;
    return second ? std::min(cost, second->open + second->extend * symbols) : cost;
  }
  bool operator==(const GapCosts&) const = default;
};

/// What an alignment may leave out at no cost.
struct FreeEnds {
  bool begin_a = false, end_a = false, begin_b = false, end_b = false;
  bool local = false;  ///< any beginnings and ends; the others are then ignored

  bool operator==(const FreeEnds&) const = default;
};

/// Both sequences from end to end.
inline constexpr FreeEnds global_ends = {};
/// A part of A with a part of B.
inline constexpr FreeEnds local_ends = {.local = true};
/// A with a part of B.
inline constexpr FreeEnds infix_ends = {.begin_b = true, .end_b = true};
/// A with a beginning of B.
inline constexpr FreeEnds prefix_ends = {.end_b = true};
/// An end of one sequence with a beginning of the other, or one sequence with a part of the other.
inline constexpr FreeEnds overlap_ends = {.begin_a = true, .end_a = true, .begin_b = true, .end_b = true};

/// What to align, besides the two sequences.
struct AlignmentRequest {
  bool script = false;     ///< whether to return a script
  Ties ties = Ties::left;  ///< which of several optimal alignments
  GapCosts gaps = {};
  FreeEnds ends = {};
};

/// An optimal alignment of a part of A with a part of B.
struct Alignment {
  std::int64_t score = 0;
  /// Symbols of A and B up to the alignment's end.
  std::uint64_t end_a = 0, end_b = 0;
  /// If requested, the matches, substitutions, deletions and insertions. Its begins are the alignment's.
  Script script = {};
};

/// Computes an alignment of the largest score. With g(L) the cost of a gap of L symbols:
///
///     H(0,0) = 0,   H(i,0) = -g(i), or 0 if A's beginning is free,   H(0,j) = -g(j), or 0 if B's beginning is free,
///     H(i,j) = max(H(i-1,j-1) + score(A[i], B[j]), max over L of H(i-L,j) - g(L), max over L of H(i,j-L) - g(L)),
///
/// and for local alignments also H(i,j) >= 0. The score is H(n,m); the largest H(i,m) or H(n,j) where the end of A or
/// of B is free; the largest of all for local alignments. A gap costs two operations a cell and piece, since the
/// maximum over L for one cell follows from that for its neighbor.
///
/// | algorithm | operations | bytes, and for a script |
/// |---|---|---|
/// | `strips` | 8 n m / L vector operations, local 13 | 6 m a thread, 4 (n + m) m / 500 |
/// | `diagonals` | n + m + s^2 / e for a cost s | 12 s, 4 s^2 / e |
/// | `band` | those of `strips` for n w cells of w diagonals | the same |
/// | `rows` | some 10 n m, two pieces too | 16 m, at most 64 MB and 16 bytes a symbol |
///
/// L is the number of lanes of a vector. Except for local alignments, lanes have 8 bits where the differences in 4 rows
/// and 4 columns provably fit: where open, 2 extend and the largest score are together at most some 50. Otherwise they
/// have 16 bits where the differences in a strip fit, and else 32. `diagonals` aligns both sequences from end to end,
/// by a match and a mismatch. The cost s is match (n + m) - 2 score, and e is 2 extend + match, both divided by what
/// divides all costs. `band` aligns both from end to end, too: a narrow band shows a score, and alignments of this
/// score or a larger one cannot leave w diagonals.
///
/// On a GPU `strips` aligns by linear or affine gaps, with all ends. Its scores have 8 bits, together with twice the
/// cost to extend a gap.
///
/// A script takes at most 64 MB and 16 bytes a symbol, by `diagonals` 256 MB. Less memory makes it slower. On a GPU it
/// takes n m / 120 bytes of the GPU's memory for a million symbols, and up to n m / 45 for fewer. With a limit it takes
/// less and computes up to all cells again.
///
/// Ties. Of several ends the smallest in A is taken, then the smallest in B. The script is what the complete table
/// gives when it is walked from this end to the beginning: a match or substitution first, then a deletion, then an
/// insertion; of several lengths of a gap the shortest. A local alignment begins at the first 0 of the walk.
/// `Ties::right` is the same for both sequences reversed; where an end is free, it takes the time of a script.
/// `Ties::shortest` and `Ties::longest` compare the columns of all optimal alignments before their ends: the scores are
/// multiplied by n + m + 1, and a column adds 1 or -1, so that most scores need `strips` with 32 bits, or `rows`. Every
/// algorithm, number of threads and instruction set gives the same alignment.
///
/// Raises Error{usage} for a gap cost below 0, and for Ties::longest and a gap that costs nothing to extend. Raises
/// Error{overflow} if a score can exceed 2^61. Raises Error{usage},
/// Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<Alignment> align(const ScoredPair& pair, const Options& options = {},
                                       const AlignmentRequest& request = {});
/// The same for two strings, whose symbols are their bytes. Equal symbols score 1, others -1.
[[nodiscard]] Outcome<Alignment> align(std::string_view a, std::string_view b, const Options& options = {},
                                       const AlignmentRequest& request = {});

/// Returns every algorithm by name, with its purpose.
[[nodiscard]] std::vector<AlgorithmInfo> align_algorithms();

/// Returns the time and memory that `align` would take. Raises what it raises for the options and the request.
[[nodiscard]] Estimate estimate_align(const ScoredPair& pair, const Options& options = {},
                                      const AlignmentRequest& request = {});

}  // namespace warpfold::sequence
