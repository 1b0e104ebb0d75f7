#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/quantity.hpp"
#include "rna/backends.hpp"
#include "rna/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/grammar_backends.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::rna {

double FoldProblem::operations() const {
  const auto n = static_cast<double>(points - 1);
  return std::floor(n * n * n / 6) + n * n / 2 * (max_loop + 1) * (max_loop + 2) / 2;
}
double FoldProblem::time_units(double of_interval) const {
  const auto n = static_cast<double>(points - 1);
  return n * n * n / 6 + n * n / 2 * of_interval;
}
double FoldProblem::calls() const {
  const auto n = static_cast<double>(points - 1);
  return n * n / 2;
}

namespace {

std::vector<FoldBackend> list_backends() {
  std::vector<FoldBackend> all = {
      FoldBackend{.info = {"tiled", "cpu", "64 x 64 tiles, all threads", "n^3/6 + 248 n^2 operations, 4 n^2 bytes"},
                  .cost = [](const FoldProblem&, const Options&) { return 1.0; },
                  .bytes = tiled_bytes,
                  .run = fold_tiled,
                  .supports_checkpoint = true,
                  .operations = [](const FoldProblem& problem) { return problem.operations(); },
                  .seconds = interval::detail::seconds_of_points<FoldProblem, Folding>,
                  .probe_size = 65},
      FoldBackend{.info = {"reference", "cpu", "the recurrence as it is written, one thread, for checks",
                           "n^3/3 + 248 n^2 operations, 8 n^2 bytes"},
                  .bytes = reference_bytes,
                  .run = fold_by_reference,
                  .explicit_only = true,
                  .operations = [](const FoldProblem& problem) { return problem.operations(); },
                  .seconds = interval::detail::seconds_of_points<FoldProblem, Folding>,
                  .probe_size = 65}};
  if (!has_cuda()) return all;
  all.push_back(
      {.info = {"tiled", "cuda", "64 x 64 tiles by one persistent kernel",
                "n^3/6 + 248 n^2 operations, 6 n^2 bytes of the GPU"},
       .cost = [](const FoldProblem& problem, const Options&) { return problem.points > cuda_gains_from ? 0.0 : 2.0; },
       .bytes = cuda::host_bytes,
       .run = cuda::fold,
       .unsupported_reason = [](const FoldProblem& problem) { return unsupported_on_gpu(problem.request); },
       .device_bytes = cuda::device_bytes,
       .operations = [](const FoldProblem& problem) { return problem.operations(); },
       .seconds = interval::detail::seconds_of_points<FoldProblem, Folding>,
       .probe_size = 1025});
  return all;
}

}  // namespace

std::span<const FoldBackend> fold_backends() {
  static const std::vector<FoldBackend> all = list_backends();
  return all;
}

Outcome<Folding> fold(const Sequence& sequence, const Parameters& parameters, const Options& options,
                      const FoldRequest& request) {
  const FoldProblem problem{sequence, parameters, request, sequence.size() + 1};
  return with_energies_in_range([&] { return solve_by(fold_backends(), problem, problem, options); });
}

void check_constraints(std::size_t constraints, std::size_t sequences) {
  if (constraints == 0 || constraints == sequences) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} given for {}: one for each is accepted",
                          quantity(constraints, "constraint is", "constraints are"), quantity(sequences, "sequence")));
}

std::vector<FoldRequest> requests_of(std::span<const Sequence> sequences, const FoldRequest& request,
                                     std::span<const std::string> constraints) {
  check_constraints(constraints.size(), sequences.size());
  std::vector<FoldRequest> requests(sequences.size(), request);
  for (std::size_t t = 0; t < constraints.size(); ++t) requests[t].constraint = constraints[t];
  return requests;
}

Outcome<Folding> FoldBatch::fold(std::size_t t, const Options& options) const {
  const FoldRequest own = request_of(t);
  const FoldProblem problem{sequences[t], parameters, own, sequences[t].size() + 1, tables, sequences.size() > 1};
  return with_energies_in_range([&] { return solve_by(fold_backends(), problem, problem, options); });
}

