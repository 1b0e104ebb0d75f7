#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <stop_token>
#include <thread>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::interval {
namespace {

template <class T>
struct Weights {
  std::size_t n;
  std::vector<T> values;

  Weights(std::size_t vertices, const std::function<T(std::size_t, std::size_t)>& weight)
      : n(vertices), values(vertices * vertices) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) values[i * n + j] = weight(i, j);
    }
  }

  [[nodiscard]] T operator()(std::size_t i, std::size_t j) const { return values[std::min(i, j) * n + std::max(i, j)]; }
  [[nodiscard]] Solution<T> solve(const Options& options = {}) const {
    return interval::solve(Triangulation<T>({values.data(), n, n, n}), options).solution;
  }
};

template <class T>
Weights<T> random_weights(std::size_t n, T least, T most, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto range = static_cast<std::uint64_t>(most - least) + 1;
  return {n, [&](std::size_t, std::size_t) { return static_cast<T>(least + static_cast<T>(generator() % range)); }};
}

/// Calls visit(total) for every triangulation of the polygon: for the triangle at edge (i,j) it tries every k in
/// between, with every triangulation of both sides.
template <class T>
void enumerate(const Weights<T>& w, std::vector<Chord> pending, T total, const std::function<void(T)>& visit) {
  while (!pending.empty() && pending.back().j == pending.back().i + 1) pending.pop_back();
  if (pending.empty()) return visit(total);
  const auto [i, j] = pending.back();
  pending.pop_back();
  if (i != 0 || j + 1 != w.n) total = static_cast<T>(total + w(i, j));
  for (std::uint32_t k = i + 1; k < j; ++k) {
    std::vector<Chord> next = pending;
    next.push_back({k, j});
    next.push_back({i, k});
    enumerate(w, next, total, visit);
  }
}

template <class T>
class TriangulationModel : public testing::Test {};
using TriangulationModelTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(TriangulationModel, TriangulationModelTypes);

TYPED_TEST(TriangulationModel, IsTheLeastOfAllTriangulationsWhichAreCatalanMany) {
  const std::vector<std::size_t> catalan = {1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862};
  for (std::size_t n = 3; n <= 11; ++n) {
    const auto w = random_weights<TypeParam>(n, -20, 20, n);
    std::size_t count = 0;
    TypeParam least = std::numeric_limits<TypeParam>::max();
    enumerate<TypeParam>(w, {{0, static_cast<std::uint32_t>(n - 1)}}, 0, [&](TypeParam total) {
      ++count;
      least = std::min(least, total);
    });
    EXPECT_EQ(count, catalan[n - 2]);
    EXPECT_EQ(w.solve().cost, least) << "n = " << n;
  }
}

TYPED_TEST(TriangulationModel, HasNonCrossingChordsThatAddUpToTheCost) {
  const auto w = random_weights<TypeParam>(150, -500, 500, 7);
  const auto solution = w.solve();
  ASSERT_EQ(solution.chords.size(), w.n - 3);
  EXPECT_TRUE(std::is_sorted(solution.chords.begin(), solution.chords.end()));
  EXPECT_EQ(std::adjacent_find(solution.chords.begin(), solution.chords.end()), solution.chords.end());
  TypeParam total = 0;
  for (const Chord& a : solution.chords) {
    total = static_cast<TypeParam>(total + w(a.i, a.j));
    for (const Chord& b : solution.chords) EXPECT_FALSE(a.i < b.i && b.i < a.j && a.j < b.j);
  }
  EXPECT_EQ(total, solution.cost);
}

TYPED_TEST(TriangulationModel, TakesTheSmallestSplitWhereAllAreEqual) {
  const Weights<TypeParam> w(70, [](std::size_t, std::size_t) { return TypeParam{3}; });
  const auto solution = w.solve();
  EXPECT_EQ(solution.cost, TypeParam{3 * 67});
  for (const Triangle& node : solution.triangles) EXPECT_EQ(node.k, node.i + 1);
}

TYPED_TEST(TriangulationModel, FindsTheOnlyTriangulationThatIsNotForbidden) {
  for (const std::size_t apex : {0, 1, 40, 129}) {
    const Weights<TypeParam> w(130, [&](std::size_t i, std::size_t j) {
      return i == apex || j == apex ? static_cast<TypeParam>(-2) : infinity<TypeParam>;
    });
    EXPECT_EQ(w.solve().cost, static_cast<TypeParam>(-2 * 127));
  }
}

