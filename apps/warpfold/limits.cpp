#include "limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "guard.hpp"
#include "memory.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

std::chrono::steady_clock::time_point begin_time_limit(double seconds, std::chrono::milliseconds last_words) {
  if (!(seconds > 0)) {
    throw Error(ErrorKind::usage, fmt::format("--time-limit is {}: seconds above 0 are accepted", seconds));
  }
  const auto limit = std::chrono::duration<double>(std::min(seconds, 1e9));
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  guard_deadline(deadline + last_words);
  return deadline;
}

void add_limit_options(Command command, std::optional<double>& seconds, std::optional<std::string>& memory) {
  command.number("--time-limit", seconds, "seconds after which the run ends with exit code 5; default: none")
      .takes("SECONDS");
  command
      .option("--max-memory", memory,
              "largest size to hold in memory (1000, 512M, 2G), beyond which the run ends with exit code 5; default: "
              "what the machine has")
      .takes("SIZE");
}

void add_limits(Command command) {
  struct Limits {
    std::optional<double> seconds;
    std::optional<std::string> memory;
  };
  auto limits = std::make_shared<Limits>();
  add_limit_options(command.in(Group::limits), limits->seconds, limits->memory);
  command.on_parsed([limits] {
    if (limits->memory) limit_memory(parse_size("--max-memory", *limits->memory));
    if (limits->seconds) begin_time_limit(*limits->seconds);
  });
}

std::size_t parse_size(const std::string& option, const std::string& text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const std::string unit(error == std::errc() ? end : last, last);
  double factor = 0;
  if (unit.empty() || unit == "B") factor = 1;
  if (unit == "K" || unit == "KB" || unit == "KiB") factor = 1024.0;
  if (unit == "M" || unit == "MB" || unit == "MiB") factor = 1024.0 * 1024;
  if (unit == "G" || unit == "GB" || unit == "GiB") factor = 1024.0 * 1024 * 1024;
  if (unit == "T" || unit == "TB" || unit == "TiB") factor = 1024.0 * 1024 * 1024 * 1024;
  const double bytes = value * factor;
  if (error != std::errc() || factor == 0 || !(bytes > 0) || bytes >= 9e18) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} is '{}': a number above 0 with nothing, K, M, G or T behind it (KB and KiB are K), below 9e18 "
                    "bytes, is accepted",
                    option, text));
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace warpfold::app
