#include <algorithm>
#include <cstdint>

#include "core/number_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/polygon/orientation.hpp"
#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon::reference {

namespace {

/// Whether the chord from vertex i starts into the interior there.
bool starts_inside(const Outline& outline, std::size_t i, std::size_t j) {
  const std::size_t before = outline.previous(i);
  const std::size_t after = outline.next(i);
  const bool left_of_after = outline.turn(i, after, j) > 0;
  const bool right_of_before = outline.turn(i, before, j) < 0;
  const bool reflex = outline.turn(before, i, after) < 0;
  return reflex ? left_of_after || right_of_before : left_of_after && right_of_before;
}

/// Whether vertex k is on the closed segment from i to j.
bool hides(const Outline& outline, std::size_t i, std::size_t j, std::size_t k) {
  if (outline.turn(i, j, k) != 0) return false;
  const auto between = [](double a, double b, double c) { return std::min(a, b) <= c && c <= std::max(a, b); };
  return between(outline[i].x, outline[j].x, outline[k].x) && between(outline[i].y, outline[j].y, outline[k].y);
}

bool crosses(const Outline& outline, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
  return outline.turn(i, j, k) * outline.turn(i, j, l) < 0 && outline.turn(k, l, i) * outline.turn(k, l, j) < 0;
}

template <class T>
interval::Solution<T> trace(const MatrixView<const T>& values) {
  interval::Solution<T> solution;
  const auto last = static_cast<std::uint32_t>(values.rows - 1);
  solution.cost = values(0, last);
  std::vector<interval::Chord> open{{0, last}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j == i + 1) continue;
    if (j - i < last) solution.chords.push_back({i, j});
    std::uint32_t best = i + 1;
    for (std::uint32_t k = i + 2; k < j; ++k) {
      if (values(i, k) + values(k, j) < values(i, best) + values(best, j)) best = k;
    }
    solution.triangles.push_back({i, best, j});
    open.push_back({best, j});
    open.push_back({i, best});
  }
  std::sort(solution.chords.begin(), solution.chords.end());
  return solution;
}

}  // namespace

bool is_interior_chord(const Outline& outline, std::size_t i, std::size_t j) {
  if (i == j || outline.next(i) == j || outline.next(j) == i) return false;
  if (!starts_inside(outline, i, j)) return false;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    if (k != i && k != j && hides(outline, i, j, k)) return false;
    if (crosses(outline, i, j, k, outline.next(k))) return false;
  }
  return true;
}

VisibilityGraph interior_chords(const Outline& outline) {
  const std::size_t n = outline.size();
  VisibilityGraph graph{{0}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (outline.next(i) == j || outline.next(j) == i || is_interior_chord(outline, i, j)) {
        graph.ends.push_back(static_cast<std::uint32_t>(j));
      }
    }
    graph.offsets.push_back(graph.ends.size());
  }
  return graph;
}

template <class T>
Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem) {
  check_there(problem);
  const std::size_t n = problem.vertices();
  std::vector<T> weights(n * n, infinity<T>);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) weights[i * n + j] = problem.weight(i, j);
  }
  std::vector<T> values(n * n, infinity<T>);
  for (std::size_t i = n - 1; i-- > 0;) {
    values[i * n + i + 1] = 0;
    for (std::size_t j = i + 2; j < n; ++j) {
      T best = infinity<T>;
      for (std::size_t k = i + 1; k < j; ++k) {
        if (values[i * n + k] == infinity<T> || values[k * n + j] == infinity<T>) continue;
        best = std::min<T>(best, values[i * n + k] + values[k * n + j]);
      }
      if (best == infinity<T> || weights[i * n + j] == infinity<T>) continue;
      values[i * n + j] = best + weights[i * n + j];
    }
  }
  if (values[n - 1] == infinity<T>) {
    throw Error(ErrorKind::infeasible, "the forbidden chords leave no triangulation");
  }
  return {trace(MatrixView<const T>{values.data(), n, n, n}), {"cpu", "reference", 1}};
}

#define WARPFOLD_INSTANTIATE(T) template Outcome<interval::Solution<T>> solve(const Triangulation<T>&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon::reference
