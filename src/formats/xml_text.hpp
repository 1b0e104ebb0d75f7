#pragma once

#include <string>
#include <string_view>

namespace warpfold::formats {

/// Text of an XML document.
[[nodiscard]] inline std::string xml_text(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '&')
      result += "&amp;";
    else if (character == '<')
      result += "&lt;";
    else
      result += character;
  }
  return result;
}

}  // namespace warpfold::formats
