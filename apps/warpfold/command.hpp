#pragma once

/// The headers that every solving command includes.
#include "algorithms.hpp"
#include "arguments.hpp"
#include "dtypes.hpp"
#include "io/text.hpp"
#include "limits.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

using io::with_file_context;

}  // namespace warpfold::app
