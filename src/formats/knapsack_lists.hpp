#pragma once

#include <string>
#include <vector>

#include "formats/knapsack_scale.hpp"
#include "io/decimal.hpp"

/// Weights, values, capacities and numbers in files of their own.
namespace warpfold::formats {

/// Reads the numbers of a text or a .npy file. A first line of a text may name them.
[[nodiscard]] std::vector<io::Decimal> parse_number_list(const std::string& path, std::string content, const char* what,
                                                         bool is_signed = false);

/// Returns the number of a file that has one. Raises Error{input} for more or none.
[[nodiscard]] io::Decimal only_number(const std::string& path, const std::vector<io::Decimal>& numbers,
                                      const char* what);

/// Returns an item for each weight and value. Raises Error{input} for lists of different lengths.
[[nodiscard]] std::vector<DecimalInstance::Item> items_of(const std::string& weights_path,
                                                          const std::vector<io::Decimal>& weights,
                                                          const std::string& values_path,
                                                          const std::vector<io::Decimal>& values);

}  // namespace warpfold::formats
