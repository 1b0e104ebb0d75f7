#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/words.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

/// Returns whether a name is an integer without leading zeros, so that the number is written like the name.
inline bool is_plain_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos && (name[0] != '0' || name.size() == 1);
}

/// Returns the number that a name states, if it is an integer below 2^64: "12", or "12.0", as programs write a column
/// of floating-point numbers.
inline std::optional<std::uint64_t> id_of(std::string_view name) {
  const std::size_t point = name.find('.');
  const bool is_rounded =
      point != name.npos && point + 1 < name.size() && name.find_first_not_of('0', point + 1) == name.npos;
  if (is_rounded) name = name.substr(0, point);
  return is_plain_number(name) ? digits_value(name) : std::nullopt;
}

/// Numbers vertices in the order in which their names first occur.
class VertexNames {
 public:
  /// Returns the vertex of a name. Raises Error{input} for an empty name, and for one with control characters.
  std::uint32_t vertex(std::string_view name) {
    if (const auto found = vertices_.find(name); found != vertices_.end()) return found->second;
    if (name.empty() || one_line(name) != name) {
      reject_word(name, "is no name: text without quotes and control characters, or in quotes, is accepted");
    }
    if (names_.size() == max_vertices) reject_word(name, "is one vertex too many: up to 2^31 are accepted");
    const auto next = static_cast<std::uint32_t>(names_.size());
    return vertices_.emplace(names_.emplace_back(name), next).first->second;
  }

  [[nodiscard]] std::vector<std::string> in_order() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // whose strings never move
  std::unordered_map<std::string_view, std::uint32_t> vertices_;
};

}  // namespace warpfold::formats
