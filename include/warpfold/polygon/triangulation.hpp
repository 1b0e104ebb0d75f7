#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/polygon/chords.hpp"

namespace warpfold::polygon {

using Weight = ChordWeight;

/// The cost of the chord from a to b, rounded at every step and the same for both directions. Neither overflows nor
/// vanishes for coordinates that `Outline` accepts.
[[nodiscard]] double chord_weight(Weight weight, const Point& a, const Point& b);

/// The optimal triangulation of a polygon, in which only the pairs of vertices that see each other may be joined:
///
///     value(i,i+1) = 0
///     value(i,j)   = min over i<k<j of value(i,k) + value(k,j), + w(i,j)     with w(0,n-1) = 0,
///
/// where (i,j), (i,k) and (k,j) are edges or interior chords. value(0,n-1) is the least total weight of n-3 interior
/// chords that do not cross; some triangulation always exists unless chords are forbidden.
///
/// Immutable and validated. T is int32_t, int64_t, float or double.
template <class T>
class Triangulation {
 public:
  /// `weights` has an entry for each entry of `graph.ends`; those of edges are ignored. A weight of +inf (whole
  /// numbers: infinity<T> or more) forbids its chord.
  /// Raises Error{usage} where the sizes differ, Error{input} for NaN and -inf, and Error{overflow} where
  /// 4 * (n-3) * max |w| does not fit into T; the message names the chord. Raises Error{input}, too, for a graph that
  /// is not as VisibilityGraph says: 3 or more vertices, offsets and ends in range and in order, and all edges of the
  /// outline among them.
  Triangulation(VisibilityGraph graph, std::vector<T> weights);

  [[nodiscard]] std::size_t vertices() const { return graph_.size(); }
  [[nodiscard]] const VisibilityGraph& graph() const { return graph_; }

  /// As the recurrence uses them: 0 for an edge, never -0, infinity<T> for a forbidden chord.
  [[nodiscard]] const std::vector<T>& weights() const { return weights_; }

  /// No |total| of a part of a triangulation is larger.
  [[nodiscard]] T largest_total() const { return largest_total_; }

  /// Whether every pair of vertices may be joined, as in a strictly convex polygon.
  [[nodiscard]] bool complete() const { return graph_.ends.size() == vertices() * (vertices() - 1) / 2; }

 private:
  VisibilityGraph graph_;
  std::vector<T> weights_;
  T largest_total_ = 0;
};

/// Raises Error{usage} for one that was moved from.
template <class T>
void check_there(const Triangulation<T>& problem) {
  if (problem.graph().offsets.empty()) {
    throw Error(ErrorKind::usage, "the triangulation was moved from: one that is there is accepted");
  }
}

/// One weight for each entry of `graph.ends`, 0 for edges: `weight(i, j)`, i < j, for chords.
template <class T>
[[nodiscard]] std::vector<T> chord_weights(const VisibilityGraph& graph,
                                           const std::function<T(std::size_t, std::size_t)>& weight) {
  std::vector<T> weights(graph.ends.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      if (!graph.is_edge(i, graph.ends[e])) weights[e] = weight(i, graph.ends[e]);
    }
  }
  return weights;
}

}  // namespace warpfold::polygon
