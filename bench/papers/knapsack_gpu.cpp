// How many cells per second does the GPU's table fill, by complete rows and by the paper's p-fold pipeline?
#include <fmt/format.h>

#include <algorithm>

#include "../question.hpp"
#include "knapsack/cells.hpp"
#include "knapsack/items.hpp"
#include "knapsack/table.hpp"
#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "timing/knapsacks.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::knapsack;

void measure(const std::string& work, const Problem& problem, cuda::RowsFunction<std::int32_t> run_rows,
             bool one_capacity, int repeats) {
  std::vector<Row<std::int32_t>> rows;
  for (const Item& item : problem.items()) rows.push_back({item.weight, static_cast<std::int32_t>(item.value)});
  const auto best = allocate_cells<std::int32_t>(padded_cells(problem.capacity()));
  Report report;
  Context context({}, report);
  const bench::Timing timing = bench::measure(repeats, [&] {
    SolveMonitor monitor(context.options, 1);
    run_rows({rows, problem.capacity(), one_capacity, 1}, best.get(), context, monitor);
  });
  if (best[problem.capacity()] != solve(problem).solution.value)
    throw std::runtime_error("the GPU and the core disagree");
  const double cells = static_cast<double>(rows.size()) * static_cast<double>(problem.capacity() + 1);
  bench::keep(
      bench::row(work, {{"n", rows.size()}, {"capacity", problem.capacity()}, {"dtype", "i32"}}, timing, cells, 0));
}

const bench::Question knapsack_gpu_question(
    "knapsack_gpu",
    [](const bench::Arguments&) {
      bench::require_gpu();
      for (const std::int64_t capacity : {250'000, 10'000'000}) {
        const Problem problem = drawn(1000, capacity);
        const auto whole_rows = cuda::zero_one_rows<std::int32_t>;
        const auto p_fold = papers::p_fold_2023::zero_one_rows<std::int32_t>;
        measure("table, one capacity", problem, whole_rows, true, 7);
        measure("table, every capacity, copied back", problem, whole_rows, false, 7);
        measure("p-fold pipeline, every cell", problem, p_fold, false, 3);
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:38} C {:9}  {:9.3f} ms  spread {:.2f}  {:7.1f} G cells/s", row["work"].get<std::string>(),
                         row["capacity"].get<int>(), row["median_seconds"].get<double>() * 1e3,
                         row["spread"].get<double>(), row["rate_per_second"].get<double>() * 1e-9);
    });

}  // namespace
