#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "interval/backends.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

using Json = nlohmann::ordered_json;

/// The fastest candidate of each stage.
std::vector<std::size_t> fastest_each(const std::vector<std::vector<double>>& seconds) {
  std::vector<std::size_t> best(seconds.front().size(), 0);
  for (std::size_t candidate = 1; candidate < seconds.size(); ++candidate) {
    for (std::size_t p = 0; p < best.size(); ++p) {
      if (seconds[candidate][p] < seconds[best[p]][p]) best[p] = candidate;
    }
  }
  return best;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// The median time of each stage over `repeats` runs.
template <class T>
std::vector<double> stage_medians(PaperSolver<T>& solver, const Plan& plan, std::size_t repeats,
                                  SolveMonitor& monitor) {
  std::vector<std::vector<double>> runs;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    runs.push_back(solver.run(plan, monitor, true).stage_seconds);
  }
  std::vector<double> medians(plan.size());
  for (std::size_t p = 0; p < plan.size(); ++p) {
    std::vector<double> stage;
    for (const auto& run : runs) stage.push_back(run[p]);
    medians[p] = median(std::move(stage));
  }
  return medians;
}

template <class T>
std::vector<std::vector<double>> time_stages(PaperSolver<T>& solver, std::size_t n, const std::vector<Stage>& stages,
                                             std::size_t repeats, SolveMonitor& monitor) {
  std::vector<std::vector<double>> seconds;
  for (const Stage& stage : stages) {
    seconds.push_back(stage_medians(solver, uniform_plan(n, stage), repeats, monitor));
  }
  return seconds;
}

template <class T>
std::vector<T> random_weights(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> weights(n * n);
  for (T& weight : weights) weight = static_cast<T>(random() % 1000);
  return weights;
}

template <class T>
Tuning tune_as(std::size_t n, std::size_t repeats, std::uint64_t seed, const Options& options) {
  const std::vector<T> weights = random_weights<T>(n, seed);
  PaperSolver<T> solver(options.device.index, Triangulation<T>({weights.data(), n, n, n}));
  const auto thread_based = thread_based_stages(Arrangement::sliding);
  const auto block_based = block_based_stages(Arrangement::mirroring);
  const auto runs = static_cast<double>((thread_based.size() + block_based.size() + 1) * repeats + 4);
  SolveMonitor monitor(options, runs * interval::split_count(n));
  solver.run(uniform_plan(n, block_based.front()), monitor);  // loads the kernels
  const auto thread_seconds = time_stages(solver, n, thread_based, repeats, monitor);
  const auto block_seconds = time_stages(solver, n, block_based, repeats, monitor);

  Plan converting = uniform_plan(n, block_based.front());
  converting.front() = thread_based.front();
  solver.run(converting, monitor);
  const double conversion_seconds = solver.run(converting, monitor).conversion_seconds;

  Tuning tuning;
  tuning.n = n;
  tuning.dtype = dtype_name<T>();
  tuning.plan = fastest_plan(thread_based, thread_seconds, block_based, block_seconds, conversion_seconds);
  const auto is_block_based = [](const Stage& stage) { return stage.method == Method::block_based; };
  tuning.first_block_stage =
      static_cast<std::size_t>(std::ranges::find_if(tuning.plan, is_block_based) - tuning.plan.begin());
  solver.run(tuning.plan, monitor);
  std::vector<double> totals;
  std::vector<double> conversions;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    const Timing timing = solver.run(tuning.plan, monitor);
    totals.push_back(timing.total_seconds);
    conversions.push_back(timing.conversion_seconds);
  }
  tuning.total_seconds = median(totals);
  tuning.conversion_seconds = median(conversions);
  return tuning;
}

std::size_t integer_value(const Json& object, const char* key, std::size_t least, std::size_t most) {
  if (!object.contains(key) || !object[key].is_number_unsigned() || object[key] < least || object[key] > most) {
    throw Error(ErrorKind::input, fmt::format("'{}' is {}: an integer from {} to {} is accepted", key,
                                              object.contains(key) ? object[key].dump() : "missing", least, most));
  }
  return object[key];
}

std::string text(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_string()) {
    throw Error(ErrorKind::input, fmt::format("'{}' is {}: a string is accepted", key,
                                              object.contains(key) ? object[key].dump() : "missing"));
  }
  return object[key];
}

Stage parse_stage(const Json& run) {
  const std::string method = text(run, "method");
  if (method != "TB" && method != "BB") {
    throw Error(ErrorKind::input, fmt::format("method '{}' is unknown: TB and BB are accepted", method));
  }
  const int threads = static_cast<int>(integer_value(run, "threads", 32, 1024));
  const int blocks = static_cast<int>(integer_value(run, "blocks", 1, 8));
  if (method == "TB") return {Method::thread_based, Arrangement::sliding, threads, blocks};
  return {Method::block_based, Arrangement::mirroring, threads, blocks};
}

