#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "needs_gpu.hpp"
#include "options.hpp"
#include "sequence/gpu/series.hpp"
#include "unit/sequence/series_oracle.hpp"
#include "warpfold/core/error.hpp"

/// Time warping on a GPU against the strips of the CPU: equal bits.
namespace warpfold::sequence {
namespace {

using test::drawn_series;
using Series = std::vector<float>;

class OnGpuWarping : public warpfold::test::NeedsGpu {};

template <class T>
void expect_solution_of_the_cpu(const std::vector<T>& a, const std::vector<T>& b, WarpingRequest request = {},
                                std::size_t dimensions = 1) {
  const TimeSeries<T> first(std::span<const T>(a), dimensions), second(std::span<const T>(b), dimensions);
  for (const PointDistance distance : {PointDistance::absolute, PointDistance::squared}) {
    request.distance = distance;
    const auto found = dtw(first, second, warpfold::test::by("strips", Device::Kind::cuda), request);
    const auto expected = dtw(first, second, warpfold::test::by("strips", Device::Kind::cpu), request);
    const std::string what = std::to_string(first.size()) + " x " + std::to_string(second.size()) + ", " +
                             std::to_string(dimensions) + " dimensions, window " +
                             std::to_string(request.window.value_or(0));
    ASSERT_EQ(found.solution.distance, expected.solution.distance) << what;
    ASSERT_EQ(found.solution.script.runs(), expected.solution.script.runs()) << what;
    ASSERT_EQ(found.report.device, "cuda:0");
  }
}

void expect_distance_of_the_cpu(const Series& a, const Series& b) { expect_solution_of_the_cpu(a, b); }

/// All types, with steps so small that many paths are equal.
void expect_all_types(std::size_t n, std::size_t m, const WarpingRequest& request, std::size_t dimensions,
                      std::mt19937_64& random) {
  const auto expect = [&]<class T>(T) {
    expect_solution_of_the_cpu(drawn_series<T>(n * dimensions, random), drawn_series<T>(m * dimensions, random),
                               request, dimensions);
  };
  expect(float());
  expect(double());
  expect(std::int32_t());
}

TEST_F(OnGpuWarping, DistancesOfShortSeriesAreThoseOfTheCpu) {
  std::mt19937_64 random(1);
  for (std::size_t n = 1; n <= 70; ++n) {
    for (const std::size_t m : {std::size_t{1}, n, std::size_t{31}, std::size_t{32}, std::size_t{33}, 2 * n}) {
      expect_distance_of_the_cpu(drawn_series<float>(n, random, 20), drawn_series<float>(m, random, 20));
    }
  }
}

TEST_F(OnGpuWarping, LengthsAroundStripsAndChunksAreThoseOfTheCpu) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {255, 256, 257, 511, 512, 513, 1023, 1025, 10'007}) {
    for (const std::size_t m : {1, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049}) {
      expect_distance_of_the_cpu(drawn_series<float>(n, random, 20), drawn_series<float>(m, random, 20));
    }
  }
}

TEST_F(OnGpuWarping, MoreStripsThanWarpsAreThoseOfTheCpu) {
  std::mt19937_64 random(3);
  expect_distance_of_the_cpu(drawn_series<float>(2'500'000, random, 20), drawn_series<float>(500, random, 20));
  expect_distance_of_the_cpu(drawn_series<float>(500, random, 20), drawn_series<float>(2'500'000, random, 20));
  expect_distance_of_the_cpu(drawn_series<float>(150'000, random, 20), drawn_series<float>(150'000, random, 1));
}

void expect_every_shape(const Series& a, const Series& b, std::optional<std::uint64_t> window) {
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  for (const PointDistance distance : {PointDistance::absolute, PointDistance::squared}) {
    const WarpingRequest request{.distance = distance, .window = window};
    const warp::Query<float> query{
        first, second, request, {warp::band_of(a.size(), b.size(), window), 1, sizeof(float), false, false}};
    const Options options = warpfold::test::by("strips", Device::Kind::cuda);
    Report report;
    const auto expected =
        dtw(first, second, warpfold::test::by("strips", Device::Kind::cpu), request).solution.distance;
    for (const cuda::SeriesShape& shape : cuda::flat_series_shapes) {
      Context context(options, report);
      EXPECT_EQ(cuda::warping_by_strips(query, context, shape).distance, expected)
          << shape.rows << ' ' << shape.columns << ' ' << shape.warps;
    }
  }
}

TEST_F(OnGpuWarping, EveryShapeOfAStepGivesTheSame) {
  std::mt19937_64 random(4);
  const Series a = drawn_series<float>(30'000, random, 20), b = drawn_series<float>(20'000, random, 20);
  expect_every_shape(a, b, {});
  expect_every_shape(a, b, 700);
}

TEST_F(OnGpuWarping, AllTypesAreThoseOfTheCpu) {
  std::mt19937_64 random(11);
  for (const std::size_t n : {1, 2, 33, 255, 257, 1030, 5000}) {
    for (const std::size_t m : {1, 31, 64, 100, 2049}) expect_all_types(n, m, {}, 1, random);
  }
}

TEST_F(OnGpuWarping, PointsOfSeveralDimensionsAreThoseOfTheCpu) {
  std::mt19937_64 random(12);
  for (const std::size_t dimensions : {2, 3, 5}) {
    for (const std::size_t n : {1, 40, 257, 2000}) {
      for (const std::size_t m : {1, 33, 700}) {
        expect_all_types(n, m, {}, dimensions, random);
        expect_all_types(n, m, {.script = true, .window = 100}, dimensions, random);
      }
    }
  }
}

TEST_F(OnGpuWarping, BandsOfAllWidthsAreThoseOfTheCpu) {
  std::mt19937_64 random(13);
  for (const std::uint64_t window : {1, 2, 5, 31, 32, 33, 100, 500, 1000, 3000}) {
    for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>(1, 1),
                               {40, 40},
                               {300, 20},
                               {20, 300},
                               {2500, 2500},
                               {2500, 2100},
                               {1500, 4000}}) {
      expect_all_types(n, m, {.window = window}, 1, random);
    }
  }
}

