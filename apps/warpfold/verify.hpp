#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

/// One function for every solving command, each in a file of its own: verify_COMMAND.cpp. verify.cpp lists them.
namespace warpfold::app {

/// The first thing wrong with a solution of the instance, in one line; nothing where it holds. Raises
/// Error{input} for an instance that cannot be read and nlohmann's exceptions for keys that are missing or of another
/// type.
using Flaw = std::optional<std::string>;

/// How many rows of a product were recomputed.
struct Coverage {
  std::size_t checked = 0;
  std::size_t rows = 0;
};

[[nodiscard]] Flaw verify_chain(const std::string& instance, const Json& solution);
[[nodiscard]] Flaw verify_coins(const std::string& instance, const Json& solution);
[[nodiscard]] Flaw verify_knapsack(const std::string& instance, const Json& solution);
/// A product has two matrices, a power or a closure one.
[[nodiscard]] Flaw verify_minplus(const std::vector<std::string>& matrices, const Json& solution, Coverage& coverage);
[[nodiscard]] Flaw verify_recurrence(const std::string& instance, const Json& solution);
[[nodiscard]] Flaw verify_subset_sum(const std::string& instance, const Json& solution);
/// The instance is one file or two.
[[nodiscard]] Flaw verify_tree(const std::vector<std::string>& instance, const Json& solution);
[[nodiscard]] Flaw verify_triangulate(const std::string& instance, const Json& solution);

}  // namespace warpfold::app
