#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <thread>

#include "equivalence/interval/backend_calls.hpp"
#include "needs_gpu.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {
namespace {

template <class T>
class CudaTiled : public warpfold::test::NeedsGpu {};

using CudaTiledTypes = testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CudaTiled, CudaTiledTypes);

enum class Draw { ties, signs, positive };

template <class T>
std::vector<T> weights_of(std::size_t n, Draw kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> weights(n * n);
  for (T& w : weights) {
    w = static_cast<T>(random() % (kind == Draw::ties ? 3 : 100000));
    if (kind == Draw::signs && random() % 2 == 0) w = -w;
    if (random() % 32 == 0) w = infinity<T>;
    if (std::is_integral_v<T> && random() % 64 == 0) w = std::numeric_limits<T>::max();  // forbids its chord, too
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
  EXPECT_EQ(got.triangles, expected.triangles);
  EXPECT_EQ(got.chords, expected.chords);
}

TYPED_TEST(CudaTiled, FindsTheReferencesBitsAndStructureAroundWarpAndTile) {
  for (const std::size_t n : {3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 193, 300}) {
    for (const Draw kind : {Draw::ties, Draw::signs, Draw::positive}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", kind " << static_cast<int>(kind));
      expect_the_references_solution(weights_of<TypeParam>(n, kind, n), n);
    }
  }
}

/// Chords of one triangulation weigh 0, all others 1, so it is the only optimum. `split(i, j)`: its triangle on chord
/// (i,j).
template <class T, class Split>
void expect_the_only_triangulation(std::size_t n, const char* name, Split&& split) {
  SCOPED_TRACE(name);
  std::vector<T> weights(n * n, 1);
  std::vector<Triangle> nodes;
  std::vector<Chord> pending{{0, static_cast<std::uint32_t>(n - 1)}};
  while (!pending.empty()) {
    const auto [i, j] = pending.back();
    pending.pop_back();
    weights[i * n + j] = 0;
    const std::uint32_t k = split(i, j);
    nodes.push_back({i, k, j});
    if (j > k + 1) pending.push_back({k, j});
    if (k > i + 1) pending.push_back({i, k});
  }
  Report ignored;
  const auto got = cuda::solve(Triangulation<T>(MatrixView<const T>{weights.data(), n, n, n}), {}, ignored);
  EXPECT_EQ(got.cost, 0);
  EXPECT_EQ(got.triangles, nodes);
}

TYPED_TEST(CudaTiled, GivesTheStructureOfFansZigzagsAndBalancedTrees) {
  using Index = std::uint32_t;
  constexpr std::size_t n = 1500;
  static constexpr Index middle = n / 2;
  const auto check = [](const char* name, auto&& split) { expect_the_only_triangulation<TypeParam>(n, name, split); };
  check("a fan from the last vertex", [](Index i, Index) { return i + 1; });
  check("a fan from the first vertex", [](Index, Index j) { return j - 1; });
  check("a fan from the middle", [](Index i, Index j) {
    if (i < middle && middle < j) return middle;
    return j <= middle ? i + 1 : j - 1;
  });
  check("a zigzag", [](Index i, Index j) { return (i + j) % 2 == 1 ? i + 1 : j - 1; });
  check("halves", [](Index i, Index j) { return (i + j) / 2; });
}

TYPED_TEST(CudaTiled, RaisesWhereAskedToStopAndSolvesAgain) {
  constexpr std::size_t n = 700;
  const std::vector<TypeParam> weights(n * n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  options.progress = [&](const Progress&) { stop.request_stop(); };
  Report ignored;
  try {
    (void)cuda::solve(problem, options, ignored);
    FAIL() << "a solve that was asked to stop gave a solution";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  expect_the_references_solution(weights_of<TypeParam>(300, Draw::ties, 1), 300);
}

TYPED_TEST(CudaTiled, ReportsProgressUpToTheEnd) {
  const std::vector<TypeParam> weights = weights_of<TypeParam>(700, Draw::positive, 3);
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
  const auto first = weights_of<TypeParam>(260, Draw::signs, 1), second = weights_of<TypeParam>(200, Draw::ties, 2);
  std::thread beside([&] {
    for (int repeat = 0; repeat < 3; ++repeat) expect_the_references_solution(first, 260);
  });
  for (int repeat = 0; repeat < 3; ++repeat) expect_the_references_solution(second, 200);
  beside.join();
}

TYPED_TEST(CudaTiled, HoldsDeviceBytesAgainstTheDeviceAndHostBytesAgainstTheHost) {
  constexpr std::size_t n = 1500;
  const std::vector<TypeParam> weights(n * n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  Options options;
  options.threads = 1;
  options.max_memory = std::size_t{3} << 20;  // less than the table
  Report report;
  EXPECT_EQ(cuda::solve(problem, options, report).cost, static_cast<TypeParam>(n - 3));
  EXPECT_LE(report.peak_bytes, options.max_memory);
  EXPECT_GE(report.peak_device_bytes, n * n / 2 * sizeof(TypeParam) + n * n * sizeof(TypeParam));
  for (auto limit : {&Options::max_memory, &Options::max_device_memory}) {
    options = {};
    options.*limit = 10000;
    try {
      (void)cuda::solve(problem, options, report);
      FAIL() << "more memory was taken than is allowed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
    }
  }
}

TYPED_TEST(CudaTiled, RaisesWhatTheProgressCallbackRaisesAndSolvesAgain) {
  constexpr std::size_t n = 700;
  const std::vector<TypeParam> weights(n * n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  Options options;
  options.progress = [](const Progress&) { throw std::domain_error("the caller's own"); };
  Report ignored;
  EXPECT_THROW((void)cuda::solve(problem, options, ignored), std::domain_error);
  expect_the_references_solution(weights_of<TypeParam>(300, Draw::ties, 1), 300);
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
