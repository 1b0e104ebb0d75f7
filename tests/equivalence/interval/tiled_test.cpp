#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/exact_type.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/tiles/tile_operations.hpp"

namespace warpfold::interval {
namespace {

constexpr std::size_t tile = tiles::tile_side;

enum class Kind { random, few_values, negative, mostly_forbidden, extreme };

/// Every integer from infinity<T> on forbids a chord.
template <class T>
T forbidden(std::uint64_t random) {
  if constexpr (std::is_integral_v<T>) {
    if (random % 3 == 0) return std::numeric_limits<T>::max();
    if (random % 3 == 1) return infinity<T> + 1;
  }
  return infinity<T>;
}

template <class T>
std::vector<T> weights(std::size_t n, Kind kind) {
  std::mt19937_64 generator(n);
  std::vector<T> w(n * n);
  const T most = static_cast<T>(largest_accepted_total<T> / static_cast<T>(n));
  for (T& x : w) {
    const auto random = static_cast<std::int32_t>(generator() % 30011);
    if (kind == Kind::random) x = static_cast<T>(random) / (std::is_integral_v<T> ? T{1} : static_cast<T>(1.37));
    if (kind == Kind::few_values) x = static_cast<T>(random % 3);
    if (kind == Kind::negative) x = static_cast<T>(random - 15000) / (std::is_integral_v<T> ? T{1} : static_cast<T>(7));
    if (kind == Kind::mostly_forbidden)
      x = random % 100 < 60 ? forbidden<T>(generator()) : static_cast<T>(random % 1000 - 500);
    if (kind == Kind::extreme)
      x = random % 3 == 0 ? forbidden<T>(generator()) : random % 3 == 1 ? most : static_cast<T>(-most);
  }
  if (kind != Kind::mostly_forbidden && kind != Kind::extreme) return w;
  for (std::size_t j = 2; j < n; ++j) w[j] = static_cast<T>(1);  // a fan from vertex 0 remains possible
  return w;
}

template <class T>
void expect_equivalent(std::size_t n, Kind kind) {
  const std::vector<T> w = weights<T>(n, kind);
  const Triangulation<T> problem({w.data(), n, n, n});
  Options options;
  options.algorithm = "reference";
  const Solution<T> expected = solve(problem, options).solution;
  options.algorithm = "tiled";
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 2, 5}) {
      options.threads = threads;
      const Solution<T> solution = solve(problem, options).solution;
      EXPECT_EQ(solution.cost, expected.cost) << set << ", n = " << n << ", " << threads << " threads";
      EXPECT_EQ(solution.triangles, expected.triangles) << set << ", n = " << n << ", " << threads << " threads";
      EXPECT_EQ(solution.chords, expected.chords);
    }
  }
  force_instruction_set("");
}

template <class T>
class Tiled : public testing::Test {};
using TiledTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Tiled, TiledTypes);

TYPED_TEST(Tiled, IsEquivalentToReferenceAtEveryTileBoundary) {
  for (const std::size_t n : {std::size_t{3}, std::size_t{4}, std::size_t{5}, std::size_t{17}, tile - 1, tile, tile + 1,
                              std::size_t{112}, std::size_t{113}, 2 * tile, 2 * tile + 1, 2 * tile + 3, 4 * tile + 1}) {
    expect_equivalent<TypeParam>(n, Kind::random);
  }
}

TEST(TiledSchedule, ReportsEveryOperationUpToTheTotal) {
  for (const std::size_t n : {tile, 5 * tile + 1, 27 * tile + 7}) {
    const std::vector<float> w(n * n, 1.0F);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      Progress last;
      options.progress = [&](const Progress& progress) {
        EXPECT_GE(progress.done, last.done);
        last = progress;
      };
      EXPECT_EQ(solve(Triangulation<float>({w.data(), n, n, n}), options).solution.cost, static_cast<float>(n - 3));
      EXPECT_EQ(last.done, last.total);
      EXPECT_GT(last.total, 0);
    }
  }
}

TYPED_TEST(Tiled, IsEquivalentToReferenceWithTies) { expect_equivalent<TypeParam>(2 * tile + 3, Kind::few_values); }

TYPED_TEST(Tiled, IsEquivalentToReferenceWithNegativeWeights) {
  expect_equivalent<TypeParam>(2 * tile + 3, Kind::negative);
}

TYPED_TEST(Tiled, IsEquivalentToReferenceWithForbiddenChords) {
  expect_equivalent<TypeParam>(2 * tile + 3, Kind::mostly_forbidden);
}

TYPED_TEST(Tiled, IsEquivalentToReferenceWithTheLargestWeights) {
  expect_equivalent<TypeParam>(2 * tile + 3, Kind::extreme);
}

}  // namespace
}  // namespace warpfold::interval
