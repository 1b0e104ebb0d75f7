#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::formats {

/// A knapsack instance as read from a file. Its values are not checked against any problem.
struct KnapsackInstance {
  /// One item of the file.
  struct Item {
    std::int64_t value = 0;
    std::int64_t weight = 0;
    std::int64_t copies = 1;
  };
  std::string name;
  std::vector<Item> items;
  std::int64_t capacity = 0;
  bool has_copies = false;                        ///< the file has a third column, the copies
  std::optional<std::int64_t> best;               ///< the best value, z in "pisinger"
  std::optional<std::vector<bool>> best_packing;  ///< a packing of that value, x in "pisinger"
};

/// A row of the table of formats (format.hpp). --format takes its name.
struct KnapsackFormat {
  std::string name;
  bool (*recognizes)(std::string_view content);
  std::vector<KnapsackInstance> (*parse)(const std::string& path, std::string_view content);
  std::string (*write)(const KnapsackInstance& instance);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const KnapsackFormat> knapsack_formats();

/// Reads the instances of a file, at least one. `format` is one of the names below; "" detects the format from the
/// content.
///
/// * "standard": `n capacity`, then n lines `value weight`, or `value weight copies` for a bounded problem.
/// * "kplib": the same numbers, with n and the capacity on lines of their own.
/// * "jooken": `n`, then n lines `id value weight`, then the capacity.
/// * "pisinger": one instance after another. Each has lines `name`, `n N`, `c C`, `z Z`, `time T`, then N lines
///   `id,value,weight,x`, and a line of dashes.
///
/// Raises Error{input} "FILE:LINE: ..." for anything else: a file that is cut short, a number out of range, a wrong
/// count. Raises Error{usage} for an unknown format.
[[nodiscard]] std::vector<KnapsackInstance> read_knapsack(const std::string& path, const std::string& format = "");

/// Reads the instances from text in memory. `path` is used in messages only.
[[nodiscard]] std::vector<KnapsackInstance> parse_knapsack(const std::string& path, std::string_view content,
                                                           const std::string& format = "");

/// Reads a subset-sum instance: `n target`, then n numbers. The knapsack formats are accepted too; their weights are
/// the numbers.
[[nodiscard]] KnapsackInstance parse_subset_sum(const std::string& path, std::string_view content,
                                                const std::string& format = "");

/// Returns the text of one instance in the given format. Raises Error{usage} for an unknown format.
[[nodiscard]] std::string format_knapsack(const KnapsackInstance& instance, const std::string& format);

}  // namespace warpfold::formats
