#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "warpfold/run/backend.hpp"
#include "warpfold/sequence/align.hpp"

/// The algorithms for scored alignments.
namespace warpfold::sequence::alignment {

/// The score of what no alignment has. Costs are subtracted from it without an overflow.
inline constexpr std::int64_t impossible = -(std::int64_t{1} << 62);

/// One piece or two.
[[nodiscard]] inline std::vector<GapCosts::Piece> pieces_of(const GapCosts& gaps) {
  std::vector<GapCosts::Piece> pieces = {{gaps.open, gaps.extend}};
  if (gaps.second) pieces.push_back(*gaps.second);
  return pieces;
}

/// What the choice of an algorithm looks at.
struct Size {
  double n, m;
  std::uint32_t codes;
  bool has_matrix;
  std::int64_t min_score, max_score;
  std::int64_t match, mismatch;  ///< without a matrix
  AlignmentRequest request;

  [[nodiscard]] double cells() const { return n * m; }
};

[[nodiscard]] inline Size size_of(const ScoredPair& pair, const AlignmentRequest& request) {
  return {static_cast<double>(pair.n()),
          static_cast<double>(pair.m()),
          pair.codes(),
          pair.has_matrix(),
          pair.min_score(),
          pair.max_score(),
          pair.has_matrix() ? 0 : pair.score(0, 0),
          pair.has_matrix() ? 0 : pair.score(0, 1),
          request};
}

/// Two sequences, neither of which is empty. Scripts and ends follow Ties::left.
struct Query {
  const ScoredPair& pair;
  const AlignmentRequest& request;

  [[nodiscard]] std::size_t n() const { return pair.n(); }
  [[nodiscard]] std::size_t m() const { return pair.m(); }
  [[nodiscard]] const GapCosts& gaps() const { return request.gaps; }
  [[nodiscard]] const FreeEnds& ends() const { return request.ends; }
  [[nodiscard]] double cells() const { return static_cast<double>(n()) * static_cast<double>(m()); }
  /// The score of A[i] and B[j], counted from 1.
  [[nodiscard]] std::int64_t score(std::size_t i, std::size_t j) const {
    return pair.score(pair.a()[i - 1], pair.b()[j - 1]);
  }
  /// H(i,0) and H(0,j).
  [[nodiscard]] std::int64_t left_of(std::size_t i) const {
    return i == 0 || ends().local || ends().begin_a ? 0 : -gaps().of(i);
  }
  [[nodiscard]] std::int64_t above(std::size_t j) const {
    return j == 0 || ends().local || ends().begin_b ? 0 : -gaps().of(j);
  }
};

/// The best end so far. Ends have to be offered in ascending order, or by `offer_any`.
struct BestEnd {
  std::optional<std::int64_t> score = {};
  std::size_t i = 0, j = 0;

  void offer(std::int64_t value, std::size_t row, std::size_t column) {
    if (!score || value > *score) *this = {value, row, column};
  }
  /// In any order: of equal scores the smallest end in A is taken, then in B.
  void offer_any(const BestEnd& other) {
    if (!other.score) return;
    const bool is_before = other.i < i || (other.i == i && other.j < j);
    if (!score || *other.score > *score || (*other.score == *score && is_before)) *this = other;
  }
  [[nodiscard]] Alignment alignment() const { return {.score = *score, .end_a = i, .end_b = j}; }
};

using AlignmentBackend = Backend<Size, Query, Alignment>;

/// Raises Error{usage} for gap costs that are not accepted, and Error{overflow} if scores can be too large.
void check_request(const ScoredPair& pair, const AlignmentRequest& request);

/// The complete table, the oracle of the others.
[[nodiscard]] Alignment reference(const Query& query, Context& context);

/// Row by row in 64 bits, for all costs.
[[nodiscard]] Alignment by_rows(const Query& query, Context& context);
[[nodiscard]] std::size_t bytes_of_rows(const Size& size, const Options& options);

}  // namespace warpfold::sequence::alignment
