#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// UTF-8, the encoding of Unicode code points in 1 to 4 bytes.
namespace warpfold::formats {

/// A code point and its bytes, or why there is none.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  const char* violation = nullptr;  ///< null if the bytes are valid
};

/// The first code point of a text that is not empty.
[[nodiscard]] inline CodePoint first_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first};
  if (first < 0xC0 || first >= 0xF8) return {first, 1, "begins no character"};
  const std::size_t bytes = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t value = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (i >= text.size() || (byte(i) & 0xC0) != 0x80) return {first, i, "begins a character that is cut off"};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[bytes]) return {value, bytes, "begins an overlong character"};
  if (value >= 0xD800 && value < 0xE000) return {value, bytes, "begins a surrogate"};
  if (value > 0x10FFFF) return {value, bytes, "begins a character beyond U+10FFFF"};
  return {value, bytes};
}

/// Appends a code point of at most 0x10FFFF.
inline void append_point(std::string& text, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

}  // namespace warpfold::formats
