#pragma once

#include <string_view>

namespace warpfold::machine {

/// The beginning of `Play::page`, and the figure before and after its data.
extern const std::string_view play_page_head;
extern const std::string_view play_before_data;
extern const std::string_view play_after_data;

}  // namespace warpfold::machine
