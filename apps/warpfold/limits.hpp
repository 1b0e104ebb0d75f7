#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "arguments.hpp"

/// The limits of a run: time and memory.
namespace warpfold::app {

/// --time-limit SECONDS and --max-memory SIZE, as they are typed.
void add_limit_options(Command command, std::optional<double>& seconds, std::optional<std::string>& memory);

/// When these seconds are over; `last_words` later the process ends with exit code 5. Raises Error{usage} unless they
/// are above 0.
std::chrono::steady_clock::time_point begin_time_limit(double seconds, std::chrono::milliseconds last_words = {});

/// For commands that do not solve: --time-limit SECONDS and --max-memory SIZE.
void add_limits(Command command);

/// "512M", "2G", "1000" -> bytes. Raises Error{usage} that names the option for anything else.
[[nodiscard]] std::size_t parse_size(const std::string& option, const std::string& text);

}  // namespace warpfold::app
