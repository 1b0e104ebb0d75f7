#include "warpfold/interval/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/exact_type.hpp"
#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "interval/triangulation/extent.hpp"
#include "interval/triangulation/formula_weights.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::interval {

namespace {

/// The largest magnitude of an accepted weight.
template <class T>
T weight_bound(std::size_t vertices) {
  return largest_accepted_total<T> / static_cast<T>(max_chords(vertices));
}

template <class T>
[[noreturn]] void reject_weight(const MatrixView<const T>& weights, T bound) {
  const std::size_t n = weights.rows;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    for (std::size_t j = i + 2; j < n - (i == 0); ++j) {
      const T w = weights(i, j);
      if ((w >= -bound && w <= bound) || w >= infinity<T>) continue;
      throw Error(kind_of_refused(w),
                  fmt::format("weight ({}, {}) is {}: with {} vertices and {}, weights from {} to {} are "
                              "accepted, and {} to forbid the chord",
                              i, j, w, n, dtype_name<T>(), -bound, bound, infinity<T>));
    }
  }
  throw Error(ErrorKind::internal, "the refused weight was not found");
}

/// Several threads read a large matrix, as fast as memory delivers it.
template <class T>
Extent<T> extent_of(const MatrixView<const T>& weights, int threads) {
  const std::size_t n = weights.rows;
  const std::size_t useful = n * n / (2 * weights_a_thread);
  const std::size_t team = useful < 2 && threads >= 0 ? 1 : std::min<std::size_t>(useful, thread_count(threads));
  if (team == 1) return extent_of_rows(weights, 0, 1);
  std::vector<Extent<T>> found(team);
  parallel(static_cast<int>(team), [&](int thread) {
    const auto first = static_cast<std::size_t>(thread);
    found[first] = extent_of_rows(weights, first, team);
  });
  Extent<T> all;
  for (const Extent<T>& one : found) {
    if (!(one.magnitude <= all.magnitude)) all.magnitude = one.magnitude;  // NaN, too
    all.negative = all.negative || one.negative;
    if (all.magnitude != all.magnitude) break;
  }
  return all;
}

/// A bound of every chord's weight: that of a diagonal of the box around the points.
double weight_of_box(const WeightFormula& weights) {
  Point least = weights.points[0], most = weights.points[0];
  for (const Point& point : weights.points) {
    least = {std::min(least.x, point.x), std::min(least.y, point.y)};
    most = {std::max(most.x, point.x), std::max(most.y, point.y)};
  }
  return chord_weight(weights.formula, least, most);
}

/// A bound of the largest weight of a chord, at most `bound`.
template <class T>
double largest_weight(const WeightFormula& weights, T bound) {
  const double most = static_cast<double>(bound), of_box = weight_of_box(weights);
  if (!std::is_integral_v<T> && of_box <= most) return of_box;
  double largest = 0;
  for (std::size_t i = 0; i + 2 < weights.points.size(); ++i) {
    for (std::size_t j = i + 2; j < weights.points.size() - (i == 0); ++j) {
      const double weight = chord_weight(weights.formula, weights.points[i], weights.points[j]);
      static_cast<void>(held_weight<T>(i, j, weight));
      largest = std::max(largest, weight);
      if (weight <= most) continue;
      throw Error(ErrorKind::overflow,
                  fmt::format("chord ({}, {}) weighs {}: with {} vertices and {}, weights up to {} are accepted", i, j,
                              weight, weights.points.size(), dtype_name<T>(), most));
    }
  }
  return largest;
}

template <class... Words>
[[noreturn]] void reject_graph(fmt::format_string<Words...> what, Words&&... words) {
  throw Error(ErrorKind::input, "the visibility graph " + fmt::format(what, std::forward<Words>(words)...));
}

void check_offsets(const VisibilityGraph& graph) {
  const auto& [offsets, ends] = graph;
  if (offsets.size() < 4) reject_graph("has {} offsets: one more than 3 or more vertices is accepted", offsets.size());
  if (offsets.front() != 0) reject_graph("has {} as its first offset: 0 is accepted", offsets.front());
  if (offsets.back() != ends.size()) {
    reject_graph("has {} as its last offset: {}, how many ends it has, is accepted", offsets.back(), ends.size());
  }
  const auto descent = std::ranges::is_sorted_until(offsets);
  if (descent == offsets.end()) return;
  reject_graph("has {} as offset {}: {}, the one before, or more is accepted", *descent, descent - offsets.begin(),
               *(descent - 1));
}

/// Checks the ends of vertex i: all above it, each once, with the outline's edges among them.
void check_ends(const VisibilityGraph& graph, std::size_t i) {
  const std::size_t last = graph.size() - 1;
  const std::span<const std::uint32_t> ends = graph.after(i);
  std::size_t least = i + 1;
  for (const std::size_t end : ends) {
    if (end < least || end > last) {
      reject_graph("has {} among the ends of vertex {}: ascending ones, here {} to {}, are accepted", end, i, least,
                   last);
    }
    least = end + 1;
  }
  if (i < last && (ends.empty() || ends.front() != i + 1)) reject_graph("lacks the edge ({}, {})", i, i + 1);
  if (i == 0 && ends.back() != last) reject_graph("lacks the edge (0, {})", last);
}

