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

/// The weight of the chord from a to b, rounded at every step and the same for both directions. It neither overflows
/// nor vanishes for coordinates that `polygon::Outline` accepts.
[[nodiscard]] double chord_weight(ChordWeight formula, const Point& a, const Point& b);

/// Chords of a convex polygon that weigh what `chord_weight` says of their ends.
struct WeightFormula {
  std::span<const Point> points;
  ChordWeight formula = ChordWeight::length;
};

/// How many chords' weights a triangulation adds up, or 1 where it has none.
[[nodiscard]] constexpr std::size_t max_chords(std::size_t vertices) { return std::max<std::size_t>(vertices, 4) - 3; }

/// A visibility graph and a weight for each of its entries.
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
/// The weights of a convex polygon, all of whose n(n-3)/2 chords may be chosen, are a matrix, or follow from its
/// vertices by a formula. Those of another polygon belong to its visibility graph: a pair of vertices that is not in
/// it is not joined.
///
/// Immutable and validated: whoever holds one may solve it without further checks. It looks at the caller's matrix or
/// points and does not copy them: they have to outlive it, unchanged. T is int32_t, int64_t, float or double.
template <class T>
class Triangulation {
 public:
  /// `weights` is n x n; entry (i,j), i<j, is the weight of chord (i,j). Everything else is ignored: the lower half,
  /// the diagonal, and the edges (i,i+1) and (0,n-1). A weight of +inf (integers: infinity<T> or more) forbids its
  /// chord.
  /// Raises Error{input} for a matrix that is not square or has less than 3 rows, for NaN and -inf; Error{overflow}
  /// where 4 * (n-3) * max |w| does not fit into T; Error{usage} for a view of no matrix (`check_view`).
  /// It reads the chords' weights once, a large matrix by several threads, as many as Options::threads says.
  explicit Triangulation(MatrixView<const T> weights, int threads = 0);

  /// Weights that are computed where they are needed. That the polygon is strictly convex is not checked:
  /// `polygon::triangulation_of` does.
  /// Raises Error{input} for fewer than 3 points and for a weight that a whole-number T does not hold exactly, below
  /// 2^53; Error{overflow} where 4 * (n-3) times the largest weight does not fit into T; Error{usage} for a formula
  /// that is none.
  explicit Triangulation(const WeightFormula& weights);

  /// `weights` has an entry for each entry of `graph.ends`; those of edges are ignored. A weight of +inf (whole
  /// numbers: infinity<T> or more) forbids its chord.
  /// Raises Error{usage} where the sizes differ, Error{input} for NaN and -inf, and Error{overflow} where
  /// 4 * (n-3) * max |w| does not fit into T; the message names the chord. Raises Error{input}, too, for a graph that
  /// is not as VisibilityGraph says: 3 or more vertices, offsets and ends in range and in order, and all edges of the
  /// outline among them.
  Triangulation(VisibilityGraph graph, std::vector<T> weights);

  [[nodiscard]] std::size_t vertices() const { return vertices_; }

  /// What the problem was made of: one of the three; null are the others.
  [[nodiscard]] const MatrixView<const T>* matrix() const { return std::get_if<MatrixView<const T>>(&weights_); }
  [[nodiscard]] const WeightFormula* formula() const { return std::get_if<WeightFormula>(&weights_); }
  /// Its weights as the recurrence uses them.
  [[nodiscard]] const WeightedGraph<T>* graph() const { return std::get_if<WeightedGraph<T>>(&weights_); }

  /// The weight of (i,j), i<j, as the recurrence uses it: 0 for an edge, infinity<T> for a forbidden chord.
  [[nodiscard]] T weight(std::size_t i, std::size_t j) const {
    if (j == i + 1 || (i == 0 && j + 1 == vertices())) return 0;
    if (const MatrixView<const T>* given = matrix()) return std::min((*given)(i, j), infinity<T>);
    return weight_without_matrix(i, j);
  }

  /// How many pairs of vertices may be joined, the n edges among them.
  [[nodiscard]] std::size_t pairs() const;

  /// Whether all may, as in a strictly convex polygon.
  [[nodiscard]] bool complete() const { return pairs() == vertices() * (vertices() - 1) / 2; }

  /// No |total| of a part of a triangulation is larger: (n-3) * max |w| over the chords that are not forbidden.
  [[nodiscard]] T largest_total() const { return largest_total_; }

  /// No weight of a chord is below 0.
  [[nodiscard]] bool nonnegative() const { return nonnegative_; }

 private:
  [[nodiscard]] T weight_without_matrix(std::size_t i, std::size_t j) const;

  std::variant<MatrixView<const T>, WeightFormula, WeightedGraph<T>> weights_;
  std::size_t vertices_ = 0;
  T largest_total_ = 0;
  bool nonnegative_ = true;
};

/// Raises Error{usage} for one that was moved from.
template <class T>
void check_there(const Triangulation<T>& problem);

/// What decides which algorithm solves a triangulation, and what that takes.
struct TriangulationSize {
  enum class Weights { matrix, formula, graph };

  /// Of a matrix.
  TriangulationSize(std::size_t of_vertices) : vertices(of_vertices) {}
  /// Of a problem, which has to outlive it.
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
  const VisibilityGraph* graph = nullptr;  ///< of Weights::graph
};

/// The least total and a triangulation that has it. Where several splits of an interval attain its minimum it is the
/// smallest, so that every backend gives the same structure.
template <class T>
struct Solution {
  T cost = 0;
  std::vector<Triangle> triangles;  ///< the n-2 triangles; a parent comes before its two children, the left one first
  std::vector<Chord> chords;        ///< the n-3 chords, sorted
};

}  // namespace warpfold::interval
