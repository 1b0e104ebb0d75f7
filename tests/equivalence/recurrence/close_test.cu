#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "delay.cuh"
#include "recurrence/kernels.cuh"
#include "run/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::recurrence::cuda {
namespace {

using namespace warpfold::cuda;

/// Makes a warp wait at random before it raises its flag, and after it has seen another's.
struct Delayed : Rule<true, true> {
  __device__ std::int32_t finish(std::int32_t value) const {
    test::delay_one_of(64);
    return Rule::finish(value);
  }
  __device__ std::int32_t join_near(std::int32_t best, std::int32_t value, std::int32_t near) const {
    test::delay_one_of(4096);
    return Rule::join_near(best, value, near);
  }
};

/// x(u) = min(x(u), x(u - d) + near(d)) over 0 < d <= u, within each block.
std::vector<std::int32_t> closed(std::vector<std::int32_t> values, const std::vector<std::int32_t>& near,
                                 const Delayed& rule) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t within = i % near.size();
    for (std::size_t d = 1; d <= within; ++d) values[i] = std::min(values[i], values[i - d] + near[d]);
    if (values[i] >= rule.blank - rule.bound) values[i] = rule.blank;
  }
  return values;
}

/// racecheck does not understand the flags by which the warps of `close` wait for each other.
TEST(OnGpuClose, GivesOneTableInTenThousandSolvesWithDelaysAtEveryFlag) {
  if (gpus().empty()) GTEST_SKIP() << "no GPU here";
  const DeviceScope scope(0);
  constexpr int blocks = 2;
  constexpr std::size_t outputs = tuning::gpu_close_outputs;
  std::mt19937 random(23);
  Delayed rule{};
  rule.bound = 1'000'000;
  const auto draw = [&](std::size_t count, int percent) {
    std::vector<std::int32_t> drawn(count, rule.blank);
    for (std::int32_t& one : drawn) {
      if (static_cast<int>(random() % 100) < percent) one = static_cast<std::int32_t>(random() % 2000) - 500;
    }
    return drawn;
  };
  const std::vector<std::int32_t> values = draw(blocks * outputs, 30), near = draw(outputs, 10);
  const auto expected = closed(values, near, rule);
  const Buffer<std::int32_t> given(values), nearest(near);
  const Buffer<std::int32_t> table(values.size());
  std::vector<std::int32_t> got(values.size());
  for (int solve = 0; solve < 10'000; ++solve) {
    check(cudaMemcpy(table.data(), given.data(), table.bytes(), cudaMemcpyDeviceToDevice), "begin again");
    close<<<blocks, outputs>>>(table.data(), nearest.data(), 0, blocks * outputs, rule);
    check_launch("start to close a block");
    check(cudaMemcpy(got.data(), table.data(), table.bytes(), cudaMemcpyDeviceToHost), "return the values");
    ASSERT_EQ(got, expected) << "solve " << solve;
  }
}

}  // namespace
}  // namespace warpfold::recurrence::cuda
