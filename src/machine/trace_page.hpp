#pragma once

#include <string_view>

namespace warpfold::machine {

/// The page around the data of a trace: everything before the JSON object, and everything after it.
extern const std::string_view trace_page_before;
extern const std::string_view trace_page_after;

}  // namespace warpfold::machine
