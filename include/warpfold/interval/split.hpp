#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpfold/core/chord.hpp"

namespace warpfold::interval {

using warpfold::Chord;
using warpfold::Triangle;

/// How an optimum divides interval (i,j): into (i,k) and (k,j), i < k < j. In a user's recurrence, k == i means closed
/// around the inner interval (i+1,j-1), and k == j means closed without either.
using Split = Triangle;

/// The splits of an optimum over `points` points, from the whole interval (0,points-1) down. Each is before those
/// inside it, the left before the right. `choose(i, j)`, j > i+1, returns the k of an interval. Uses an explicit stack,
/// because an optimum may be as deep as it has points.
template <class Choose>
[[nodiscard]] std::vector<Split> splits_from_root(std::size_t points, Choose&& choose) {
  std::vector<Split> splits;
  splits.reserve(points - 2);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
  open.reserve(points);
  open.emplace_back(0, static_cast<std::uint32_t>(points - 1));
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j < i + 2) continue;
    const auto k = static_cast<std::uint32_t>(choose(i, j));
    splits.push_back({i, k, j});
    if (k == i) open.emplace_back(i + 1, j - 1);
    if (i < k && k < j) {
      open.emplace_back(k, j);
      open.emplace_back(i, k);
    }
  }
  return splits;
}

}  // namespace warpfold::interval
