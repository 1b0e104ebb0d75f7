#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/decimal.hpp"
#include "warpfold/formats/knapsack_instance.hpp"

/// From the decimal numbers of a file to integers.
namespace warpfold::formats {

/// An instance as its file has it, before its numbers become multiples of a unit.
struct DecimalInstance {
  struct Item {
    io::Decimal value;
    io::Decimal weight;
    std::int64_t copies = 1;
    std::size_t line = 0;  ///< 0: the file has no lines of items
  };
  std::string name = "";
  std::vector<Item> items = {};
  std::optional<io::Decimal> capacity = std::nullopt;
  bool has_copies = false;
  std::optional<io::Decimal> best = std::nullopt;
  std::optional<std::vector<bool>> best_packing = std::nullopt;
};

/// What messages call the numbers.
struct NumberNames {
  const char* value = "value";
  const char* weight = "weight";
  const char* capacity = "capacity";
  const char* option = "--capacity";
};
inline constexpr NumberNames names_of_subset_sums = {"number", "number", "target", "--target"};

/// Returns the number of --capacity or --target. Raises Error{usage} for a word that is not one.
[[nodiscard]] io::Decimal parse_capacity(const std::string& word, const NumberNames& names);

/// Makes the values multiples of 10^-value_places, and the weights with the capacity multiples of 10^-weight_places,
/// with as few places as hold all of them. `capacity` is for an instance that states none. Raises Error{input} that
/// names the place of a number that is beyond 64 bits, and where no capacity is stated.
[[nodiscard]] KnapsackInstance scaled(const std::string& path, DecimalInstance instance,
                                      const std::optional<std::string>& capacity, const NumberNames& names = {});

}  // namespace warpfold::formats
