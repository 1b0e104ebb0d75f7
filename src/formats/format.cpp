#include "warpfold/formats/format.hpp"

namespace warpfold::formats {

bool any_other(std::string_view) { return true; }

std::string listed(const std::vector<std::string>& words, const std::string& conjunction) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 < words.size() ? ", " : " " + conjunction + " ";
    list += words[i];
  }
  return list;
}

}  // namespace warpfold::formats
