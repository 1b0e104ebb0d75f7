#pragma once

#include "arguments.hpp"

/// The commands below `paper` that have files of their own.
namespace warpfold::app {

void add_paper_example(Command papers);
void add_tune(Command papers);

}  // namespace warpfold::app
