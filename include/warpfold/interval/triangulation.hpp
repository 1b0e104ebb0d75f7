#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/core/point.hpp"
#include "warpfold/interval/split.hpp"
#include "warpfold/interval/visibility_graph.hpp"

namespace warpfold::interval {

/// The weight of the chord from a to b. It is rounded at every step and the same in both directions. It neither
/// overflows nor vanishes for coordinates that `polygon::Outline` accepts.
[[nodiscard]] double chord_weight(ChordWeight formula, const Point& a, const Point& b);

/// Chord weights of a convex polygon, given by `chord_weight` of the chord's ends.
struct WeightFormula {
  std::span<const Point> points;
  ChordWeight formula = ChordWeight::length;
};

/// The number of chords whose weights a triangulation adds up; 1 if it has none.
[[nodiscard]] constexpr std::size_t max_chords(std::size_t vertices) { return std::max<std::size_t>(vertices, 4) - 3; }

/// A visibility graph with a weight for each of its entries.
template <class T>
struct WeightedGraph : VisibilityGraph {
  std::vector<T> weights;
};

/// The optimal triangulation of a polygon with n vertices, given a weight for each of its chords:
///
///     value(i,i+1) = 0
///     value(i,j)   = min over i<k<j of value(i,k) + value(k,j), + w(i,j)     with w(0,n-1) = 0
///
/// value(0,n-1) is the least total weight of n-3 chords that do not cross (gpu-polygon-triangulation-2013, section 2).
/// It takes n(n-1)(n-2)/6 additions with a minimum each.
///
/// A convex polygon may use all n(n-3)/2 chords. Its weights are a matrix or a formula of its vertices. Any other
/// polygon has a visibility graph with weights. A pair of vertices outside the graph is never joined.
///
/// The object is validated and immutable. It refers to the caller's matrix or points without a copy: they must outlive
/// it unchanged. T is int32_t, int64_t, float or double.
template <class T>
class Triangulation {
 public:
  /// Takes an n x n matrix. Entry (i,j), i<j, is the weight of chord (i,j). The lower half, the diagonal and the edges
  /// (i,i+1) and (0,n-1) are ignored. A weight of +inf (integers: infinity<T> or more) forbids its chord. `threads`: as
  /// Options::threads.
  ///
  /// Raises Error{input} for a matrix that is not square or has fewer than 3 rows, and for NaN and -inf. Raises
  /// Error{overflow} if 4 * (n-3) * max |w| does not fit T. Raises Error{usage} for an impossible view (`check_view`).
  ///
  /// Cost: reads the chords' weights once; a large matrix by several threads.
  explicit Triangulation(MatrixView<const T> weights, int threads = 0);

  /// Takes weights that are computed where they are needed. The polygon must be strictly convex, which is not checked
  /// here: `polygon::triangulation_of` checks it.
  ///
  /// Raises Error{input} for fewer than 3 points. For an integer T, raises it also for a weight that is not an integer
  /// below 2^53. Raises Error{overflow} if 4 * (n-3) times the largest weight does not fit T. Raises Error{usage} for
  /// an unknown formula.
  explicit Triangulation(const WeightFormula& weights);

  /// Takes a visibility graph and a weight for each entry of `graph.ends`. Weights of edges are ignored. A weight of
  /// +inf (integers: infinity<T> or more) forbids its chord.
  ///
  /// Raises Error{usage} if the sizes differ. Raises Error{input} for NaN and -inf, with the chord. Raises
  /// Error{overflow} if 4 * (n-3) * max |w| does not fit T, with the chord. Raises Error{input} for a malformed graph:
  /// it needs 3 or more vertices, offsets and ends in range and in order, and all edges of the polygon.
  Triangulation(VisibilityGraph graph, std::vector<T> weights);

  [[nodiscard]] std::size_t vertices() const { return vertices_; }

  /// The source of the weights. One of `matrix`, `formula` and `graph` is set, the others are null.
  [[nodiscard]] const MatrixView<const T>* matrix() const { return std::get_if<MatrixView<const T>>(&weights_); }
  [[nodiscard]] const WeightFormula* formula() const { return std::get_if<WeightFormula>(&weights_); }
  /// The graph, with its weights as the recurrence uses them.
  [[nodiscard]] const WeightedGraph<T>* graph() const { return std::get_if<WeightedGraph<T>>(&weights_); }

  /// The weight of (i,j), i<j, as the recurrence uses it: 0 for an edge, infinity<T> for a forbidden chord.
  [[nodiscard]] T weight(std::size_t i, std::size_t j) const {
    if (j == i + 1 || (i == 0 && j + 1 == vertices())) return 0;
    if (const MatrixView<const T>* given = matrix()) return std::min((*given)(i, j), infinity<T>);
    return weight_without_matrix(i, j);
  }

  /// The number of pairs of vertices that may be joined, including the n edges.
  [[nodiscard]] std::size_t pairs() const;

  /// Whether all pairs may be joined, as in a strictly convex polygon.
  [[nodiscard]] bool complete() const { return pairs() == vertices() * (vertices() - 1) / 2; }

  /// A bound of the |total| of any part of a triangulation: (n-3) * max |w| over the chords that are not forbidden.
  [[nodiscard]] T largest_total() const { return largest_total_; }

  /// Whether no chord has a weight below 0.
  [[nodiscard]] bool nonnegative() const { return nonnegative_; }

 private:
  [[nodiscard]] T weight_without_matrix(std::size_t i, std::size_t j) const;

  std::variant<MatrixView<const T>, WeightFormula, WeightedGraph<T>> weights_;
  std::size_t vertices_ = 0;
  T largest_total_ = 0;
  bool nonnegative_ = true;
};

/// Raises Error{usage} for a moved-from object.
template <class T>
void check_there(const Triangulation<T>& problem);

/// The properties of a triangulation that decide which algorithm solves it, and at what cost.
struct TriangulationSize {
  enum class Weights { matrix, formula, graph };

  /// The size of a problem with a matrix.
  TriangulationSize(std::size_t of_vertices) : vertices(of_vertices) {}
  /// The size of a problem, which must outlive this object.
  template <class T>
  TriangulationSize(const Triangulation<T>& problem)
      : vertices(problem.vertices()),
        weights(problem.graph()     ? Weights::graph
                : problem.formula() ? Weights::formula
                                    : Weights::matrix),
        complete(problem.complete()),
        graph(problem.graph()) {}

  std::size_t vertices;
  Weights weights = Weights::matrix;
  bool complete = true;
  const VisibilityGraph* graph = nullptr;  ///< set for Weights::graph
};

/// The least total weight and a triangulation that attains it. If several splits of an interval attain its minimum, the
/// solution has the smallest k. So every backend gives the same structure.
template <class T>
struct Solution {
  T cost = 0;
  std::vector<Triangle> triangles;  ///< n-2 triangles; a parent is before its two children, the left child first
  std::vector<Chord> chords;        ///< n-3 chords, sorted
};

}  // namespace warpfold::interval
