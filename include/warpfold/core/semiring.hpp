#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"

/// The semirings of the recurrences and products. `plus` chooses or sums alternatives, `times` joins parts. zero() is
/// the identity of plus and absorbs in times: plus(zero, x) = x, times(zero, x) = zero. one() is the empty part.
///
/// A zero() that is infinite is infinity<T> or -infinity<T>. Integers use max/2 for it. Inputs at or beyond it mean "no
/// value" unless the problem rejects them. A sum of finite integers never becomes infinite: it stops at the last value
/// before infinity. That value is outside the range that solvers accept.
namespace warpfold {

/// The requirements on a user's semiring. Values are default-constructible and copyable, because tables are allocated
/// before any value is known.
template <class S>
concept IsSemiring = std::default_initializable<typename S::Value> && std::copyable<typename S::Value> &&
    requires(const typename S::Value& a) {
  { S::zero() } -> std::convertible_to<typename S::Value>;
  { S::one() } -> std::convertible_to<typename S::Value>;
  { S::plus(a, a) } -> std::convertible_to<typename S::Value>;
  { S::times(a, a) } -> std::convertible_to<typename S::Value>;
  { S::is_zero(a) } -> std::convertible_to<bool>;
};

namespace detail {

/// Whether T has an infinity of either sign.
template <class T>
inline constexpr bool has_infinities = std::is_floating_point_v<T> ||
                                       (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) <= 8);

/// a + b. An integer sum is limited to the finite values: it stops one before infinity or -infinity.
template <class T>
constexpr T finite_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    constexpr T most = infinity<T> - 1;
    if (b > 0 ? a > most - b : a < -most - b) return b > 0 ? most : static_cast<T>(-most);
    return static_cast<T>(a + b);
  }
}

}  // namespace detail

namespace minplus {

/// The library's semirings that can be chosen at run time. Each has a tag.
///
/// The type is in this namespace because calls such as multiply(Semiring::min_plus, ..) find `multiply` by their
/// arguments.
struct SemiringKinds {
  enum Kind : std::uint8_t { min_plus, max_plus, min_max, max_min, or_and, plus_times, max_times };

  bool operator==(const SemiringKinds&) const = default;
};

}  // namespace minplus

using minplus::SemiringKinds;

/// The elementary operations that plus and times can be.
enum class Operation : std::uint8_t { minimum, maximum, sum, product };

// Each tag below also states its kind, its name on the command line and in Python, and both operations. Its vector code
// (tiles/cpu/register_product-inl.h) and its GPU code (tiles/gpu/arithmetic.cuh) are made from these.

/// (min,+): the smallest sum.
template <class T>
struct MinPlus {
  static_assert(detail::has_infinities<T>, "MinPlus takes signed integers of up to 64 bits or floating point");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::min_plus;
  static constexpr std::string_view name = "min-plus";
  static constexpr Operation plus_is = Operation::minimum, times_is = Operation::sum;
  static constexpr T zero() { return infinity<T>; }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return is_zero(a) || is_zero(b) ? zero() : detail::finite_sum(a, b); }
  static constexpr bool is_zero(T a) { return a >= zero(); }
};

/// (max,+): the largest sum.
template <class T>
struct MaxPlus {
  static_assert(detail::has_infinities<T>, "MaxPlus takes signed integers of up to 64 bits or floating point");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::max_plus;
  static constexpr std::string_view name = "max-plus";
  static constexpr Operation plus_is = Operation::maximum, times_is = Operation::sum;
  static constexpr T zero() { return static_cast<T>(-infinity<T>); }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return is_zero(a) || is_zero(b) ? zero() : detail::finite_sum(a, b); }
  static constexpr bool is_zero(T a) { return a <= zero(); }
};

