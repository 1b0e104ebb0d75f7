#include "papers/gpu-polygon-triangulation-2013/on_this_machine.hpp"

#include <fmt/format.h>

#include "interval/backends.hpp"
#include "papers/gpu-polygon-triangulation-2013/conventional.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

const Options no_limits;

Triangulation<float> polygon(const std::vector<float>& weights, std::size_t n) {
  return Triangulation<float>({weights.data(), n, n, n});
}

double device_seconds(PaperSolver<float>& solver, const Plan& plan) {
  SolveMonitor monitor(no_limits, 1);
  return solver.run(plan, monitor).total_seconds;
}

}  // namespace

Cell ConventionalLoop::seconds(std::size_t n, Weight weight) {
  std::vector<float> weights, table;
  float expected = 0;
  return meter_.seconds(interval::split_count(n), [&] {
    if (weights.empty()) {
      weights = uniform_weights(n);
      for (std::size_t at = 0; weight && at < n * n; ++at) weights[at] = weight(at / n, at % n, weights[at]);
      table.resize(n * n);
      expected = solve(polygon(weights, n)).solution.cost;
    }
    float cost = 0;
    const double seconds = timed([&] { cost = conventional_loop(weights, n, table); });
    if (cost == expected) return seconds;
    throw Error(ErrorKind::internal, fmt::format("the conventional loop is wrong for n = {}", n));
  });
}

Tiles::Tiles(const RunOptions& options, const std::string& device) : meter_(options) {
  options_.device = parse_device(device);
}

Cell Tiles::seconds(std::size_t n) {
  if (options_.device.kind == Device::Kind::cuda && !has_gpu()) return no_gpu;
  std::vector<float> weights;
  return meter_.seconds(interval::split_count(n), [&] {
    if (weights.empty()) weights = uniform_weights(n);
    const auto problem = polygon(weights, n);
    return timed([&] { (void)solve(problem, options_); });
  });
}

GpuPolygon::GpuPolygon(const RunOptions& options, std::size_t n) : run_options_(options), n_(n) {}

PaperSolver<float>& GpuPolygon::solver() {
  if (!solver_) {
    weights_ = uniform_weights(n_);
    solver_.emplace(0, polygon(weights_, n_));
  }
  return *solver_;
}

Cell GpuPolygon::seconds(const Stage& stage) {
  if (!has_gpu()) return no_gpu;
  Meter& meter = meters_.try_emplace(stage.arrangement, run_options_).first->second;
  return meter.seconds(interval::split_count(n_), [&] { return device_seconds(solver(), uniform_plan(n_, stage)); });
}

Cell GpuPolygon::conversion_seconds() {
  if (!has_gpu()) return no_gpu;
  Plan plan = uniform_plan(n_, Stage{});
  plan.front() = {Method::thread_based, Arrangement::sliding, 64, 1};
  return Meter(run_options_).seconds(interval::split_count(n_), [&] {
    SolveMonitor monitor(no_limits, 1);
    return solver().run(plan, monitor).conversion_seconds;
  });
}

std::optional<Tuning> AdaptiveGranularity::tuned(std::size_t n) {
  std::optional<Tuning> tuning;
  if (has_gpu()) {
    (void)tuning_.seconds(interval::split_count(n),
                          [&] { return timed([&] { tuning = tune(n, "f32", 1, 1, no_limits); }); });
  }
  return tuning;
}

Cell AdaptiveGranularity::first_block_stage(std::size_t n) {
  if (!has_gpu()) return no_gpu;
  const std::optional<Tuning> tuning = tuned(n);
  return tuning ? Cell(tuning->first_block_stage) : Cell(not_measured);
}

Cell AdaptiveGranularity::seconds(std::size_t n) {
  if (!has_gpu()) return no_gpu;
  const std::optional<Tuning> tuning = tuned(n);
  if (!tuning) return not_measured;
  const std::vector<float> weights = uniform_weights(n);
  PaperSolver<float> solver(0, polygon(weights, n));
  return running_.seconds(interval::split_count(n), [&] { return device_seconds(solver, tuning->plan); });
}

}  // namespace warpfold::papers::gpu_polygon_2013
