#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/semiring.hpp"

namespace warpfold::minplus {

/// Which of core/semiring.hpp's semirings a product is over, chosen at run time: `plus` takes one of two terms or adds
/// them up, `times` joins the two entries of a term. An entry of zero() is "no value": no term with it counts.
///
/// | kind       | tag      | plus | times | zero()       | one()        | types                   |
/// |------------|----------|------|-------|--------------|--------------|-------------------------|
/// | min_plus   | MinPlus  | min  | +     | infinity<T>  | 0            | i16, i32, i64, f32, f64 |
/// | max_plus   | MaxPlus  | max  | +     | -infinity<T> | 0            | the same                |
/// | min_max    | MinMax   | min  | max   | infinity<T>  | -infinity<T> | the same                |
/// | max_min    | MaxMin   | max  | min   | -infinity<T> | infinity<T>  | the same                |
/// | or_and     | OrAnd    | or   | and   | 0            | 1            | u8                      |
/// | plus_times | Counting | +    | x     | 0            | 1            | u64, f64                |
struct Semiring {
  enum Kind : std::uint8_t { min_plus, max_plus, min_max, max_min, or_and, plus_times };

  constexpr Semiring(Kind of_kind = min_plus, std::uint64_t of_modulus = 0) : kind(of_kind), modulus(of_modulus) {}

  Kind kind;
  std::uint64_t modulus;  ///< plus_times with u64 alone: 0 for exact numbers, else all are taken modulo 2 .. 2^32 - 1

  /// Whether plus takes the lesser (or the greater, or the sum).
  [[nodiscard]] constexpr bool takes_least() const { return kind == min_plus || kind == min_max; }
  /// Whether times adds.
  [[nodiscard]] constexpr bool adds() const { return kind == min_plus || kind == max_plus; }
  /// Whether plus takes one of its terms, so that there is an argmin, and closures.
  [[nodiscard]] constexpr bool chooses() const { return kind != plus_times; }

  template <class T>
  [[nodiscard]] constexpr bool accepts() const {
    if (kind == or_and) return std::is_same_v<T, std::uint8_t>;
    if (kind == plus_times) return std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>;
    return kind < or_and && std::is_signed_v<T>;
  }
  /// The tag's; of or_and for a wider T too.
  template <class T>
  [[nodiscard]] constexpr T zero() const;
  template <class T>
  [[nodiscard]] constexpr T one() const;

  bool operator==(const Semiring&) const = default;
};

/// Returns visit(tag) for MinPlus<T>, MaxPlus<T>, MinMax<T> or MaxMin<T>, which serves for or_and on 0 and 1 too; of u8
/// for OrAnd.
template <class T, class Visit>
constexpr auto with_choosing_tag(Semiring semiring, const Visit& visit) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return visit(OrAnd());
  } else {
    if (semiring.kind == Semiring::min_plus) return visit(MinPlus<T>());
    if (semiring.kind == Semiring::max_plus) return visit(MaxPlus<T>());
    if (semiring.kind == Semiring::min_max) return visit(MinMax<T>());
    return visit(MaxMin<T>());
  }
}

/// Returns visit(tag) for the tag of a semiring that accepts T.
template <class T, class Visit>
constexpr auto with_tag(Semiring semiring, const Visit& visit) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return visit(Counting<T>());
  } else if constexpr (std::is_same_v<T, double>) {
    return semiring.kind == Semiring::plus_times ? visit(Counting<T>()) : with_choosing_tag<T>(semiring, visit);
  } else {
    return with_choosing_tag<T>(semiring, visit);
  }
}

template <class T>
constexpr T Semiring::zero() const {
  if (kind == or_and) return T{0};
  return with_tag<T>(*this, [](auto tag) { return static_cast<T>(tag.zero()); });
}
template <class T>
constexpr T Semiring::one() const {
  if (kind == or_and) return T{1};
  return with_tag<T>(*this, [](auto tag) { return static_cast<T>(tag.one()); });
}

/// "min-plus", "max-plus", "min-max", "max-min", "or-and" or "plus-times", which "count" names too. Raises Error{usage}
/// for anything else.
[[nodiscard]] Semiring parse_semiring(const std::string& name);
/// The first of these names.
[[nodiscard]] std::string to_string(Semiring semiring);

}  // namespace warpfold::minplus