Report fold_by_threads(const FoldBatch& batch, std::span<const std::uint32_t> those, std::vector<Folding>& foldings,
                       const Options& options) {
  Options of_those = options;
  of_those.failed = [&](std::size_t at, const Error& error) {
    static_cast<void>(warpfold::detail::tell_of_failure(options, those[at], error));
  };
  const auto solve = [&](std::size_t at, const Options& each) {
    foldings[those[at]] = batch.fold(those[at], each).solution;
    return batch.operations_of(those[at]);
  };
  return warpfold::detail::solve_each(those.size(), batch.operations_of(those), of_those, solve);
}

namespace {

std::vector<Folding> fold_all_by_threads(const FoldBatch& batch, Context& context) {
  std::vector<Folding> foldings(batch.sequences.size());
  add_part(context.report, fold_by_threads(batch, all_of(batch.sequences.size()), foldings, context.options));
  return foldings;
}

std::vector<BatchBackend> list_batch_backends() {
  std::vector<BatchBackend> all;
  for (const FoldBackend& one : fold_backends()) {
    const bool on_gpu = one.info.device == "cuda";
    BatchBackend backend{.info = one.info,
                         .run = on_gpu ? cuda::fold_batch : fold_all_by_threads,
                         .supports_checkpoint = true,  // to be rejected for what a batch is
                         .explicit_only = one.explicit_only};
    backend.cost = [](const FoldBatch&, const Options&) { return 1.0; };
    backend.seconds = [](const BatchBackend&, const FoldBatch& batch, const Options& options) {
      return batch.operations() * batch_operation_seconds / thread_count(options.threads);
    };
    if (on_gpu) {
      backend.cost = [](const FoldBatch& batch, const Options&) {
        return batch.operations() >= cuda_batch_gains_from ? 0.0 : 2.0;
      };
      backend.unsupported_reason = [](const FoldBatch& batch) { return unsupported_on_gpu(batch.request); };
      backend.supports_checkpoint = false;
    }
    all.push_back(std::move(backend));
  }
  return all;
}

}  // namespace

Outcome<std::vector<Folding>> fold_each(std::span<const Sequence> sequences, const Parameters& parameters,
                                        const Options& options, const FoldRequest& request,
                                        std::span<const std::string> constraints) {
  static const std::vector<BatchBackend> backends = list_batch_backends();
  check_constraints(constraints.size(), sequences.size());
  const FoldBatch batch{sequences, parameters, request, constraints,
                        std::make_shared<const EnergyTables>(parameters, request)};
  return solve_by(std::span(backends), batch, batch, options);
}

void solve_beside_each_other(std::span<const std::uint32_t> those, Context& context, SolveMonitor& monitor,
                             const std::function<std::pair<Report, double>(std::size_t, const Options&)>& solve) {
  Options alone = context.options;
  alone.progress = nullptr;
  Team team(static_cast<int>(std::min(those.size(), gpu_workers)));
  const auto at_one_time = static_cast<std::size_t>(team.size());
  Options each = alone;
  each.max_device_memory /= at_one_time;
  std::mutex mutex;
  Report of_those;
  std::vector<std::uint32_t> again;
  std::atomic<std::size_t> next = 0;
  double done = 0;
  const auto solve_one = [&](std::uint32_t t, const Options& options, bool is_alone) {
    try {
      const auto [report, operations] = solve(t, options);
      const std::lock_guard lock(mutex);
      add_part(of_those, report);
      done += operations;
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      if (error.kind() == ErrorKind::memory_limit && !is_alone) {
        again.push_back(t);
      } else if (!warpfold::detail::tell_of_failure(context.options, t, error)) {
        throw;
      }
    }
  };
  team.run([&](int member) {
    for (std::size_t at = next++; at < those.size() && !team.failed(); at = next++) {
      solve_one(those[at], each, at_one_time == 1);
      monitor.check();
      if (member > 0) continue;
      const std::lock_guard lock(mutex);
      monitor.advance(std::exchange(done, 0));
    }
  });
  of_those.peak_device_bytes *= at_one_time;
  for (const std::uint32_t t : again) {
    monitor.check();
    solve_one(t, alone, true);
  }
  monitor.advance(done);
  add_part(context.report, of_those);
}

Estimate estimate_fold(const Sequence& sequence, const Parameters& parameters, const Options& options,
                       const FoldRequest& request) {
  return estimate_by(fold_backends(), {sequence, parameters, request, sequence.size() + 1}, options);
}

std::vector<AlgorithmInfo> fold_algorithms() {
  return infos(std::vector(fold_backends().begin(), fold_backends().end()));
}

}  // namespace warpfold::rna
