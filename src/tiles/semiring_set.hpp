#pragma once

#include <type_traits>

#include "warpfold/core/semiring.hpp"

namespace warpfold::tiles {

/// Of what is there for each semiring that chooses, the one of `Semiring`; MinPlus's for its variants.
template <class Semiring, class Set>
[[nodiscard]] auto of_semiring(const Set& set) {
  using T = typename Semiring::Value;
  if constexpr (std::is_same_v<Semiring, MaxPlus<T>>) return set.max_plus;
  if constexpr (std::is_same_v<Semiring, MinMax<T>>) return set.min_max;
  if constexpr (std::is_same_v<Semiring, MaxMin<T>>) return set.max_min;
  return set.min_plus;
}

}  // namespace warpfold::tiles
