#pragma once

#include "arguments.hpp"

namespace warpfold::app {

/// Adds `machine predict`, which holds the memory machines against a GPU.
void add_predict(Command command);

}  // namespace warpfold::app
