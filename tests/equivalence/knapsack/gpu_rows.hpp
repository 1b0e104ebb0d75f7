#pragma once

#include <gtest/gtest.h>

#include "drawn_rows.hpp"
#include "knapsack/cells.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"
#include "warpfold/run/devices.hpp"

/// Checks of rows on a GPU, for the solver's and a paper's.
namespace warpfold::knapsack {

class CudaRows : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no CUDA device here";
  }
};

template <class T>
void expect_rows_equal(std::size_t n, std::int64_t max_weight, std::int64_t capacity, cuda::RowsFunction<T> run_rows,
                       bool one_capacity, std::uint64_t seed) {
  const auto [rows, expected] = drawn_rows<T>(n, max_weight, capacity, seed);
  Report report;
  Context context({}, report);
  SolveMonitor monitor(context.options, 1);
  const auto best = allocate_cells<T>(padded_cells(capacity));
  run_rows({rows, capacity, one_capacity ? capacity : 0}, best.get(), context, monitor);
  for (std::int64_t c = one_capacity ? capacity : 0; c <= capacity; ++c) {
    ASSERT_EQ(best[c], expected[c]) << c << " of " << capacity;
  }
}

template <class T>
void expect_rows_equal_for_weights_light_and_heavy(cuda::RowsFunction<T> run_rows) {
  std::uint64_t seed = 1;
  for (const std::int64_t capacity : {1, 31, 32, 33, 255, 256, 257, 5000}) {
    for (const std::int64_t max_weight : {1, 7, 300, 6000}) {
      for (const std::size_t n : {0, 1, 2, 3, 24}) {
        for (const bool one_capacity : {false, true}) {
          expect_rows_equal<T>(n, max_weight, capacity, run_rows, one_capacity, ++seed);
        }
      }
    }
  }
}

/// By the public functions, with `options.algorithm`. The problem is so large that its table is halved for the items.
inline void expect_values_and_items(const Problem& problem, const Options& options,
                                    ExtraBackends<PackingBackend> extra_backends,
                                    ExtraBackends<CapacityBackend> more_capacities) {
  Options on_gpu = options, table;
  on_gpu.device = {Device::Kind::cuda, 0};
  table.device = {Device::Kind::cpu, 0};
  table.algorithm = "table";
  const Solution expected = solve(problem, table).solution;
  const auto [value, report] = solve(problem, on_gpu, {false, ""}, extra_backends);
  EXPECT_EQ(value.value, expected.value);
  EXPECT_EQ(report.algorithm, options.algorithm);
  EXPECT_EQ(report.device, "cuda:0");
  const Solution packing = solve(problem, on_gpu, {}, extra_backends).solution;
  EXPECT_EQ(packing.value, expected.value);
  EXPECT_EQ(packing.copies, expected.copies);
  EXPECT_EQ(verify(problem, packing).violation, std::nullopt);
  EXPECT_EQ(every_capacity(problem, on_gpu, {}, more_capacities).solution.values,
            every_capacity(problem, table).solution.values);
}

/// With few optimal packings, and with many.
inline void expect_values_and_items(const Options& options, ExtraBackends<PackingBackend> extra_backends,
                                    ExtraBackends<CapacityBackend> more_capacities) {
  for (const char* name : {"weakly-correlated", "strongly-correlated", "subset-sum"}) {
    SCOPED_TRACE(name);
    expect_values_and_items(generate({name, 400, 3000, 40, 100, 6}), options, extra_backends, more_capacities);
  }
}

}  // namespace warpfold::knapsack
