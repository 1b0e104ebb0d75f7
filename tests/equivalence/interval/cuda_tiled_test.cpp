#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#include "interval/backend.hpp"
#include "warpfold/core/devices.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::interval {
namespace {

template <class T>
class CudaTiled : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here (or CUDA is not compiled): the device test was skipped";
  }
};

using Types = testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CudaTiled, Types);

enum class Kind { ties, signs, positive };

template <class T>
std::vector<T> weights_of(std::size_t n, Kind kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> weights(n * n);
  for (T& w : weights) {
    w = static_cast<T>(random() % (kind == Kind::ties ? 3 : 100000));
    if (kind == Kind::signs && random() % 2 == 0) w = -w;
    if (random() % 32 == 0) w = infinity<T>;
  }
  return weights;
}

template <class T>
void expect_the_references_solution(const std::vector<T>& weights, std::size_t n) {
  const Triangulation<T> problem(MatrixView<const T>{weights.data(), n, n, n});
  const Options options;
  Report ignored;
  const Solution<T> expected = reference::solve(problem, options, ignored);
  const Solution<T> got = cuda::solve(problem, options, ignored);
  EXPECT_EQ(std::memcmp(&got.cost, &expected.cost, sizeof(T)), 0) << got.cost << " for " << expected.cost;
  EXPECT_EQ(got.nodes, expected.nodes);
  EXPECT_EQ(got.chords, expected.chords);
}

TYPED_TEST(CudaTiled, FindsTheReferencesBitsAndStructureAroundWarpAndTile) {
  for (const std::size_t n : {3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 193, 300}) {
    for (const Kind kind : {Kind::ties, Kind::signs, Kind::positive}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", kind " << static_cast<int>(kind));
      expect_the_references_solution(weights_of<TypeParam>(n, kind, n), n);
    }
  }
}

TYPED_TEST(CudaTiled, GivesTheStructureOfAFan) {
  constexpr std::size_t n = 700;
  std::vector<TypeParam> weights(n * n, 1);
  for (std::size_t j = 0; j < n; ++j) weights[j] = 0;
  expect_the_references_solution(weights, n);
}

TYPED_TEST(CudaTiled, EndsEarlyWhereAskedAndSolvesAgain) {
  constexpr std::size_t n = 4096;
  const std::vector<TypeParam> weights(n * n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  std::thread beside([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    stop.request_stop();
  });
  Report ignored;
  try {
    (void)cuda::solve(problem, options, ignored);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  beside.join();
  EXPECT_THROW((void)cuda::solve(problem, options, ignored), Error);
  expect_the_references_solution(weights_of<TypeParam>(300, Kind::ties, 1), 300);
}

TYPED_TEST(CudaTiled, ReportsProgressUpToTheEnd) {
  const std::vector<TypeParam> weights = weights_of<TypeParam>(700, Kind::positive, 3);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), 700, 700, 700});
  double last = 0, total = 1;
  Options options;
  options.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
    total = progress.total;
  };
  Report ignored;
  (void)cuda::solve(problem, options, ignored);
  EXPECT_NEAR(last, total, 1e-6 * total);
}

TYPED_TEST(CudaTiled, SolvesFromSeveralThreadsAtOnce) {
  const auto first = weights_of<TypeParam>(260, Kind::signs, 1), second = weights_of<TypeParam>(200, Kind::ties, 2);
  std::thread beside([&] {
    for (int repeat = 0; repeat < 3; ++repeat) expect_the_references_solution(first, 260);
  });
  for (int repeat = 0; repeat < 3; ++repeat) expect_the_references_solution(second, 200);
  beside.join();
}

TEST(CudaTiledErrors, ADeviceThatIsNotThereIsRefused) {
  const std::vector<float> weights(9, 1);
  const Triangulation<float> problem(MatrixView<const float>{weights.data(), 3, 3, 3});
  Options options;
  options.device = {Device::Kind::cuda, 99};
  Report report;
  try {
    (void)cuda::solve(problem, options, report);
    FAIL() << "a device that is not there was used";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::interval
