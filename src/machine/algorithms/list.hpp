#pragma once

#include "warpfold/machine/algorithm.hpp"

/// One function an algorithm; each stands in the file of its name.
namespace warpfold::machine {

[[nodiscard]] Algorithm contiguous_access();
[[nodiscard]] Algorithm stride_access();

}  // namespace warpfold::machine
