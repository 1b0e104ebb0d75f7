#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warpfold::io {

/// Returns the beginning of a file's text as one line for a message. Bytes that are not printable ASCII become \xNN.
inline std::string printable(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown;
  for (const char character : text.substr(0, most)) {
    const bool plain = character >= ' ' && character <= '~';
    shown += plain ? std::string(1, character) : fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
  }
  return text.size() > most ? shown + ".." : shown;
}

}  // namespace warpfold::io
