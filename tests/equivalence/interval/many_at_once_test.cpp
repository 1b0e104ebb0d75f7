#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "warpfold/interval/solve.hpp"

/// Simultaneous solves share the pool of threads, and nothing else.
namespace warpfold::interval {
namespace {

TEST(ManyAtOnce, TenThousandSolvesOfOneProblemGiveOneAnswer) {
  constexpr std::size_t n = 200;  // enough tiles for several threads
  constexpr int callers = 20, solves_each = 500;
  std::vector<std::int32_t> weights(n * n);
  for (std::size_t at = 0; at < weights.size(); ++at) weights[at] = static_cast<std::int32_t>(at * 7919 % 100);
  const Triangulation<std::int32_t> problem({weights.data(), n, n, n});
  const auto expected = solve(problem).solution;
  std::atomic<int> others = 0;
  std::vector<std::thread> threads;
  for (int caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      Options options;
      options.device.kind = Device::Kind::cpu;
      options.threads = 1 + caller % 3;
      for (int solved = 0; solved < solves_each; ++solved) {
        const auto found = solve(problem, options).solution;
        others += found.cost != expected.cost || found.triangles != expected.triangles;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace warpfold::interval
