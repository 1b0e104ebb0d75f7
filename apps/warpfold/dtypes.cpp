#include "dtypes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/listed.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted) {
  if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return;
  throw Error(ErrorKind::usage, fmt::format("dtype '{}' is not accepted here: {} is", dtype, listed(accepted)));
}

}  // namespace warpfold::app
