#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

/// Quantities as people write them, for messages and what is printed for people. JSON keeps exact numbers.
namespace warpfold {

/// "1 warp", "3 warps", "2 entries": the plural adds an s unless it is given.
template <class Count>
[[nodiscard]] std::string quantity(const Count& count, std::string_view singular, std::string_view plural = "") {
  if (count == Count{1}) return fmt::format("{} {}", count, singular);
  return plural.empty() ? fmt::format("{} {}s", count, singular) : fmt::format("{} {}", count, plural);
}

/// "12.4 GB": three digits with a decimal unit; below 10 kB every byte counts: "1001 bytes".
[[nodiscard]] inline std::string bytes_text(double bytes) {
  if (bytes < 1e4) return quantity(bytes, "byte");
  std::string_view units = "kMGTPE";
  for (bytes /= 1000; bytes >= 999.5 && units.size() > 1; bytes /= 1000) units.remove_prefix(1);
  return fmt::format("{:.3g} {}B", bytes, units.front());
}

}  // namespace warpfold
