#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

/// What every family's `verify` says. A verifier computes anew, by plain loops that share no code with the solvers,
/// what a solution says of itself.
namespace warpfold {

/// The first thing wrong, in one line; nothing where nothing is.
using Flaw = std::optional<std::string>;

/// What a check of somebody's solution found.
struct Verdict {
  Flaw flaw = std::nullopt;
  bool is_feasible = true;  ///< false: it is no solution of this problem; else a flaw is in what it says that it costs
  bool is_optimal = false;  ///< the check found every value anew, so that no solution is better
  std::size_t rows_checked = 0;  ///< of a product, which is checked row by row
  std::size_t rows = 0;
  std::string unchecked = {};  ///< what was too much to check, or empty

  [[nodiscard]] bool is_complete() const { return unchecked.empty(); }
  explicit operator bool() const { return !flaw; }
};

/// Of what is no solution of the problem.
[[nodiscard]] inline Verdict infeasible(std::string flaw) { return {.flaw = std::move(flaw), .is_feasible = false}; }

/// Of a solution that costs something else than it says.
[[nodiscard]] inline Verdict wrong_cost(std::string flaw) { return {.flaw = std::move(flaw)}; }

}  // namespace warpfold
