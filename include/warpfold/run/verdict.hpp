#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

/// The result of every family's `verify`. A verifier recomputes what a solution claims, by plain loops that share no
/// code with the solvers.
namespace warpfold {

/// The first error found, in one line. Empty if there is none.
using Violation = std::optional<std::string>;

/// The result of checking a solution.
struct Verdict {
  Violation violation = std::nullopt;
  /// False: it is no solution of this problem. True with a violation: the solution is feasible but its stated cost is
  /// wrong.
  bool is_feasible = true;
  bool is_optimal = false;       ///< whether the check recomputed every value, so that no solution is better
  std::size_t rows_checked = 0;  ///< rows of a product that were checked
  std::size_t rows = 0;
  std::string unchecked = {};  ///< what was too large to check, or empty

  [[nodiscard]] bool is_complete() const { return unchecked.empty(); }
  explicit operator bool() const { return !violation; }
};

/// The verdict for what is no solution of the problem.
[[nodiscard]] inline Verdict infeasible(std::string violation) {
  return {.violation = std::move(violation), .is_feasible = false};
}

/// The verdict for a solution whose cost differs from what it states.
[[nodiscard]] inline Verdict wrong_cost(std::string violation) { return {.violation = std::move(violation)}; }

}  // namespace warpfold
