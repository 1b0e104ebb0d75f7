#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/batch.hpp"

/// solve_batch of run/batch.hpp, which all families use.
namespace warpfold::interval {
namespace {

std::vector<MatrixChain> chains(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<MatrixChain> list;
  for (std::size_t at = 0; at < count; ++at) {
    std::vector<std::int64_t> dimensions(2 + random() % 40);
    for (std::int64_t& p : dimensions) p = 1 + static_cast<std::int64_t>(random() % 100);
    list.emplace_back(std::move(dimensions));
  }
  return list;
}

TEST(ManyProblems, HaveTheSolutionsThatTheyHaveAloneInTheirOrder) {
  const std::vector<MatrixChain> problems = chains(300);
  for (const int threads : {1, 2, 5}) {
    Options options;
    options.threads = threads;
    const auto [solutions, report] = warpfold::solve_batch(std::span<const MatrixChain>(problems), options);
    ASSERT_EQ(solutions.size(), problems.size());
    for (std::size_t at = 0; at < problems.size(); ++at) {
      const ChainSolution alone = solve(problems[at]).solution;
      EXPECT_TRUE(solutions[at].cost == alone.cost) << at;
      EXPECT_EQ(solutions[at].splits, alone.splits) << at;
    }
    EXPECT_EQ(report.device, "cpu");
    EXPECT_EQ(report.algorithm, "several");  // short chains by the recurrence, longer ones by Hu and Shing's algorithm
  }
}

TEST(ManyProblems, MayBeNone) { EXPECT_TRUE(warpfold::solve_batch(std::span<const MatrixChain>()).solution.empty()); }

TEST(ManyProblems, AreRefusedOnAGpuAndStoppedAsOneIs) {
  const std::vector<MatrixChain> problems = chains(20);
  Options on_gpu;
  on_gpu.device = {Device::Kind::cuda, 0};
  EXPECT_THROW(static_cast<void>(warpfold::solve_batch(std::span<const MatrixChain>(problems), on_gpu)), Error);
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(warpfold::solve_batch(std::span<const MatrixChain>(problems), late)), Error);
}

}  // namespace
}  // namespace warpfold::interval
