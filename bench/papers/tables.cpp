// What are the values of Tables 1 to 3 of gpu-polygon-triangulation-2013 on this GPU?
//
//   bench_papers tables --json [LARGEST] > results/<machine>/paper_gpu_polygon_2013.json      LARGEST: 8192
//
// LARGEST = 8192 takes minutes. Every time is between device events.

#include <algorithm>
#include <map>
#include <stdexcept>

#include "../question.hpp"
#include "interval/backends.hpp"
#include "papers/gpu-polygon-triangulation-2013/conventional.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::papers::gpu_polygon_2013 {
namespace {

constexpr double slow_seconds = 0.5;  // longer runs are measured once
const Options no_limits;

Triangulation<float> polygon(const std::vector<float>& weights, std::size_t n) {
  return Triangulation<float>({weights.data(), n, n, n});
}

double run_seconds(PaperSolver<float>& solver, const Plan& plan) {
  SolveMonitor monitor(no_limits, 1);
  return solver.run(plan, monitor).total_seconds;
}

bench::Timing measure(PaperSolver<float>& solver, const Plan& plan, int repeats) {
  std::vector<double> seconds{run_seconds(solver, plan)};
  if (seconds.front() < slow_seconds) seconds.clear();  // the first run was the warm-up
  while (seconds.empty() || (seconds.front() < slow_seconds && seconds.size() < static_cast<std::size_t>(repeats))) {
    seconds.push_back(run_seconds(solver, plan));
  }
  return bench::summarize(std::move(seconds));
}

std::vector<Stage> all_stages() {
  std::vector<Stage> all;
  for (const auto& part : {block_based_stages(Arrangement::mirroring), thread_based_stages(Arrangement::sliding),
                           block_based_stages(Arrangement::naive), thread_based_stages(Arrangement::naive)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

class Tables {
 public:
  explicit Tables(std::size_t largest) : largest_(largest), weights_(uniform_weights(largest)) {}

  /// Checks every method against the reference before anything is timed.
  void check() {
    constexpr std::size_t n = 400;
    const auto weights = uniform_weights(n);
    const auto problem = polygon(weights, n);
    Options reference;
    reference.algorithm = "reference";
    const float expected = solve(problem, reference).solution.cost;
    PaperSolver<float> solver(0, problem);
    for (const Stage& stage : all_stages()) {
      run_seconds(solver, uniform_plan(n, stage));
      if (solver.cost() != expected) throw std::runtime_error(to_string(stage) + " is wrong");
    }
  }

  void conversion() {
    PaperSolver<float> solver(0, polygon(weights_, largest_));
    Plan plan = uniform_plan(largest_, Stage{});
    plan.front() = {Method::thread_based, Arrangement::sliding, 64, 1};
    std::vector<double> seconds;
    for (int repeat = 0; repeat < 5; ++repeat) {
      SolveMonitor monitor(no_limits, 1);
      seconds.push_back(solver.run(plan, monitor).conversion_seconds);
    }
    const double values_moved = 1.5 * static_cast<double>(largest_) * static_cast<double>(largest_);
    bench::keep(bench::row("conversion", {{"n", largest_}}, bench::summarize(std::move(seconds)), values_moved, 0));
  }

  void weight_independence() {
    const Plan plan = uniform_plan(largest_, Stage{});
    const auto measure_kind = [&](const char* kind, auto&& weight) {
      std::vector<float> weights(largest_ * largest_);
      for (std::size_t i = 0; i < largest_; ++i) {
        for (std::size_t j = 0; j < largest_; ++j) weights[i * largest_ + j] = weight(i, j);
      }
      PaperSolver<float> solver(0, polygon(weights, largest_));
      bench::keep(bench::row("weights", {{"n", largest_}, {"method", to_string(plan.back())}, {"weights", kind}},
                             measure(solver, plan, 3), interval::split_count(largest_), 0));
    };
    const auto gap = [](std::size_t i, std::size_t j) { return static_cast<float>(i < j ? j - i : i - j); };
    measure_kind("uniform in [0,1)", [&](std::size_t i, std::size_t j) { return weights_[i * largest_ + j]; });
    measure_kind("all 0", [](std::size_t, std::size_t) { return 0.0F; });
    measure_kind("j - i", gap);
    measure_kind("i - j", [&](std::size_t i, std::size_t j) { return -gap(i, j); });
    measure_kind("every second chord forbidden",
                 [](std::size_t i, std::size_t j) { return (i + j) % 2 == 0 ? 1.0F : infinity<float>; });
  }

  void adaptive() {
    for (std::size_t n = 128; n <= largest_; n *= 2) {
      const std::size_t repeats = n <= 2048 ? 5 : n <= 4096 ? 3 : 1;
      const Tuning tuning = tune(n, "f32", repeats, 1, no_limits);
      std::map<std::string, std::size_t> stages;
      for (const Stage& stage : tuning.plan) ++stages[to_string(stage)];
      PaperSolver<float> solver(0, Triangulation<float>({weights_.data(), n, n, largest_}));
      bench::keep(bench::row("adaptive",
                             {{"n", n},
                              {"first_block_stage", tuning.first_block_stage},
                              {"last_stage", n - 2},
                              {"conversion_seconds", tuning.conversion_seconds},
                              {"tuning_repeats", repeats},
                              {"stages", stages}},
                             measure(solver, tuning.plan, 9), interval::split_count(n), 0));
    }
  }

  void table_1() {
    PaperSolver<float> solver(0, polygon(weights_, largest_));
    run_seconds(solver, uniform_plan(largest_, Stage{}));
    const float expected = solver.cost();
    constexpr const char* arrangements[] = {"naive", "sliding", "mirroring"};
    for (const Stage& stage : all_stages()) {
      const auto timing = measure(solver, uniform_plan(largest_, stage), 3);
      if (solver.cost() != expected) throw std::runtime_error(to_string(stage) + " is wrong");
      bench::keep(bench::row("table-1",
                             {{"n", largest_},
                              {"method", stage.method == Method::thread_based ? "TB" : "BB"},
                              {"arrangement", arrangements[static_cast<std::size_t>(stage.arrangement)]},
                              {"threads", stage.threads},
                              {"blocks", stage.blocks}},
                             timing, interval::split_count(largest_), 0));
    }
  }

 private:
  std::size_t largest_;
  std::vector<float> weights_;
};

const bench::Question tables_question("tables", [](const bench::Arguments& arguments) {
  bench::require_gpu();
  Tables tables(arguments.empty() ? 8192 : std::max<std::size_t>(std::stoul(arguments[0]), 128));
  tables.check();
  tables.conversion();
  tables.weight_independence();
  tables.adaptive();
  tables.table_1();
});

}  // namespace
}  // namespace warpfold::papers::gpu_polygon_2013
