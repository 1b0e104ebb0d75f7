#pragma once

#include <fmt/format.h>

#include <string>

#include "warpfold/core/error.hpp"

namespace warpfold::permutation {

/// Raises Error{input} for the arrays of a plan.
[[noreturn]] inline void reject_plan(const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("the plan moves no permutation: {}", what));
}

}  // namespace warpfold::permutation
