#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/json.hpp"
#include "warpfold/formats/knapsack_instance.hpp"
#include "warpfold/knapsack/problem.hpp"
#include "warpfold/knapsack/subset_sum.hpp"

/// Converts instances of files to problems, for the commands knapsack, subset-sum and verify.
namespace warpfold::app {

/// "0-1", "bounded" or "unbounded".
[[nodiscard]] std::string kind_name(knapsack::Kind kind);

/// The kind of that name. Nothing for "". Raises Error{usage} for any other name.
std::optional<knapsack::Kind> parse_kind(const std::string& name);

/// An instance as a problem of that kind. For "" it is bounded if the file states copies, else 0-1.
[[nodiscard]] knapsack::Problem problem_of(const formats::KnapsackInstance& instance, const std::string& kind);

/// The instances of files. Raises Error{usage} for a capacity beside files that state one.
[[nodiscard]] std::vector<formats::KnapsackInstance> read_instances(const std::vector<std::string>& paths,
                                                                    const std::string& format,
                                                                    const std::optional<std::string>& capacity);

[[nodiscard]] const formats::KnapsackInstance& chosen_instance(const std::string& path,
                                                               const std::vector<formats::KnapsackInstance>& instances,
                                                               std::int64_t index);

/// What --format takes.
[[nodiscard]] std::string knapsack_format_names();

/// A subset sum, whose numbers are multiples of 10^-places.
struct SubsetSumInput {
  knapsack::SubsetSum problem;
  int places = 0;
  bool states_target = true;
};
[[nodiscard]] SubsetSumInput read_subset_sum(const std::vector<std::string>& paths, const std::string& format,
                                             const std::optional<std::string>& target);

/// The files of an instance, for messages.
[[nodiscard]] std::string names_of_files(const std::vector<std::string>& paths);

/// A number of 10^-places as people write it.
[[nodiscard]] io::Json amount_json(std::int64_t units, int places);
[[nodiscard]] std::string amount_text(std::int64_t units, int places);

}  // namespace warpfold::app
