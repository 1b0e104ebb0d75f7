#pragma once

#include <algorithm>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold::interval {

/// The last step of an entry: adds the weight to the best candidate. An infinite result becomes infinity<T> again.
template <class T>
constexpr T close_entry(T best, T weight, T infinite) {
  // T{..}: on a device, std::min must not refer to a constant of the host
  const T value = static_cast<T>(std::min(best, T{infinity<T>}) + weight);
  return value < infinite ? value : infinity<T>;
}

}  // namespace warpfold::interval
