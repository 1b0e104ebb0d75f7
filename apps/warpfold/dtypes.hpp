#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/arithmetic.hpp"

/// The number types that --dtype names.
namespace warpfold::app {

/// Whether floating point of that name adds integers up to `largest` without rounding; so do integer types.
[[nodiscard]] bool adds_exactly(const std::string& dtype, double largest);

/// Of those that hold whole totals up to `largest` four times, as problems ask for it; "f64" where none does.
[[nodiscard]] std::string smallest_exact_dtype(double largest);

/// Raises Error{usage} that names what is accepted, unless `dtype` is one of it.
void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted);

/// Calls `action` with a zero of the one of these types that `dtype` names. Raises Error{usage} for any other name.
template <class First, class... Rest, class Action>
auto with_dtype_among(const std::string& dtype, const Action& action) {
  check_dtype(dtype, {dtype_name<First>(), dtype_name<Rest>()...});
  if constexpr (sizeof...(Rest) > 0) {
    if (dtype != dtype_name<First>()) return with_dtype_among<Rest...>(dtype, action);
  }
  return action(First{});
}

template <class Action>
auto with_dtype(const std::string& dtype, const Action& action) {
  return with_dtype_among<std::int32_t, std::int64_t, float, double>(dtype, action);
}

}  // namespace warpfold::app
