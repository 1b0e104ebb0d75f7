#pragma once

#include <string>

namespace warpfold::papers {

/// Escapes &, <, > and " for HTML and SVG.
[[nodiscard]] inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace warpfold::papers
