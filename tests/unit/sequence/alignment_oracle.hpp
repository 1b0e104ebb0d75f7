#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "unit/sequence/oracle.hpp"
#include "warpfold/sequence/align.hpp"

namespace warpfold::sequence::test {

/// Every alignment of two short sequences, by plain recursion from any beginning to any end: the largest score.
class AllAlignments {
 public:
  AllAlignments(const ScoredPair& pair, const AlignmentRequest& request) : pair_(pair), request_(request) {}

  [[nodiscard]] std::int64_t largest() const {
    const FreeEnds& ends = request_.ends;
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i <= pair_.n(); ++i) {
      for (std::size_t j = 0; j <= pair_.m(); ++j) {
        const bool may_begin =
            ends.local || ((i == 0 || ends.begin_a) && (j == 0 || ends.begin_b) && (i == 0 || j == 0));
        if (may_begin) best = std::max(best, from(i, j));
      }
    }
    return best;
  }

 private:
  /// The largest score of what begins here.
  [[nodiscard]] std::int64_t from(std::size_t i, std::size_t j) const {
    const FreeEnds& ends = request_.ends;
    const bool at_end = i == pair_.n() || j == pair_.m();
    const bool may_end = ends.local || (at_end && (i == pair_.n() || ends.end_a) && (j == pair_.m() || ends.end_b));
    std::int64_t best = may_end ? 0 : std::numeric_limits<std::int64_t>::min() / 2;
    if (i < pair_.n() && j < pair_.m()) {
      best = std::max(best, pair_.score(pair_.a()[i], pair_.b()[j]) + from(i + 1, j + 1));
    }
    for (std::size_t length = 1; i + length <= pair_.n(); ++length) {
      best = std::max(best, from(i + length, j) - request_.gaps.of(length));
    }
    for (std::size_t length = 1; j + length <= pair_.m(); ++length) {
      best = std::max(best, from(i, j + length) - request_.gaps.of(length));
    }
    return best;
  }

  const ScoredPair& pair_;
  const AlignmentRequest& request_;
};

/// The alignment that the rule for ties names, from a table that tries every length of every gap.
class GapTable {
 public:
  GapTable(const ScoredPair& pair, const AlignmentRequest& request)
      : pair_(pair), request_(request), values_((pair.n() + 1) * (pair.m() + 1)) {
    for (std::size_t i = 0; i <= pair.n(); ++i) {
      for (std::size_t j = 0; j <= pair.m(); ++j) values_[i * (pair.m() + 1) + j] = computed(i, j);
    }
  }

  [[nodiscard]] Alignment solution() const {
    const FreeEnds& ends = request_.ends;
    const std::size_t n = pair_.n(), m = pair_.m();
    std::optional<Alignment> best;
    for (std::size_t i = 0; i <= n; ++i) {
      for (std::size_t j = 0; j <= m; ++j) {
        const bool is_end = ends.local || (i == n && j == m) || (i == n && ends.end_b) || (j == m && ends.end_a);
        if (is_end && (!best || of(i, j) > best->score)) best = {of(i, j), i, j, {}};
      }
    }
    best->script = walk(best->end_a, best->end_b);
    return *best;
  }

 private:
  [[nodiscard]] std::int64_t of(std::size_t i, std::size_t j) const { return values_[i * (pair_.m() + 1) + j]; }
  [[nodiscard]] std::int64_t score(std::size_t i, std::size_t j) const {
    return pair_.score(pair_.a()[i - 1], pair_.b()[j - 1]);
  }

  [[nodiscard]] std::int64_t computed(std::size_t i, std::size_t j) const {
    const FreeEnds& ends = request_.ends;
    const bool is_free = ends.local || (i == 0 && j == 0) || (i == 0 && ends.begin_b) || (j == 0 && ends.begin_a);
    if (is_free && (i == 0 || j == 0)) return 0;
    std::int64_t best = ends.local ? 0 : std::numeric_limits<std::int64_t>::min();
    if (i > 0 && j > 0) best = std::max(best, of(i - 1, j - 1) + score(i, j));
    for (std::size_t k = 1; k <= i; ++k) best = std::max(best, of(i - k, j) - request_.gaps.of(k));
    for (std::size_t k = 1; k <= j; ++k) best = std::max(best, of(i, j - k) - request_.gaps.of(k));
    return best;
  }

  [[nodiscard]] Script walk(std::size_t i, std::size_t j) const {
    const FreeEnds& ends = request_.ends;
    Script backwards;
    const auto ends_here = [&] {
      if (ends.local) return of(i, j) == 0;
      return (i == 0 && j == 0) || (i == 0 && ends.begin_b) || (j == 0 && ends.begin_a);
    };
    while (!ends_here()) {
      if (i > 0 && j > 0 && of(i, j) == of(i - 1, j - 1) + score(i, j)) {
        --i, --j;
        backwards.push(pair_.a()[i] == pair_.b()[j] ? Edit::match : Edit::substitution);
        continue;
      }
      std::size_t length = 1;
      while (length <= i && of(i - length, j) - request_.gaps.of(length) != of(i, j)) ++length;
      if (length <= i) {
        backwards.push(Edit::deletion, length), i -= length;
        continue;
      }
      length = 1;
      while (of(i, j - length) - request_.gaps.of(length) != of(i, j)) ++length;
      backwards.push(Edit::insertion, length), j -= length;
    }
    Script script = backwards.reversed();
    script.begin_a = i, script.begin_b = j;
    return script;
  }

  const ScoredPair& pair_;
  const AlignmentRequest& request_;
  std::vector<std::int64_t> values_;
};

inline const std::vector<FreeEnds>& all_ends() {
  static const std::vector<FreeEnds> all = [] {
    std::vector<FreeEnds> list = {local_ends};
    for (int bits = 0; bits < 16; ++bits) list.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, bits > 7});
    return list;
  }();
  return all;
}

/// A matrix of drawn scores over the symbols 0 .. alphabet - 1.
inline ScoreMatrix drawn_matrix(std::uint32_t alphabet, std::int64_t least, std::int64_t largest,
                                std::mt19937_64& random) {
  std::vector<std::uint32_t> symbols(alphabet);
  std::vector<std::int64_t> scores(std::size_t{alphabet} * alphabet);
  for (std::uint32_t symbol = 0; symbol < alphabet; ++symbol) symbols[symbol] = symbol;
  for (auto& score : scores) {
    score = least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largest - least + 1));
  }
  return {symbols, scores};
}

}  // namespace warpfold::sequence::test
