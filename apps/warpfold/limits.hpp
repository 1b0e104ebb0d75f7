#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "arguments.hpp"

/// The limits of a run: time and memory.
namespace warpfold::app {

/// Adds --time-limit SECONDS and --max-memory SIZE, as they are typed.
void add_limit_options(Command command, std::optional<double>& seconds, std::optional<std::string>& memory);

/// Starts the time limit and returns the deadline. The process ends with exit code 5 `last_words` after it. Raises
/// Error{usage} unless the seconds are above 0.
std::chrono::steady_clock::time_point begin_time_limit(double seconds, std::chrono::milliseconds last_words = {});

/// Adds --time-limit SECONDS and --max-memory SIZE to a command that does not solve.
void add_limits(Command command);

/// The bytes of a size: "512M", "2G", "1000". Raises Error{usage} that names the option for anything else.
[[nodiscard]] std::size_t parse_size(const std::string& option, const std::string& text);

}  // namespace warpfold::app
