#pragma once

#include <cstddef>
#include <vector>

#include "interval/device_filler.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

namespace warpfold::polygon {

/// A strictly convex outline as a recurrence: all chords are interior, and weigh what is computed where it is needed.
template <class T>
class ConvexPolygon {
 public:
  using Semiring = interval::ProvenMinPlus<T>;

  /// Raises Error{input} for an outline that is not strictly convex and a weight that a whole-number T does not hold
  /// exactly, below 2^53, Error{overflow} where 4 * (n-3) times the largest weight does not fit into T.
  ConvexPolygon(const Outline& outline, Weight formula);

  [[nodiscard]] std::size_t vertices() const { return outline_.size(); }
  [[nodiscard]] interval::cuda::ConvexPoints<T> points() const {
    return {outline_.vertices(), formula_, largest_total_};
  }

  /// All chords follow from the vertices and the formula: n of these, where there are n*n/2 chords.
  void describe_point(std::size_t i, std::vector<std::byte>& bytes) const;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t i, std::size_t j) const {
    if (i == 0 && j + 1 == vertices()) return 0;
    return static_cast<T>(chord_weight(formula_, outline_[i], outline_[j]));
  }

 private:
  const Outline& outline_;
  Weight formula_;
  T largest_total_ = 0;
};

extern template class ConvexPolygon<std::int32_t>;
extern template class ConvexPolygon<std::int64_t>;
extern template class ConvexPolygon<float>;
extern template class ConvexPolygon<double>;

}  // namespace warpfold::polygon
