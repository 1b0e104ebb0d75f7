#include "warpfold/rna/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "rna/ensemble_backends.hpp"
#include "rna/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/grammar_backends.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::rna {

double EnsembleProblem::operations() const {
  FoldProblem few = fold;
  few.points = points;
  return (wants_marginals() ? 3 : 1) * few.operations();
}
double EnsembleProblem::time_units() const {
  FoldProblem few = fold;
  few.points = points;
  return few.time_units(ensemble_interval_units);
}
double EnsembleProblem::calls() const {
  FoldProblem few = fold;
  few.points = points;
  return few.calls();
}

namespace {

double operations_of(const EnsembleProblem& problem) { return problem.operations(); }
constexpr auto seconds = interval::detail::seconds_of_points<EnsembleProblem, Ensemble>;

std::span<const EnsembleBackend> ensemble_backends();

/// Backend::worst_case of a GPU: the CPU solves again where values leave its range.
ResourceEstimate worst_case_on_gpu(const ResourceEstimate& expected, const EnsembleProblem& problem,
                                   const Options& options, const std::optional<ResourceEstimate>&) {
  Options on_cpu = options;
  on_cpu.device = {.kind = Device::Kind::cpu};
  ResourceEstimate both = expected;
  both.seconds += seconds(ensemble_backends().front(), problem, on_cpu);
  both.bytes = std::max(both.bytes, ensemble_tiled_bytes(problem, on_cpu));
  return both;
}

std::vector<EnsembleBackend> list_backends() {
  std::vector<EnsembleBackend> all = {
      EnsembleBackend{.info = {"tiled", "cpu", "64 x 64 tiles, all threads",
                               "n^3/6 operations, n^3/2 with pairs, and 20 n^2 bytes"},
                      .cost = [](const EnsembleProblem&, const Options&) { return 1.0; },
                      .bytes = ensemble_tiled_bytes,
                      .run = ensemble_tiled,
                      .supports_checkpoint = true,
                      .operations = operations_of,
                      .seconds = seconds,
                      .probe_size = 65},
      EnsembleBackend{.info = {"reference", "cpu", "McCaskill's recurrence as it is written, one thread, for checks",
                               "n^3/2 + 248 n^2 operations, 128 n^2 bytes"},
                      .bytes = ensemble_reference_bytes,
                      .run = ensemble_by_reference,
                      .unsupported_reason =
                          [](const EnsembleProblem& problem) {
                            if (problem.wanted.samples > 0) return std::string("draws no samples");
                            return std::string(problem.wanted.max_window > 0 ? "computes no windows" : "");
                          },
                      .explicit_only = true,
                      .operations = operations_of,
                      .seconds = seconds,
                      .probe_size = 65}};
  if (!has_cuda()) return all;
  all.push_back(
      {.info = {"tiled", "cuda", "64 x 64 tiles by one persistent kernel; samples and windows by the CPU",
                "n^3/6 operations and 20 n^2 bytes of the GPU, with pairs n^3/2 and 28 n^2"},
       .cost =
           [](const EnsembleProblem& problem, const Options&) {
             const bool is_on_gpu_alone = problem.is_only_energy() || problem.is_only_pairs();
             return is_on_gpu_alone && problem.points > cuda_ensemble_gains_from ? 0.0 : 2.0;
           },
       .bytes = ensemble_on_gpu_bytes,
       .run = ensemble_on_gpu,
       .unsupported_reason = [](const EnsembleProblem& problem) { return unsupported_on_gpu(problem.fold.request); },
       .device_bytes = ensemble_device_bytes,
       .operations = operations_of,
       .seconds = seconds,
       .probe_size = 1025,
       .worst_case = worst_case_on_gpu});
  return all;
}

std::span<const EnsembleBackend> ensemble_backends() {
  static const std::vector<EnsembleBackend> all = list_backends();
  return all;
}

EnsembleProblem problem_of(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                           const EnsembleRequest& wanted) {
  if (!(wanted.threshold >= 0 && wanted.threshold <= 1)) {
    throw Error(ErrorKind::usage, fmt::format("threshold is {}: 0 to 1 is accepted", wanted.threshold));
  }
  if (request.circular && wanted.max_window > 0) {
    throw Error(ErrorKind::usage,
                "the sequence is circular: the windows of accessibility are computed only of one that is not");
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
                                             const EnsembleRequest& wanted, std::span<const std::string> constraints) {
  const auto requests = requests_of(sequences, request, constraints);
  const auto tables = std::make_shared<const EnergyTables>(parameters, request);
  const auto problem = [&](std::size_t t) {
    EnsembleProblem one = problem_of(sequences[t], parameters, requests[t], wanted);
    one.fold.tables = tables;
    one.fold.shares_gpu = sequences.size() > 1;
    return one;
  };
  return each_sequence<Ensemble>(
      sequences.size(), options, ensemble_backends().front().info.name,
      [&](std::size_t t, const Options& each) {
        const EnsembleProblem one = problem(t);
        return solve_by(ensemble_backends(), one, one, each);
      },
      [&](std::size_t t) { return problem(t).operations(); });
}

Estimate estimate_ensemble(const Sequence& sequence, const Parameters& parameters, const Options& options,
                           const FoldRequest& request, const EnsembleRequest& wanted) {
  return estimate_by(ensemble_backends(), problem_of(sequence, parameters, request, wanted), options);
}

namespace {

constexpr double tolerance = 1e-9;

bool agree(double a, double b) { return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)); }

std::string text_of(const PairProbability& pair) {
  return fmt::format("the probability of the pair {}, {} is {}", pair.i + 1, pair.j + 1, pair.probability);
}

/// Compares two lists in the same order.
Violation find_wrong_pair(const std::vector<PairProbability>& stated, const std::vector<PairProbability>& expected,
                          double threshold) {
  const auto place = [](const PairProbability& pair) { return std::pair(pair.i, pair.j); };
  auto next = stated.begin();
  for (const PairProbability& pair : expected) {
    if (next != stated.end() && place(*next) < place(pair)) return text_of(*next) + ", and it should be 0";
    if (next != stated.end() && place(*next) == place(pair)) {
      if (!agree(next->probability, pair.probability))
        return fmt::format("{}, not {}", text_of(pair), next->probability);
      ++next;
    } else if (pair.probability > threshold + tolerance) {
      return text_of(pair) + ", and it is not listed";
    }
  }
  if (next != stated.end()) return text_of(*next) + ", and it should be 0";
  return {};
}

}  // namespace

Verdict verify(const Sequence& sequence, const Ensemble& stated, const Parameters& parameters, const Options& options,
               const FoldRequest& request, const EnsembleRequest& wanted) {
  Options by_reference = options;
  by_reference.algorithm = "reference";
  const Ensemble expected =
      ensemble(sequence, parameters, by_reference, request, {.pairs = wanted.pairs, .threshold = 0}).solution;
  if (!agree(stated.energy, expected.energy)) {
    return wrong_cost(fmt::format("the energy is {} kcal/mol, not {} kcal/mol", stated.energy, expected.energy));
  }
  if (Violation violation = find_wrong_pair(stated.pairs, expected.pairs, wanted.threshold)) {
    return wrong_cost(*violation);
  }
  for (const std::string& sample : stated.samples) {
    try {
      static_cast<void>(energy_of(sequence, sample, parameters, request));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return infeasible(error.what());
    }
  }
  return {};
}

std::vector<AlgorithmInfo> ensemble_algorithms() {
  return infos(std::vector(ensemble_backends().begin(), ensemble_backends().end()));
}

}  // namespace warpfold::rna
