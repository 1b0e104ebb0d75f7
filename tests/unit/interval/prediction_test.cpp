#include "warpfold/interval/prediction.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold::interval {
namespace {

TEST(Prediction, StandsRanksInAGridAsSquareAsTheirNumberAllows) {
  for (int ranks = 1; ranks <= 1000; ++ranks) {
    const RankGrid grid(ranks);
    EXPECT_EQ(grid.rows * grid.columns, ranks);
    EXPECT_LE(grid.rows, grid.columns);
    for (int rows = grid.rows + 1; rows * rows <= ranks; ++rows) EXPECT_NE(ranks % rows, 0) << ranks;
  }
}

// The measured figures of docs/explanation/kernels/several_gpus.md and docs/guides/reach.md.
TEST(Prediction, IsWithinATenthOfWhatWasMeasured) {
  const auto expect_near = [](std::size_t points, const Workers& workers, double seconds) {
    const Prediction prediction = predict(points, workers);
    EXPECT_NEAR(prediction.seconds() / seconds, 1, 0.1) << points;
    EXPECT_FALSE(prediction.is_extrapolated) << points;
  };
  expect_near(294912, {1, 2, 0}, 150);
  expect_near(262144, {1, 2, 0}, 101);
  expect_near(131072, {1, 2, 0}, 12.7);
  expect_near(32768, {1, 2, 0}, 0.205);
  expect_near(32768, {1, 1, 0}, 0.401);
  expect_near(16384, {1, 1, 0}, 0.0535);
  expect_near(8192, {2, 0, 5e9}, 10);
}

TEST(Prediction, CountsTheTableOnceOnOneRankAndItsRowAndColumnOnMany) {
  const double table = 1e6 * 1e6 / 2 * 4;
  const Prediction one = predict(1000000, {1, 1, 0});
  EXPECT_DOUBLE_EQ(one.table_bytes, table);
  EXPECT_DOUBLE_EQ(one.bytes_of_a_rank, table);
  EXPECT_EQ(one.sent_bytes, 0);
  EXPECT_EQ(one.sending_seconds, 0);
  const Prediction many = predict(1000000, {64, 8, 1e11});
  EXPECT_DOUBLE_EQ(many.bytes_of_a_rank, table * 15 / 64);
  EXPECT_DOUBLE_EQ(many.bytes_of_a_gpu, table * 15 / 512);
  EXPECT_DOUBLE_EQ(many.sent_bytes, table * 14 / 64);
  EXPECT_DOUBLE_EQ(many.sending_seconds, table * 14 / 64 / 1e11);
  EXPECT_DOUBLE_EQ(many.computing_seconds, one.computing_seconds / 512);
  EXPECT_TRUE(many.is_extrapolated);
}

TEST(Prediction, RefusesWhatCannotBe) {
  const auto refuse = [](std::size_t points, const Workers& workers, const char* message) {
    try {
      static_cast<void>(predict(points, workers));
      FAIL() << "nothing was raised";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_STREQ(error.what(), message);
    }
  };
  refuse(2, {1, 1, 0}, "2 points: 3 to 4194240 are accepted");
  refuse(4194241, {1, 1, 0}, "4194241 points: 3 to 4194240 are accepted");
  refuse(10, {1, 1, -1}, "a link of -1 bytes a second between ranks: a finite number above 0 is accepted");
  refuse(10, {0, 1, 0}, "0 ranks: 1 or more are accepted");
  refuse(10, {1, -1, 0}, "-1 GPUs: 0 or more are accepted");
  refuse(10, {2, 1, 0}, "a link of 0 bytes a second between ranks: a finite number above 0 is accepted");
}

}  // namespace
}  // namespace warpfold::interval
