#include <fmt/format.h>

#include "arguments.hpp"
#include "outputs.hpp"
#include "paper.hpp"
#include "papers/gpu-polygon-triangulation-2013/plan.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::app {

namespace {

using namespace papers::gpu_polygon_2013;

struct TuneOptions {
  SolveOptions solve;
  std::size_t n = 0;
  std::size_t repeats = 3;
};

Json tuning_json(const Tuning& tuning, const std::string& path) {
  Json stages = Json::array();
  for (const auto& [first, last, stage] : stage_runs(tuning.plan)) {
    stages.push_back({{"first", first}, {"last", last}, {"method", to_string(stage)}});
  }
  return {{"command", "tune"},
          {"version", version},
          {"device", tuning.device},
          {"n", tuning.n},
          {"dtype", tuning.dtype},
          {"first_block_stage", tuning.first_block_stage},
          {"conversion_seconds", tuning.conversion_seconds},
          {"total_seconds", tuning.total_seconds},
          {"stages", stages},
          {"file", path}};
}

void print_tuning(const Tuning& tuning, const std::string& path) {
  fmt::print("{}, n = {}, {}: {:.3f} ms, of which the conversion {:.3f} ms\n", tuning.device, tuning.n, tuning.dtype,
             1e3 * tuning.total_seconds, 1e3 * tuning.conversion_seconds);
  for (const auto& [first, last, stage] : stage_runs(tuning.plan)) {
    fmt::print("  stages {:>5} - {:<5} {}\n", first, last, to_string(stage));
  }
  fmt::print("written to {}\n", path);
}

void run(const TuneOptions& options) {
  require_extension("--output", options.solve.output, ".json");
  Options resolved = options.solve.resolve();
  if (resolved.device.kind == Device::Kind::automatic) resolved.device = {Device::Kind::cuda, 0};
  const std::string dtype = options.solve.dtype.empty() ? "f32" : options.solve.dtype;
  const Tuning tuning = tune(options.n, dtype, options.repeats, options.solve.seed, resolved);
  const std::string path = options.solve.output.empty() ? tuning_path(tuning.device, tuning.n) : options.solve.output;
  write_tuning(path, tuning);
  if (options.solve.json) return print_json(tuning_json(tuning, path));
  if (!options.solve.quiet) print_tuning(tuning, path);
}

}  // namespace

void add_tune(Command papers) {
  const Command command = papers.add_command("tune", "fastest block sizes of the 2013 GPU paper's method; needs a GPU");
  command.examples("warpfold paper tune -n 8192 --device cuda",
                   "warpfold paper tune -n 4096 --dtype i32 -o tuning.json");
  auto options = std::make_shared<TuneOptions>();
  command.number("-n", options->n, "number of vertices to tune for").required();
  command.number("--repeats", options->repeats, "number of runs of each candidate, of which the median counts", 1);
  add_solve_options(command, options->solve, ".json", "i32|i64|f32|f64",
                    {.threads = false, .algorithm = false, .device_memory = false, .estimate = false, .seed = true});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
