#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "core/capability.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/semiring.hpp"

/// The semirings that choose, in the device's instructions.
namespace warpfold::tiles::device {

/// The compute capability that this code is compiled for. The host has none and asks a kernel (cuda::capability_of).
#ifdef __CUDA_ARCH__
inline constexpr int this_capability = __CUDA_ARCH__ / 10;
#else
inline constexpr int this_capability = 0;
#endif

/// The smaller and the larger of two values. f64 compares, because fmin handles NaN at the cost of more instructions.
template <class T>
__device__ __forceinline__ T least(T x, T y) {
  if constexpr (std::is_same_v<T, float>) return fminf(x, y);
  return y < x ? y : x;
}
template <class T>
__device__ __forceinline__ T greatest(T x, T y) {
  if constexpr (std::is_same_v<T, float>) return fmaxf(x, y);
  return x < y ? y : x;
}

/// A selective semiring of core/semiring.hpp in the device's instructions. int32_t takes one instruction for an
/// addition and a choice (VIADDMNMX), float two. `none` is the value of no term, unless a solver says otherwise.
template <class Semiring>
struct Arithmetic {
  using Value = typename Semiring::Value;
  static_assert(SemiringTraits<Semiring>::is_selective);
  static constexpr bool chooses_least = SemiringTraits<Semiring>::is_min;
  static constexpr bool adds = SemiringTraits<Semiring>::adds;
  static constexpr Value none = Semiring::zero();
  /// Whether a product takes two terms at a time. f32 does not: its two instructions a term fill every issue slot, and
  /// it gains 1 % by loading one term ahead.
  static constexpr bool by_pairs = !std::is_same_v<Value, float>;

  /// Whether plus(x, y) is x, and not for a tie.
  static __device__ __forceinline__ bool better(Value x, Value y) { return chooses_least ? x < y : y < x; }
  static __device__ __forceinline__ Value plus(Value x, Value y) {
    return chooses_least ? least(x, y) : greatest(x, y);
  }
  static __device__ __forceinline__ Value times(Value x, Value y) {
    if constexpr (adds) return x + y;
    if constexpr (SemiringTraits<Semiring>::multiplies) return x * y;
    return chooses_least ? greatest(x, y) : least(x, y);
  }
  /// Adds two terms of k to one result.
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return plus(plus(acc, times(a0, b0)), times(a1, b1));
  }
};

/// (min,+) for floats that are never negative and never -0.0. Such floats are ordered like their bits as integers, so
/// one three-way integer minimum takes two sums: three instructions for two terms instead of four. A GPU without such
/// an instruction treats them like other floats.
struct NonnegativeF32 : Arithmetic<MinPlus<float>> {
  static constexpr bool by_pairs = warpfold::cuda::has_dpx(this_capability);
  static __device__ __forceinline__ float accumulate(float acc, float a0, float b0, float a1, float b1) {
    if constexpr (!by_pairs) return Arithmetic::accumulate(acc, a0, b0, a1, b1);
    return __int_as_float(__vimin3_s32(__float_as_int(acc), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
  }
};

}  // namespace warpfold::tiles::device
