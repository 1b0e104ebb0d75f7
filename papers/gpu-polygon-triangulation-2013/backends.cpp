#include "interval/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "core/number_types.hpp"
#include "interval/triangulation/traceback.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "interval/tuning.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

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
  const std::string path = tuning_path(gpu_at(device).name, n);
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is not there: `warpfold paper tune -n {} --device cuda:{}` makes it", path, n, device));
  }
  Tuning tuning = read_tuning(path);
  if (tuning.n != n) throw Error(ErrorKind::input, fmt::format("{} is for n = {}, not {}", path, tuning.n, n));
  return tuning.plan;
}

}  // namespace

GpuInfo gpu_at(int device) {
  const auto all = gpus();
  const auto found = std::find_if(all.begin(), all.end(), [&](const GpuInfo& gpu) { return gpu.index == device; });
  if (found == all.end()) {
    throw Error(ErrorKind::device, fmt::format("there is no GPU {}: {} found", device, all.size()));
  }
  return *found;
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

namespace {

using interval::Solution;

/// The weights, and a table in every arrangement that the plan uses.
template <class T>
std::size_t device_bytes(const interval::TriangulationSize& size, const Options& options) {
  const std::size_t n = size.vertices;
  const Plan plan = algorithm_plan(options.algorithm, n, options.device.index);
  const std::size_t tables = plan.front().arrangement == plan.back().arrangement ? 1 : 2;
  return (1 + tables) * n * n * sizeof(T);
}

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  const std::size_t n = problem.vertices();
  Report& report = context.report;
  const Plan plan = algorithm_plan(context.options.algorithm, n, context.options.device.index);
  report.algorithm = context.options.algorithm;
  check_plan(plan, n);
  const Budget::Reservation taken = context.budget.reserve(2 * n * n, sizeof(T));  // one table in two forms
  context.take_device_memory(device_bytes<T>(n, context.options));

  SolveMonitor monitor(context.options, interval::split_count(n));
  const interval::AsMatrix<T> dense(problem, context);
  auto start = std::chrono::steady_clock::now();
  PaperSolver<T> solver(context.options.device.index, dense.problem());
  report.prepare_seconds += seconds_since(start);
  start = std::chrono::steady_clock::now();
  solver.run(plan, monitor);
  const std::vector<T> value = solver.values();
  report.solve_seconds = seconds_since(start);

  start = std::chrono::steady_clock::now();
  Solution<T> solution = interval::search_table(value, n, monitor);
  report.traceback_seconds = seconds_since(start);
  return solution;
}

}  // namespace

template <class T>
std::vector<interval::TriangulationBackend<T>> backends() {
  if (!has_cuda()) return {};
  using Size = interval::TriangulationSize;
  std::vector<interval::TriangulationBackend<T>> list;
  for (const auto& [name, description] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bb", "the 2013 GPU paper's BB(256,1) on the mirroring arrangement; bb:THREADS,BLOCKS for others"},
           {"bb-naive", "the 2013 GPU paper's BB(256,1) on the naive arrangement; bb-naive:THREADS,BLOCKS for others"},
           {"tb", "the 2013 GPU paper's TB(64) on the sliding arrangement; tb:THREADS for others"},
           {"tb-naive", "the 2013 GPU paper's TB(64) on the naive arrangement; tb-naive:THREADS for others"},
           {"adaptive", "the 2013 GPU paper's best method for each stage, as `warpfold paper tune` found it"}}) {
    list.push_back({.info = {name, "cuda", description, "n^3/6 operations, 2 or 3 n^2 values of the GPU"},
                    .bytes =
                        [](const Size& size, const Options&) {
                          return bytes_of(size.vertices * size.vertices, 2 * sizeof(T)) +
                                 interval::bytes_as_matrix<T>(size);
                        },
                    .run = solve<T>,
                    .has_parameters = true,
                    .device_bytes = device_bytes<T>,
                    .explicit_only = true,
                    .operations = [](const Size& size) { return interval::split_count(size.vertices); },
                    .seconds = interval::seconds_by_probe<T>,
                    .probe_size = interval::probe_vertices});
  }
  return list;
}

#define WARPFOLD_INSTANTIATE(T) template std::vector<interval::TriangulationBackend<T>> backends();
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::gpu_polygon_2013
