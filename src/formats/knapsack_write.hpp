#pragma once

#include <string>

#include "warpfold/formats/knapsack_instance.hpp"

/// The text of one instance in each format.
namespace warpfold::formats {

[[nodiscard]] std::string write_standard(const KnapsackInstance& instance);
[[nodiscard]] std::string write_pisinger(const KnapsackInstance& instance);
[[nodiscard]] std::string write_kplib(const KnapsackInstance& instance);
[[nodiscard]] std::string write_jooken(const KnapsackInstance& instance);
[[nodiscard]] std::string write_csv(const KnapsackInstance& instance);
[[nodiscard]] std::string write_json(const KnapsackInstance& instance);

}  // namespace warpfold::formats
