#pragma once

#include <string>

namespace warpfold::app {

/// Runs "machine run ..", a line without the program's name, and says in a sentence what came out.
[[nodiscard]] std::string machine_run_sentence(const std::string& line);

}  // namespace warpfold::app
