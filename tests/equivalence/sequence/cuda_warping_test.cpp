#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sequence/gpu/series.hpp"
#include "unit/sequence/series_oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

/// Time warping on a GPU against the strips of the CPU: equal bits.
namespace warpfold::sequence {
namespace {

using test::drawn_series;
using Series = std::vector<float>;

class OnGpuWarping : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

Options warping_on(Device::Kind device) {
  Options options;
  options.algorithm = "strips";
  options.device.kind = device;
  return options;
}

void expect_distance_of_the_cpu(const Series& a, const Series& b) {
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  for (const PointDistance distance : {PointDistance::absolute, PointDistance::squared}) {
    const WarpingRequest request{.distance = distance};
    const auto found = dtw(first, second, warping_on(Device::Kind::cuda), request);
    ASSERT_EQ(found.solution.distance, dtw(first, second, warping_on(Device::Kind::cpu), request).solution.distance)
        << a.size() << ' ' << b.size();
    ASSERT_EQ(found.report.device, "cuda:0");
  }
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

TEST_F(OnGpuWarping, BothNumbersOfRowsGiveTheSame) {
  std::mt19937_64 random(4);
  const Series a = drawn_series<float>(30'000, random, 20), b = drawn_series<float>(20'000, random, 20);
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  const WarpingRequest request;
  const warp::Query<float> query{first, second, request, {warp::band_of(a.size(), b.size(), {}), 1, 4, false, false}};
  Options options = warping_on(Device::Kind::cuda);
  Report report;
  const auto expected = dtw(first, second, warping_on(Device::Kind::cpu), request).solution.distance;
  for (const unsigned rows : cuda::rows_of_series_kernels) {
    Context context(options, report);
    EXPECT_EQ(cuda::warping_by_strips(query, context, rows).distance, expected) << rows;
  }
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
  EXPECT_TRUE(dtw(first, second, warping_on(Device::Kind::cuda), {.max_distance = 100}).solution.distance);
  EXPECT_FALSE(dtw(first, second, warping_on(Device::Kind::cuda), {.max_distance = 99}).solution.distance);
}

TEST_F(OnGpuWarping, ADistanceBeyondTheTypeIsAnError) {
  const Series a(100, std::numeric_limits<float>::max()), b(100, 0.0F);
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  EXPECT_THROW((void)dtw(first, second, warping_on(Device::Kind::cuda)), Error);
}

TEST_F(OnGpuWarping, PathsBandsAndPointsOfSeveralDimensionsAreLeftToTheCpu) {
  const Series a(100, 1.0F), b(100, 2.0F);
  const TimeSeries<float> first{std::span<const float>(a)}, second{std::span<const float>(b)};
  EXPECT_THROW((void)dtw(first, second, warping_on(Device::Kind::cuda), {.script = true}), Error);
  EXPECT_THROW((void)dtw(first, second, warping_on(Device::Kind::cuda), {.window = 5}), Error);
  const TimeSeries<float> planar(std::span<const float>(a), 2);
  EXPECT_THROW((void)dtw(planar, planar, warping_on(Device::Kind::cuda)), Error);
  EXPECT_EQ(dtw(first, second, warping_on(Device::Kind::automatic), {.script = true}).report.device, "cpu");
}

TEST_F(OnGpuWarping, ADeadlineEndsALongSolve) {
  std::mt19937_64 random(6);
  const Series a = drawn_series<float>(3'000'000, random, 20);
  const TimeSeries<float> series{std::span<const float>(a)};
  Options options = warping_on(Device::Kind::cuda);
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  EXPECT_THROW((void)dtw(series, series, options), Error);
}

}  // namespace
}  // namespace warpfold::sequence
