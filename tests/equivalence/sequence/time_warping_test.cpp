#include "warpfold/sequence/time_warping.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sequence/tuning.hpp"
#include "unit/sequence/series_oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::sequence {
namespace {

using test::drawn_series;
using test::warping_by;

/// Whether every algorithm gives the distance and the path of the complete table, or of the rows.
template <class T>
void expect_equal_warpings(const std::vector<T>& a, const std::vector<T>& b, WarpingRequest request, int threads = 1,
                           std::size_t dimensions = 1, const std::string& expected_by = "table") {
  const TimeSeries<T> series_a(a, dimensions), series_b(b, dimensions);
  request.script = true;
  const Warping<T> expected = dtw(series_a, series_b, warping_by(expected_by), request).solution;
  for (const auto& info : dtw_algorithms()) {
    if (info.name == expected_by || info.name == "table") continue;
    const std::string what = info.name + ' ' + std::to_string(a.size()) + ' ' + std::to_string(b.size());
    request.script = true;
    const Warping<T> found = dtw(series_a, series_b, warping_by(info.name, threads), request).solution;
    ASSERT_EQ(found.distance, expected.distance) << what;
    ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << what;
    request.script = false;
    ASSERT_EQ(dtw(series_a, series_b, warping_by(info.name, threads), request).solution.distance, expected.distance)
        << what;
  }
}

WarpingRequest drawn_warping(std::size_t longest, std::mt19937_64& random) {
  WarpingRequest request{.distance = random() % 2 ? PointDistance::absolute : PointDistance::squared};
  if (random() % 2) request.window = 1 + random() % (random() % 2 ? longest : 5);
  return request;
}

template <class T>
class TimeWarpingAlgorithms : public testing::Test {
 public:
  static void expect_equal_for(std::size_t n, std::size_t m, std::mt19937_64& random, int threads = 1) {
    const std::size_t dimensions = random() % 4 ? 1 : 1 + random() % 4;
    const int step = random() % 2 ? 1 : 20;
    const auto a = drawn_series<T>(n * dimensions, random, step);
    const auto b = random() % 3 || n != m ? drawn_series<T>(m * dimensions, random, step) : a;
    expect_equal_warpings(a, b, drawn_warping(n + m, random), threads, dimensions);
  }
};

using Types = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(TimeWarpingAlgorithms, Types);

TYPED_TEST(TimeWarpingAlgorithms, AgreeForAllShortLengths) {
  std::mt19937_64 random(1);
  for (std::size_t n = 1; n <= 70; ++n) {
    for (std::size_t m = 1; m <= 70; m += 1 + random() % 8) {
      ASSERT_NO_FATAL_FAILURE(this->expect_equal_for(n, m, random));
    }
  }
}

TYPED_TEST(TimeWarpingAlgorithms, AgreeAroundVectorsStripsAndChunks) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {127u, 128u, 129u, 255u, 256u, 257u, 511u, 513u, 1023u, 1025u}) {
    for (const std::size_t m : {1u, 63u, 255u, 256u, 257u, 700u}) {
      ASSERT_NO_FATAL_FAILURE(this->expect_equal_for(n, m, random));
    }
  }
}

TYPED_TEST(TimeWarpingAlgorithms, AgreeForEveryInstructionSet) {
  std::mt19937_64 random(3);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (int round = 0; round < 10; ++round) {
      ASSERT_NO_FATAL_FAILURE(this->expect_equal_for(1 + random() % 900, 1 + random() % 900, random)) << set;
    }
  }
  force_instruction_set("");
}

TYPED_TEST(TimeWarpingAlgorithms, AgreeOnSeveralThreads) {
  std::mt19937_64 random(4);
  const auto a = drawn_series<TypeParam>(3001, random, 1), b = drawn_series<TypeParam>(2900, random, 1);
  for (const int threads : {2, 3}) {
    for (const WarpingRequest& request : {WarpingRequest{}, WarpingRequest{.window = 1500}}) {
      ASSERT_NO_FATAL_FAILURE(expect_equal_warpings(a, b, request, threads, 1, "rows"));
    }
  }
}

TEST(TimeWarpingPaths, AreTheSameInLittleMemory) {
  std::mt19937_64 random(5);
  const auto a = drawn_series<double>(9000, random, 20), b = drawn_series<double>(8000, random, 20);
  const TimeSeries<double> series_a(a), series_b(b);
  for (const std::optional<std::uint64_t> window :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(300)}) {
    const WarpingRequest request{.script = true, .window = window};
    const auto expected = dtw(series_a, series_b, warping_by("strips", 2), request);
    for (const std::size_t bytes : {2'500'000u, 3'000'000u, 4'000'000u}) {
      Options options = warping_by("strips", 2);
      options.max_memory = bytes;
      const auto found = dtw(series_a, series_b, options, request);
      EXPECT_EQ(found.solution.script, expected.solution.script) << bytes;
      EXPECT_LE(found.report.peak_bytes, bytes);
    }
  }
}

TEST(TimeWarpingPaths, AreWholeInWideAndInNarrowSums) {
  std::mt19937_64 random(6);
  for (const int step : {1, 100'000, 20'000'000}) {
    const auto a = drawn_series<std::int32_t>(90, random, step), b = drawn_series<std::int32_t>(80, random, step);
    const WarpingRequest request{.script = true, .distance = PointDistance::squared};
    const TimeSeries<std::int32_t> series_a(a), series_b(b);
    const auto expected = dtw(series_a, series_b, warping_by("table"), request).solution;
    const auto found = dtw(series_a, series_b, {}, request).solution;
    EXPECT_EQ(found.distance, expected.distance);
    EXPECT_EQ(found.script, expected.script);
  }
}

}  // namespace
}  // namespace warpfold::sequence
