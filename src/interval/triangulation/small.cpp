#include "interval/triangulation/small.hpp"

#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/triangulation/small.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

#include "interval/triangulation/small-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::small::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// V vectors of diagonal m from entry i on. Each has C minima of its own candidates, because a minimum waits for the
/// one before it. The neighboring diagonals, which were stored last, come last.
template <int V, int C, class D, class T = hn::TFromD<D>>
HWY_INLINE void fill_vectors(D d, const Diagonals<T>& diagonals, std::size_t m, std::size_t i) {
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
      const T* left = diagonals.value(p, i + v * lanes);
      const T* right = diagonals.value(m - p, i + p + v * lanes);
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
    T* const at = diagonals.value(m, i + v * lanes);
    hn::Store(closed(d, best[v][0], hn::Load(d, at)), d, at);
    hn::Store(best[v][0], d, diagonals.best(m, i + v * lanes));
  }
}

template <std::size_t VectorBytes, class T>
void fill_by_vectors_of(const Diagonals<T>& diagonals, std::size_t n) {
  const hn::CappedTag<T, VectorBytes / sizeof(T)> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t m = 2; m < n; ++m) {
    std::size_t i = 0;
    const std::size_t end = n - m;
    for (; i + 3 * lanes < end; i += 4 * lanes) fill_vectors<4, 1>(d, diagonals, m, i);
    for (; i + lanes < end; i += 2 * lanes) fill_vectors<2, 2>(d, diagonals, m, i);
    if (i < end) fill_vectors<1, 4>(d, diagonals, m, i);
  }
}

/// Longer vectors compute more entries beyond the ends of the diagonals. 64 bytes pay where they take one cycle, which
/// Highway's targets do not tell: on Intel's processors, not on Zen 4.
template <class T>
void fill_diagonals(const Diagonals<T>& diagonals, std::size_t n) {
#if HWY_ARCH_X86
  if (__builtin_cpu_is("intel")) return fill_by_vectors_of<64>(diagonals, n);
#endif
  fill_by_vectors_of<32>(diagonals, n);
}

/// Transposes blocks whose rows all begin at one diagonal, as long as they end within the matrix.
template <class T>
void copy_diagonals(const Diagonals<T>& diagonals, const MatrixView<const T>& weights) {
  const hn::CappedTag<T, 16 / sizeof(T)> d;
  constexpr std::size_t side = hn::MaxLanes(d);
  const std::size_t n = weights.rows;
  for (std::size_t i = 0; i + 2 < n; i += side) {
    std::size_t m = 2;
#if HWY_TARGET != HWY_SCALAR
    for (; i + m + 2 * side - 2 < n; m += side) {
      hn::Vec<decltype(d)> rows[side];
      for (std::size_t r = 0; r < side; ++r) {
        rows[r] = hn::Min(hn::LoadU(d, weights.row(i + r) + i + r + m), hn::Set(d, infinity<T>));
      }
      store_columns(d, rows, diagonals.value(m, i), diagonals.stride);
    }
#endif
    for (std::size_t row = i; row < std::min(i + side, n); ++row) {
      for (std::size_t j = row + m; j < n; ++j) {
        *diagonals.value(j - row, row) = std::min(weights(row, j), infinity<T>);
      }
    }
  }
  *diagonals.value(n - 1, 0) = 0;
}

// HWY_EXPORT takes plain functions only.
void fill_i32(const Diagonals<std::int32_t>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_i64(const Diagonals<std::int64_t>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_f32(const Diagonals<float>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void fill_f64(const Diagonals<double>& diagonals, std::size_t n) { fill_diagonals(diagonals, n); }
void copy_i32(const Diagonals<std::int32_t>& to, const MatrixView<const std::int32_t>& weights) {
  copy_diagonals(to, weights);
}
void copy_i64(const Diagonals<std::int64_t>& to, const MatrixView<const std::int64_t>& weights) {
  copy_diagonals(to, weights);
}
void copy_f32(const Diagonals<float>& to, const MatrixView<const float>& weights) { copy_diagonals(to, weights); }
void copy_f64(const Diagonals<double>& to, const MatrixView<const double>& weights) { copy_diagonals(to, weights); }

}  // namespace warpfold::interval::small::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval::small {

HWY_EXPORT(fill_i32);
HWY_EXPORT(fill_i64);
HWY_EXPORT(fill_f32);
HWY_EXPORT(fill_f64);
HWY_EXPORT(copy_i32);
HWY_EXPORT(copy_i64);
HWY_EXPORT(copy_f32);
HWY_EXPORT(copy_f64);

template <>
void fill(const Diagonals<std::int32_t>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_i32)(diagonals, n);
}
template <>
void fill(const Diagonals<std::int64_t>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_i64)(diagonals, n);
}
template <>
void fill(const Diagonals<float>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_f32)(diagonals, n);
}
template <>
void fill(const Diagonals<double>& diagonals, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_f64)(diagonals, n);
}
template <>
void copy_weights(const Diagonals<std::int32_t>& diagonals, const MatrixView<const std::int32_t>& weights) {
  HWY_DYNAMIC_DISPATCH(copy_i32)(diagonals, weights);
}
template <>
void copy_weights(const Diagonals<std::int64_t>& diagonals, const MatrixView<const std::int64_t>& weights) {
  HWY_DYNAMIC_DISPATCH(copy_i64)(diagonals, weights);
}
template <>
void copy_weights(const Diagonals<float>& diagonals, const MatrixView<const float>& weights) {
  HWY_DYNAMIC_DISPATCH(copy_f32)(diagonals, weights);
}
template <>
void copy_weights(const Diagonals<double>& diagonals, const MatrixView<const double>& weights) {
  HWY_DYNAMIC_DISPATCH(copy_f64)(diagonals, weights);
}

}  // namespace warpfold::interval::small
#endif
