#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/run/verdict.hpp"

namespace warpfold::polygon {

/// Whether the whole-number type T holds what a chord weighs, exactly and below 2^53.
template <class T>
[[nodiscard]] Flaw flaw_of_weight(std::size_t i, std::size_t j, double weight) {
  const double most = std::min(0x1p53, static_cast<double>(infinity<T>));
  if (std::trunc(weight) == weight && weight < most) return std::nullopt;
  return fmt::format("{} is a whole-number type below {}, chord [{}, {}] weighs {}", dtype_name<T>(), most, i, j,
                     weight);
}

}  // namespace warpfold::polygon
