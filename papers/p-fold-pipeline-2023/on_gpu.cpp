#include "papers/papers.hpp"
#include "papers/pipeline-dp-2018/on_this_gpu.hpp"
#include "papers/results.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using pipeline_2018::Method;
using pipeline_2018::OnThisGpu;
using pipeline_2018::random_problem;

const std::string future_work = "the paper leaves measuring on a GPU as future work: nothing is printed";
constexpr std::size_t outputs = 1U << 15;

Results gpu_results(const RunOptions& options) { return {options, "h200", "paper_pipelines"}; }

Table by_p(const RunOptions& options) {
  const Results results = gpu_results(options);
  OnThisGpu here(options);
  std::mt19937_64 random(7);
  const auto problem = random_problem(recurrence::Op::bit_xor, 20, 100, 200, outputs, 0, random);
  Table table{{key("p"), key("threads"), published(""), in_seconds(recorded("grid barriers", results.where())),
               in_seconds(recorded("launches", results.where())),
               in_seconds(recorded("grid barriers, printed loop", results.where())),
               in_seconds(measured("grid barriers", this_machine()))},
              {}};
  for (int p = 1; p <= 9; ++p) {
    const auto cell = [&](const char* form, const char* barrier) {
      return results.cell({{"work", "p-fold-by-p"}, {"g", 100}, {"p", p}, {"form", form}, {"barrier", barrier}});
    };
    table.rows.push_back({p, 20 * p, "not printed", cell("corrected", "grid"), cell("corrected", "launch"),
                          cell("printed", "grid"), here.seconds(problem, {.method = Method::p_fold, .p = p})});
  }
  table.notes = {future_work, "k = 20 offsets from 100 .. 200, 32768 elements, one set of offsets whose largest p is 9",
                 "the printed loop leaves the last elements unfinished where p does not divide n - 1 - a_0 - (p - 1)",
                 measuring_note(options), results.source()};
  table.chart = {0, {}, {3, 4, 5, 6}};
  return table;
}

/// A point of the horizontal axis: the share r of K = 100 offsets from g on.
struct Point {
  double value;
  std::int64_t gap, k;
};

/// Compares the pipeline with the p-fold pipeline, with the largest p of each set, along one parameter.
Table along(const RunOptions& options, const char* work, const char* parameter, const std::vector<Point>& points,
            const char* note) {
  const Results results = gpu_results(options);
  OnThisGpu pipeline_here(options), p_fold_here(options);
  Table table{
      {key(parameter), published(""), recorded("largest p, mean", results.where()),
       in_seconds(recorded("pipeline, grid", results.where())), in_seconds(recorded("p-fold, grid", results.where())),
       in_seconds(recorded("pipeline, launches", results.where())),
       in_seconds(recorded("p-fold, launches", results.where())),
       in_seconds(measured("pipeline, grid", this_machine())), in_seconds(measured("p-fold, grid", this_machine()))},
      {}};
  for (const Point& point : points) {
    const auto cell = [&](const char* method, const char* barrier, const char* of) {
      return results.cell({{"work", work}, {parameter, point.value}, {"method", method}, {"barrier", barrier}}, of);
    };
    std::mt19937_64 random(static_cast<std::uint64_t>(point.gap * 1000 + point.k));
    const auto problem = random_problem(recurrence::Op::min, point.k, point.gap, 100 + point.gap, outputs, 0, random);
    table.rows.push_back({point.value, "not printed", cell("p-fold", "grid", "p"),
                          cell("pipeline", "grid", "mean_seconds"), cell("p-fold", "grid", "mean_seconds"),
                          cell("pipeline", "launch", "mean_seconds"), cell("p-fold", "launch", "mean_seconds"),
                          pipeline_here.seconds(problem, {}),
                          p_fold_here.seconds(problem, {.method = Method::p_fold})});
  }
  table.notes = {
      future_work, note,
      "32768 elements; recorded are means of five sets of offsets, each with its own largest p; this machine "
      "takes the first",
      measuring_note(options), results.source()};
  table.chart = {0, {}, {3, 4, 5, 6, 7, 8}};
  return table;
}

