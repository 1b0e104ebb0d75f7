#include "papers/pipeline-dp-2018/mcm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "needs_gpu.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::pipeline_2018 {

using interval::MatrixChain;
namespace {

using Dimensions = std::vector<std::int64_t>;

Dimensions random_dimensions(std::size_t matrices, std::mt19937_64& random) {
  Dimensions dimensions(matrices + 1);
  for (auto& d : dimensions) d = static_cast<std::int64_t>(1 + random() % 100);
  return dimensions;
}

std::int64_t optimum(const Dimensions& dimensions) {
  return static_cast<std::int64_t>(solve(MatrixChain(dimensions)).solution.cost);
}

struct HostTable {
  McmTable order;
  const Dimensions& p;
  std::vector<std::int64_t> st;

  explicit HostTable(const Dimensions& dimensions)
      : order{static_cast<std::int64_t>(dimensions.size()) - 1}, p(dimensions), st(order.size(), 0) {}

  std::int64_t& at(std::int64_t row, std::int64_t column) { return st[order.at(row, column)]; }
  void add_term(std::int64_t row, std::int64_t split, std::int64_t column, bool first) {
    const std::int64_t value = at(row, split - 1) + at(split, column) + p[row] * p[split] * p[column + 1];
    at(row, column) = first ? value : std::min(value, at(row, column));
  }
};

/// Fig. 8: all operands of a step are read before any write.
std::int64_t printed_on_host(const Dimensions& dimensions) {
  HostTable table(dimensions);
  const McmTable order = table.order;
  for (std::int64_t head = order.first_head(); head < order.end_head(); ++head) {
    HostTable before = table;
    for (std::int64_t j = 0; j + 1 < order.n; ++j) {
      const std::int64_t element = head - j;
      if (element < order.n || element >= order.size()) continue;
      std::int64_t diagonal = 1;
      while (order.start(diagonal + 1) <= element) ++diagonal;
      const std::int64_t row = element - order.start(diagonal);
      if (j >= diagonal) continue;
      HostTable step = before;
      step.add_term(row, row + 1 + j, row + diagonal, j == 0);
      table.st[element] = step.st[element];
    }
  }
  return table.st.back();
}

TEST(McmTable, NumbersTheElementsByDiagonals) {
  const McmTable table{6};
  std::int64_t next = 0;
  for (std::int64_t diagonal = 0; diagonal < 6; ++diagonal) {
    for (std::int64_t row = 0; row + diagonal < 6; ++row) EXPECT_EQ(table.at(row, row + diagonal), next++);
  }
  EXPECT_EQ(next, table.size());
  EXPECT_EQ(table.end_head() - table.first_head(), 6 * 7 / 2 - 2);
}

TEST(McmStep, AddsEveryTermOnceAndOnlyFromFinalOperands) {
  for (std::int64_t n = 2; n < 20; ++n) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> splits;
    std::int64_t steps = 0;
    for (McmStep step{n}; step.stage < n; step.advance(), ++steps) {
      for (std::int64_t row = 0; row + step.diagonal < n; ++row) {
        const std::int64_t column = row + step.diagonal, split = step.split(row);
        EXPECT_LT(split - 1 - row, step.stage);  // diagonals below the stage are final
        EXPECT_LT(column - split, step.stage);
        auto& taken = splits[{row, column}];
        EXPECT_EQ(step.is_first_term(), taken.empty());
        taken.push_back(split);
      }
    }
    EXPECT_EQ(steps, n * (n - 1) / 2);
    for (auto& [element, taken] : splits) {
      std::sort(taken.begin(), taken.end());
      ASSERT_EQ(static_cast<std::int64_t>(taken.size()), element.second - element.first);
      for (std::size_t t = 0; t < taken.size(); ++t) {
        EXPECT_EQ(taken[t], element.first + 1 + static_cast<std::int64_t>(t));
      }
    }
  }
}

TEST(McmStep, CorrectedFindsTheOptimumWhereThePrintedOrderFails) {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 4 + random() % 8;
    const Dimensions dimensions = random_dimensions(n, random);
    HostTable table(dimensions);
    for (McmStep step{table.order.n}; step.stage < step.n; step.advance()) {
      for (std::int64_t row = 0; row + step.diagonal < step.n; ++row) {
        table.add_term(row, step.split(row), row + step.diagonal, step.is_first_term());
      }
    }
    EXPECT_EQ(table.st.back(), optimum(dimensions));
    wrong += printed_on_host(dimensions) == optimum(dimensions) ? 0 : 1;
  }
  EXPECT_GT(wrong, 20);
  EXPECT_LT(wrong, 150);
}

TEST(Mcm, RefusesWhatItCannotHold) {
  for (const Dimensions& wrong : {Dimensions{}, Dimensions{3, 4}, Dimensions{3, 0, 4}, Dimensions{3, 4, 1L << 21}}) {
    EXPECT_THROW(check_mcm(wrong, McmForm::corrected, McmBarrier::grid), Error);
  }
  EXPECT_NO_THROW(check_mcm(Dimensions{3, 4, 5}, McmForm::corrected, McmBarrier::stage));
  EXPECT_THROW(check_mcm(Dimensions{3, 4, 5}, McmForm::printed, McmBarrier::stage), Error);
}

TEST(Mcm, OnTheDeviceEveryBarrierGivesTheOptimum) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  std::mt19937_64 random(2);
  const Options options;
  SolveMonitor monitor(options, 1);
  for (const std::size_t n : {2u, 3u, 4u, 31u, 33u, 257u, 258u, 300u}) {
    const Dimensions dimensions = random_dimensions(n, random);
    for (const auto barrier : {McmBarrier::launch, McmBarrier::grid, McmBarrier::stage}) {
      const McmRun run = solve_mcm(dimensions, McmForm::corrected, barrier, 0, monitor);
      EXPECT_EQ(run.table.back(), optimum(dimensions)) << "n = " << n;
      EXPECT_EQ(run.steps, static_cast<std::int64_t>(n * (n - 1) / 2));
    }
  }
}

TEST(Mcm, OnTheDeviceThePrintedOrderIsWrongForManyChains) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  std::mt19937_64 random(3);
  const Options options;
  SolveMonitor monitor(options, 1);
  for (const auto barrier : {McmBarrier::launch, McmBarrier::grid}) {
    int wrong = 0;
    for (int trial = 0; trial < 50; ++trial) {
      const Dimensions dimensions = random_dimensions(12, random);
      const McmRun run = solve_mcm(dimensions, McmForm::printed, barrier, 0, monitor);
      wrong += run.table.back() == optimum(dimensions) ? 0 : 1;
    }
    EXPECT_GT(wrong, 0);
  }
}

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
