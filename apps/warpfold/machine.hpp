#pragma once

#include <string>

namespace warpfold::app {

/// Runs "machine run ..", a command line without the program's name, and returns its result as a sentence.
[[nodiscard]] std::string machine_run_sentence(const std::string& line);

}  // namespace warpfold::app
