#include "warpfold/recurrence/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "backends.hpp"
#include "core/choose.hpp"
#include "core/clock.hpp"
#include "core/large_vector.hpp"
#include "recurrence/paper_kernels.hpp"
#include "recurrence/tuning.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/devices.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

namespace {

using Clock = std::chrono::steady_clock;

bool is_order(Op op) { return op == Op::min || op == Op::max; }

/// Values never pass what all initial values combined give: min, max, or, and, gcd without weights.
template <class T>
bool saturates(const Problem<T>& problem) {
  return is_idempotent(problem.op()) && !problem.is_weighted();
}

/// Rough costs in seconds, from results/epyc-2core; the cheapest algorithm wins.
template <class T>
double cost(const std::string& algorithm, const Problem<T>& problem, int threads) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double outputs = static_cast<double>(problem.n() - problem.initial().size());
  const double given = static_cast<double>(problem.initial().size());
  if (algorithm == "reference") return (problem.op() == Op::sum_mod ? 3e-9 : 1e-9) * problem.operations();
  if (algorithm == "runs") return (8e-9 + 3e-9 * static_cast<double>(count_runs(problem))) * outputs;
  if (algorithm == "spread") {
    const bool has_short_indices = problem.n() <= std::numeric_limits<std::uint32_t>::max();
    return is_order(problem.op()) && saturates(problem) && has_short_indices ? 12e-9 * (given + outputs) : never;
  }
  if (algorithm == "early-exit") return !is_order(problem.op()) && saturates(problem) ? 20e-9 * outputs : never;
  if (problem.op() == Op::gcd) return never;
  const double per_candidate = (problem.op() == Op::sum || problem.op() == Op::sum_mod ? 8e-11 : 5e-12 * sizeof(T));
  const auto terms_within = [&](std::size_t outputs_together) {
    const auto& offsets = problem.offsets();
    return static_cast<double>(std::count_if(offsets.begin(), offsets.end(), [&](auto offset) {
      return static_cast<std::size_t>(offset) < outputs_together;
    }));
  };
  // One thread closes a tile: in vectors, but for the terms that its last outputs wait for.
  const double closing = 40e-9 + 0.5e-9 * terms_within(tuning::close_outputs) +
                         per_candidate * terms_within(tuning::tile_bytes / sizeof(T));
  return outputs * closing + problem.operations() * per_candidate / threads;
}

/// Declares an algorithm for the problem, with what it costs and why it does not solve it.
template <class T>
Backend backend_for(const AlgorithmInfo& info, const Problem<T>& problem, int threads) {
  constexpr double worth_a_gpu_seconds = 0.02;
  constexpr bool is_i32 = std::is_same_v<T, std::int32_t>;
  if (info.device == "cpu") {
    const double seconds = cost<T>(info.name, problem, threads);
    if (seconds < only_when_named) return {&info, seconds};
    return {&info, seconds,
            fmt::format("does not solve {}{}: see `warpfold info`", problem.is_weighted() ? "weighted " : "",
                        to_string(problem.op()))};
  }
  if (info.name != "cuda-blocks") {
    return {&info, only_when_named,
            is_i32 ? "" : fmt::format("takes i32, this is {}: device cpu is accepted", dtype_name<T>())};
  }
  if (is_i32 && is_order(problem.op())) return {&info, worth_a_gpu_seconds};
  return {&info, only_when_named,
          fmt::format("solves min and max of i32 only, this is {} of {}: device cpu is accepted",
                      to_string(problem.op()), dtype_name<T>())};
}

template <class T>
std::vector<Backend> backends_for(const Problem<T>& problem, int threads) {
  std::vector<Backend> backends;
  for (const AlgorithmInfo& info : algorithms()) backends.push_back(backend_for(info, problem, threads));
  return backends;
}

template <class T>
Choice choose(const Problem<T>& problem, const Options& options, int threads) {
  return warpfold::choose(backends_for(problem, threads), options);
}

