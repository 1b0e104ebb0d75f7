#pragma once

#include "tiles/gpu/fill.cuh"
#include "warpfold/interval/recurrence.hpp"

/// A user's recurrence as the GPU solver's rules.
namespace warpfold::interval::device {

using namespace tiles::device;

template <class Semiring, class T = typename Semiring::Value>
inline constexpr bool has_instructions = SemiringTraits<Semiring>::is_selective &&
                                         (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> ||
                                          std::is_floating_point_v<T>);

/// The type of a value on the device: small integers take four bytes.
template <class T>
using DeviceValue =
    std::conditional_t<(sizeof(T) < 4), std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, T>;

/// A semiring on the device: in the instructions of Arithmetic if it has them, otherwise by its own functions.
template <class Semiring>
struct Algebra {
  using Listed = typename Semiring::Value;  ///< what the semiring's functions take
  using Value = DeviceValue<Listed>;
  static __device__ __forceinline__ Value plus(Value x, Value y) {
    return Semiring::plus(static_cast<Listed>(x), static_cast<Listed>(y));
  }
  static __device__ __forceinline__ Value times(Value x, Value y) {
    return interval::detail::Stored<Semiring>::times(static_cast<Listed>(x), static_cast<Listed>(y));
  }
  static __device__ __forceinline__ Value accumulate(Value best, Value a0, Value b0, Value a1, Value b1) {
    return plus(plus(best, times(a0, b0)), times(a1, b1));
  }
};
template <class Semiring>
requires has_instructions<Semiring>
struct Algebra<Semiring> : tiles::device::Arithmetic<Semiring> {
  using Listed = typename Semiring::Value;
};

/// (min,+) over f32 whose owner promises that no value is negative.
struct NonnegativeAlgebra : tiles::device::NonnegativeF32 {
  using Listed = float;
};
template <class R>
concept PromisesNoNegative = R::nonnegative && std::same_as<typename R::Semiring, MinPlus<float>>;
template <class R>
struct AlgebraOf {
  using Type = Algebra<typename R::Semiring>;
};
template <PromisesNoNegative R>
struct AlgebraOf<R> {
  using Type = NonnegativeAlgebra;
};

/// A rejected value as one number, whose order is that of the messages: the shorter interval first, then the smaller i.
/// The parts of a value come before it. A solve stops at the first rejected value it sees, and keeps the least of those
/// seen.
struct Misfit {
  enum Kind : unsigned { split, weight, value };

  static constexpr unsigned long long none = ~0ULL;
  unsigned long long code;

  static constexpr unsigned long long encode(unsigned i, unsigned j, Kind kind) {
    return (static_cast<unsigned long long>(j - i) << 32 | i) << 2 | kind;
  }
  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(code % 4); }
  [[nodiscard]] constexpr std::size_t i() const { return code >> 2 & 0xffffffff; }
  [[nodiscard]] constexpr std::size_t j() const { return i() + (code >> 34); }
};

/// `fused`: a product split and its sum are rounded once.
template <class R, bool fused>
struct RecurrenceRules {
  using Semiring = typename R::Semiring;
  using Algebra = typename AlgebraOf<R>::Type;
  using Listed = typename Semiring::Value;
  using Value = typename Algebra::Value;
  using Values = interval::detail::Stored<Semiring>;
  static constexpr ClosingKind closing = closes_by_weight<R>    ? ClosingKind::by_weight
                                         : closes_with_inner<R> ? ClosingKind::with_inner
                                                                : ClosingKind::freely;
  static constexpr bool splits = interval::splits_by_product<R> || splits_freely<R>;
  static constexpr bool commutes = has_instructions<Semiring>;
  static constexpr bool unrolled = commutes && closing == ClosingKind::by_weight && !splits_freely<R>;
  static constexpr bool loads_ahead = requires { requires !Algebra::by_pairs; }
  &&!splits;
  static constexpr bool fills_by_teams = true;
  static constexpr bool large_by_teams = unrolled && !splits && std::is_same_v<Value, std::int32_t>;
  /// The caller's functions are checked as they are called. Sums of their values may still be too large.
  static constexpr bool checks = closing == ClosingKind::by_weight && Values::limited;
  static constexpr bool splits_by_product =
      interval::splits_by_product<R> && has_instructions<Semiring> && SemiringTraits<Semiring>::adds;
  /// The product joins one operand ahead. Integers add in any order, and `fused` promises integers.
  static constexpr bool splits_first = splits_by_product && (fused || std::is_integral_v<Value>);

  R recurrence;
  ProductSplit<Listed> split;  ///< on the device, with room for indices up to 64 beyond whole tiles
  unsigned points;
  unsigned long long* misfit;  ///< the least Misfit that was seen
  Stop stop;

  static __device__ __forceinline__ Value zero() { return Values::zero(); }
  static __device__ __forceinline__ Value one() { return Semiring::one(); }
  static __device__ __forceinline__ Value plus(Value x, Value y) { return Algebra::plus(x, y); }
  static __device__ __forceinline__ Value times(Value x, Value y) { return Algebra::times(x, y); }

