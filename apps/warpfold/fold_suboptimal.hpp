#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "result.hpp"
#include "warpfold/rna/suboptimal.hpp"

/// How `fold` lists structures near the least energy.
namespace warpfold::app {

/// The options --suboptimal and --best.
struct SuboptimalOptions {
  std::optional<double> within;     ///< in kcal/mol
  std::optional<std::size_t> best;  ///< the most structures

  [[nodiscard]] bool are_given() const { return within || best; }
  /// Raises Error{usage} for an energy that is not from 0 to 1000.
  [[nodiscard]] rna::SuboptimalRequest request() const;
};

void add_suboptimal_options(Command& command, SuboptimalOptions& options);

/// Adds the keys of the options to a result.
void add_suboptimal_request(Json& object, const SuboptimalOptions& options);

/// A line for each structure, with its energy in kcal/mol.
[[nodiscard]] std::string suboptimal_text(const rna::Suboptimal& found);

/// Adds the structures to the keys of their record.
void add_suboptimal(Json& record, const rna::Suboptimal& found);

}  // namespace warpfold::app
