#pragma once

#include <string>

namespace warpfold::papers {

/// Text as it stands in an SVG.
[[nodiscard]] inline std::string xml(const std::string& raw) {
  std::string out;
  for (const char c : raw) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace warpfold::papers