Tuning parse_tuning(const Json& object) {
  constexpr std::size_t max_vertices = 1'000'000;
  Tuning tuning;
  tuning.device = text(object, "device");
  tuning.n = integer_value(object, "n", 3, max_vertices);
  tuning.dtype = text(object, "dtype");
  if (!object.contains("stages") || !object["stages"].is_array()) {
    throw Error(ErrorKind::input, "'stages' is missing: a list of runs of stages is accepted");
  }
  for (const Json& run : object["stages"]) {
    const std::size_t last = integer_value(run, "last", tuning.plan.size(), tuning.n - 2);
    tuning.plan.resize(last + 1, parse_stage(run));
  }
  check_plan(tuning.plan, tuning.n);
  tuning.first_block_stage = integer_value(object, "first_block_stage", 0, tuning.n - 1);
  tuning.conversion_seconds = object.value("conversion_seconds", 0.0);
  tuning.total_seconds = object.value("total_seconds", 0.0);
  return tuning;
}

}  // namespace

Plan fastest_plan(const std::vector<Stage>& thread_based, const std::vector<std::vector<double>>& thread_seconds,
                  const std::vector<Stage>& block_based, const std::vector<std::vector<double>>& block_seconds,
                  double conversion_seconds) {
  const auto thread_best = fastest_each(thread_seconds);
  const auto block_best = fastest_each(block_seconds);
  const std::size_t stages = block_best.size();
  double total = 0;
  for (std::size_t p = 0; p < stages; ++p) total += block_seconds[block_best[p]][p];
  double least = total;
  std::size_t first_block_stage = 0;
  total += conversion_seconds;
  for (std::size_t p = 0; p < stages; ++p) {
    total += thread_seconds[thread_best[p]][p] - block_seconds[block_best[p]][p];
    if (p + 1 == stages) total -= conversion_seconds;  // there is no block-based stage
    if (total < least) {
      least = total;
      first_block_stage = p + 1;
    }
  }
  Plan plan(stages);
  for (std::size_t p = 0; p < stages; ++p) {
    plan[p] = p < first_block_stage ? thread_based[thread_best[p]] : block_based[block_best[p]];
  }
  return plan;
}

Tuning tune(std::size_t n, const std::string& dtype, std::size_t repeats, std::uint64_t seed, const Options& options) {
  if (n < 3) throw Error(ErrorKind::usage, fmt::format("n is {}: 3 or more vertices are accepted", n));
  if (repeats < 1) throw Error(ErrorKind::usage, fmt::format("repeats is {}: 1 or more is accepted", repeats));
  if (options.device.kind == Device::Kind::cpu || options.device.is_several()) {
    throw Error(ErrorKind::usage, "device cpu cannot be tuned: cuda or cuda:N is accepted");
  }
  const GpuInfo gpu = gpu_at(options.device.index);
  Tuning tuning;
  if (dtype == "f32") {
    tuning = tune_as<float>(n, repeats, seed, options);
  } else if (dtype == "f64") {
    tuning = tune_as<double>(n, repeats, seed, options);
  } else if (dtype == "i32") {
    tuning = tune_as<std::int32_t>(n, repeats, seed, options);
  } else if (dtype == "i64") {
    tuning = tune_as<std::int64_t>(n, repeats, seed, options);
  } else {
    throw Error(ErrorKind::usage, fmt::format("dtype '{}' is unknown: i32, i64, f32 and f64 are accepted", dtype));
  }
  tuning.device = gpu.name;
  return tuning;
}

std::string tuning_path(const std::string& device, std::size_t n) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string folder;
  if (cache && *cache) {
    folder = cache;
  } else if (home && *home) {
    folder = std::string(home) + "/.cache";
  } else {
    throw Error(ErrorKind::usage, "neither XDG_CACHE_HOME nor HOME is set: one of them is needed to keep a tuning");
  }
  std::string name = device;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return fmt::format("{}/warpfold/adaptive-{}-{}.json", folder, name, n);
}

void write_tuning(const std::string& path, const Tuning& tuning) {
  Json runs = Json::array();
  for (const auto& [first, last, stage] : stage_runs(tuning.plan)) {
    runs.push_back({{"first", first},
                    {"last", last},
                    {"method", stage.method == Method::thread_based ? "TB" : "BB"},
                    {"threads", stage.threads},
                    {"blocks", stage.blocks}});
  }
  const Json object = {{"device", tuning.device},
                       {"n", tuning.n},
                       {"dtype", tuning.dtype},
                       {"first_block_stage", tuning.first_block_stage},
                       {"conversion_seconds", tuning.conversion_seconds},
                       {"total_seconds", tuning.total_seconds},
                       {"stages", runs}};
  std::error_code ignored;  // if the folder cannot be made, write_file says what is wrong
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  io::write_file(path, object.dump(1) + "\n");
}

Tuning read_tuning(const std::string& path) {
  const std::string content = io::read_file(path);
  try {
    return parse_tuning(Json::parse(content));
  } catch (const Error& error) {
    throw Error(ErrorKind::input, fmt::format("{}: {}", path, error.what()));
  } catch (const Json::exception&) {
    throw Error(ErrorKind::input, fmt::format("{}: this is no tuning: what `warpfold tune` writes is accepted", path));
  }
}

}  // namespace warpfold::papers::gpu_polygon_2013
