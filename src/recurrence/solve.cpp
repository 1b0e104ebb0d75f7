#include "warpfold/recurrence/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "backends.hpp"
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
  if (algorithm == "reference") return 1e-9 * problem.operations();
  if (algorithm == "runs") return 3e-9 * outputs * static_cast<double>(count_runs(problem));
  if (algorithm == "spread") {
    const bool has_short_indices = problem.n() <= std::numeric_limits<std::uint32_t>::max();
    return is_order(problem.op()) && saturates(problem) && has_short_indices ? 6e-9 * (given + outputs) : never;
  }
  if (algorithm == "early-exit") return !is_order(problem.op()) && saturates(problem) ? 20e-9 * outputs : never;
  if (problem.op() == Op::gcd) return never;
  const double per_candidate = (problem.op() == Op::sum || problem.op() == Op::sum_mod ? 8e-11 : 5e-12 * sizeof(T));
  return outputs * 40e-9 + problem.operations() * per_candidate / threads;
}

constexpr std::array<const char*, 5> cpu_names = {"reference", "runs", "spread", "early-exit", "blocks"};

template <class T>
std::string cheapest(const Problem<T>& problem, int threads) {
  std::array<double, cpu_names.size()> costs;
  std::transform(cpu_names.begin(), cpu_names.end(), costs.begin(),
                 [&](const char* name) { return cost<T>(name, problem, threads); });
  return cpu_names[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
}

template <class T>
bool fits_cuda(const Problem<T>& problem) {
  return std::is_same_v<T, std::int32_t> && is_order(problem.op());
}

/// The algorithm to run, "cuda-blocks" included. Raises Error{usage} when what is forced does not go together.
template <class T>
std::string choose(const Problem<T>& problem, const Options& options, int threads) {
  const bool wants_cuda = options.device.kind == Device::Kind::cuda;
  std::string name = options.algorithm;
  if (name.empty()) {
    constexpr double worth_a_gpu_seconds = 0.02;
    if (wants_cuda) return "cuda-blocks";
    name = cheapest(problem, threads);
    if (options.device.kind == Device::Kind::automatic && fits_cuda(problem) &&
        cost<T>(name, problem, threads) > worth_a_gpu_seconds && cuda::is_available()) {
      return "cuda-blocks";
    }
    return name;
  }
  const auto& all = algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.name == name; });
  if (found == all.end()) {
    std::string names;
    for (const AlgorithmInfo& info : all) names += (names.empty() ? "" : ", ") + info.name;
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' is unknown: {} are accepted", name, names));
  }
  if ((wants_cuda && found->device == "cpu") || (options.device.kind == Device::Kind::cpu && found->device == "cuda")) {
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' runs on device {} only", name, found->device));
  }
  if (found->device == "cpu" && cost<T>(name, problem, threads) == std::numeric_limits<double>::infinity()) {
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' does not solve {}{}: see `warpfold info`", name,
                                              problem.is_weighted() ? "weighted " : "", to_string(problem.op())));
  }
  return name;
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

/// Returns the bytes that it took of the device.
std::size_t run_cuda(const Problem<std::int32_t>& problem, const Options& options, Watch& watch,
                     std::span<std::int32_t> table) {
  return cuda::blocks(problem, options, watch, table);
}

template <class T>
std::size_t run_cuda(const Problem<T>&, const Options&, Watch&, std::span<T>) {
  return 0;  // fits_cuda refuses these
}

/// The papers' schedule of that name; nullptr for any other algorithm.
const paper::Schedule* paper_schedule(const std::string& algorithm) {
  const auto& all = paper::named_schedules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.info.name == algorithm; });
  return found == all.end() ? nullptr : &found->schedule;
}

/// Returns the bytes that it took of the device.
template <class T>
std::size_t run_paper(const Problem<T>& problem, const paper::Schedule& schedule, const Options& options, Watch& watch,
                      std::span<T> table) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const std::size_t bytes = paper::device_bytes(problem.n(), problem.offsets().size());
    check_device_memory(options, bytes);
    paper::solve(problem, schedule, options.device.index, watch, table);
    return bytes;
  } else {
    throw Error(ErrorKind::usage,
                fmt::format("the papers' algorithms take i32, this is {}: device cpu is accepted", dtype_name<T>()));
  }
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
  const Solution<std::int64_t> solved = solve(as_signed(problem), options);
  Solution<std::uint64_t> solution{{}, solved.report};
  std::transform(solved.values.begin(), solved.values.end(), std::back_inserter(solution.values), [](std::int64_t v) {
    return v == infinity<std::int64_t> ? infinity<std::uint64_t> : static_cast<std::uint64_t>(v);
  });
  return solution;
}

template <class T>
std::size_t bytes_needed(const Problem<T>& problem, const std::string& algorithm) {
  const std::size_t n = problem.n();
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
  const auto start = Clock::now();
  const int threads = thread_count(options.threads);
  const std::string algorithm = choose(problem, options, threads);
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (problem.is_weighted() && is_order(problem.op()) && algorithm == "blocks") {
      return solve_as_signed(problem, options);
    }
  }
  const std::size_t bytes = bytes_needed(problem, algorithm);
  check_memory(options, bytes);
  Watch watch(options, problem.operations());
  Solution<T> solution;
  solution.values.assign(problem.initial().begin(), problem.initial().end());
  grow(solution.values, problem.n(), T{0}, watch);
  solution.report.prepare_seconds = seconds_since(start);

  const auto solve_start = Clock::now();
  if (const paper::Schedule* schedule = paper_schedule(algorithm)) {
    solution.report.peak_device_bytes = run_paper(problem, *schedule, options, watch, std::span<T>(solution.values));
    solution.report.device = to_string(Device{Device::Kind::cuda, options.device.index});
    solution.report.algorithm = algorithm;
  } else if (algorithm == "cuda-blocks") {
    if (!fits_cuda(problem)) {
      throw Error(ErrorKind::usage, fmt::format("a GPU solves min and max of i32 only, this is {} of {}: device cpu is "
                                                "accepted",
                                                to_string(problem.op()), dtype_name<T>()));
    }
    solution.report.peak_device_bytes = run_cuda(problem, options, watch, std::span<T>(solution.values));
    solution.report.device = to_string(Device{Device::Kind::cuda, options.device.index});
    solution.report.algorithm = algorithm;
  } else {
    run(algorithm, problem, options, threads, watch, std::span<T>(solution.values), solution.report);
    solution.report.device = "cpu";
  }
  solution.report.solve_seconds = seconds_since(solve_start);
  solution.report.peak_bytes = bytes;
  return solution;
}

template <class T>
Estimate estimate(const Problem<T>& problem, const Options& options) {
  const int threads = thread_count(options.threads);
  const std::string algorithm = choose(problem, options, threads);
  constexpr double gpu_candidates_per_second = 2e12;
  const double seconds = algorithm == "cuda-blocks" ? 0.01 + problem.operations() / gpu_candidates_per_second
                                                    : cost<T>(algorithm, problem, threads);
  return {algorithm, seconds, bytes_needed(problem, algorithm)};
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
