// What polygons by diagonals and polygons in lanes share, for every instruction set that Highway compiles it for.
#if defined(WARPFOLD_INTERVAL_SMALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_INTERVAL_SMALL_INL_H_
#undef WARPFOLD_INTERVAL_SMALL_INL_H_
#else
#define WARPFOLD_INTERVAL_SMALL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>

#include "warpfold/interval/stored_values.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::small::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The values of intervals with these best candidates and weights.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> closed(D d, hn::Vec<D> best, hn::Vec<D> weight) {
  const auto value = hn::Add(best, weight);
  if constexpr (std::is_integral_v<T>) {
    const auto infinite = hn::Set(d, detail::Stored<BoundedMinPlus<T>>::infinite_from);
    return hn::IfThenElse(hn::Lt(value, infinite), value, hn::Set(d, infinity<T>));
  }
  return value;
}

#if HWY_TARGET != HWY_SCALAR
/// Stores the columns of these rows of 2 or 4 values, `stride` values apart.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void store_columns(D d, const hn::Vec<D> (&rows)[2], T* to, std::size_t stride) {
  hn::Store(hn::InterleaveLower(d, rows[0], rows[1]), d, to);
  hn::Store(hn::InterleaveUpper(d, rows[0], rows[1]), d, to + stride);
}
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void store_columns(D d, const hn::Vec<D> (&rows)[4], T* to, std::size_t stride) {
  const hn::Vec<D> lower[2] = {hn::InterleaveLower(d, rows[0], rows[2]), hn::InterleaveLower(d, rows[1], rows[3])};
  const hn::Vec<D> upper[2] = {hn::InterleaveUpper(d, rows[0], rows[2]), hn::InterleaveUpper(d, rows[1], rows[3])};
  store_columns(d, lower, to, stride);
  store_columns(d, upper, to + 2 * stride, stride);
}
#endif

}  // namespace warpfold::interval::small::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
