#pragma once

#include <string>

#include "arguments.hpp"

/// What a shell completes behind `warpfold`: commands, options, the words that an option accepts, else names of files.
/// Each script finds the command that the line is at from the words before the cursor, then asks lists that are made
/// from what the help says.
namespace warpfold::app {

[[nodiscard]] std::string bash_completions(const CommandText& program);
[[nodiscard]] std::string zsh_completions(const CommandText& program);
[[nodiscard]] std::string fish_completions(const CommandText& program);

void add_completions(const Program& program);

}  // namespace warpfold::app
