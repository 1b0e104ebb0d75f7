#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::rna {

/// A sequence with its energies. `points` is its length + 1, or less for an estimate, which folds its beginning.
struct FoldProblem {
  const Sequence& sequence;
  const Parameters& parameters;
  const FoldRequest& request;
  std::size_t points;

  /// The request for the first `bases` bases: a constraint and energies of its own are for all of them.
  [[nodiscard]] FoldRequest request_for(std::size_t bases) const {
    FoldRequest few = request;
    if (bases != sequence.size()) {
      few.constraint.clear();
      few.stack_energies.clear();
      few.pair_energies.clear();
    }
    return few;
  }
  /// The operations of multiloops and of interior loops.
  [[nodiscard]] double operations() const;
  /// The number of intervals.
  [[nodiscard]] double calls() const;
};

/// Why a GPU does not fold by a request, or nothing.
[[nodiscard]] inline std::string unsupported_on_gpu(const FoldRequest& request) {
  if (request.circular) return "folds no circular sequences";
  return request.pair_energies.empty() ? "" : "takes no energies of pairs";
}

using FoldBackend = Backend<FoldProblem, FoldProblem, Folding>;

/// The backend "tiled": the grammar by tiles.
[[nodiscard]] Folding fold_tiled(const FoldProblem& problem, Context& context);
[[nodiscard]] std::size_t tiled_bytes(const FoldProblem& problem, const Options& options);

/// The backend "reference": the recurrence as it is written, interval by interval, one thread.
[[nodiscard]] Folding fold_by_reference(const FoldProblem& problem, Context& context);
[[nodiscard]] std::size_t reference_bytes(const FoldProblem& problem, const Options& options);

namespace cuda {

/// The backend "tiled" on a GPU.
[[nodiscard]] Folding fold(const FoldProblem& problem, Context& context);
[[nodiscard]] std::size_t device_bytes(const FoldProblem& problem, const Options& options);
[[nodiscard]] std::size_t host_bytes(const FoldProblem& problem, const Options& options);

}  // namespace cuda

/// A request for each sequence: the common one, with its constraint. Raises Error{usage} for another number of
/// constraints than sequences, if there are any.
[[nodiscard]] std::vector<FoldRequest> requests_of(std::span<const Sequence> sequences, const FoldRequest& request,
                                                   std::span<const std::string> constraints);

/// Solves one sequence after the other on a GPU: solve(t, options) gives the outcome and the operations of one.
template <class Solution, class Solve>
Outcome<std::vector<Solution>> each_on_gpu(std::size_t count, double operations, const Options& options,
                                           const Solve& solve) {
  Outcome<std::vector<Solution>> outcome;
  SolveMonitor monitor(options, operations);
  Options each = options;
  each.progress = nullptr;
  for (std::size_t t = 0; t < count; ++t) {
    auto [one, of_one] = solve(t, each);
    outcome.solution.push_back(std::move(one.solution));
    add_part(outcome.report, one.report);
    monitor.advance(of_one);
  }
  return outcome;
}

/// The backends of `fold`.
[[nodiscard]] std::span<const FoldBackend> fold_backends();

}  // namespace warpfold::rna
