#pragma once

#include <optional>
#include <string>
#include <vector>

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

[[nodiscard]] const formats::KnapsackInstance& chosen_instance(const std::string& path,
                                                               const std::vector<formats::KnapsackInstance>& instances,
                                                               std::int64_t index);

/// What --format takes.
[[nodiscard]] std::string knapsack_format_names();

[[nodiscard]] knapsack::SubsetSum read_subset_sum(const std::string& path, const std::string& format);

}  // namespace warpfold::app
