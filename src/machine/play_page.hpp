#pragma once

#include <string_view>

namespace warpfold::machine {

/// The page of `play_html`, before and after its data.
extern const std::string_view play_page_before;
extern const std::string_view play_page_after;

}  // namespace warpfold::machine