/// (min,max): the smallest maximum of the parts (bottleneck).
template <class T>
struct MinMax {
  static_assert(detail::has_infinities<T>, "MinMax takes signed integers of up to 64 bits or floating point");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::min_max;
  static constexpr std::string_view name = "min-max";
  static constexpr Operation plus_is = Operation::minimum, times_is = Operation::maximum;
  static constexpr T zero() { return infinity<T>; }
  static constexpr T one() { return static_cast<T>(-infinity<T>); }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return a < b ? b : a; }
  static constexpr bool is_zero(T a) { return a >= zero(); }
};

/// (max,min): the largest minimum of the parts (capacity).
template <class T>
struct MaxMin {
  static_assert(detail::has_infinities<T>, "MaxMin takes signed integers of up to 64 bits or floating point");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::max_min;
  static constexpr std::string_view name = "max-min";
  static constexpr Operation plus_is = Operation::maximum, times_is = Operation::minimum;
  static constexpr T zero() { return static_cast<T>(-infinity<T>); }
  static constexpr T one() { return infinity<T>; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return b < a ? b : a; }
  static constexpr bool is_zero(T a) { return a <= zero(); }
};

/// (max,*) on numbers from 0 to 1: the largest product. If parts are independent with these probabilities, it is the
/// most reliable whole.
///
/// Each product is rounded once, so a product of matrices has the same bits everywhere. Closures and paths have the
/// same bits from the same algorithm on every device. Two algorithms agree up to rounding. A product that is rounded to
/// 0 is "no value".
template <class T>
struct MaxTimes {
  static_assert(std::is_floating_point_v<T>, "MaxTimes takes floating point");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::max_times;
  static constexpr std::string_view name = "max-times";
  static constexpr Operation plus_is = Operation::maximum, times_is = Operation::product;
  static constexpr T zero() { return T{0}; }
  static constexpr T one() { return T{1}; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return a * b; }
  static constexpr bool is_zero(T a) { return a <= zero(); }
};

/// (or,and) on 0 and 1: whether any way exists.
struct OrAnd {
  using Value = std::uint8_t;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::or_and;
  static constexpr std::string_view name = "or-and";
  static constexpr Operation plus_is = Operation::maximum, times_is = Operation::minimum;
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return a | b; }
  static constexpr Value times(Value a, Value b) { return a & b; }
  static constexpr bool is_zero(Value a) { return a == 0; }
};

/// (+,*): the number of ways. T does the counting: double is exact to about 2^53, an unsigned type counts modulo its
/// power of two, a class of big integers is exact.
template <class T>
struct Counting {
  static_assert(!std::is_integral_v<T> || std::is_unsigned_v<T>,
                "Counting takes an unsigned type, which counts modulo a power of two, floating point or a class");
  using Value = T;
  static constexpr SemiringKinds::Kind kind = SemiringKinds::plus_times;
  static constexpr std::string_view name = "plus-times";
  static constexpr Operation plus_is = Operation::sum, times_is = Operation::product;
  static constexpr T zero() { return T(0); }
  static constexpr T one() { return T(1); }
  static constexpr T plus(const T& a, const T& b) { return T(a + b); }
  static constexpr T times(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(1U * a * b);  // 16 bits would become int, and overflow
    } else {
      return T(a * b);
    }
  }
  static constexpr bool is_zero(const T& a) { return a == T(0); }
};

/// (+,*) for sums of nonnegative numbers of any magnitude, such as partition functions. Solvers keep an exponent for
/// each tile besides the values (scaled.hpp). Products are not fused with sums, so every instruction set gives the same
/// bits.
template <class T>
struct ScaledSum {
  static_assert(std::is_same_v<T, double>, "ScaledSum takes double");
  using Value = T;
  static constexpr T zero() { return T{0}; }
  static constexpr T one() { return T{1}; }
  static constexpr T plus(T a, T b) { return a + b; }
  static constexpr T times(T a, T b) { return a * b; }
  static constexpr bool is_zero(T a) { return a == 0; }
  /// The numbers that a problem may be made of: 0, and 2^-120 to 2^120.
  static constexpr bool accepts(T a) { return a == 0 || (a >= 0x1p-120 && a <= 0x1p120); }
  static constexpr const char* accepted = "0, and 2^-120 to 2^120, are accepted";
};

