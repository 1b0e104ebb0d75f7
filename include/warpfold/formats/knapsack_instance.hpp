#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::formats {

/// A knapsack instance as read from a file. Its values are not checked against any problem. Decimal fractions are
/// integers in a unit of their own: 10^-value_places for values, 10^-weight_places for weights and the capacity.
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
  int value_places = 0;
  int weight_places = 0;
  bool states_capacity = true;                    ///< the file has it
  bool has_copies = false;                        ///< the file has a third column, the copies
  std::optional<std::int64_t> best;               ///< the best value, z in "pisinger"
  std::optional<std::vector<bool>> best_packing;  ///< a packing of that value, x in "pisinger"
};

/// A row of the table of formats (format.hpp). --format takes its name.
struct KnapsackFormat {
  std::string name;
  bool (*recognizes)(std::string_view content);
  std::vector<KnapsackInstance> (*parse)(const std::string& path, std::string_view content,
                                         const std::optional<std::string>& capacity);
  std::string (*write)(const KnapsackInstance& instance);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const KnapsackFormat> knapsack_formats();

/// Reads the instances of files, at least one. `format` is one of the names below; "" detects the format from the
/// content. `capacity` is a number for a file that states none.
///
/// * "standard": `n capacity`, then n lines `value weight`, or `value weight copies` for a bounded problem.
/// * "kplib": the same numbers, with n and the capacity on lines of their own.
/// * "jooken": `n`, then n lines `id value weight`, then the capacity.
/// * "pisinger": one instance after another. Each has lines `name`, `n N`, `c C`, `z Z`, `time T`, then N lines
///   `id,value,weight,x`, and a line of dashes.
/// * "csv": a line that names the columns, then a line for each item. A line `capacity,C` may precede them.
/// * "json": {"capacity": C, "values": [..], "weights": [..]}, or "items": a list of {"value": V, "weight": W}.
///
/// Two files are the weights and the values, three the capacity, the weights and the values: lists of numbers.
///
/// Blanks, commas or semicolons separate numbers, a # begins a comment, and a line may name the columns that follow.
/// Decimal fractions are exact. A file that has items alone, without a first line, is read if `capacity` is given.
///
/// Raises Error{input} "FILE:LINE: ..." for anything else: a file that is cut short, a number out of range, a wrong
/// count, a format that is not known. Raises Error{usage} for an unknown name of a format.
[[nodiscard]] std::vector<KnapsackInstance> read_knapsack(const std::vector<std::string>& paths,
                                                          const std::string& format = "",
                                                          const std::optional<std::string>& capacity = std::nullopt);

/// Reads the instances from text in memory. `path` is used in messages only.
[[nodiscard]] std::vector<KnapsackInstance> parse_knapsack(const std::string& path, std::string_view content,
                                                           const std::string& format = "",
                                                           const std::optional<std::string>& capacity = std::nullopt);

/// Reads a subset-sum instance: `n target`, then n numbers, of either sign. {"target": T, "numbers": [..]} is accepted
/// too, and so are the knapsack formats; their weights are the numbers. `target` is for a file that states none, which
/// may be a list of numbers alone. Two files are the target and the numbers.
[[nodiscard]] KnapsackInstance read_subset_sum(const std::vector<std::string>& paths, const std::string& format = "",
                                               const std::optional<std::string>& target = std::nullopt);

/// Reads a subset-sum instance from text in memory. `path` is used in messages only.
[[nodiscard]] KnapsackInstance parse_subset_sum(const std::string& path, std::string_view content,
                                                const std::string& format = "",
                                                const std::optional<std::string>& target = std::nullopt);

/// Returns the text of one instance in the given format. Raises Error{usage} for an unknown format.
[[nodiscard]] std::string format_knapsack(const KnapsackInstance& instance, const std::string& format);

}  // namespace warpfold::formats
