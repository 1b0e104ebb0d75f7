#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::interval {

/// Fills in the chords of the triangles.
template <class T>
void list_chords(Solution<T>& solution) {
  solution.chords.reserve(solution.triangles.size() - 1);
  for (std::size_t t = 1; t < solution.triangles.size(); ++t) {
    solution.chords.push_back({solution.triangles[t].i, solution.triangles[t].j});
  }
  // Parents come before their left children, so the chords from i are contiguous, the longest first.
  for (auto first = solution.chords.begin(); first != solution.chords.end();) {
    const auto last = std::find_if(first, solution.chords.end(), [&](const Chord& c) { return c.i != first->i; });
    std::reverse(first, last);
    first = last;
  }
}

/// Fills in triangles and chords. `search(i, j)` returns the smallest k that attains the minimum of interval (i,j).
template <class T, class Search>
void search_structure(std::size_t n, Search&& search, Solution<T>& solution) {
  solution.triangles = splits_from_root(n, std::forward<Search>(search));
  list_chords(solution);
}

/// The solution in a finished table of n rows of n values.
template <class T>
Solution<T> search_table(const std::vector<T>& value, std::size_t n, const SolveMonitor& monitor) {
  const auto total = [&](std::size_t i, std::size_t k, std::size_t j) {
    return static_cast<T>(value[i * n + k] + value[k * n + j]);
  };
  const auto search = [&](std::size_t i, std::size_t j) {
    monitor.check();
    std::size_t best = i + 1;
    for (std::size_t k = i + 2; k < j; ++k) {
      if (total(i, k, j) < total(i, best, j)) best = k;
    }
    return best;
  };
  Solution<T> solution;
  solution.cost = value[n - 1];
  search_structure(n, search, solution);
  return solution;
}

}  // namespace warpfold::interval