/// Whether values have an exponent besides.
template <class S>
inline constexpr bool is_scaled = false;
template <class T>
inline constexpr bool is_scaled<ScaledSum<T>> = true;

/// The number of ways modulo m, 2 <= m < 2^32.
template <std::uint64_t modulus>
struct CountingModulo {
  static_assert(modulus >= 2 && modulus <= std::numeric_limits<std::uint32_t>::max());
  using Value = std::uint64_t;
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return (a + b) % modulus; }
  static constexpr Value times(Value a, Value b) { return a * b % modulus; }
  static constexpr bool is_zero(Value a) { return a == 0; }
  static constexpr bool accepts(Value a) { return a < modulus; }
};

/// An ordered list of tags.
template <class... Tags>
struct TagList {
  static constexpr std::size_t size = sizeof...(Tags);
};

namespace detail {

/// The library's semirings for values of type T whose plus returns one of its two terms.
template <class T>
constexpr auto choosing_tags() {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return TagList<OrAnd>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return TagList<MinPlus<T>, MaxPlus<T>, MinMax<T>, MaxMin<T>, MaxTimes<T>>();
  } else if constexpr (has_infinities<T>) {
    return TagList<MinPlus<T>, MaxPlus<T>, MinMax<T>, MaxMin<T>>();
  } else {
    return TagList<>();
  }
}
/// The library's semirings for values of type T whose plus is a sum.
template <class T>
constexpr auto summing_tags() {
  if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>) {
    return TagList<Counting<T>>();
  } else {
    return TagList<>();
  }
}

template <class... First, class... Second>
constexpr auto joined(TagList<First...>, TagList<Second...>) {
  return TagList<First..., Second...>();
}

/// The position of a tag in a list, or the list's size if it is not there.
template <class Tag, class... Tags>
constexpr std::size_t index_in(TagList<Tags...>) {
  std::size_t index = 0;
  static_cast<void>(((std::is_same_v<Tag, Tags> || (++index, false)) || ...));
  return index;
}

template <class S, bool is_listed>
constexpr bool plus_is(Operation operation) {
  if constexpr (is_listed) return S::plus_is == operation;
  return false;
}
template <class S, bool is_listed>
constexpr bool times_is(Operation operation) {
  if constexpr (is_listed) return S::times_is == operation;
  return false;
}
template <class S, bool is_listed>
constexpr bool has_infinite_zero() {
  using T = typename S::Value;
  if constexpr (is_listed) return S::zero() == infinity<T> || S::zero() == static_cast<T>(-infinity<T>);
  return false;
}

}  // namespace detail

/// The library's semirings for values of type T. `ChoosingTags` has those whose plus returns one of its terms. `Tags`
/// has these first, then the others. Everything that exists once per semiring is made from these lists.
template <class T>
using ChoosingTags = decltype(detail::choosing_tags<T>());
template <class T>
using Tags = decltype(detail::joined(detail::choosing_tags<T>(), detail::summing_tags<T>()));

/// What the library knows about a semiring: the statements of a listed tag, and nothing about any other semiring.
template <class S>
struct SemiringTraits {
  using T = typename S::Value;
  static constexpr std::size_t index = detail::index_in<S>(Tags<T>());  ///< the position, the same in both lists
  static constexpr bool is_listed = index < Tags<T>::size;
  static constexpr bool is_selective = index < ChoosingTags<T>::size;  ///< whether plus returns one of its terms
  static constexpr bool is_min = detail::plus_is<S, is_listed>(Operation::minimum);
  static constexpr bool adds = detail::times_is<S, is_listed>(Operation::sum);
  static constexpr bool multiplies = detail::times_is<S, is_listed>(Operation::product);
  static constexpr bool has_infinite_zero = detail::has_infinite_zero<S, is_selective>();
};

}  // namespace warpfold
