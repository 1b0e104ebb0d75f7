#pragma once

#include "arguments.hpp"

/// The commands below `paper` that have their own files.
namespace warpfold::app {

void add_paper_example(Command papers);
void add_tune(Command papers);

}  // namespace warpfold::app
