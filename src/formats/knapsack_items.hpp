#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "formats/knapsack_lines.hpp"
#include "formats/knapsack_scale.hpp"

/// What the line formats of knapsacks and subset sums have in common.
namespace warpfold::formats {

/// The columns of an item's line.
struct Columns {
  std::optional<std::size_t> value = {}, weight = {}, copies = {};
  std::size_t count = 0;

  [[nodiscard]] bool are_known() const { return value && weight; }
};

/// Whether a line names the columns of items: "value,weight".
[[nodiscard]] bool names_item_columns(const Words& words);
/// Whether a line states the capacity by its name: "capacity,50".
[[nodiscard]] bool states_capacity(const Words& words);
[[nodiscard]] bool begins_with_number(const Words& words);

/// Skips a line that names the numbers of the next one: "n capacity".
void skip_names_of_sizes(InstanceLines& lines);

/// Reads the line that names the columns of items.
Columns take_names(InstanceLines& lines);

[[nodiscard]] DecimalInstance::Item item_of(const InstanceLines& lines, const InstanceLine& line,
                                            const Columns& columns);

/// Reads n lines of items, or all that are left. A first line may name the columns.
void take_items(InstanceLines& lines, DecimalInstance& instance, std::optional<std::size_t> n);

/// Reads n alone on its line.
[[nodiscard]] std::size_t take_count(InstanceLines& lines);
/// Reads the capacity or the target alone on its line.
[[nodiscard]] io::Decimal take_capacity(InstanceLines& lines, const char* what = "capacity", bool is_signed = false);

/// The words of the first lines after those that name the sizes. A line that is missing has none. All are empty if a
/// quote is not closed.
using FirstLines = std::array<Words, 3>;
[[nodiscard]] FirstLines first_lines(std::string_view content);

/// Whether the first number is the number of lines that follow.
[[nodiscard]] bool announces_lines(InstanceLines lines);

}  // namespace warpfold::formats
