#include "warpfold/recurrence/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/number_types.hpp"
#include "recurrence/backends.hpp"
#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::recurrence {

namespace {

bool is_order(Op op) { return op == Op::min || op == Op::max; }

/// Whether values never go beyond all initial values combined: min, max, or, and, gcd without weights.
template <class T>
bool saturates(const Problem<T>& problem) {
  return is_idempotent(problem.op()) && !problem.is_weighted();
}

// Rough costs in seconds of every algorithm on the CPU.

template <class T>
double cost_of_reference(const Problem<T>& problem, const Options&) {
  return problem.operations() *
         (problem.op() == Op::sum_mod ? tuning::reference_modulo_seconds : tuning::reference_seconds);
}

template <class T>
double outputs_of(const Problem<T>& problem) {
  return static_cast<double>(problem.n() - problem.initial().size());
}

template <class T>
double cost_of_runs(const Problem<T>& problem, const Options&) {
  return outputs_of(problem) *
         (tuning::runs_seconds + tuning::seconds_a_run * static_cast<double>(count_runs(problem)));
}

template <class T>
double cost_of_spread(const Problem<T>& problem, const Options&) {
  return tuning::spread_seconds * static_cast<double>(problem.n());
}

template <class T>
double cost_of_early_exit(const Problem<T>& problem, const Options&) {
  return tuning::early_exit_seconds * outputs_of(problem);
}

template <class T>
double cost_of_blocks(const Problem<T>& problem, const Options& options) {
  const bool is_sum = problem.op() == Op::sum || problem.op() == Op::sum_mod;
  const double per_candidate = is_sum ? tuning::sum_candidate_seconds : tuning::candidate_byte_seconds * sizeof(T);
  const auto terms_within = [&](std::size_t outputs_together) {
    const auto& offsets = problem.offsets();
    return static_cast<double>(std::count_if(offsets.begin(), offsets.end(), [&](auto offset) {
      return static_cast<std::size_t>(offset) < outputs_together;
    }));
  };
  // One thread closes a tile: in vectors, but for the terms that its last outputs wait for.
  const double closing = tuning::close_seconds + tuning::close_term_seconds * terms_within(tuning::close_outputs) +
                         per_candidate * terms_within(tuning::tile_bytes / sizeof(T));
  return outputs_of(problem) * closing + problem.operations() * per_candidate / thread_count(options.threads);
}

/// The bytes of every algorithm: the table and the terms.
template <class T>
std::size_t bytes_of_table(const Problem<T>& problem, const Options&) {
  return problem.n() * sizeof(T) + problem.offsets().size() * 2 * (sizeof(T) + 4);
}

template <class T>
std::size_t bytes_of_runs(const Problem<T>& problem, const Options& options) {
  return bytes_of_table(problem, options) + 2 * problem.offsets().size() * std::max<std::size_t>(sizeof(T), 16);
}

template <class T>
std::size_t bytes_of_spread(const Problem<T>& problem, const Options& options) {
  return bytes_of_table(problem, options) + 4 * problem.n() + problem.n() / 2 + 4 * problem.initial().size();
}

/// Whether signed vectors are used: weighted min and max of u64 have values below 2^61 (Problem's bound).
template <class T>
bool runs_as_signed(const Problem<T>& problem) {
  return std::is_same_v<T, std::uint64_t> && problem.is_weighted() && is_order(problem.op());
}

template <class T>
std::size_t bytes_of_blocks(const Problem<T>& problem, const Options& options) {
  if (runs_as_signed(problem)) return 2 * problem.n() * sizeof(T);  // both results at once
  const bool is_sum = problem.op() == Op::sum || problem.op() == Op::sum_mod;
  return bytes_of_table(problem, options) + (is_sum ? 24 * problem.n() : 0);
}

template <class T>
Solution<T> by_reference(const Problem<T>& problem, Context& context) {
  return filled_table(problem, bytes_of_table(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) { reference(problem, monitor, table); });
}

template <class T>
Solution<T> by_runs(const Problem<T>& problem, Context& context) {
  return filled_table(problem, bytes_of_runs(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) { runs(problem, monitor, table); });
}

/// Runs blocks from index `from` on.
template <class T>
void run_blocks(const Problem<T>& problem, std::size_t from, SolveMonitor& monitor, std::span<T> table,
                Context& context) {
  Team team(problem.operations() > tuning::worth_threads ? thread_count(context.options.threads) : 1);
  blocks(problem, team, from, monitor, table);
  context.report.threads = team.size();
}

/// The number of steps in the time that blocks would take. No limit if the search may not give up.
double max_steps(const Context& context, double step_seconds) {
  return context.next ? context.next().seconds / step_seconds : std::numeric_limits<double>::infinity();
}

template <class T>
Solution<T> by_spread(const Problem<T>& problem, Context& context) {
  const double most = max_steps(context, tuning::spread_step_seconds);
  return filled_table(problem, bytes_of_spread(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) {
                        if (!spread(problem, monitor, most, table)) Context::give_up("blocks take less time");
                      });
}

/// Runs early-exit. Blocks continue in the same table where the search ended.
template <class T>
Solution<T> by_early_exit(const Problem<T>& problem, Context& context) {
  const double most = max_steps(context, tuning::reference_seconds);
  return filled_table(problem, bytes_of_table(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) {
                        const std::size_t from = early_exit(problem, monitor, most, table);
                        if (from == problem.n()) return;
                        run_blocks(problem, from, monitor, table, context);
                        context.report.algorithm = "blocks";
                      });
}

Problem<std::int64_t> as_signed(const Problem<std::uint64_t>& problem) {
  const auto convert = [&](std::uint64_t value) {
    return value == infinity<std::uint64_t> ? infinity<std::int64_t> : static_cast<std::int64_t>(value);
  };
  Statement<std::int64_t> statement{problem.op(), {}, {}, problem.n(), {}, 0};
  statement.offsets.assign(problem.offsets().begin(), problem.offsets().end());
  std::transform(problem.initial().begin(), problem.initial().end(), std::back_inserter(statement.initial), convert);
  std::transform(problem.weights().begin(), problem.weights().end(), std::back_inserter(statement.weights), convert);
  return Problem<std::int64_t>(std::move(statement));
}

template <class T>
Solution<T> by_blocks(const Problem<T>& problem, Context& context) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (runs_as_signed(problem)) {
      const Solution<std::int64_t> solved = by_blocks(as_signed(problem), context);
      const Budget::Reservation both = context.budget.reserve(2 * problem.n(), sizeof(T));
      Solution<T> solution;
      solution.values.reserve(solved.values.size());
      std::transform(solved.values.begin(), solved.values.end(), std::back_inserter(solution.values),
                     [](std::int64_t v) { return v == infinity<std::int64_t> ? infinity<T> : static_cast<T>(v); });
      return solution;
    }
  }
  return filled_table(problem, bytes_of_blocks(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) {
                        run_blocks(problem, problem.initial().size(), monitor, table, context);
                      });
}

