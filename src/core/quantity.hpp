#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/size_text.hpp"

namespace warpfold {

/// A count with its noun, for messages and for output that people read: "1 warp", "3 warps", "2 entries". Without
/// `plural`, an s is added to the noun.
template <class Count>
[[nodiscard]] std::string quantity(const Count& count, std::string_view singular, std::string_view plural = "") {
  if (count == Count{1}) return fmt::format("{} {}", count, singular);
  return plural.empty() ? fmt::format("{} {}s", count, singular) : fmt::format("{} {}", count, plural);
}

}  // namespace warpfold
