#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::formats {

/// A knapsack instance as its file holds it, not yet judged.
struct KnapsackInstance {
  /// What the file says of one item.
  struct Item {
    std::int64_t value = 0;
    std::int64_t weight = 0;
    std::int64_t copies = 1;
  };
  std::string name;
  std::vector<Item> items;
  std::int64_t capacity = 0;
  bool has_copies = false;                        ///< a third column told the copies
  std::optional<std::int64_t> best;               ///< pisinger: z, the best value
  std::optional<std::vector<bool>> best_packing;  ///< pisinger: x, a packing of that value
};

/// A row of the table (format.hpp), by the name that --format takes.
struct KnapsackFormat {
  std::string name;
  bool (*recognises)(std::string_view content);
  std::vector<KnapsackInstance> (*parse)(const std::string& path, std::string_view content);
  std::string (*write)(const KnapsackInstance& instance);
};
/// Every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const KnapsackFormat> knapsack_formats();

/// Formats ("" finds out which one it is):
/// - "standard": `n capacity`, then n lines `value weight`, or `value weight copies` for a bounded problem;
/// - "kplib": the same numbers, n and the capacity on lines of their own;
/// - "jooken": `n`, then n lines `id value weight`, then the capacity;
/// - "pisinger": instances one after another, each `name`, `n N`, `c C`, `z Z`, `time T`, N lines `id,value,weight,x`,
///   and a line of dashes.
/// Raises Error{input} "FILE:LINE: what is wrong" for anything else: files cut short, numbers that do not fit, counts
/// that do not match. There is at least one instance.
[[nodiscard]] std::vector<KnapsackInstance> read_knapsack(const std::string& path, const std::string& format = "");

/// The same from text in memory; `path` is only for messages.
[[nodiscard]] std::vector<KnapsackInstance> parse_knapsack(const std::string& path, std::string_view content,
                                                           const std::string& format = "");

/// A subset-sum instance: `n target`, then n numbers; or any of the knapsack formats, whose weights are the numbers.
[[nodiscard]] KnapsackInstance parse_subset_sum(const std::string& path, std::string_view content,
                                                const std::string& format = "");

/// The text of one instance in one of the formats. Raises Error{usage} for an unknown format.
[[nodiscard]] std::string format_knapsack(const KnapsackInstance& instance, const std::string& format);

}  // namespace warpfold::formats
