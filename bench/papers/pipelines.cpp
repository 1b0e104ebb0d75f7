// What are the values of Table I of pipeline-dp-2018, and of the p-fold pipeline of p-fold-pipeline-2023, on this GPU?
//
//   bench_papers pipelines --json > results/<machine>/paper_pipelines.json
//   bench_papers pipelines --json distance > results/<machine>/paper_pipelines_distance.json
//
// Times are between device events. Offsets are drawn uniformly without repetition, from 1 .. 2k for Table I (the paper
// does not say how), and from g .. K + g for the p-fold pipeline, as Figs. 12 and 13 of 2023 state.

#include "papers/pipeline-dp-2018/pipelines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "../question.hpp"
#include "recurrence/backends.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace {

using bench::Json;
using Values = std::vector<std::int32_t>;

const Options no_limits;

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

PipelineRun run(const Problem<std::int32_t>& problem, const Schedule& schedule, Values& table) {
  table.assign(problem.n(), 0);
  std::ranges::copy(problem.initial(), table.begin());
  SolveMonitor monitor(no_limits, 1);
  return solve(problem, schedule, 0, monitor, table);
}

const char* name_of(Barrier barrier) { return barrier == Barrier::grid ? "grid" : "launch"; }
const char* name_of(Method method) {
  constexpr const char* names[] = {"tournament", "pipeline", "2-by-2", "p-fold"};
  return names[static_cast<std::size_t>(method)];
}

/// The times of one cell. Table I has their mean.
struct Cell {
  std::vector<double> seconds;
  std::int64_t steps = 0;

  void add(const PipelineRun& run) {
    seconds.push_back(run.seconds);
    steps += run.steps;
  }
  [[nodiscard]] double mean() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  }
  [[nodiscard]] double mean_steps() const { return static_cast<double>(steps) / static_cast<double>(seconds.size()); }
};

class Tables {
 public:
  /// Loads the kernels.
  void warm_up() {
    std::mt19937_64 random(1);
    const auto problem = random_problem(Op::min, 20, 100, 200, outputs, 0, random);
    Values table;
    for (const auto barrier : {Barrier::grid, Barrier::launch}) {
      for (const auto method : {Method::tournament, Method::pipeline, Method::p_fold}) {
        run(problem, {.method = method, .barrier = barrier}, table);
      }
    }
  }

