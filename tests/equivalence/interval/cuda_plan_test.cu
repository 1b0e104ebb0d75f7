#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "equivalence/interval/backend_calls.hpp"
#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// Plans on the device against the reference, with every output filled with garbage beforehand.
namespace warpfold::interval {
namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::Stream;

enum class Kind { ties, signs, positive };

template <class T>
std::vector<T> weights_of(const std::vector<std::size_t>& sizes, Kind kind, std::mt19937_64& random) {
  std::size_t count = 0;
  for (const std::size_t n : sizes) count += n * n;
  std::vector<T> weights(count);
  for (T& w : weights) {
    w = static_cast<T>(random() % (kind == Kind::ties ? 3 : 100000));
    if (kind == Kind::signs && random() % 2 == 0) w = -w;
    if (kind != Kind::positive && random() % 32 == 0) w = infinity<T>;
  }
  return weights;
}

template <class T>
void upload(const Buffer<T>& to, const std::vector<T>& from) {
  check(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice), "receive data");
}
template <class T>
std::vector<T> download(const Buffer<T>& from) {
  std::vector<T> to(from.size());
  check(cudaMemcpy(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost), "send data");
  return to;
}
template <class T>
void poison(T* values, std::size_t count) {
  check(cudaMemset(values, 0xa5, count * sizeof(T)), "be filled");
  check(cudaStreamSynchronize(nullptr), "be filled");  // the streams that solve do not wait for it
}

/// A batch on the device: its weights, a plan and its outputs.
template <class T>
struct OnDevice {
  std::vector<std::size_t> sizes;
  std::vector<T> host;
  std::vector<Triangulation<T>> problems;
  cuda::WeightBounds<T> bounds;
  Buffer<T> weights, costs;
  Buffer<Triangle> nodes;
  cuda::Plan<T> plan;

  OnDevice(std::vector<std::size_t> n, Kind kind, std::mt19937_64& random)
      : sizes(std::move(n)),
        host(weights_of<T>(sizes, kind, random)),
        weights(host.size()),
        costs(sizes.size()),
        nodes(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) - 2 * sizes.size()),
        plan(sizes) {
    const T* own = host.data();
    bounds.nonnegative = kind != Kind::signs;
    for (const std::size_t size : sizes) {
      problems.emplace_back(MatrixView<const T>{own, size, size, size});
      bounds.largest_total = std::max(bounds.largest_total, problems.back().largest_total());
      own += size * size;
    }
    upload(weights, host);
    poison(costs.data(), costs.size());
    poison(nodes.data(), nodes.size());
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      poison(const_cast<T*>(plan.table(at)), table_size(sizes[at], plan.tile_side));
    }
  }

  void start(cudaStream_t stream) {
    plan.solve(weights.data(), 0, bounds, stream);
    plan.structure(nodes.data(), stream);
    plan.costs(costs.data(), stream);
  }

  void expect_the_references() const {
    const std::vector<T> found_costs = download(costs);
    const std::vector<Triangle> found = download(nodes);
    auto node = found.begin();
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      Report ignored;
      const Solution<T> expected = reference::solve(problems[at], {}, ignored);
      EXPECT_EQ(std::memcmp(&found_costs[at], &expected.cost, sizeof(T)), 0) << "n = " << sizes[at];
      const std::vector<Triangle> own(node, node + static_cast<std::ptrdiff_t>(sizes[at] - 2));
      if (expected.cost < infinity<T>) {
        EXPECT_EQ(own, expected.triangles) << "n = " << sizes[at];
      }
      node += static_cast<std::ptrdiff_t>(sizes[at] - 2);
    }
  }
};

template <class T>
std::size_t tiles_taken(const cuda::Plan<T>& plan) {
  unsigned taken = 0;
  check(cudaMemcpy(&taken, plan.tasks_taken(), sizeof taken, cudaMemcpyDeviceToHost), "send a counter");
  return taken;
}

template <class T>
class CudaPlan : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  }
};
using CudaPlanTypes = testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CudaPlan, CudaPlanTypes);

