#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/exact_type.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/point.hpp"
#include "warpfold/run/verdict.hpp"

/// Weights that a formula computes in double, converted to a number type.
namespace warpfold::interval {

/// Raises Error{usage} for an unknown formula.
inline void check_formula(ChordWeight formula) {
  if (formula == ChordWeight::length || formula == ChordWeight::squared) return;
  throw Error(ErrorKind::usage, fmt::format("weight {} is unknown", static_cast<int>(formula)));
}

/// Whether the integer type T can hold a chord's weight exactly, below 2^53.
template <class T>
[[nodiscard]] Violation find_weight_violation(std::size_t i, std::size_t j, double weight) {
  const double most = std::min(integer_limit<double>, static_cast<double>(infinity<T>));
  if (std::trunc(weight) == weight && weight < most) return std::nullopt;
  return fmt::format("{} holds integers below {}, chord [{}, {}] weighs {}", dtype_name<T>(), most, i, j, weight);
}

/// The weight of chord (i,j) in T. Raises Error{overflow} if it exceeds T. Raises Error{input} if an integer T does not
/// hold it exactly: truncated weights would make other chords the lightest.
template <class T>
[[nodiscard]] T held_weight(std::size_t i, std::size_t j, double weight) {
  if (!(weight < static_cast<double>(infinity<T>)) || weight > static_cast<double>(std::numeric_limits<T>::max())) {
    throw Error(ErrorKind::overflow, fmt::format("chord ({}, {}) weighs more than {} holds{}", i, j, dtype_name<T>(),
                                                 std::isinf(weight) ? "" : ", f64 does"));
  }
  if constexpr (std::is_integral_v<T>) {
    if (const Violation violation = find_weight_violation<T>(i, j, weight)) throw Error(ErrorKind::input, *violation);
  }
  return static_cast<T>(weight);
}

}  // namespace warpfold::interval
