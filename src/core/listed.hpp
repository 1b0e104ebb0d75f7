#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpfold {

/// Joins words as in a sentence: "a, b or c".
template <class Words = std::vector<std::string>>
[[nodiscard]] std::string listed(const Words& words, std::string_view conjunction = "or") {
  if (words.empty()) return "";
  if (words.size() == 1) return std::string(words.front());
  return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), conjunction, words.back());
}

}  // namespace warpfold
