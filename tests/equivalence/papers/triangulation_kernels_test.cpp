#include <gtest/gtest.h>

#include <random>

#include "interval/backends.hpp"
#include "needs_gpu.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::gpu_polygon_2013 {
namespace {

template <class T>
class PaperKernels : public warpfold::test::NeedsGpu {};

using PaperKernelsTypes = testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(PaperKernels, PaperKernelsTypes);

/// Small integers with many ties. Some chords are forbidden.
template <class T>
std::vector<T> tied_weights(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> weights(n * n);
  for (T& w : weights) w = random() % 16 == 0 ? infinity<T> : static_cast<T>(random() % 4) - static_cast<T>(1);
  return weights;
}

/// The largest values of the type, of both signs.
template <class T>
std::vector<T> extreme_weights(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const T most = std::numeric_limits<T>::max() / static_cast<T>(4 * n);
  std::vector<T> weights(n * n);
  for (T& w : weights) {
    if constexpr (std::is_floating_point_v<T>) w = most * static_cast<T>(static_cast<double>(random() % 1000) * 1e-3);
    if constexpr (std::is_integral_v<T>) w = static_cast<T>(random() % static_cast<std::uint64_t>(most));
    if (random() % 2 == 0) w = -w;
  }
  return weights;
}

/// Every value(i, j), by the recurrence as written.
template <class T>
std::vector<T> expected_values(const Triangulation<T>& problem) {
  const std::size_t n = problem.vertices();
  std::vector<T> value(n * n);
  const T infinite = std::is_integral_v<T> ? infinity<T> - problem.largest_total() : infinity<T>;
  for (std::size_t d = 2; d < n; ++d) {
    for (std::size_t i = 0; i + d < n; ++i) {
      T best = infinity<T>;
      for (std::size_t k = i + 1; k < i + d; ++k) best = std::min<T>(best, value[i * n + k] + value[k * n + i + d]);
      const T total = best + problem.weight(i, i + d);
      value[i * n + i + d] = total < infinite ? total : infinity<T>;
    }
  }
  return value;
}

template <class T>
void expect_equal(const Triangulation<T>& problem, PaperSolver<T>& solver, const Plan& plan,
                  const std::vector<T>& expected) {
  const std::size_t n = problem.vertices();
  const Options options;
  SolveMonitor monitor(options, 1);
  solver.run(plan, monitor);
  const std::vector<T> found = solver.values();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      ASSERT_EQ(found[i * n + j], expected[i * n + j]) << "n = " << n << ", entry " << i << ", " << j << ", "
                                                       << to_string(plan.front()) << " .. " << to_string(plan.back());
    }
  }
}

std::vector<Stage> all_stages() {
  std::vector<Stage> all;
  for (const auto& part : {thread_based_stages(Arrangement::naive), thread_based_stages(Arrangement::sliding),
                           block_based_stages(Arrangement::naive), block_based_stages(Arrangement::mirroring)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TYPED_TEST(PaperKernels, EveryMethodAndGranularityGivesTheReferencesBits) {
  for (const std::size_t n : {3u, 4u, 5u, 31u, 32u, 33u, 34u, 65u, 129u}) {
    for (const auto& weights : {tied_weights<TypeParam>(n, n), extreme_weights<TypeParam>(n, n)}) {
      const Triangulation<TypeParam> problem({weights.data(), n, n, n});
      const auto expected = expected_values(problem);
      PaperSolver<TypeParam> solver(0, problem);
      for (const Stage& stage : all_stages()) {
        ASSERT_NO_FATAL_FAILURE(expect_equal(problem, solver, uniform_plan(n, stage), expected));
      }
    }
  }
}

TYPED_TEST(PaperKernels, ConvertingAtAnyStageKeepsTheBits) {
  constexpr std::size_t n = 70;
  const auto weights = tied_weights<TypeParam>(n, 1);
  const Triangulation<TypeParam> problem({weights.data(), n, n, n});
  const auto expected = expected_values(problem);
  PaperSolver<TypeParam> solver(0, problem);
  for (std::size_t first_block_stage = 1; first_block_stage < n - 1; ++first_block_stage) {
    Plan plan = uniform_plan(n, {Method::thread_based, Arrangement::sliding, 32, 1});
    for (std::size_t p = first_block_stage; p < n - 1; ++p) plan[p] = Stage{.threads = 32, .blocks = p % 2 ? 1 : 4};
    ASSERT_NO_FATAL_FAILURE(expect_equal(problem, solver, plan, expected));
  }
}

TYPED_TEST(PaperKernels, EveryAlgorithmFindsTheReferencesStructure) {
  constexpr std::size_t n = 90;
  const auto weights = tied_weights<TypeParam>(n, 2);
  const Triangulation<TypeParam> problem({weights.data(), n, n, n});
  Options options;
  options.algorithm = "reference";
  const auto expected = interval::solve(problem, options).solution;
  options.device = parse_device("cuda");
  for (const char* algorithm : {"tb", "tb-naive:32", "bb", "bb:64,4", "bb-naive:32,2"}) {
    options.algorithm = algorithm;
    const auto [solution, report] = interval::solve(problem, options, backends<TypeParam>());
    EXPECT_EQ(solution.cost, expected.cost) << algorithm;
    EXPECT_EQ(solution.triangles, expected.triangles) << algorithm;
    EXPECT_EQ(report.algorithm, algorithm);
  }
}

TYPED_TEST(PaperKernels, TuningMakesAPlanThatAdaptiveUses) {
  constexpr std::size_t n = 48;
  const test::TemporaryFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  Options options;
  options.device = parse_device("cuda");
  const Tuning tuning = tune(n, std::string(dtype_name<TypeParam>()), 1, 1, options);
  EXPECT_NO_THROW(check_plan(tuning.plan, n));
  write_tuning(tuning_path(tuning.device, n), tuning);
  const auto weights = tied_weights<TypeParam>(n, 3);
  const Triangulation<TypeParam> problem({weights.data(), n, n, n});
  options.algorithm = "adaptive";
  EXPECT_EQ(interval::solve(problem, options, backends<TypeParam>()).solution.cost,
            interval::solve(problem).solution.cost);
  unsetenv("XDG_CACHE_HOME");
}

TEST(PaperKernelsWithoutADevice, FailWithOneLine) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  const std::vector<float> weights(9, 1);
  const Triangulation<float> problem({weights.data(), 3, 3, 3});
  try {
    PaperSolver<float> solver(0, problem);
    FAIL() << "a solver was made without a device";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::papers::gpu_polygon_2013
