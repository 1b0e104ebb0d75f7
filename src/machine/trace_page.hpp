#pragma once

#include <string_view>

namespace warpfold::machine {

/// The HTML page around the data of a trace: the text before the JSON object, and the text after it.
extern const std::string_view trace_page_before;
extern const std::string_view trace_page_after;

}  // namespace warpfold::machine
