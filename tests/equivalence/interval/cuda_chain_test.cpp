#include <gtest/gtest.h>

#include <random>

#include "needs_gpu.hpp"
#include "several_gpus.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {
namespace {

Options dp_on(const Device& device) {
  Options options = test::on(device);
  options.algorithm = "dp";
  return options;
}
const Device gpu{Device::Kind::cuda, 0};

MatrixChain random_chain(std::size_t matrices, std::int64_t largest) {
  std::mt19937_64 random(matrices);
  std::vector<std::int64_t> dimensions(matrices + 1);
  for (std::int64_t& p : dimensions) p = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(largest));
  return MatrixChain(dimensions);
}

template <class T>
void expect_the_least_cost(const MatrixChain& chain, const Device& device = gpu) {
  const Outcome<ChainSolution> got = solve_by_dp<T>(chain, dp_on(device));
  const Outcome<ChainSolution> on_cpu = solve_by_dp<T>(chain);
  EXPECT_TRUE(got.solution.cost == solve(chain).solution.cost);
  EXPECT_EQ(got.solution.splits, on_cpu.solution.splits);
  EXPECT_EQ(got.report.device, to_string(device));
}

TEST(CudaChain, HasHuAndShingsCostAndTheCpusSplitsInEveryType) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  for (const std::size_t matrices : {1, 2, 15, 16, 63, 64, 65, 200}) {
    const MatrixChain chain = random_chain(matrices, 5);
    expect_the_least_cost<std::int32_t>(chain);
    expect_the_least_cost<std::int64_t>(chain);
    expect_the_least_cost<float>(chain);
    expect_the_least_cost<double>(chain);
  }
}

TEST(SeveralGpusChain, HasHuAndShingsCostAndTheCpusSplits) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  for (const std::size_t matrices : {1, 64, 65, 200, 500}) {
    const MatrixChain chain = random_chain(matrices, 5);
    for (const Device& device : test::several_gpus()) {
      expect_the_least_cost<std::int32_t>(chain, device);
      expect_the_least_cost<double>(chain, device);
    }
  }
}

TEST(CudaChain, IsRefusedWhereThereIsNoDevice) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  try {
    static_cast<void>(solve(random_chain(100, 5), dp_on(gpu)));
    FAIL() << "a chain was solved on a device that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::interval