template <class T>
Solution<T> by_gpu_blocks(const Problem<T>& problem, Context& context) {
  return filled_table(problem, bytes_of_table(problem, context.options), context,
                      [&](SolveMonitor& monitor, std::span<T> table) {
                        if constexpr (std::is_same_v<T, std::int32_t>) {
                          cuda::blocks(problem, context, monitor, table);
                        }
                      });
}

template <class T>
std::size_t gpu_bytes(const Problem<T>& problem, const Options& options) {
  if constexpr (std::is_same_v<T, std::int32_t>) return cuda::device_bytes(problem, options);
  return 0;
}

template <class T>
std::string unsupported_unless(bool solves, const Problem<T>& problem) {
  if (solves) return "";
  return fmt::format("does not solve {}{}{}", problem.is_weighted() ? "weighted " : "", to_string(problem.op()),
                     problem.has_coefficients() ? " with coefficients" : "");
}

template <class T>
std::string spread_unsupported(const Problem<T>& problem) {
  const bool has_short_indices = problem.n() <= std::numeric_limits<std::uint32_t>::max();
  return unsupported_unless(is_order(problem.op()) && saturates(problem) && has_short_indices, problem);
}

template <class T>
std::string early_exit_unsupported(const Problem<T>& problem) {
  return unsupported_unless(!is_order(problem.op()) && saturates(problem), problem);
}

template <class T>
std::string blocks_unsupported(const Problem<T>& problem) {
  return unsupported_unless(problem.op() != Op::gcd && !problem.has_coefficients(), problem);
}

template <class T>
std::string gpu_unsupported(const Problem<T>& problem) {
  if (std::is_same_v<T, std::int32_t> && is_order(problem.op())) return "";
  return fmt::format("solves min and max of i32 only on a GPU, this is {} of {}: device cpu is accepted",
                     to_string(problem.op()), dtype_name<T>());
}

template <class T>
double seconds_on_cpu(const RecurrenceBackend<T>& backend, const Problem<T>& problem, const Options& options) {
  const auto bytes = static_cast<double>(backend.bytes(problem, options));
  return backend.cost(problem, options) + bytes / tuning::bytes_touched_per_second;
}