/// Blocks from index `from` on.
template <class T>
void run_blocks(const Problem<T>& problem, int threads, std::size_t from, Watch& watch, std::span<T> table,
                Report& report) {
  Team team(problem.operations() > tuning::worth_threads ? threads : 1);
  blocks(problem, team, from, watch, table);
  report.algorithm = "blocks";
  report.threads = team.size();
}

/// Runs one CPU algorithm, or what finishes the table where that one gives up.
template <class T>
void run(const std::string& name, const Problem<T>& problem, const Options& options, int threads, Watch& watch,
         std::span<T> table, Report& report) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  const bool is_forced = !options.algorithm.empty();
  const std::size_t given = problem.initial().size();
  report.device = "cpu";
  report.algorithm = name;
  if (name == "reference") reference(problem, watch, table);
  if (name == "runs") runs(problem, watch, table);
  if (name == "spread") {
    // A step takes about half a nanosecond: no more of them than blocks would take time.
    const double most = is_forced ? no_limit : 2e9 * cost<T>("blocks", problem, threads);
    if (!spread(problem, watch, most, table)) run_blocks(problem, threads, given, watch, table, report);
  }
  if (name == "early-exit") {
    const bool may_give_up = !is_forced && problem.op() != Op::gcd;
    const double most = may_give_up ? 1e9 * cost<T>("blocks", problem, threads) : no_limit;
    const std::size_t from = early_exit(problem, watch, most, table);
    if (from < problem.n()) run_blocks(problem, threads, from, watch, table, report);
  }
  if (name == "blocks") run_blocks(problem, threads, given, watch, table, report);
}

/// By blocks, or by the papers' schedule of that name.
void run_on_gpu(const std::string& name, const Problem<std::int32_t>& problem, const Options& options, Watch& watch,
                std::span<std::int32_t> table, Report& report) {
  const auto& all = paper::named_schedules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.info.name == name; });
  if (found != all.end()) {
    report.peak_device_bytes = paper::device_bytes(problem.n(), problem.offsets().size());
    check_device_memory(options, report.peak_device_bytes);
    paper::solve(problem, found->schedule, options.device.index, watch, table);
  } else {
    report.peak_device_bytes = cuda::blocks(problem, options, watch, table);
  }
  report.device = gpu_name(options);
  report.algorithm = name;
}

template <class T>
void run_on_gpu(const std::string&, const Problem<T>&, const Options&, Watch&, std::span<T>, Report&) {
}  // `backend_for` refuses these

/// Whether signed vectors serve.
template <class T>
bool runs_as_signed(const Problem<T>& problem, const std::string& algorithm) {
  return std::is_same_v<T, std::uint64_t> && problem.is_weighted() && is_order(problem.op()) && algorithm == "blocks";
}

/// Weighted min and max of u64 hold values below 2^61 (Problem's bound), so signed vectors serve them.
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

Solution<std::uint64_t> solve_as_signed(const Problem<std::uint64_t>& problem, const Options& options) {
  Budget budget(options);
  Options within = options;
  within.budget = &budget;
  const Solution<std::int64_t> solved = solve(as_signed(problem), within);
  const Budget::Share both = budget.take(2 * problem.n(), sizeof(std::uint64_t));
  Solution<std::uint64_t> solution{{}, solved.report};
  solution.values.reserve(solved.values.size());
  solution.report.peak_bytes = budget.peak();
  std::transform(solved.values.begin(), solved.values.end(), std::back_inserter(solution.values), [](std::int64_t v) {
    return v == infinity<std::int64_t> ? infinity<std::uint64_t> : static_cast<std::uint64_t>(v);
  });
  return solution;
}

