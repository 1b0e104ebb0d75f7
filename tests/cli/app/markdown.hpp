#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What tests read in the documents.
namespace warpfold::app::test {

/// The pieces of code in a line.
inline std::vector<std::string> code_in(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    pieces.emplace_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return pieces;
}

/// The lines whose text is the pieces of code.
inline std::string code_lines(std::string_view text) {
  std::string lines;
  for (const std::string& piece : code_in(text)) lines += piece + "\n";
  return lines;
}

}  // namespace warpfold::app::test
