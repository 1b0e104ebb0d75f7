#include "warpfold/sequence/time_warping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "unit/sequence/series_oracle.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::sequence {
namespace {

using test::drawn_series;
using test::stretched;
using test::warping_by;
using Values = std::vector<double>;
using PathPairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Warping<double> warping(const Values& a, const Values& b, WarpingRequest request = {}, const Options& options = {}) {
  request.script = true;
  return dtw(TimeSeries<double>(a), TimeSeries<double>(b), options, request).solution;
}

/// The message of the error that `call` raises.
template <class Call>
std::string warping_error(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The least cost over all paths from (i,j) to the end.
double best_of_all_paths(const Values& a, const Values& b, std::size_t i, std::size_t j) {
  const double here = std::abs(a[i] - b[j]);
  const bool down = i + 1 < a.size(), right = j + 1 < b.size();
  if (!down && !right) return here;
  double best = std::numeric_limits<double>::infinity();
  if (down && right) best = std::min(best, best_of_all_paths(a, b, i + 1, j + 1));
  if (down) best = std::min(best, best_of_all_paths(a, b, i + 1, j));
  if (right) best = std::min(best, best_of_all_paths(a, b, i, j + 1));
  return here + best;
}

TEST(TimeWarping, IsTheBestOfAllPaths) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const auto a = drawn_series<double>(1 + random() % 6, random), b = drawn_series<double>(1 + random() % 6, random);
    for (const auto& info : dtw_algorithms()) {
      ASSERT_EQ(warping(a, b, {}, warping_by(info.name)).distance, best_of_all_paths(a, b, 0, 0)) << info.name;
    }
  }
}

TEST(TimeWarping, GivesThePathOfADocumentedPair) {
  const auto found = warping({0, 0, 1, 2, 1, 0}, {0, 1, 2, 1, 0, 0});
  EXPECT_EQ(found.distance, 0);
  EXPECT_EQ(warping_path(found.script), (PathPairs{{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {5, 5}}));
  EXPECT_EQ(found.script.cigar(), "1=1D4=1I");
}

TEST(TimeWarping, TakesAStepInBothSeriesFirst) {
  EXPECT_EQ(warping_path(warping({1, 1, 1}, {1, 1}).script), (PathPairs{{0, 0}, {1, 0}, {2, 1}}));
  EXPECT_EQ(warping_path(warping({1, 1}, {1, 1, 1}).script), (PathPairs{{0, 0}, {0, 1}, {1, 2}}));
}

TEST(TimeWarping, OfAStretchedSeriesIsZero) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    const auto a = drawn_series<double>(1 + random() % 200, random, 5);
    EXPECT_EQ(warping(a, stretched(a, random)).distance, 0);
    EXPECT_EQ(warping(stretched(a, random), a).distance, 0);
  }
}

TEST(TimeWarping, IsTheSameForBothOrdersOfTheSeries) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    const auto a = drawn_series<double>(1 + random() % 100, random, 5);
    const auto b = drawn_series<double>(1 + random() % 100, random, 5);
    const WarpingRequest request{.window = 1 + random() % 100};
    EXPECT_EQ(warping(a, b, request).distance, warping(b, a, request).distance);
  }
}

TEST(TimeWarping, AddsPointByPointInABandOfWidthOne) {
  EXPECT_EQ(warping({1, 2, 4}, {2, 4, 8}, {.window = 1}).distance, 1 + 2 + 4);
  EXPECT_EQ(warping({1, 2, 4}, {2, 4, 8}, {.distance = PointDistance::squared, .window = 1}).distance, 1 + 4 + 16);
  EXPECT_EQ(warping({1, 2, 4}, {2, 4, 8}, {.window = 2}).distance, 1 + 0 + 0 + 4);
}

TEST(TimeWarping, HasNoBandIfItIsAsWideAsTheLongerSeries) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 50; ++round) {
    const auto a = drawn_series<double>(1 + random() % 100, random, 5);
    const auto b = drawn_series<double>(1 + random() % 100, random, 5);
    const auto free = warping(a, b), banded = warping(a, b, {.window = std::max(a.size(), b.size())});
    EXPECT_EQ(free.distance, banded.distance);
    EXPECT_EQ(free.script, banded.script);
  }
}

TEST(TimeWarping, AddsTheDimensionsOfAPoint) {
  const Values a = {0, 0, 3, 4}, b = {0, 0, 0, 0, 6, 8};
  const auto cost = [&](PointDistance distance) {
    return *dtw(TimeSeries<double>(a, 2), TimeSeries<double>(b, 2), {}, {.distance = distance}).solution.distance;
  };
  EXPECT_EQ(cost(PointDistance::absolute), 7);
  EXPECT_EQ(cost(PointDistance::squared), 25);
}

