#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "core/choose.hpp"
#include "core/clock.hpp"
#include "interval/backend.hpp"
#include "interval/paper_kernels.hpp"
#include "interval/traceback.hpp"
#include "warpfold/core/devices.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval::paper {

namespace {

[[noreturn]] void refuse(const std::string& algorithm) {
  throw Error(ErrorKind::usage, fmt::format("algorithm '{}' is unknown: tb, tb-naive, bb and bb-naive accept :THREADS, "
                                            "the latter two also :THREADS,BLOCKS, such as bb:256,2",
                                            algorithm));
}

Stage default_stage(std::string_view name) {
  if (name == "tb") return {Method::thread_based, Arrangement::sliding, 64, 1};
  if (name == "tb-naive") return {Method::thread_based, Arrangement::naive, 64, 1};
  if (name == "bb") return {Method::block_based, Arrangement::mirroring, 256, 1};
  return {Method::block_based, Arrangement::naive, 256, 1};
}

Plan tuned_plan(std::size_t n, int device) {
  const auto names = device_names();
  if (static_cast<std::size_t>(device) >= names.size()) {
    throw Error(ErrorKind::device, fmt::format("there is no GPU {}: {} found", device, names.size()));
  }
  const std::string path = tuning_path(names[static_cast<std::size_t>(device)], n);
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is not there: `warpfold tune -n {} --device cuda:{}` makes it", path, n, device));
  }
  Tuning tuning = read_tuning(path);
  if (tuning.n != n) throw Error(ErrorKind::input, fmt::format("{} is for n = {}, not {}", path, tuning.n, n));
  return tuning.plan;
}

}  // namespace

double operation_count(std::size_t n) {
  return static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
}

Plan algorithm_plan(const std::string& algorithm, std::size_t n, int device) {
  if (algorithm == "adaptive") return tuned_plan(n, device);
  const std::size_t colon = algorithm.find(':');
  Stage stage = default_stage(std::string_view(algorithm).substr(0, colon));
  if (colon == std::string::npos) return uniform_plan(n, stage);
  const char* const last = algorithm.data() + algorithm.size();
  auto parsed = std::from_chars(algorithm.data() + colon + 1, last, stage.threads);
  if (parsed.ec == std::errc() && parsed.ptr != last && *parsed.ptr == ',') {
    parsed = std::from_chars(parsed.ptr + 1, last, stage.blocks);
  }
  if (parsed.ec != std::errc() || parsed.ptr != last) refuse(algorithm);
  return uniform_plan(n, stage);
}

template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  const std::size_t n = problem.vertices();
  const Plan plan = algorithm_plan(options.algorithm, n, options.device.index);
  report.device = gpu_name(options);
  report.algorithm = options.algorithm;
  check_plan(plan, n);
  const std::size_t tables = plan.front().arrangement == plan.back().arrangement ? 1 : 2;
  report.peak_device_bytes = (1 + tables) * n * n * sizeof(T);
  report.peak_bytes = 2 * n * n * sizeof(T);  // a table in two forms
  check_memory(options, report.peak_bytes);
  check_device_memory(options, report.peak_device_bytes);

  Watch watch(options, operation_count(n));
  auto start = std::chrono::steady_clock::now();
  PaperSolver<T> solver(options.device.index, problem);
  report.prepare_seconds = seconds_since(start);
  start = std::chrono::steady_clock::now();
  solver.run(plan, watch);
  const std::vector<T> value = solver.values();
  report.solve_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  Solution<T> solution;
  solution.cost = value[n - 1];
  const auto candidate = [&](std::size_t i, std::size_t k, std::size_t j) {
    return static_cast<T>(value[i * n + k] + value[k * n + j]);
  };
  const auto split = [&](std::size_t i, std::size_t j) {
    std::size_t best = i + 1;
    for (std::size_t k = i + 2; k < j; ++k) {
      if (candidate(i, k, j) < candidate(i, best, j)) best = k;
    }
    return best;
  };
  search_structure(n, split, solution);
  report.traceback_seconds = seconds_since(start);
  return solution;
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, const Options&, Report&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, const Options&, Report&);
template Solution<float> solve(const Triangulation<float>&, const Options&, Report&);
template Solution<double> solve(const Triangulation<double>&, const Options&, Report&);

}  // namespace warpfold::interval::paper
