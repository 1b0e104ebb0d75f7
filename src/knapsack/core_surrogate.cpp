#include "knapsack/core_surrogate.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace warpfold::knapsack {

namespace {

/// Bisects [low, high] to the last multiplier for which `holds`, which is true at low and monotone.
template <class Predicate>
std::int64_t last_that(std::int64_t low, std::int64_t high, const Predicate& holds) {
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// The largest number of pieces that fit.
std::int64_t max_count(std::span<const Piece> pieces, std::int64_t capacity) {
  std::vector<std::int64_t> weights;
  for (const Piece& piece : pieces) weights.push_back(piece.weight);
  std::sort(weights.begin(), weights.end());
  std::int64_t count = 0;
  for (std::int64_t room = capacity; count < std::ssize(weights) && weights[count] <= room;) room -= weights[count++];
  return count;
}

/// The smallest number of pieces that may be worth more than `best`.
std::int64_t min_count(std::span<const Piece> pieces, std::int64_t best) {
  std::vector<std::int64_t> values;
  for (const Piece& piece : pieces) values.push_back(piece.value);
  std::sort(values.begin(), values.end(), std::greater<>());
  std::int64_t count = 0;
  for (std::int64_t need = best + 1; count < std::ssize(values) && need > 0;) need -= values[count++];
  return count;
}

/// The surrogates on both sides of the multiplier at which the break packing reaches the bound on the number of pieces.
std::vector<Surrogate> candidates(std::span<const Piece> pieces, std::int64_t capacity, std::int64_t packed,
                                  std::int64_t best) {
  const auto break_count = [&](const Surrogate& surrogate) {
    return static_cast<std::int64_t>(CorePieces(pieces, capacity, surrogate).break_at());
  };
  const std::int64_t most = max_count(pieces, capacity);
  if (packed >= most) {
    const std::int64_t largest_value = std::ranges::max(pieces, {}, &Piece::value).value;
    const std::int64_t last = last_that(0, largest_value, [&](std::int64_t multiplier) {
      return break_count({multiplier, most}) >= most;
    });
    return {{last, most}, {last + 1, most}};
  }
  const std::int64_t fewest = min_count(pieces, best);
  if (packed >= fewest) return {};
  const std::int64_t limit = std::min(std::ranges::min(pieces, {}, &Piece::weight).weight - 1, capacity / fewest);
  const std::int64_t last = last_that(0, limit, [&](std::int64_t multiplier) {
    return break_count({-multiplier, fewest}) < fewest;
  });
  if (last == limit) return {{-last, fewest}};
  return {{-last, fewest}, {-last - 1, fewest}};
}

}  // namespace

std::optional<Surrogate> cardinality_surrogate(std::span<const Piece> pieces, std::int64_t capacity,
                                               const CorePieces& plain, std::int64_t best) {
  std::optional<Surrogate> lowest;
  std::int64_t bound = plain.upper_bound();
  for (const Surrogate& candidate : candidates(pieces, capacity, static_cast<std::int64_t>(plain.break_at()), best)) {
    const std::int64_t candidate_bound = CorePieces(pieces, capacity, candidate).upper_bound();
    if (candidate_bound >= bound) continue;
    bound = candidate_bound;
    lowest = candidate;
  }
  return lowest;
}

}  // namespace warpfold::knapsack
