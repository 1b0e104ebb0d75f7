#include "dtypes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/listed.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

bool adds_exactly(const std::string& dtype, double largest) {
  if (dtype == "f32") return largest < 0x1p24;  // which may have been one more
  return dtype != "f64" || largest < 0x1p53;
}

std::string smallest_exact_dtype(double largest) {
  constexpr double rounded_four = 4.001;  // `largest` is rounded here
  if (largest < static_cast<double>(std::numeric_limits<std::int32_t>::max()) / rounded_four) return "i32";
  return largest < static_cast<double>(std::numeric_limits<std::int64_t>::max()) / rounded_four ? "i64" : "f64";
}

void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted) {
  if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return;
  throw Error(ErrorKind::usage, fmt::format("dtype '{}' is not accepted here: {} is", dtype, listed(accepted)));
}

}  // namespace warpfold::app