TEST_F(OnGpuWarping, PathsAreThoseOfTheCpu) {
  std::mt19937_64 random(14);
  for (const std::size_t n : {1, 2, 16, 17, 127, 128, 129, 513, 3000}) {
    for (const std::size_t m : {1, 2, 32, 127, 128, 130, 1025, 2500}) {
      expect_all_types(n, m, {.script = true}, 1, random);
      expect_all_types(n, m, {.script = true, .window = 60}, 1, random);
    }
  }
}

TEST_F(OnGpuWarping, LongPathsAreThoseOfTheCpu) {
  std::mt19937_64 random(15);
  const WarpingRequest request{.script = true};
  const Series a = drawn_series<float>(70'000, random);
  expect_solution_of_the_cpu(a, drawn_series<float>(60'000, random), request);
  expect_solution_of_the_cpu(a, test::stretched(a, random), request);
  expect_solution_of_the_cpu(a, test::stretched(a, random), {.script = true, .window = 3000});
  expect_solution_of_the_cpu(Series(50'000, 1.0F), Series(40, 1.0F), request);
  expect_solution_of_the_cpu(Series(40, 1.0F), Series(50'000, 1.0F), request);
  expect_solution_of_the_cpu(Series(30'000, 1.0F), Series(40'000, 1.0F), request);
}

TEST_F(OnGpuWarping, EqualSeriesAndConstantsAreRight) {
  std::mt19937_64 random(5);
  const Series a = drawn_series<float>(5000, random, 20);
  expect_distance_of_the_cpu(a, a);
  expect_distance_of_the_cpu(Series(3000, 1.5F), Series(4000, -0.25F));
}

TEST_F(OnGpuWarping, ABoundIsAnsweredByMore) {
  const Series a(100, 1.0F), b(100, 2.0F);
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  EXPECT_TRUE(
      dtw(first, second, warpfold::test::by("strips", Device::Kind::cuda), {.max_distance = 100}).solution.distance);
  EXPECT_FALSE(
      dtw(first, second, warpfold::test::by("strips", Device::Kind::cuda), {.max_distance = 99}).solution.distance);
}

TEST_F(OnGpuWarping, ADistanceBeyondTheTypeIsAnError) {
  const Series a(100, std::numeric_limits<float>::max()), b(100, 0.0F);
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  EXPECT_THROW((void)dtw(first, second, warpfold::test::by("strips", Device::Kind::cuda)), Error);
}

TEST_F(OnGpuWarping, SumsThatNoLaneHoldsAreLeftToTheCpu) {
  const std::vector<std::int32_t> a(3, 2'000'000'000), b(3, -2'000'000'000);
  const TimeSeries<std::int32_t> first{std::span<const std::int32_t>(a)}, second{std::span<const std::int32_t>(b)};
  const WarpingRequest request{.distance = PointDistance::squared};
  EXPECT_THROW((void)dtw(first, second, warpfold::test::by("strips", Device::Kind::cuda), request), Error);
}

/// A few hundred points, a few strips and tiles, for compute-sanitizer (tests/device/sanitize).
TEST_F(OnGpuWarping, EveryKernelOfSmallSeriesIsRight) {
  std::mt19937_64 random(7);
  expect_every_shape(drawn_series<float>(1100, random), drawn_series<float>(150, random), {});
  expect_every_shape(drawn_series<float>(600, random), drawn_series<float>(600, random), 70);
  for (const std::size_t dimensions : {1, 2}) {
    expect_all_types(600, 150, {}, dimensions, random);
    expect_all_types(600, 150, {.script = true}, dimensions, random);
  }
  expect_all_types(400, 400, {.script = true, .window = 50}, 1, random);
}

TEST_F(OnGpuWarping, ADeadlineEndsALongSolve) {
  std::mt19937_64 random(6);
  const Series a = drawn_series<float>(3'000'000, random, 20);
  const TimeSeries<float> series{std::span<const float>(a)};
  Options options = warpfold::test::by("strips", Device::Kind::cuda);
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  EXPECT_THROW((void)dtw(series, series, options), Error);
}

}  // namespace
}  // namespace warpfold::sequence