Table by_gap(const RunOptions& options) {
  std::vector<Point> points;
  for (const std::int64_t gap : {10, 20, 50, 100, 200, 400, 800}) points.push_back({static_cast<double>(gap), gap, 20});
  return along(options, "p-fold-by-gap", "g", points, "K = 100 and r = 0.2, as in Fig. 12; the range of g is ours");
}

Table by_density(const RunOptions& options) {
  std::vector<Point> points;
  for (const double r : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}) points.push_back({r, 20, std::lround(100 * r)});
  return along(options, "p-fold-by-density", "r", points, "K = 100 and g = 20, as in Fig. 13");
}

/// The optimum of every capacity, by an algorithm of this machine's GPU.
Cell knapsack_seconds(Meter& meter, const knapsack::Problem& problem, const char* algorithm) {
  if (!has_gpu()) return no_gpu;
  const double cells = static_cast<double>(problem.items().size()) * (static_cast<double>(problem.capacity()) + 1);
  return meter.seconds(cells, [&] {
    return timed([&] {
      (void)knapsack::every_capacity(problem, {.device = parse_device("cuda"), .algorithm = algorithm}, {},
                                     capacity_backends());
    });
  });
}

/// Section 4.3 on a GPU: the knapsack's table as one sequence under the p-fold pipeline, and row by row.
Table knapsack_on_gpu(const RunOptions& options) {
  constexpr std::int64_t items = 1000;
  const Results results(options, "h200", "knapsack_tables");
  Meter p_fold_here(options), rows_here(options);
  Table table{{key("K"), key("C"), published(""), in_seconds(recorded("p-fold", results.where())),
               in_seconds(recorded("row by row", results.where())), recorded("p-fold over row by row"),
               in_seconds(measured("p-fold", this_machine())), in_seconds(measured("row by row", this_machine()))},
              {}};
  for (const std::int64_t capacity : {250'000, 10'000'000}) {
    const auto cell = [&](const char* work) {
      return results.cell({{"work", work}, {"n", items}, {"capacity", capacity}});
    };
    // "blocked" is the name of "table" when it was recorded.
    const Cell p_fold = cell("p-fold pipeline, every cell"), rows = cell("blocked, every capacity, copied back");
    std::mt19937_64 random(1);
    std::vector<knapsack::Item> drawn;
    for (std::int64_t i = 0; i < items; ++i) {
      const auto value = static_cast<std::int64_t>(1 + random() % 1000);
      drawn.push_back(
          {value, static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(4 * capacity / items)), 1});
    }
    const knapsack::Problem problem(knapsack::Kind::zero_one, std::move(drawn), capacity);
    table.rows.push_back({items, capacity, "not printed", p_fold, rows, quotient(p_fold, rows, not_recorded),
                          knapsack_seconds(p_fold_here, problem, "p-fold"),
                          knapsack_seconds(rows_here, problem, "table")});
  }
  table.notes = {
      "the paper names the problem as an example and measures nothing",
      "K items with weights from 1 to 4 C/K; every best value of the last row is copied back; p is the largest "
      "that is right, (C + 1 + w_min)/2 (docs/explanation/errata.md, row 5)",
      measuring_note(options), results.source()};
  return table;
}

}  // namespace

std::vector<Experiment> gpu_experiments() {
  const std::string id = "p-fold-pipeline-2023/";
  return {{id + "gpu-by-p", paper, "The p-fold pipeline on a GPU against p", by_p},
          {id + "gpu-by-gap", paper, "The p-fold pipeline on a GPU against the offsets' lower limit g", by_gap},
          {id + "gpu-by-density", paper, "The p-fold pipeline on a GPU against the offsets' density r", by_density},
          {id + "gpu-knapsack", paper, "The 0-1 knapsack problem on a GPU, by the p-fold pipeline and row by row",
           knapsack_on_gpu}};
}

}  // namespace warpfold::papers::p_fold_2023
