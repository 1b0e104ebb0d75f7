#include <gtest/gtest.h>

#include <random>

#include "knapsack/cells.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/table.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::knapsack {
namespace {

template <class T>
void expect_rows_equal(std::size_t n, std::int64_t most_weight, std::int64_t capacity, cuda::Schedule schedule,
                       bool one_capacity, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Row<T>> rows;
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const auto weight = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(most_weight));
    const auto value = static_cast<std::int64_t>(1 + random() % 1000);
    if (weight > capacity) continue;
    rows.push_back({weight, static_cast<T>(value)});
    items.push_back({value, weight, 1});
  }
  const Options options;
  Watch watch(options, 1);
  const auto best = allocate_cells<T>(padded_cells(capacity));
  cuda::zero_one_rows<T>({rows, capacity, one_capacity, 1}, best.get(), schedule, options, watch);
  const std::vector<std::int64_t> expected = reference::every_capacity(Problem(Kind::zero_one, items, capacity));
  for (std::int64_t c = one_capacity ? capacity : 0; c <= capacity; ++c) {
    ASSERT_EQ(best[c], expected[c]) << c << " of " << capacity;
  }
}

class CudaRows : public testing::TestWithParam<cuda::Schedule> {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no CUDA device here";
  }
};
INSTANTIATE_TEST_SUITE_P(Schedules, CudaRows, testing::Values(cuda::Schedule::p_fold, cuda::Schedule::blocked));

TEST_P(CudaRows, EqualReferenceForWeightsLightAndHeavy) {
  std::uint64_t seed = 1;
  for (const std::int64_t capacity : {1, 31, 32, 33, 255, 256, 257, 5000}) {
    for (const std::int64_t most_weight : {1, 7, 300, 6000}) {
      for (const std::size_t n : {0, 1, 2, 3, 24}) {
        for (const bool one_capacity : {false, true}) {
          expect_rows_equal<std::int32_t>(n, most_weight, capacity, GetParam(), one_capacity, ++seed);
          expect_rows_equal<std::int64_t>(n, most_weight, capacity, GetParam(), one_capacity, ++seed);
        }
      }
    }
  }
}

TEST_P(CudaRows, SolveTheValueThroughThePublicCall) {
  const Problem problem = generate({"weakly-correlated", 300, 1000, 40, 100, 5});
  Options options;
  options.device = {Device::Kind::cuda, 0};
  options.algorithm = GetParam() == cuda::Schedule::p_fold ? "p-fold" : "blocked";
  const auto [solution, report] = solve(problem, options, {false, ""});
  EXPECT_EQ(solution.value, solve(problem).solution.value);
  EXPECT_EQ(report.algorithm, options.algorithm);
  EXPECT_EQ(report.device, "cuda:0");
}

TEST_P(CudaRows, FindItemsByHalvingAndEveryCapacity) {
  const Problem problem = generate({"weakly-correlated", 400, 3000, 40, 100, 6});
  Options options;
  options.algorithm = GetParam() == cuda::Schedule::p_fold ? "p-fold" : "blocked";
  const auto [solution, report] = solve(problem, options);
  EXPECT_EQ(solution.value, solve(problem).solution.value);
  EXPECT_EQ(verify(problem, solution).flaw, std::nullopt);
  Options table;
  table.algorithm = "table";
  EXPECT_EQ(every_capacity(problem, options).solution.values, every_capacity(problem, table).solution.values);
}

TEST(Cuda, IsRefusedClearlyWhereThereIsNone) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a CUDA device";
  Options options;
  options.device = {Device::Kind::cuda, 0};
  try {
    static_cast<void>(solve(generate({"circle", 20, 100, 40, 100, 5}), options));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::knapsack
