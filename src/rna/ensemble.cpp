#include "warpfold/rna/ensemble.hpp"

#include <fmt/format.h>

#include <array>

#include "rna/ensemble_backends.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/grammar_backends.hpp"
#include "warpfold/run/batch.hpp"

namespace warpfold::rna {

double EnsembleProblem::operations() const {
  FoldProblem few = fold;
  few.points = points;
  return (wanted.pairs ? 3 : 1) * few.operations();
}
double EnsembleProblem::calls() const {
  FoldProblem few = fold;
  few.points = points;
  return few.calls();
}

namespace {

std::span<const EnsembleBackend> ensemble_backends() {
  static const std::array<EnsembleBackend, 2> all = {
      EnsembleBackend{.info = {"tiled", "cpu", "64 x 64 tiles, all threads",
                               "n^3/6 operations and 24 n^2 bytes, n^3/2 and 36 n^2 with pairs"},
                      .bytes = ensemble_tiled_bytes,
                      .run = ensemble_tiled,
                      .operations = [](const EnsembleProblem& problem) { return problem.operations(); },
                      .seconds = interval::detail::seconds_of_points<EnsembleProblem, Ensemble>,
                      .probe_size = 65},
      EnsembleBackend{.info = {"reference", "cpu", "McCaskill's recurrence as it is written, one thread, for checks",
                               "n^3/2 + 248 n^2 operations, 112 n^2 bytes"},
                      .bytes = ensemble_reference_bytes,
                      .run = ensemble_by_reference,
                      .unsupported_reason =
                          [](const EnsembleProblem& problem) {
                            return std::string(problem.wanted.samples > 0 ? "draws no samples" : "");
                          },
                      .explicit_only = true,
                      .operations = [](const EnsembleProblem& problem) { return problem.operations(); },
                      .seconds = interval::detail::seconds_of_points<EnsembleProblem, Ensemble>,
                      .probe_size = 65}};
  return all;
}

EnsembleProblem problem_of(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                           const EnsembleRequest& wanted) {
  if (!(wanted.threshold >= 0 && wanted.threshold <= 1)) {
    throw Error(ErrorKind::usage, fmt::format("threshold is {}: 0 to 1 is accepted", wanted.threshold));
  }
  return {{sequence, parameters, request, sequence.size() + 1}, wanted, sequence.size() + 1};
}

}  // namespace

Outcome<Ensemble> ensemble(const Sequence& sequence, const Parameters& parameters, const Options& options,
                           const FoldRequest& request, const EnsembleRequest& wanted) {
  const EnsembleProblem problem = problem_of(sequence, parameters, request, wanted);
  return solve_by(ensemble_backends(), problem, problem, options);
}

Outcome<std::vector<Ensemble>> ensemble_each(std::span<const Sequence> sequences, const Parameters& parameters,
                                             const Options& options, const FoldRequest& request,
                                             const EnsembleRequest& wanted) {
  const auto operations = [&](const Sequence& sequence) {
    return problem_of(sequence, parameters, request, wanted).operations();
  };
  double all = 0;
  for (const Sequence& sequence : sequences) all += operations(sequence);
  Outcome<std::vector<Ensemble>> outcome;
  outcome.solution.resize(sequences.size());
  outcome.report =
      warpfold::detail::solve_each(sequences.size(), all, options, [&](std::size_t t, const Options& each) {
        outcome.solution[t] = ensemble(sequences[t], parameters, each, request, wanted).solution;
        return operations(sequences[t]);
      });
  outcome.report.device = "cpu";
  outcome.report.algorithm = options.algorithm.empty() ? ensemble_backends().front().info.name : options.algorithm;
  return outcome;
}

Estimate estimate_ensemble(const Sequence& sequence, const Parameters& parameters, const Options& options,
                           const FoldRequest& request, const EnsembleRequest& wanted) {
  return estimate_by(ensemble_backends(), problem_of(sequence, parameters, request, wanted), options);
}

std::vector<AlgorithmInfo> ensemble_algorithms() {
  return infos(std::vector(ensemble_backends().begin(), ensemble_backends().end()));
}

}  // namespace warpfold::rna
