#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold::minplus {

/// What a product is made of, chosen at run time: `plus` takes one of two terms or adds them up, `times` joins the two
/// entries of a term. An entry of zero() is "no value": no term with it counts.
///
/// | kind     | plus | times | zero()       | one()        | types                   |
/// |----------|------|-------|--------------|--------------|-------------------------|
/// | min_plus | min  | +     | infinity<T>  | 0            | i16, i32, i64, f32, f64 |
/// | max_plus | max  | +     | -infinity<T> | 0            | the same                |
/// | min_max  | min  | max   | infinity<T>  | -infinity<T> | the same                |
/// | max_min  | max  | min   | -infinity<T> | infinity<T>  | the same                |
/// | or_and   | or   | and   | 0            | 1            | u8                      |
/// | count    | +    | x     | 0            | 1            | u64, f64                |
struct Semiring {
  enum Kind : std::uint8_t { min_plus, max_plus, min_max, max_min, or_and, count };

  constexpr Semiring(Kind of_kind = min_plus, std::uint64_t of_modulus = 0) : kind(of_kind), modulus(of_modulus) {}

  Kind kind;
  std::uint64_t modulus;  ///< count with u64 alone: 0 for exact numbers, else all are taken modulo 2 .. 2^32 - 1

  /// Whether plus takes the lesser (or the greater, or the sum).
  [[nodiscard]] constexpr bool takes_least() const { return kind == min_plus || kind == min_max; }
  /// Whether times adds.
  [[nodiscard]] constexpr bool adds() const { return kind == min_plus || kind == max_plus; }
  /// Whether plus takes one of its terms, so that there is an argmin, and closures.
  [[nodiscard]] constexpr bool chooses() const { return kind != count; }

  template <class T>
  [[nodiscard]] constexpr bool accepts() const {
    if (kind == or_and) return std::is_same_v<T, std::uint8_t>;
    if (kind == count) return std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>;
    return std::is_signed_v<T>;
  }
  template <class T>
  [[nodiscard]] constexpr T zero() const {
    if (kind == or_and || kind == count) return T{0};
    return takes_least() ? infinity<T> : static_cast<T>(-infinity<T>);
  }
  template <class T>
  [[nodiscard]] constexpr T one() const {
    if (kind == or_and || kind == count) return T{1};
    if (adds()) return T{0};
    return takes_least() ? static_cast<T>(-infinity<T>) : infinity<T>;
  }

  bool operator==(const Semiring&) const = default;
};

/// "min-plus", "max-plus", "min-max", "max-min", "or-and" or "count". Raises Error{usage} for anything else.
[[nodiscard]] Semiring parse_semiring(const std::string& name);
[[nodiscard]] std::string to_string(Semiring semiring);

}  // namespace warpfold::minplus