  __device__ __forceinline__ Value left(unsigned i) const { return __ldg(split.left + i); }
  __device__ __forceinline__ Value middle(unsigned k) const { return __ldg(split.middle + k); }
  __device__ __forceinline__ Value right(unsigned j) const { return __ldg(split.right + j); }

  __device__ __forceinline__ Value join(Value x, Value y, unsigned i, unsigned k, unsigned j) const {
    if constexpr (interval::splits_by_product<R>) {
      return join_product(x, y, left(i), middle(k), right(j));
    } else if constexpr (splits_freely<R>) {
      if (j >= points) return zero();
      const Listed split = recurrence.split(i, k, j);
      if (!Values::accepts(split)) report(i, j, Misfit::split);
      if (Values::limited && Semiring::is_zero(split)) return zero();
      return times(times(x, y), Values::of(split));
    } else {
      return times(x, y);
    }
  }
  static __device__ __forceinline__ Value join_product(Value x, Value y, Value left, Value middle, Value right) {
    if constexpr (splits_first) return times(with_product(x, left, middle * right), y);
    return times(times(x, y), left * (middle * right));
  }

  __device__ __forceinline__ Value accumulate(Value best, Value x0, Value y0, Value x1, Value y1, unsigned i,
                                              unsigned k, unsigned j) const {
    if constexpr (splits) {
      return plus(plus(best, join(x0, y0, i, k, j)), join(x1, y1, i, k + 1, j));
    } else {
      return Algebra::accumulate(best, x0, y0, x1, y1);
    }
  }
  static __device__ __forceinline__ Value accumulate_products(Value best, Value x0, Value y0, Value factor0, Value x1,
                                                              Value y1, Value factor1, Value left) {
    if constexpr (splits_first && std::is_same_v<Semiring, MinPlus<std::int32_t>>) {
      // One instruction for a sum and its minimum, which the compiler would otherwise take apart.
      best = __viaddmin_s32(with_product(x0, left, factor0), y0, best);
      return __viaddmin_s32(with_product(x1, left, factor1), y1, best);
    } else if constexpr (splits_first) {
      return Algebra::accumulate(best, with_product(x0, left, factor0), y0, with_product(x1, left, factor1), y1);
    } else {
      return Algebra::accumulate(best, times(x0, y0), left * factor0, times(x1, y1), left * factor1);
    }
  }

  __device__ __forceinline__ Value weight(const Job<Value>&, unsigned i, unsigned j) const {
    if (j >= points || i >= j) return zero();
    if (j == i + 1) return taken(recurrence.leaf(i), i, j, Misfit::value);
    return taken(recurrence.weight(i, j), i, j, Misfit::weight);
  }

  __device__ __forceinline__ Value close(unsigned, unsigned i, unsigned j, Value best, Value other) const {
    if constexpr (closing == ClosingKind::by_weight) {
      const Value value = times(best, other);
      return Values::is_zero(static_cast<Listed>(value)) ? zero() : value;
    } else {
      if (j >= points) return zero();
      if (j == i + 1) return taken(recurrence.leaf(i), i, j, Misfit::value);
      const Listed sum = Values::is_zero(static_cast<Listed>(best)) ? Semiring::zero() : static_cast<Listed>(best);
      if constexpr (closing == ClosingKind::with_inner) {
        const Listed inner = j == i + 2 ? Semiring::one() : meant(static_cast<Listed>(other));
        return taken(recurrence.close(i, j, sum, inner), i, j, Misfit::value);
      } else {
        return taken(recurrence.close(i, j, sum), i, j, Misfit::value);
      }
    }
  }
  /// Checks after the tile is finished, so that no step waits for it.
  __device__ __forceinline__ void check(unsigned i, unsigned j, Value value) const {
    if constexpr (checks) {
      const bool fits = i >= j || Values::is_finite(static_cast<Listed>(value)) || value == zero();
      if (!fits) report(i, j, Misfit::value);
    }
  }

 private:
  static __device__ __forceinline__ Listed meant(const Listed& stored) { return Values::meant(stored); }

  /// A value of a caller's function as it is stored.
  __device__ __forceinline__ Value taken(const Listed& given, unsigned i, unsigned j, Misfit::Kind kind) const {
    if (!Values::accepts(given)) report(i, j, kind);
    return Values::of(given);
  }
  __device__ __forceinline__ void report(unsigned i, unsigned j, Misfit::Kind kind) const {
    atomicMin_system(misfit, Misfit::encode(i, j, kind));
    stop.ask();
  }

  /// In one instruction.
  static __device__ __forceinline__ Value with_product(Value value, Value left, Value factor) {
    if constexpr (std::is_integral_v<Value>) return value + left * factor;
    return fma(left, factor, value);
  }
};

}  // namespace warpfold::interval::device
