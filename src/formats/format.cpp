#include "warpfold/formats/format.hpp"

#include "io/text.hpp"

namespace warpfold::formats {

bool any_other(std::string_view) { return true; }

void check_is_text(const std::string& path, std::string_view content) { io::check_is_text(path, content); }

}  // namespace warpfold::formats
