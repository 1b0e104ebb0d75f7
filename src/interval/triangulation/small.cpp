#include "interval/triangulation/small.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/triangulation/small.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::small::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// V vectors of diagonal m from entry i on. Each has C minima of its own candidates, because a minimum waits for the
/// one before it. The neighboring diagonals, which were stored last, come last.
template <int V, int C, class D, class T = hn::TFromD<D>>
HWY_INLINE void fill_vectors(D d, Diagonals<T>& diagonals, std::size_t m, std::size_t i) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> best[V][C];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) best[v][c] = hn::Set(d, infinity<T>);
  }
  const auto take = [&](std::size_t p, int c) HWY_ATTR {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      const T* left = diagonals.values[p] + i + v * lanes;
      const T* right = diagonals.values[m - p] + i + p + v * lanes;
      best[v][c] = hn::Min(best[v][c], hn::Add(hn::Load(d, left), hn::LoadU(d, right)));
    }
  };
  std::size_t p = 2;
  for (; p + C < m; p += C) {
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) take(p + c, c);
  }
  for (; p + 1 < m; ++p) take(p, 0);
  take(1, 0);
  if (m > 2) take(m - 1, C - 1);
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
#pragma GCC unroll 8
    for (int c = 1; c < C; ++c) best[v][0] = hn::Min(best[v][0], best[v][c]);
    T* const at = diagonals.values[m] + i + v * lanes;
    auto value = hn::Add(best[v][0], hn::Load(d, at));
    if constexpr (std::is_integral_v<T>) {
      const auto infinite = hn::Set(d, detail::Stored<BoundedMinPlus<T>>::infinite_from);
      value = hn::IfThenElse(hn::Lt(value, infinite), value, hn::Set(d, infinity<T>));
    }
    hn::Store(value, d, at);
    hn::Store(best[v][0], d, diagonals.bests[m] + i + v * lanes);
  }
}

/// Vectors of at most 32 bytes: longer ones compute more entries beyond the ends of the diagonals.
template <class T>
void fill_diagonals(Diagonals<T>& diagonals, std::size_t n) {
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t m = 2; m < n; ++m) {
    std::size_t i = 0;
    const std::size_t end = n - m;
    for (; i + 3 * lanes < end; i += 4 * lanes) fill_vectors<4, 1>(d, diagonals, m, i);
    for (; i + lanes < end; i += 2 * lanes) fill_vectors<2, 2>(d, diagonals, m, i);
    if (i < end) fill_vectors<1, 4>(d, diagonals, m, i);
  }
}

// HWY_EXPORT takes plain functions only.
void fill_i32(Diagonals<std::int32_t>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_i64(Diagonals<std::int64_t>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_f32(Diagonals<float>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_f64(Diagonals<double>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }

}  // namespace warpfold::interval::small::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval::small {

HWY_EXPORT(fill_i32);
HWY_EXPORT(fill_i64);
HWY_EXPORT(fill_f32);
HWY_EXPORT(fill_f64);

template <>
void fill(Diagonals<std::int32_t>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_i32)(diagonals, n);
}
template <>
void fill(Diagonals<std::int64_t>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_i64)(diagonals, n);
}
template <>
void fill(Diagonals<float>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_f32)(diagonals, n);
}
template <>
void fill(Diagonals<double>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_f64)(diagonals, n);
}

}  // namespace warpfold::interval::small
#endif
