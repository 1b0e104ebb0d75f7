#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/loop_energies.hpp"
#include "rna/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::rna {

/// A sequence with its energies. `points` is its length + 1, or less for an estimate, which folds its beginning.
struct FoldProblem {
  const Sequence& sequence;
  const Parameters& parameters;
  const FoldRequest& request;
  std::size_t points;
  std::shared_ptr<const EnergyTables> tables = {};  ///< what the problems of a batch share; null: it makes its own
  bool shares_gpu = false;                          ///< whether others are solved on the same GPU at the same time

  /// The most blocks of a GPU that fill tables of so many points. One and a half for each tile of the longest diagonal
  /// keep those busy that wait for nothing, and leave places for others.
  [[nodiscard]] std::size_t max_blocks(std::size_t of_points) const {
    return shares_gpu ? 1 + 3 * tiles::tile_count(of_points, tiles::tile_side) / 2 : ~std::size_t{0};
  }
  /// The energies of the beginning of the sequence.
  [[nodiscard]] LoopEnergies energies_of(const Sequence& beginning) const {
    return {beginning, parameters, request_for(beginning.size()), tables};
  }
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
  /// What the time on the CPU is in proportion to: the products, and `of_interval` of them for each interval.
  [[nodiscard]] double time_units(double of_interval = folding_interval_units) const;
  /// The number of intervals.
  [[nodiscard]] double calls() const;
};

/// Why a GPU does not fold by a request, or nothing.
[[nodiscard]] inline std::string unsupported_on_gpu(const FoldRequest& request) {
  if (request.circular) return "folds no circular sequences";
  return request.pair_energies.empty() ? "" : "takes no energies of pairs";
}

using FoldBackend = Backend<FoldProblem, FoldProblem, Folding>;

/// Calls solve(). Its error for an energy beyond the range of tables names an interval of a table, so this raises one
/// that names energies.
template <class Solve>
auto with_energies_in_range(const Solve& solve) {
  try {
    return solve();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    throw Error(ErrorKind::overflow,
                "energies of structures are beyond 1342177.27 kcal/mol: loops whose energies add up to less are "
                "accepted");
  }
}

/// Sequences with what is asked of all of them. `constraints`: none, or one for each instead of the request's.
struct FoldBatch {
  std::span<const Sequence> sequences;
  const Parameters& parameters;
  const FoldRequest& request;
  std::span<const std::string> constraints;
  std::shared_ptr<const EnergyTables> tables;  ///< of all

  /// Folds the sequence t alone.
  [[nodiscard]] Outcome<Folding> fold(std::size_t t, const Options& options) const;
  [[nodiscard]] FoldRequest request_of(std::size_t t) const {
    FoldRequest own = request;
    if (!constraints.empty()) own.constraint = constraints[t];
    return own;
  }
  [[nodiscard]] const std::string& constraint_of(std::size_t t) const {
    return constraints.empty() ? request.constraint : constraints[t];
  }
  [[nodiscard]] double operations_of(std::size_t t) const {
    return FoldProblem{sequences[t], parameters, request, sequences[t].size() + 1}.operations();
  }
  [[nodiscard]] double operations_of(std::span<const std::uint32_t> those) const {
    double all = 0;
    for (const std::uint32_t t : those) all += operations_of(t);
    return all;
  }
  [[nodiscard]] double operations() const {
    double all = 0;
    for (std::size_t t = 0; t < sequences.size(); ++t) all += operations_of(t);
    return all;
  }
};

using BatchBackend = Backend<FoldBatch, FoldBatch, std::vector<Folding>>;

/// Folds some sequences of a batch, each by one thread of the CPU. A failure is told by its position in the batch.
Report fold_by_threads(const FoldBatch& batch, std::span<const std::uint32_t> those, std::vector<Folding>& foldings,
                       const Options& options);

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

/// The backend "tiled" for batches on a GPU.
[[nodiscard]] std::vector<Folding> fold_batch(const FoldBatch& batch, Context& context);

}  // namespace cuda

/// Raises Error{usage} for another number of constraints than sequences, if there are any.
void check_constraints(std::size_t constraints, std::size_t sequences);

/// A request for each sequence: the common one, with its constraint. Raises what check_constraints raises.
[[nodiscard]] std::vector<FoldRequest> requests_of(std::span<const Sequence> sequences, const FoldRequest& request,
                                                   std::span<const std::string> constraints);

/// Solves those problems of a batch on a GPU, some of them at one time. solve(t, options) returns a report and the
/// operations. A problem for which the others leave too little memory is solved again alone. Failures are told as of
/// any batch.
void solve_beside_each_other(std::span<const std::uint32_t> those, Context& context, SolveMonitor& monitor,
                             const std::function<std::pair<Report, double>(std::size_t, const Options&)>& solve);

/// The positions of all of so many problems.
[[nodiscard]] inline std::vector<std::uint32_t> all_of(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// Solves many sequences: each by one thread, or some at one time on a GPU that the options name. solve(t, options)
/// gives the outcome of one, operations(t) what it costs. `algorithm`: of the CPU, if the options name none.
template <class Solution, class Solve, class Operations>
Outcome<std::vector<Solution>> each_sequence(std::size_t count, const Options& options, const std::string& algorithm,
                                             const Solve& solve, const Operations& operations) {
  double all = 0;
  for (std::size_t t = 0; t < count; ++t) all += operations(t);
  Outcome<std::vector<Solution>> outcome;
  outcome.solution.resize(count);
  if (options.device.kind != Device::Kind::cuda) {
    outcome.report = warpfold::detail::solve_each(count, all, options, [&](std::size_t t, const Options& each) {
      outcome.solution[t] = solve(t, each).solution;
      return operations(t);
    });
    outcome.report.algorithm = options.algorithm.empty() ? algorithm : options.algorithm;
    return outcome;
  }
  Context context(options, outcome.report);
  SolveMonitor monitor(context.options, all);
  solve_beside_each_other(all_of(count), context, monitor, [&](std::size_t t, const Options& each) {
    auto one = solve(t, each);
    outcome.solution[t] = std::move(one.solution);
    return std::pair(std::move(one.report), operations(t));
  });
  outcome.report.peak_bytes = std::max(outcome.report.peak_bytes, context.budget.peak());
  return outcome;
}

/// The backends of `fold`.
[[nodiscard]] std::span<const FoldBackend> fold_backends();

}  // namespace warpfold::rna