RC_GTEST_PROP(Triangulation, CostDoesNotDependOnWhereTheVerticesAreCountedFromAndInWhichDirection, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 140);
  const auto w = random_weights<std::int64_t>(n, -1000, 1000, *rc::gen::arbitrary<std::uint64_t>());
  const auto shift = *rc::gen::inRange<std::size_t>(0, n);
  const Weights<std::int64_t> turned(n,
                                     [&](std::size_t i, std::size_t j) { return w((i + shift) % n, (j + shift) % n); });
  const Weights<std::int64_t> mirrored(n, [&](std::size_t i, std::size_t j) { return w(n - 1 - i, n - 1 - j); });
  RC_ASSERT(turned.solve().cost == w.solve().cost);
  RC_ASSERT(mirrored.solve().cost == w.solve().cost);
}

RC_GTEST_PROP(Triangulation, AddingToEveryChordAddsItOncePerChord, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 140);
  const auto w = random_weights<std::int32_t>(n, -1000, 1000, *rc::gen::arbitrary<std::uint64_t>());
  const auto more = *rc::gen::inRange(-500, 500);
  const Weights<std::int32_t> raised(n, [&](std::size_t i, std::size_t j) { return w(i, j) + more; });
  RC_ASSERT(raised.solve().cost == w.solve().cost + more * static_cast<int>(n - 3));
}

RC_GTEST_PROP(Triangulation, ScalingByAPowerOfTwoScalesTheCostExactly, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 140);
  const auto whole = random_weights<std::int32_t>(n, 1, 30000, *rc::gen::arbitrary<std::uint64_t>());
  const Weights<float> w(n, [&](std::size_t i, std::size_t j) { return static_cast<float>(whole(i, j)) / 37.0F; });
  const Weights<float> scaled(n, [&](std::size_t i, std::size_t j) { return std::ldexp(w(i, j), 20); });
  RC_ASSERT(scaled.solve().cost == std::ldexp(w.solve().cost, 20));
  RC_ASSERT(scaled.solve().triangles == w.solve().triangles);
}

ErrorKind failure(const Weights<float>& w, const Options& options) {
  try {
    (void)w.solve(options);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::internal;
}

TEST(Limits, AreAnsweredByEveryAlgorithmOfTheProcessor) {
  const Weights<float> w(700, [](std::size_t, std::size_t) { return 1.0F; });
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.device != "cpu" || info.name == "sparse") continue;  // "sparse" takes no matrix
    Options cancelled;
    cancelled.algorithm = info.name;
    std::stop_source source;
    cancelled.stop = source.get_token();
    source.request_stop();
    EXPECT_EQ(failure(w, cancelled), ErrorKind::cancelled) << info.name;
    Options late;
    late.algorithm = info.name;
    late.deadline = std::chrono::steady_clock::now();
    EXPECT_EQ(failure(w, late), ErrorKind::time_limit) << info.name;
    Options narrow;
    narrow.algorithm = info.name;
    narrow.max_memory = 1000;
    EXPECT_EQ(failure(w, narrow), ErrorKind::memory_limit) << info.name;
  }
}

TEST(Limits, CancellationInTheMiddleEndsEveryThread) {
  const Weights<float> w(1500, [](std::size_t, std::size_t) { return 1.0F; });
  std::stop_source source;
  Options options;
  options.stop = source.get_token();
  options.threads = 3;
  // Another thread requests the stop during the solve. Whichever comes first, nothing hangs and no partial result is
  // returned.
  const std::jthread canceller([&] { source.request_stop(); });
  try {
    EXPECT_EQ(w.solve(options).cost, 1497.0F);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(Limits, TiledHoldsAtMostThreeFifthsOfTheSquare) {
  for (const std::size_t n : {512, 1000, 1500}) {
    const Weights<float> w(n, [](std::size_t, std::size_t) { return 1.0F; });
    const Report report = solve(Triangulation<float>({w.values.data(), n, n, n})).report;
    EXPECT_EQ(report.algorithm, "tiled");
    EXPECT_GE(report.peak_bytes, n * n / 2 * sizeof(float));
    EXPECT_LE(static_cast<double>(report.peak_bytes), 0.6 * static_cast<double>(n * n * sizeof(float)));
  }
}

TEST(Threads, AreRefusedWhereNegative) {
  const Weights<float> w(700, [](std::size_t, std::size_t) { return 1.0F; });
  Options options;
  options.threads = -1;
  EXPECT_EQ(failure(w, options), ErrorKind::usage);
}

}  // namespace
}  // namespace warpfold::interval