/// Checks the whole graph, because solvers follow its indices without checks.
void check_graph(const VisibilityGraph& graph) {
  check_offsets(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) check_ends(graph, i);
}

/// Stores the weights as the recurrence uses them.
template <class T>
Extent<T> normalize(WeightedGraph<T>& graph, T bound) {
  Extent<T> extent;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      const std::size_t j = graph.ends[e];
      T& weight = graph.weights[e];
      if (graph.is_edge(i, j) || weight == 0) weight = 0;  // -0 becomes 0
      if (weight >= infinity<T>) {
        weight = infinity<T>;
        continue;
      }
      if (!(weight >= -bound && weight <= bound)) {  // NaN, too
        throw Error(kind_of_refused(weight),
                    fmt::format("chord ({}, {}) weighs {}: with {} vertices and {} a magnitude up to {} is accepted, "
                                "or +inf for a forbidden chord",
                                i, j, weight, graph.size(), dtype_name<T>(), bound));
      }
      extent.magnitude = std::max(extent.magnitude, weight < 0 ? -weight : weight);
      extent.negative = extent.negative || weight < 0;
    }
  }
  return extent;
}

}  // namespace

double chord_weight(ChordWeight formula, const Point& a, const Point& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double squared = dx * dx + dy * dy;
  return formula == ChordWeight::length ? std::sqrt(squared) : squared;
}

template <class T>
Triangulation<T>::Triangulation(MatrixView<const T> weights, int threads) : weights_(weights), vertices_(weights.rows) {
  check_view("the matrix of weights", weights);
  const std::size_t n = weights.rows;
  if (weights.columns != n || n < 3) {
    throw Error(ErrorKind::input, fmt::format("weights are {} x {}: a square matrix of at least 3 rows is accepted",
                                              weights.rows, weights.columns));
  }
  if (n > UINT32_MAX) throw Error(ErrorKind::input, fmt::format("{} vertices: at most {} are accepted", n, UINT32_MAX));
  const T bound = weight_bound<T>(n);
  const Extent<T> extent = extent_of(weights, threads);
  if (!(extent.magnitude <= bound)) reject_weight(weights, bound);
  largest_total_ = static_cast<T>(static_cast<T>(n - 3) * extent.magnitude);
  nonnegative_ = !extent.negative;
}

template <class T>
Triangulation<T>::Triangulation(const WeightFormula& weights) : weights_(weights), vertices_(weights.points.size()) {
  check_formula(weights.formula);
  if (vertices_ < 3)
    throw Error(ErrorKind::input, fmt::format("{}: at least 3 are accepted", quantity(vertices_, "point")));
  const double largest = largest_weight(weights, weight_bound<T>(vertices_));
  largest_total_ = static_cast<T>(static_cast<T>(vertices_ - 3) * static_cast<T>(largest));
}

template <class T>
Triangulation<T>::Triangulation(VisibilityGraph graph, std::vector<T> weights)
    : weights_(WeightedGraph<T>{std::move(graph), std::move(weights)}) {
  auto& given = std::get<WeightedGraph<T>>(weights_);
  check_graph(given);
  vertices_ = given.size();
  if (given.weights.size() != given.ends.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} for {} of vertices: one each is accepted", quantity(given.weights.size(), "weight"),
                            quantity(given.ends.size(), "pair")));
  }
  const Extent<T> extent = normalize(given, weight_bound<T>(vertices_));
  largest_total_ = static_cast<T>(static_cast<T>(vertices_ - 3) * extent.magnitude);
  nonnegative_ = !extent.negative;
}

template <class T>
std::size_t Triangulation<T>::pairs() const {
  return graph() ? graph()->ends.size() : vertices_ * (vertices_ - 1) / 2;
}

template <class T>
T Triangulation<T>::weight_without_matrix(std::size_t i, std::size_t j) const {
  if (const WeightFormula* given = formula()) {
    return static_cast<T>(chord_weight(given->formula, given->points[i], given->points[j]));
  }
  const std::span<const std::uint32_t> ends = graph()->after(i);
  const auto found = std::lower_bound(ends.begin(), ends.end(), j);
  if (found == ends.end() || *found != j) return infinity<T>;
  return graph()->weights[graph()->offsets[i] + static_cast<std::size_t>(found - ends.begin())];
}

template <class T>
void check_there(const Triangulation<T>& problem) {
  if (!problem.graph() || !problem.graph()->offsets.empty()) return;
  throw Error(ErrorKind::usage, "the triangulation was moved from: one that is there is accepted");
}

#define WARPFOLD_INSTANTIATE(T)                       \
  template void check_there(const Triangulation<T>&); \
  template class Triangulation<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
