#include "warpfold/polygon/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "core/magnitude.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::polygon {

namespace {

template <class... Words>
[[noreturn]] void refuse_graph(fmt::format_string<Words...> what, Words&&... words) {
  throw Error(ErrorKind::input, "the visibility graph " + fmt::format(what, std::forward<Words>(words)...));
}

void check_offsets(const VisibilityGraph& graph) {
  const auto& [offsets, ends] = graph;
  if (offsets.size() < 4) refuse_graph("has {} offsets: one more than 3 or more vertices is accepted", offsets.size());
  if (offsets.front() != 0) refuse_graph("has {} as its first offset: 0 is accepted", offsets.front());
  if (offsets.back() != ends.size()) {
    refuse_graph("has {} as its last offset: {}, how many ends it has, is accepted", offsets.back(), ends.size());
  }
  const auto descent = std::ranges::is_sorted_until(offsets);
  if (descent == offsets.end()) return;
  refuse_graph("has {} as offset {}: {}, the one before, or more is accepted", *descent, descent - offsets.begin(),
               *(descent - 1));
}

/// Of vertex i: those above it, each once, and the outline's edges among them.
void check_ends(const VisibilityGraph& graph, std::size_t i) {
  const std::size_t last = graph.size() - 1;
  const std::span<const std::uint32_t> ends = graph.after(i);
  std::size_t least = i + 1;
  for (const std::size_t end : ends) {
    if (end < least || end > last) {
      refuse_graph("has {} among the ends of vertex {}: ascending ones, here {} to {}, are accepted", end, i, least,
                   last);
    }
    least = end + 1;
  }
  if (i < last && (ends.empty() || ends.front() != i + 1)) refuse_graph("lacks the edge ({}, {})", i, i + 1);
  if (i == 0 && ends.back() != last) refuse_graph("lacks the edge (0, {})", last);
}

/// Solvers go where its numbers lead and do not look.
void check_graph(const VisibilityGraph& graph) {
  check_offsets(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) check_ends(graph, i);
}

}  // namespace

double chord_weight(Weight weight, const Point& a, const Point& b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double squared = dx * dx + dy * dy;
  return weight == Weight::length ? std::sqrt(squared) : squared;
}

template <class T>
Triangulation<T>::Triangulation(VisibilityGraph graph, std::vector<T> weights)
    : graph_(std::move(graph)), weights_(std::move(weights)) {
  check_graph(graph_);
  const std::size_t n = vertices();
  if (weights_.size() != graph_.ends.size()) {
    throw Error(ErrorKind::usage, fmt::format("there are {} weights for {} pairs of vertices: one each is accepted",
                                              weights_.size(), graph_.ends.size()));
  }
  const auto chords = static_cast<T>(n - 3);
  const T bound = largest_accepted_total<T> / std::max(chords, T{1});
  T largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
      const std::size_t j = graph_.ends[e];
      T& weight = weights_[e];
      if (graph_.is_edge(i, j) || weight == 0) weight = 0;  // -0 becomes 0
      if (weight >= infinity<T>) {
        weight = infinity<T>;
        continue;
      }
      if (!(weight >= -bound && weight <= bound)) {  // NaN, too
        throw Error(kind_of_refused(weight),
                    fmt::format("chord ({}, {}) weighs {}: with {} vertices and {} a magnitude up to {} is accepted, "
                                "or +inf for a forbidden chord",
                                i, j, weight, n, dtype_name<T>(), bound));
      }
      largest = std::max(largest, weight < 0 ? -weight : weight);
    }
  }
  largest_total_ = largest * chords;
}

template class Triangulation<std::int32_t>;
template class Triangulation<std::int64_t>;
template class Triangulation<float>;
template class Triangulation<double>;

}  // namespace warpfold::polygon