TEST(TimeWarping, AnswersMoreThanTheBound) {
  const Values a = {0, 0, 0}, b = {1, 1, 1};
  for (const auto& info : dtw_algorithms()) {
    EXPECT_EQ(warping(a, b, {.max_distance = 2.5}, warping_by(info.name)).distance, std::nullopt) << info.name;
    EXPECT_TRUE(warping(a, b, {.max_distance = 2.5}, warping_by(info.name)).script.empty()) << info.name;
    EXPECT_EQ(warping(a, b, {.max_distance = 3}, warping_by(info.name)).distance, 3) << info.name;
  }
}

TEST(TimeWarping, RejectsWhatItCannotCompare) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto of = [](const Values& a, const Values& b, const WarpingRequest& request = {}) {
    return warping_error([&] { static_cast<void>(warping(a, b, request)); });
  };
  EXPECT_EQ(of({}, {1}), "the first series is empty: a path begins at a point of both");
  EXPECT_EQ(of({1}, {}), "the second series is empty: a path begins at a point of both");
  EXPECT_EQ(of({1, 2, inf}, {1}), "point 2 is inf: finite numbers are accepted");
  EXPECT_EQ(of({1, std::nan("")}, {1}), "point 1 is nan: finite numbers are accepted");
  EXPECT_EQ(of({1}, {1}, {.window = 0}), "no path fits into a band of width 0: 1 or more is accepted");
  EXPECT_EQ(of({1}, {1}, {.max_distance = -1}), "the largest distance is -1: 0 or more is accepted");
  EXPECT_EQ(of({1e300}, {-1e300}, {.distance = PointDistance::squared}),
            "the distance is more than 1.7976931348623157e+308: f32 and f64 hold no larger sums");
  const Values four = {1, 2, 3, 4};
  EXPECT_EQ(warping_error([&] { TimeSeries<double>(four, 3); }),
            "4 values: a multiple of the 3 dimensions of a point is accepted");
  EXPECT_EQ(warping_error([&] { TimeSeries<double>(four, 0); }), "points of 0 dimensions: 1 or more is accepted");
  EXPECT_EQ(warping_error([&] { static_cast<void>(dtw(TimeSeries<double>(four, 2), TimeSeries<double>(four))); }),
            "the points of the first series have 2 dimensions, those of the second 1: the same number is accepted");
}

TEST(TimeWarping, AddsWholeNumbersWithoutAnOverflow) {
  const std::vector<std::int32_t> low(3, std::numeric_limits<std::int32_t>::min());
  const std::vector<std::int32_t> high(3, std::numeric_limits<std::int32_t>::max());
  const auto cost = [&](const WarpingRequest& request) {
    return dtw(TimeSeries<std::int32_t>(low), TimeSeries<std::int32_t>(high), {}, request).solution.distance;
  };
  EXPECT_EQ(cost({}), 3 * 0xFFFFFFFFLL);
  EXPECT_EQ(warping_error([&] { static_cast<void>(cost({.distance = PointDistance::squared})); }),
            "the distances of 3 and 3 points can add up to 1.11e+20: less than 2^62 is accepted");
}

TEST(TimeWarpingVerifier, AcceptsThePathAndRejectsItsChanges) {
  std::mt19937_64 random(5);
  const auto a = drawn_series<double>(40, random, 5), b = drawn_series<double>(50, random, 5);
  const TimeSeries<double> series_a(a), series_b(b);
  const WarpingRequest request{.script = true, .window = 8};
  const auto right = warping(a, b, request);
  EXPECT_TRUE(verify(series_a, series_b, right, request, true).is_optimal);
  auto wrong = right;
  *wrong.distance += 1;
  EXPECT_TRUE(verify(series_a, series_b, wrong, request).violation);
  wrong = right;
  wrong.script.push(Edit::deletion);
  EXPECT_TRUE(verify(series_a, series_b, wrong, request).violation);
  wrong = right;
  wrong.script = {};
  EXPECT_TRUE(verify(series_a, series_b, wrong, request).violation);
  wrong.script.push(Edit::insertion, 50);
  wrong.script.push(Edit::deletion, 40);
  EXPECT_TRUE(verify(series_a, series_b, wrong, request).violation);
  wrong = warping(a, b, {.window = 60});
  EXPECT_EQ(wrong.distance == right.distance, !verify(series_a, series_b, wrong, request).violation);
}

}  // namespace
}  // namespace warpfold::sequence