TYPED_TEST(CudaPlan, SolvesRandomSmallBatchesLikeTheReference) {
  std::mt19937_64 random(7);
  for (int batch = 0; batch < 250; ++batch) {
    std::vector<std::size_t> sizes(1 + random() % 6);
    for (std::size_t& n : sizes) n = 3 + random() % (batch % 5 == 0 ? 150 : 70);
    OnDevice<TypeParam> on_device(sizes, static_cast<Kind>(batch % 3), random);
    on_device.start(nullptr);
    on_device.expect_the_references();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(CudaPlan, FindsDeepAndWideStructuresAmongLongIntervals) {
  std::mt19937_64 random(8);
  OnDevice<TypeParam> on_device({129, 700, 3, 64, 400}, Kind::ties, random);
  on_device.start(nullptr);
  on_device.expect_the_references();
}

TYPED_TEST(CudaPlan, SolvesAgainAndAgain) {
  std::mt19937_64 random(9);
  OnDevice<TypeParam> on_device({40, 300}, Kind::signs, random);
  for (int repeat = 0; repeat < 3; ++repeat) {
    on_device.start(nullptr);
    on_device.expect_the_references();
    poison(on_device.nodes.data(), on_device.nodes.size());
  }
}

TYPED_TEST(CudaPlan, SolvesOnTwoStreamsAtOnce) {
  std::mt19937_64 random(10);
  OnDevice<TypeParam> first({500, 20}, Kind::signs, random), second({30, 450}, Kind::ties, random);
  const Stream one, other;
  for (int repeat = 0; repeat < 5; ++repeat) {
    first.start(one.get());
    second.start(other.get());
  }
  one.synchronize();
  other.synchronize();
  first.expect_the_references();
  second.expect_the_references();
}

TYPED_TEST(CudaPlan, TakesNoMoreTilesOnceStopped) {
  std::mt19937_64 random(12);
  OnDevice<TypeParam> on_device({4096}, Kind::positive, random);
  cuda::Plan<TypeParam>& plan = on_device.plan;
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  SolveMonitor monitor(options, 1);
  stop.request_stop();
  const Stream stream;
  const warpfold::cuda::Event solved;
  plan.solve(on_device.weights.data(), 0, on_device.bounds, stream.get());
  solved.record(stream);
  warpfold::cuda::wait({plan.tasks_taken(), plan.tasks(), plan.stop(), plan.solves()}, solved, 1, monitor);
  EXPECT_LT(tiles_taken(plan), plan.tasks());
  EXPECT_THROW(monitor.check(), Error);
}

/// Keeps a stream busy.
void CUDART_CB sleep_a_moment(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TYPED_TEST(CudaPlan, AStopThatIsAskedForWhileTheSolveStillWaitsInItsStreamEndsIt) {
  std::mt19937_64 random(13);
  OnDevice<TypeParam> on_device({2048}, Kind::positive, random);
  cuda::Plan<TypeParam>& plan = on_device.plan;
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  SolveMonitor monitor(options, 1);
  stop.request_stop();
  const Stream stream;
  const warpfold::cuda::Event solved;
  check(cudaLaunchHostFunc(stream.get(), sleep_a_moment, nullptr), "call the host");
  plan.solve(on_device.weights.data(), 0, on_device.bounds, stream.get());
  solved.record(stream);
  warpfold::cuda::wait({plan.tasks_taken(), plan.tasks(), plan.stop(), plan.solves()}, solved, 1, monitor);
  EXPECT_EQ(tiles_taken(plan), 0U);
}

TYPED_TEST(CudaPlan, AStopThatComesTooLateEndsNoOtherSolve) {
  std::mt19937_64 random(14);
  OnDevice<TypeParam> on_device({40, 500}, Kind::signs, random);
  cuda::Plan<TypeParam>& plan = on_device.plan;
  for (int repeat = 0; repeat < 3; ++repeat) {
    on_device.start(nullptr);
    check(cudaDeviceSynchronize(), "finish");
    const unsigned late = plan.solves();
    check(cudaMemcpy(plan.stop(), &late, sizeof late, cudaMemcpyHostToDevice), "be stopped");
    poison(on_device.nodes.data(), on_device.nodes.size());
    on_device.start(nullptr);
    on_device.expect_the_references();
  }
}

/// The request comes in each of 1,000 solves, each of which would take some 10,000 tiles. Where the processors are
/// busy, the thread that asks may run after the solve, in 8 ms.
TEST(CudaPlanStop, EndsSolvesAtWhateverEarlyMomentItIsAskedFor) {
  if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  std::mt19937_64 random(15);
  constexpr std::size_t n = 8192;
  const Buffer<float> weights(n * n);
  check(cudaMemset(weights.data(), 0, weights.bytes()), "be filled");
  cuda::Plan<float> plan(n);
  const Stream stream;
  int asked_too_late = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    std::stop_source stop;
    Options options;
    options.stop = stop.get_token();
    SolveMonitor monitor(options, 1);
    std::thread asks([&stop, microseconds = random() % 200] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      stop.request_stop();
    });
    const warpfold::cuda::Event solved;
    plan.solve(weights.data(), 0, {0, false}, stream.get());
    solved.record(stream);
    warpfold::cuda::wait({plan.tasks_taken(), plan.tasks(), plan.stop(), plan.solves()}, solved, 1, monitor);
    asks.join();
    ASSERT_THROW(monitor.check(), Error) << repeat;
    asked_too_late += tiles_taken(plan) >= plan.tasks() ? 1 : 0;
  }
  EXPECT_LT(asked_too_late, 20);
}

/// Skipped with one GPU, because no other device can be current.
TEST(CudaPlanDevice, IsTheOneItWasMadeOnWhicheverIsCurrentLater) {
  if (gpus().size() < 2) GTEST_SKIP() << "fewer than two GPUs here: the device test was skipped";
  using warpfold::cuda::DeviceScope;
  std::mt19937_64 random(16);
  for (const int callers : {0, 1}) {
    const DeviceScope caller(callers);
    std::optional<OnDevice<float>> on_device;
    {
      const DeviceScope made(1);
      on_device.emplace(std::vector<std::size_t>{300, 20}, Kind::signs, random);
    }
    on_device->start(nullptr);
    EXPECT_EQ(DeviceScope::current(), callers);
    {
      const DeviceScope made(1);
      check(cudaDeviceSynchronize(), "finish");
    }
    on_device->expect_the_references();
    on_device.reset();
    EXPECT_EQ(DeviceScope::current(), callers);
  }
}

TYPED_TEST(CudaPlan, TakesTheWeightsOfPointsLikeTheirMatrix) {
  using T = TypeParam;
  std::mt19937_64 random(11);
  const std::vector<std::size_t> sizes = {50, 200, 3, 64};
  std::vector<Point> points;
  for (const std::size_t n : sizes) {
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back({static_cast<double>(random() % 1000), static_cast<double>(random() % 1000)});
    }
  }
  const Buffer<Point> on_device(points.size());
  upload(on_device, points);
  for (const ChordWeight weight : {ChordWeight::length, ChordWeight::squared}) {
    OnDevice<T> expected(sizes, Kind::ties, random);
    T* own = expected.host.data();
    const Point* vertex = points.data();
    expected.problems.clear();
    for (const std::size_t n : sizes) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const double dx = vertex[i].x - vertex[j].x, dy = vertex[i].y - vertex[j].y;
          const double squared = dx * dx + dy * dy;
          own[i * n + j] = static_cast<T>(weight == ChordWeight::length ? std::sqrt(squared) : squared);
        }
      }
      expected.problems.emplace_back(MatrixView<const T>{own, n, n, n});
      expected.bounds.largest_total = std::max(expected.bounds.largest_total, expected.problems.back().largest_total());
      own += n * n;
      vertex += n;
    }
    expected.plan.solve(on_device.data(), weight, expected.bounds);
    expected.plan.structure(expected.nodes.data());
    expected.plan.costs(expected.costs.data());
    expected.expect_the_references();
  }
}