/// The worst case of a search. It gives up after the time that the next backend takes, or else looks at every
/// candidate.
template <class T>
ResourceEstimate worst_case_of_search(const ResourceEstimate& expected, const Problem<T>& problem,
                                      const Options& options, const std::optional<ResourceEstimate>& next) {
  const double seconds = next ? expected.seconds + next->seconds : cost_of_reference(problem, options);
  return {expected.algorithm, seconds, expected.bytes};
}

template <class T>
const std::vector<RecurrenceBackend<T>>& builtin_backends() {
  static const std::vector<RecurrenceBackend<T>> list = [] {
    std::vector<RecurrenceBackend<T>> own = {
        {.info = {"reference", "cpu", "the textbook's two loops; every op", "n k operations"},
         .cost = cost_of_reference<T>,
         .bytes = bytes_of_table<T>,
         .run = by_reference<T>,
         .operations = operations_of<T>,
         .seconds = seconds_on_cpu<T>},
        {.info = {"runs", "cpu", "sliding windows over runs of consecutive offsets; every op", "3 n operations a run"},
         .cost = cost_of_runs<T>,
         .bytes = bytes_of_runs<T>,
         .run = by_runs<T>,
         .operations = operations_of<T>,
         .seconds = seconds_on_cpu<T>},
        {.info = {"spread", "cpu", "min and max without weights: the winning values spread first, as bit sets",
                  "at most n a_0/512 vector operations"},
         .cost = cost_of_spread<T>,
         .bytes = bytes_of_spread<T>,
         .run = by_spread<T>,
         .unsupported_reason = spread_unsupported<T>,
         .operations = operations_of<T>,
         .seconds = seconds_on_cpu<T>,
         .worst_case = worst_case_of_search<T>,
         .hands_on_to = "blocks"},
        {.info = {"early-exit", "cpu", "or, and, gcd: the textbook's loops, left when nothing can change any more",
                  "at most n k operations"},
         .cost = cost_of_early_exit<T>,
         .bytes = bytes_of_table<T>,
         .run = by_early_exit<T>,
         .unsupported_reason = early_exit_unsupported<T>,
         .operations = operations_of<T>,
         .seconds = seconds_on_cpu<T>,
         .worst_case = worst_case_of_search<T>,
         .hands_on_to = "blocks"},
        {.info = {"blocks", "cpu",
                  "every op but gcd, without coefficients: blocks of outputs from vector registers, all threads",
                  "n k operations"},
         .cost = cost_of_blocks<T>,
         .bytes = bytes_of_blocks<T>,
         .run = by_blocks<T>,
         .unsupported_reason = blocks_unsupported<T>,
         .operations = operations_of<T>,
         .seconds = seconds_on_cpu<T>}};
    if (has_cuda()) {
      own.push_back(
          {.info = {"blocks", "cuda", "min and max of i32, with or without weights: blocks of outputs on a GPU",
                    "n k operations"},
           .cost = [](const Problem<T>&, const Options&) { return tuning::worth_a_gpu_seconds; },
           .bytes = bytes_of_table<T>,
           .run = by_gpu_blocks<T>,
           .unsupported_reason = gpu_unsupported<T>,
           .device_bytes = gpu_bytes<T>,
           .operations = operations_of<T>,
           .seconds = seconds_on_gpu<T>});
    }
    return own;
  }();
  return list;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() { return infos(builtin_backends<std::int32_t>()); }

template <class T>
Outcome<Solution<T>> solve(const Problem<T>& problem, const Options& options,
                           ExtraBackends<RecurrenceBackend<T>> extra_backends) {
  auto outcome = solve_by(std::span(builtin_backends<T>()), problem, problem, options, extra_backends);
  if constexpr (std::is_floating_point_v<T>) check_overflow<T>(problem, outcome.solution.values, options);
  return outcome;
}

template <class T>
Estimate estimate(const Problem<T>& problem, const Options& options,
                  ExtraBackends<RecurrenceBackend<T>> extra_backends) {
  return estimate_by(std::span(builtin_backends<T>()), problem, options, extra_backends);
}

#define WARPFOLD_INSTANTIATE(T)                                                                                  \
  template Outcome<Solution<T>> solve(const Problem<T>&, const Options&, std::span<const RecurrenceBackend<T>>); \
  template Estimate estimate(const Problem<T>&, const Options&, std::span<const RecurrenceBackend<T>>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
