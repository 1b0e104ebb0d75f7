#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>

#include "equivalence/sequence/saved_by_memory.hpp"
#include "temporary_folder.hpp"
#include "unit/sequence/series_oracle.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

/// Time warping with a checkpoint: the same bits as without, from any saved row on.
namespace warpfold::sequence {
namespace {

using test::drawn_series;
using Random = std::mt19937_64;

template <class T>
std::string warping_text(const TimeSeries<T>& a, const TimeSeries<T>& b, Options options,
                         const WarpingRequest& request) {
  options.algorithm = "strips";
  const Warping<T> found = dtw(a, b, options, request).solution;
  return fmt::format("{} {}", found.distance.value_or(-1), found.script.cigar());
}

template <class T>
class WarpingCheckpoint : public testing::Test {};
using Types = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(WarpingCheckpoint, Types);

TYPED_TEST(WarpingCheckpoint, GoesOnFromAnyRowWithAndWithoutABand) {
  Random random(1);
  for (const auto& [n, m, count] : {std::tuple(1, 1, 1), {129, 100, 1}, {500, 1, 3}, {1500, 1600, 10}}) {
    for (const std::size_t dimensions : {1, 3}) {
      const auto a = drawn_series<TypeParam>(static_cast<std::size_t>(n) * dimensions, random, 20);
      const auto b = drawn_series<TypeParam>(static_cast<std::size_t>(m) * dimensions, random, 20);
      const TimeSeries<TypeParam> series_a(a, dimensions), series_b(b, dimensions);
      for (const std::optional<std::uint64_t> window : {std::optional<std::uint64_t>(), {1}, {40}}) {
        for (const bool script : {false, true}) {
          SCOPED_TRACE(testing::Message() << n << " and " << m << " points, window " << window.value_or(0));
          const WarpingRequest request{.script = script, .distance = PointDistance::squared, .window = window};
          test::expect_the_same_from_any_row_on(
              [&](const Options& options) { return warping_text(series_a, series_b, options, request); },
              static_cast<std::size_t>(count));
        }
      }
    }
  }
}

TEST(WarpingCheckpoints, GoOnWithAnyInstructionSet) {
  Random random(2);
  const auto a = drawn_series<float>(700, random, 20), b = drawn_series<float>(900, random, 20);
  const TimeSeries<float> series_a(a), series_b(b);
  for (const std::optional<std::uint64_t> window : {std::optional<std::uint64_t>(), {50}}) {
    const WarpingRequest request{.script = true, .window = window};
    test::expect_the_same_by_any_instruction_set(
        [&](const Options& options) { return warping_text(series_a, series_b, options, request); }, 6, 4);
  }
}

/// The grid of a path is coarse, and tiles begin above the restored row.
TEST(WarpingCheckpoints, GoOnInLittleMemory) {
  Random random(3);
  const auto a = drawn_series<float>(12'000, random, 20), b = drawn_series<float>(11'000, random, 20);
  const TimeSeries<float> series_a(a), series_b(b);
  const WarpingRequest request{.script = true};
  const std::string expected = warping_text(series_a, series_b, {}, request);
  test::SavedByMemory complete;
  Options options;
  options.threads = 2;
  options.checkpointer = &complete;
  ASSERT_EQ(warping_text(series_a, series_b, options, request), expected);
  ASSERT_EQ(complete.count(), 21);
  options.max_memory = 21 * 4 * b.size() + 1'000'000;
  for (const std::size_t rows : {1, 12, 20}) {
    test::SavedByMemory resumed(complete.first_rows(rows));
    options.checkpointer = &resumed;
    EXPECT_EQ(warping_text(series_a, series_b, options, request), expected) << rows << " rows";
  }
}

TEST(WarpingCheckpoints, GoOnToADistanceThatIsMoreThanTheBound) {
  Random random(4);
  const auto a = drawn_series<double>(600, random, 20), b = drawn_series<double>(600, random, 20);
  const TimeSeries<double> series_a(a), series_b(b);
  test::SavedByMemory rows;
  Options options;
  options.checkpointer = &rows;
  options.algorithm = "strips";
  const double distance = *dtw(series_a, series_b, options).solution.distance;
  for (const double bound : {0.0, distance / 2, distance}) {
    test::SavedByMemory resumed(rows.first_rows(2));
    options.checkpointer = &resumed;
    const auto found = dtw(series_a, series_b, options, {.max_distance = bound}).solution;
    EXPECT_EQ(found.distance, bound < distance ? std::optional<double>() : distance);
  }
}

TEST(WarpingCheckpoints, TakeTheMemoryThatIsEstimated) {
  Random random(5);
  const auto a = drawn_series<std::int32_t>(6000, random, 20), b = drawn_series<std::int32_t>(9000, random, 20);
  const TimeSeries<std::int32_t> series_a(a), series_b(b);
  for (const bool script : {false, true}) {
    test::SavedByMemory saved;
    Options options;
    options.checkpointer = &saved;
    options.threads = 2;
    options.max_memory = estimate_dtw(series_a, series_b, options, {.script = script}).bytes;
    const auto outcome = dtw(series_a, series_b, options, {.script = script});
    EXPECT_EQ(outcome.report.algorithm, "strips");
    EXPECT_LE(outcome.report.peak_bytes, options.max_memory);
    EXPECT_GT(outcome.report.peak_bytes, 21 * 9000 * 4);
  }
}

TEST(WarpingCheckpoints, OfOtherSeriesOrOptionsAreRejected) {
  Random random(6);
  const auto a = drawn_series<float>(600, random, 20), b = drawn_series<float>(500, random, 20);
  const warpfold::test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  Options options;
  Checkpoint first(kept, std::chrono::seconds(0));
  test::Stopped stopped(first, 2);
  options.checkpointer = &stopped;
  EXPECT_THROW(static_cast<void>(dtw(TimeSeries<float>(a), TimeSeries<float>(b), options)), Error);
  const auto refusal = [&](const std::vector<float>& x, const std::vector<float>& y, std::size_t dimensions,
                           const WarpingRequest& request) {
    return test::refusal_of(kept, options, [&](const Options& each) {
      return dtw(TimeSeries<float>(x, dimensions), TimeSeries<float>(y, dimensions), each, request);
    });
  };
  auto other = b;
  other[400] += 0.5F;
  const auto another = testing::HasSubstr("the checkpoint is of another problem");
  EXPECT_THAT(refusal(a, other, 1, {}), another);
  EXPECT_THAT(refusal(b, a, 1, {}), another);
  EXPECT_THAT(refusal(a, b, 2, {}), another);
  EXPECT_THAT(refusal(a, b, 1, {.window = 30}), another);
  EXPECT_THAT(refusal(a, b, 1, {.distance = PointDistance::squared}), another);
  EXPECT_EQ(refusal(a, b, 1, {.script = true, .window = 2000}), "none");
}

}  // namespace
}  // namespace warpfold::sequence
