#pragma once

#include <string>

#include "arguments.hpp"

namespace warpfold::app {

/// Adds "machine play", a page to step through runs.
void add_machine_play(Command command);

/// Runs "machine run ..", a command line without the program's name, and returns its result as a sentence.
[[nodiscard]] std::string machine_run_sentence(const std::string& line);

}  // namespace warpfold::app
