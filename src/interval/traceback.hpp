#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpfold/interval/triangulation.hpp"

namespace warpfold::interval {

/// Fills in nodes and chords by walking down from the root (0,n-1). `split(i, j)`, j > i+1, searches an interval for
/// the smallest k that attains its minimum. n-2 calls; a stack of its own, since a fan is n levels deep.
template <class T, class Split>
void search_structure(std::size_t n, Split&& split, Solution<T>& solution) {
  solution.triangles.reserve(n - 2);
  solution.chords.reserve(n - 3);
  std::vector<Chord> pending{{0, static_cast<std::uint32_t>(n - 1)}};
  while (!pending.empty()) {
    const auto [i, j] = pending.back();
    pending.pop_back();
    const auto k = static_cast<std::uint32_t>(split(i, j));
    solution.triangles.push_back({i, k, j});
    if (solution.triangles.size() > 1) solution.chords.push_back({i, j});
    if (j > k + 1) pending.push_back({k, j});
    if (k > i + 1) pending.push_back({i, k});
  }
  // Parents come before their left children, so the chords from i stand together, the longest first.
  for (auto first = solution.chords.begin(); first != solution.chords.end();) {
    const auto last = std::find_if(first, solution.chords.end(), [&](const Chord& c) { return c.i != first->i; });
    std::reverse(first, last);
    first = last;
  }
}

}  // namespace warpfold::interval
