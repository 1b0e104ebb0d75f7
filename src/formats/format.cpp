#include "warpfold/formats/format.hpp"

namespace warpfold::formats {

bool any_other(std::string_view) { return true; }

}  // namespace warpfold::formats
