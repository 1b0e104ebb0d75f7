#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/interval/split.hpp"

namespace warpfold::interval {

/// The optimal triangulation of a convex polygon with n vertices, given a weight for each of its n(n-3)/2 chords:
///
///     value(i,i+1) = 0
///     value(i,j)   = min over i<k<j of value(i,k) + value(k,j), + w(i,j)     with w(0,n-1) = 0
///
/// value(0,n-1) is the least total weight of n-3 chords that do not cross (gpu-polygon-triangulation-2013, section 2).
/// It takes n(n-1)(n-2)/6 additions with a minimum each.
///
/// Immutable and validated: whoever holds one may solve it without further checks. It looks at the caller's weights and
/// does not copy them: they have to outlive it, unchanged. T is int32_t, int64_t, float or double.
template <class T>
class Triangulation {
 public:
  /// `weights` is n x n; entry (i,j), i<j, is the weight of chord (i,j). Everything else is ignored: the lower half,
  /// the diagonal, and the edges (i,i+1) and (0,n-1). A weight of +inf (whole numbers: infinity<T> or more) forbids its
  /// chord.
  /// Raises Error{input} for a matrix that is not square or has less than 3 rows, for NaN and -inf; Error{overflow}
  /// where 4 * (n-3) * max |w| does not fit into T; Error{usage} for a view of no matrix (`check_view`).
  /// It reads the chords' weights once, a large matrix by several threads, as many as Options::threads says.
  explicit Triangulation(MatrixView<const T> weights, int threads = 0);

  [[nodiscard]] std::size_t vertices() const { return weights_.rows; }
  [[nodiscard]] const MatrixView<const T>& weights() const { return weights_; }

  /// The weight of (i,j), i<j, as the recurrence uses it: 0 for an edge, infinity<T> for a forbidden chord.
  [[nodiscard]] T weight(std::size_t i, std::size_t j) const {
    if (j == i + 1 || (i == 0 && j + 1 == vertices())) return 0;
    const T w = weights_(i, j);
    return std::min(w, infinity<T>);
  }

  /// No |total| of a part of a triangulation is larger: (n-3) * max |w| over the chords that are not forbidden.
  [[nodiscard]] T largest_total() const { return largest_total_; }

  /// No weight of a chord is below 0.
  [[nodiscard]] bool nonnegative() const { return nonnegative_; }

 private:
  MatrixView<const T> weights_;
  T largest_total_ = 0;
  bool nonnegative_ = true;
};

/// The triangle of vertices i < k < j that lies below chord (or edge) (i,j): the split k of interval (i,j).
using Triangle = Split;

/// The chord between vertices i < j.
struct Chord {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  auto operator<=>(const Chord&) const = default;
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
