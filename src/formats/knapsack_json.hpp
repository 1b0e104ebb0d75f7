#pragma once

#include <string>
#include <string_view>

#include "formats/knapsack_scale.hpp"

/// Instances of knapsacks and subset sums as JSON.
namespace warpfold::formats {

/// Whether a text begins like a list or an object.
[[nodiscard]] bool is_json(std::string_view content);

/// Reads {"capacity": C, "values": [..], "weights": [..], "copies": [..]}, the same with "items", or a list of items.
/// An item is an object with "value", "weight" and perhaps "copies", or a list of these numbers.
[[nodiscard]] DecimalInstance json_knapsack(const std::string& path, std::string_view content);

/// Reads {"target": T, "numbers": [..]} or a list of numbers; or a knapsack, whose weights are the numbers.
[[nodiscard]] DecimalInstance json_subset_sum(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