/// `solve_as_signed` holds both results at once, and before that what the signed problem's blocks take.
template <class T>
std::size_t bytes_needed(const Problem<T>& problem, const std::string& algorithm) {
  const std::size_t n = problem.n();
  if (runs_as_signed(problem, algorithm)) return 2 * n * sizeof(T);
  std::size_t bytes = n * sizeof(T);
  if (algorithm == "runs") bytes += 2 * problem.offsets().size() * std::max<std::size_t>(sizeof(T), 16);
  if (algorithm == "spread") bytes += 4 * n + n / 2 + 4 * problem.initial().size();
  if (algorithm == "blocks" && (problem.op() == Op::sum || problem.op() == Op::sum_mod)) bytes += 24 * n;
  return bytes + problem.offsets().size() * 2 * (sizeof(T) + 4);
}

}  // namespace

const std::vector<AlgorithmInfo>& algorithms() {
  static const std::vector<AlgorithmInfo> all = [] {
    std::vector<AlgorithmInfo> list = {
        {"reference", "cpu", "the textbook's two loops; every op"},
        {"runs", "cpu", "sliding windows over runs of consecutive offsets; every op; 3 operations a run and value"},
        {"spread", "cpu", "min and max without weights: the winning values spread first, as bit sets"},
        {"early-exit", "cpu", "or, and, gcd: the textbook's loops, left when nothing can change any more"},
        {"blocks", "cpu", "every op but gcd: blocks of outputs from vector registers, all threads"},
        {"cuda-blocks", "cuda", "min and max of i32, with or without weights: blocks of outputs on a GPU"}};
    for (const auto& [info, schedule] : paper::named_schedules()) list.push_back(info);
    return list;
  }();
  return all;
}

template <class T>
Solution<T> solve(const Problem<T>& problem, const Options& options) {
  const int threads = thread_count(options.threads);
  const Choice choice = choose(problem, options, threads);
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (runs_as_signed(problem, algorithms()[choice.first].name)) return solve_as_signed(problem, options);
  }
  Solution<T> solution;
  run_choice(choice, options, solution.report, [&](std::size_t at) {
    const auto start = Clock::now();
    const AlgorithmInfo& algorithm = algorithms()[at];
    Report& report = solution.report;
    Budget budget(options);
    const Budget::Share taken = budget.take(bytes_needed(problem, algorithm.name));
    report.peak_bytes = budget.peak();
    Watch watch(options, problem.operations());
    solution.values.assign(problem.initial().begin(), problem.initial().end());
    grow(solution.values, problem.n(), T{0}, watch);
    report.prepare_seconds = seconds_since(start);

    const auto solve_start = Clock::now();
    if (algorithm.device == "cuda") {
      run_on_gpu(algorithm.name, problem, options, watch, std::span<T>(solution.values), report);
    } else {
      run(algorithm.name, problem, options, threads, watch, std::span<T>(solution.values), report);
    }
    report.solve_seconds = seconds_since(solve_start);
  });
  return solution;
}

template <class T>
Estimate estimate(const Problem<T>& problem, const Options& options) {
  const int threads = thread_count(options.threads);
  const AlgorithmInfo& algorithm = algorithms()[choose(problem, options, threads).first];
  constexpr double gpu_candidates_per_second = 2e12;
  Estimate expected{{algorithm.name, 0, bytes_needed(problem, algorithm.name)}, problem.operations()};
  if (algorithm.device == "cuda") {
    expected.seconds = 0.01 + problem.operations() / gpu_candidates_per_second;
    return expected;
  }
  expected.seconds = cost<T>(algorithm.name, problem, threads) +
                     static_cast<double>(expected.bytes) / tuning::bytes_touched_per_second;
  const bool searches = algorithm.name == "spread" || algorithm.name == "early-exit";
  if (searches && (!options.algorithm.empty() || problem.op() == Op::gcd)) {  // to the end, at worst every candidate
    expected.at_most = Needs{algorithm.name, cost<T>("reference", problem, 1), expected.bytes};
  } else if (searches) {  // gives up after the time that blocks take
    expected.at_most = Needs{"blocks", expected.seconds + 2 * cost<T>("blocks", problem, threads), expected.bytes};
  }
  return expected;
}

#define WARPFOLD_INSTANTIATE(T)                                  \
  template Solution<T> solve(const Problem<T>&, const Options&); \
  template Estimate estimate(const Problem<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(std::uint64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