/// ResourceEstimate no device.
TEST(CudaPlanSizes, OtherNumbersOfVerticesThanThreeTo4194240AreRefused) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{2}, std::size_t{4194241}}) {
    try {
      static_cast<void>(cuda::Plan<float>::workspace_bytes(std::span(&n, 1)));
      FAIL() << n << " vertices were taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
    }
  }
}

/// ResourceEstimate no device.
TEST(CudaPlanSizes, NoPolygonIsRefused) {
  try {
    static_cast<void>(cuda::Plan<float>::workspace_bytes({}));
    FAIL() << "no polygon was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "a plan for no polygons: 1 or more are accepted");
  }
}

TYPED_TEST(CudaPlan, SaysThatMemoryIsShort) {
  try {
    const std::vector<std::size_t> many(64, std::size_t{1} << 18);
    const cuda::Plan<TypeParam> plan(many);
    FAIL() << "a plan was made that no device has memory for";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
  }
}

TYPED_TEST(CudaPlan, RefusesWeightsThatCannotLieAsTheStrideSays) {
  const auto refuse = [](std::vector<std::size_t> vertices, const TypeParam* weights, std::size_t stride) {
    cuda::Plan<TypeParam> plan(vertices);
    try {
      plan.solve(weights, stride, {});
      FAIL() << "a stride of " << stride << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
    }
  };
  const Buffer<TypeParam> weights(100);
  refuse({10}, weights.data(), 9);
  refuse({10}, nullptr, 0);
  refuse({5, 5}, weights.data(), 5);
}

}  // namespace
}  // namespace warpfold::interval
