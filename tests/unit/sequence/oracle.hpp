#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

/// Oracles and inputs of this family's tests.
namespace warpfold::sequence::test {

using Symbols = std::vector<std::uint32_t>;

inline Coded coded(const Symbols& a, const Symbols& b) {
  return Coded(std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b));
}

inline Symbols draw(std::size_t length, std::uint32_t alphabet, std::mt19937_64& random) {
  Symbols symbols(length);
  for (auto& symbol : symbols) symbol = static_cast<std::uint32_t>(random() % alphabet);
  return symbols;
}

/// Substitutes, deletes or inserts before one symbol in `every`.
inline Symbols mutate(const Symbols& symbols, std::size_t every, std::uint32_t alphabet, std::mt19937_64& random) {
  Symbols changed;
  for (const auto symbol : symbols) {
    const auto kind = random() % every ? 3 : random() % 3;
    const auto drawn = static_cast<std::uint32_t>(random() % alphabet);
    if (kind == 2) changed.push_back(drawn);
    if (kind != 1) changed.push_back(kind == 0 ? drawn : symbol);
  }
  return changed;
}

/// The script that a walk over all distances finds, by plain recursion over prefixes (`left`) or suffixes (`right`).
template <class Text>
class Recursion {
 public:
  Recursion(const Text& a, const Text& b, const Request& request, bool substitutes)
      : a_(a), b_(b), request_(request), substitutes_(substitutes), memo_((a.size() + 1) * (b.size() + 1), -1) {}

  [[nodiscard]] std::int64_t distance() { return of(a_.size(), b_.size()); }

  [[nodiscard]] Script script() {
    Script backwards;
    std::size_t i = a_.size(), j = b_.size();
    while (i + j > 0) {
      const std::int64_t here = of(i, j);
      const Costs& costs = request_.costs;
      if (i > 0 && j > 0 && x(i) == y(j) && here == of(i - 1, j - 1)) {
        backwards.push(Edit::match), --i, --j;
      } else if (substitutes_ && i > 0 && j > 0 && x(i) != y(j) && here == of(i - 1, j - 1) + costs.substitution) {
        backwards.push(Edit::substitution), --i, --j;
      } else if (swaps(i, j) && here == of(i - 2, j - 2) + costs.transposition) {
        backwards.push(Edit::transposition), i -= 2, j -= 2;
      } else if (i > 0 && here == of(i - 1, j) + costs.deletion) {
        backwards.push(Edit::deletion), --i;
      } else {
        backwards.push(Edit::insertion), --j;
      }
    }
    return request_.ties == Ties::left ? backwards.reversed() : backwards;
  }

 private:
  // Symbol i of the part that the recursion looks at, from 1: of a prefix, or from the end of a suffix.
  [[nodiscard]] auto x(std::size_t i) const { return request_.ties == Ties::left ? a_[i - 1] : a_[a_.size() - i]; }
  [[nodiscard]] auto y(std::size_t j) const { return request_.ties == Ties::left ? b_[j - 1] : b_[b_.size() - j]; }
  [[nodiscard]] bool swaps(std::size_t i, std::size_t j) const {
    return request_.transpositions && i > 1 && j > 1 && x(i) == y(j - 1) && x(i - 1) == y(j) && x(i) != x(i - 1);
  }

  std::int64_t of(std::size_t i, std::size_t j) {
    std::int64_t& known = memo_[i * (b_.size() + 1) + j];
    if (known < 0) known = computed(i, j);
    return known;
  }
  std::int64_t computed(std::size_t i, std::size_t j) {
    const Costs& costs = request_.costs;
    if (i == 0) return static_cast<std::int64_t>(j) * costs.insertion;
    if (j == 0) return static_cast<std::int64_t>(i) * costs.deletion;
    std::int64_t best = std::min(of(i - 1, j) + costs.deletion, of(i, j - 1) + costs.insertion);
    if (x(i) == y(j)) best = std::min(best, of(i - 1, j - 1));
    if (x(i) != y(j) && substitutes_) best = std::min(best, of(i - 1, j - 1) + costs.substitution);
    if (swaps(i, j)) best = std::min(best, of(i - 2, j - 2) + costs.transposition);
    return best;
  }

  const Text& a_;
  const Text& b_;
  Request request_;
  bool substitutes_;
  std::vector<std::int64_t> memo_;
};

}  // namespace warpfold::sequence::test
