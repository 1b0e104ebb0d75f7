#include "interval/triangulation/extent.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/triangulation/extent.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The largest and the smallest of some values, and 0. A value at or above infinity<T> counts as 0.
template <class T>
struct Limits {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  V most, least;
  V nan;  ///< not 0 where a value was NaN

  HWY_INLINE void add(V given) {
    const auto x = hn::IfThenElseZero(hn::Lt(given, hn::Set(D(), infinity<T>)), given);
    most = hn::Max(most, x);
    least = hn::Min(least, x);
    if constexpr (std::is_floating_point_v<T>) nan = hn::Or(nan, hn::VecFromMask(D(), hn::IsNaN(given)));
  }
  [[nodiscard]] HWY_INLINE Extent<T> extent() const {
    const T top = hn::GetLane(hn::MaxOfLanes(D(), most)), bottom = hn::GetLane(hn::MinOfLanes(D(), least));
    if constexpr (std::is_floating_point_v<T>) {
      if (!hn::AllTrue(D(), hn::Eq(nan, hn::Zero(D())))) return {std::numeric_limits<T>::quiet_NaN(), bottom < 0};
    }
    return {std::max(top, static_cast<T>(-std::max<T>(bottom, -std::numeric_limits<T>::max()))), bottom < 0};
  }
};

/// The last vector of a row reaches back into the one before it. A row that is shorter than a vector is copied.
template <class T>
Extent<T> extent_of_each(const MatrixView<const T>& weights, std::size_t first, std::size_t step) {
  const typename Limits<T>::D d;
  const std::size_t n = weights.rows, lanes = hn::Lanes(d);
  Limits<T> limits{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (std::size_t i = first; i + 2 < n; i += step) {
    const T* row = weights.row(i) + i + 2;
    const std::size_t chords = n - (i == 0) - (i + 2);
    if (chords < lanes) {
      alignas(64) T copied[64 / sizeof(T)] = {};
      std::copy_n(row, chords, copied);
      limits.add(hn::Load(d, copied));
      continue;
    }
    for (std::size_t j = 0; j + lanes < chords; j += lanes) limits.add(hn::LoadU(d, row + j));
    limits.add(hn::LoadU(d, row + chords - lanes));
  }
  return limits.extent();
}

// HWY_EXPORT takes plain functions only.
Extent<std::int32_t> extent_i32(const MatrixView<const std::int32_t>& weights, std::size_t first, std::size_t step) {
  return extent_of_each(weights, first, step);
}
Extent<std::int64_t> extent_i64(const MatrixView<const std::int64_t>& weights, std::size_t first, std::size_t step) {
  return extent_of_each(weights, first, step);
}
Extent<float> extent_f32(const MatrixView<const float>& weights, std::size_t first, std::size_t step) {
  return extent_of_each(weights, first, step);
}
Extent<double> extent_f64(const MatrixView<const double>& weights, std::size_t first, std::size_t step) {
  return extent_of_each(weights, first, step);
}

}  // namespace warpfold::interval::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval {

HWY_EXPORT(extent_i32);
HWY_EXPORT(extent_i64);
HWY_EXPORT(extent_f32);
HWY_EXPORT(extent_f64);

template <>
Extent<std::int32_t> extent_of_rows(const MatrixView<const std::int32_t>& weights, std::size_t first,
                                    std::size_t step) {
  return HWY_DYNAMIC_DISPATCH(extent_i32)(weights, first, step);
}
template <>
Extent<std::int64_t> extent_of_rows(const MatrixView<const std::int64_t>& weights, std::size_t first,
                                    std::size_t step) {
  return HWY_DYNAMIC_DISPATCH(extent_i64)(weights, first, step);
}
template <>
Extent<float> extent_of_rows(const MatrixView<const float>& weights, std::size_t first, std::size_t step) {
  return HWY_DYNAMIC_DISPATCH(extent_f32)(weights, first, step);
}
template <>
Extent<double> extent_of_rows(const MatrixView<const double>& weights, std::size_t first, std::size_t step) {
  return HWY_DYNAMIC_DISPATCH(extent_f64)(weights, first, step);
}

}  // namespace warpfold::interval
#endif
