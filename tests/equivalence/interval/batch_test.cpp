#include "warpfold/interval/batch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>
#include <string>

#include "equivalence/interval/backend_calls.hpp"
#include "needs_gpu.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {
namespace {

/// Polygons with their weights: ties, negative weights, forbidden chords.
template <class T>
struct Polygons {
  std::deque<std::vector<T>> weights;
  std::vector<Triangulation<T>> problems;

  explicit Polygons(const std::vector<std::size_t>& sizes, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    for (const std::size_t n : sizes) {
      auto& own = weights.emplace_back(n * n);
      for (T& w : own) w = random() % 16 == 0 ? infinity<T> : static_cast<T>(static_cast<int>(random() % 9) - 3);
      problems.emplace_back(MatrixView<const T>{own.data(), n, n, n});
    }
  }
};

template <class T>
void expect_each_as_solved_alone(const Polygons<T>& polygons, const Options& options) {
  const auto batch = solve_batch(std::span<const Triangulation<T>>(polygons.problems), options);
  ASSERT_EQ(batch.solution.size(), polygons.problems.size());
  for (std::size_t at = 0; at < polygons.problems.size(); ++at) {
    Report ignored;
    const Solution<T> alone = reference::solve(polygons.problems[at], {}, ignored);
    const Solution<T>& together = batch.solution[at];
    EXPECT_EQ(together.cost, alone.cost) << "polygon " << at << " of " << polygons.problems[at].vertices();
    if (alone.cost >= infinity<T>) {
      EXPECT_TRUE(together.triangles.empty() && together.chords.empty());
    } else {
      EXPECT_EQ(together.triangles, alone.triangles);
      EXPECT_EQ(together.chords, alone.chords);
    }
  }
}

template <class T>
class Batch : public testing::Test {};
using BatchTypes = testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Batch, BatchTypes);

const std::vector<std::size_t> ragged = {3, 64, 4, 130, 5, 65, 17, 33, 63, 128, 3, 100, 200};

TYPED_TEST(Batch, GivesEachPolygonTheSolutionThatItHasAlone) {
  const Polygons<TypeParam> polygons(ragged);
  for (const int threads : {1, 2, 5}) {
    Options options;
    options.device.kind = Device::Kind::cpu;
    options.threads = threads;
    expect_each_as_solved_alone(polygons, options);
  }
}

/// Groups of all sizes around blocks of 4, with the polygons of a size far from each other and some more than fill
/// vectors.
std::vector<std::size_t> mixed() {
  std::vector<std::size_t> sizes;
  for (int repeat = 0; repeat < 19; ++repeat) {
    for (const std::size_t n : {3, 4, 5, 6, 7, 8, 9, 12, 17, 33, 63, 64, 65, 100, 127, 128, 129}) sizes.push_back(n);
  }
  return sizes;
}

TYPED_TEST(Batch, GivesEachPolygonOfAGroupTheSolutionThatItHasAloneForEveryInstructionSet) {
  const Polygons<TypeParam> polygons(mixed(), 2);
  for (const std::string& set : instruction_sets()) {
    SCOPED_TRACE(set);
    force_instruction_set(set);
    Options options;
    options.device.kind = Device::Kind::cpu;
    options.threads = 2;
    expect_each_as_solved_alone(polygons, options);
  }
  force_instruction_set("");
}

TYPED_TEST(Batch, SolvesEachPolygonAloneInLittleMemory) {
  const Polygons<TypeParam> polygons(std::vector<std::size_t>(32, 64));
  Options options;
  options.device.kind = Device::Kind::cpu;
  options.threads = 1;
  options.max_memory = 100'000;
  expect_each_as_solved_alone(polygons, options);
  const auto batch = solve_batch(std::span<const Triangulation<TypeParam>>(polygons.problems), options);
  EXPECT_LE(batch.report.peak_bytes, options.max_memory);
}

TYPED_TEST(Batch, GivesEachPolygonTheSolutionThatItHasAloneOnAGpu) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  Options options;
  options.device.kind = Device::Kind::cuda;
  expect_each_as_solved_alone(Polygons<TypeParam>(ragged), options);
}

TEST(BatchOfPolygons, OneWithoutATriangulationLeavesTheOthersTheirs) {
  Polygons<double> polygons({5, 6, 7});
  for (double& w : polygons.weights[1]) w = infinity<double>;
  Options options;
  options.device.kind = Device::Kind::cpu;
  const auto batch = solve_batch(std::span<const Triangulation<double>>(polygons.problems), options);
  EXPECT_EQ(batch.solution[1].cost, infinity<double>);
  EXPECT_TRUE(batch.solution[1].triangles.empty());
  expect_each_as_solved_alone(polygons, options);
}

TEST(BatchOfPolygons, MayBeEmpty) {
  EXPECT_TRUE(solve_batch(std::span<const Triangulation<float>>(), {}).solution.empty());
}

ErrorKind kind_of_failure(const Polygons<float>& polygons, const Options& options) {
  try {
    (void)solve_batch(std::span<const Triangulation<float>>(polygons.problems), options);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::internal;
}

TEST(BatchOfPolygons, KeepsToItsLimits) {
  const Polygons<float> polygons({200, 200, 200});
  for (const Device::Kind kind : {Device::Kind::cpu, Device::Kind::cuda}) {
    if (kind == Device::Kind::cuda && gpus().empty()) continue;
    Options small;
    small.device.kind = kind;
    small.max_memory = 1000;
    EXPECT_EQ(kind_of_failure(polygons, small), ErrorKind::memory_limit);
    Options late;
    late.device.kind = kind;
    late.deadline = std::chrono::steady_clock::now();
    EXPECT_EQ(kind_of_failure(polygons, late), ErrorKind::time_limit);
    std::stop_source stopped;
    stopped.request_stop();
    Options cancelled;
    cancelled.device.kind = kind;
    cancelled.stop = stopped.get_token();
    EXPECT_EQ(kind_of_failure(polygons, cancelled), ErrorKind::cancelled);
  }
}

TEST(BatchOfPolygons, RefusesOtherAlgorithms) {
  Options options;
  options.algorithm = "reference";
  EXPECT_EQ(kind_of_failure(Polygons<float>({3}), options), ErrorKind::usage);
}

}  // namespace
}  // namespace warpfold::interval