  void table_1(int number, int log_n, int runs) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::vector<Cell> cells(6);
    Cell solver;
    double operations = 0;
    Values expected, table;
    for (int trial = 0; trial < runs; ++trial) {
      const auto n = (std::size_t{1} << log_n) + random() % ((std::size_t{1} << log_n) + 1);
      const auto k = (std::int64_t{1} << (log_n - 2)) + static_cast<std::int64_t>(random() % ((1U << (log_n - 2)) + 1));
      const auto problem = random_problem(Op::min, k, 1, 2 * k, 0, n, random);
      operations += problem.operations() / runs;
      Options gpu;
      gpu.device = parse_device("cuda");
      gpu.algorithm = "blocks";
      const auto solved = recurrence::solve(problem, gpu);
      solver.seconds.push_back(solved.report.solve_seconds);
      if (trial == 0) {
        Options cpu;
        cpu.device = parse_device("cpu");
        cpu.algorithm = "spread";
        if (recurrence::solve(problem, cpu).solution.values != solved.solution.values)
          fail("the GPU's blocks are wrong");
      }
      std::size_t cell = 0;
      for (const auto method : {Method::tournament, Method::pipeline, Method::m_by_m}) {
        for (const auto barrier : {Barrier::grid, Barrier::launch}) {
          const Schedule schedule{.method = method, .barrier = barrier};
          cells[cell++].add(run(problem, schedule, table));
          if (table != solved.solution.values)
            fail(fmt::format("{} with {} barriers is wrong", name_of(method), name_of(barrier)));
        }
      }
    }
    std::size_t cell = 0;
    for (const auto method : {Method::tournament, Method::pipeline, Method::m_by_m}) {
      for (const auto barrier : {Barrier::grid, Barrier::launch}) {
        add_cell("table-1", {{"row", number}, {"method", name_of(method)}, {"barrier", name_of(barrier)}},
                 cells[cell++], operations);
      }
    }
    add_cell("table-1", {{"row", number}, {"method", "cuda-blocks"}, {"barrier", "with transfers, wall clock"}}, solver,
             operations);
  }

  /// k = r K offsets from g .. K + g: the pipeline, and the p-fold pipeline with its largest p.
  void p_fold(const char* work, std::int64_t gap, double density) {
    constexpr std::int64_t pool = 100;
    constexpr int sets = 5;
    const std::int64_t k = std::lround(density * pool);
    std::mt19937_64 random(static_cast<std::uint64_t>(gap * 1000 + k));
    std::vector<Problem<std::int32_t>> problems;
    for (int set = 0; set < sets; ++set)
      problems.push_back(random_problem(Op::min, k, gap, pool + gap, outputs, 0, random));
    double mean_fold = 0;
    for (const auto& problem : problems) mean_fold += static_cast<double>(largest_fold(problem.offsets())) / sets;
    for (const auto barrier : {Barrier::grid, Barrier::launch}) {
      for (const auto method : {Method::pipeline, Method::p_fold}) {
        Cell cell;
        double degree = 0;
        Values table, other;
        for (const auto& problem : problems) {
          const PipelineRun one = run(problem, {.method = method, .barrier = barrier}, table);
          run(problem, {.method = Method::tournament}, other);
          if (table != other) fail(fmt::format("{} with {} barriers is wrong", name_of(method), name_of(barrier)));
          cell.add(one);
          degree += static_cast<double>(one.parallel_degree) / sets;
        }
        add_cell(work,
                 {{"g", gap},
                  {"r", density},
                  {"k", k},
                  {"method", name_of(method)},
                  {"barrier", name_of(barrier)},
                  {"p", method == Method::p_fold ? mean_fold : 1.0},
                  {"parallel_degree", degree}},
                 cell, static_cast<double>(outputs) * static_cast<double>(k));
      }
    }
  }

  /// Every p for one set of offsets, with the printed end of the loop and the corrected one. The op is xor, because
  /// with min all values soon are equal and hide the elements that the printed loop leaves unfinished.
  void by_p(std::int64_t gap) {
    std::mt19937_64 random(7);
    const auto problem = random_problem(Op::bit_xor, 20, gap, 100 + gap, outputs, 0, random);
    Values right, table;
    run(problem, {.method = Method::tournament}, right);
    for (std::int64_t p = 1; p <= largest_fold(problem.offsets()); ++p) {
      for (const auto barrier : {Barrier::grid, Barrier::launch}) {
        for (const bool printed : {false, true}) {
          Cell cell;
          for (int repeat = 0; repeat < 3; ++repeat) {
            cell.add(
                run(problem, {.method = Method::p_fold, .barrier = barrier, .p = p, .as_printed = printed}, table));
          }
          if (!printed && table != right) fail(fmt::format("p = {} is wrong", p));
          add_cell("p-fold-by-p",
                   {{"g", gap},
                    {"k", 20},
                    {"p", p},
                    {"form", printed ? "printed" : "corrected"},
                    {"barrier", name_of(barrier)},
                    {"correct", table == right}},
                   cell, static_cast<double>(outputs) * 20);
        }
      }
    }
  }

  /// Compares k consecutive offsets, with which all threads of the pipeline read one element, with k scattered ones:
  /// the cost of such reads, and the gain of 2-by-2.
  void distance(std::int64_t k, std::int64_t range) {
    std::mt19937_64 random(static_cast<std::uint64_t>(k + range / k));
    const auto problem = random_problem(Op::min, k, 1, range, outputs, 0, random);
    Values right, table;
    run(problem, {.method = Method::tournament}, right);
    for (const auto barrier : {Barrier::grid, Barrier::launch}) {
      for (const auto method : {Method::pipeline, Method::m_by_m}) {
        Cell cell;
        for (int repeat = 0; repeat < 5; ++repeat) {
          cell.add(run(problem, {.method = method, .barrier = barrier}, table));
          if (table != right) fail(fmt::format("{} with {} barriers is wrong", name_of(method), name_of(barrier)));
        }
        add_cell("distance", {{"k", k}, {"range", range}, {"method", name_of(method)}, {"barrier", name_of(barrier)}},
                 cell, static_cast<double>(outputs) * static_cast<double>(k));
      }
    }
  }

  void of_the_papers() {
    table_1(1, 14, 100);
    table_1(2, 16, 20);
    table_1(3, 18, 5);
    by_p(100);
    by_p(400);
    for (const std::int64_t gap : {10, 20, 50, 100, 200, 400, 800}) p_fold("p-fold-by-gap", gap, 0.2);
    for (const double density : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}) p_fold("p-fold-by-density", 20, density);
  }
  void all_distances() {
    for (const std::int64_t k : {32, 1024, 16384}) {
      for (const std::int64_t range : {k, 4 * k, 16 * k}) distance(k, range);
    }
  }

 private:
  static constexpr std::size_t outputs = 1U << 15;

  void add_cell(const char* work, Json parameters, const Cell& cell, double operations) {
    parameters["mean_seconds"] = cell.mean();
    parameters["mean_steps"] = cell.mean_steps();
    bench::keep(bench::row(work, parameters, bench::summarize(cell.seconds), operations, 0));
  }
};

const bench::Question pipelines_question("pipelines", [](const bench::Arguments& arguments) {
  const bool distance = bench::is_asked(arguments, "distance");
  bench::require_gpu();
  Tables tables;
  tables.warm_up();
  distance ? tables.all_distances() : tables.of_the_papers();
});

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
