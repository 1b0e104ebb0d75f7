#include "warpfold/formats/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

using testing::HasSubstr;

template <class T>
std::string refusal(const WeightMatrix& matrix) {
  try {
    static_cast<void>(matrix.values<T>());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Weights, AreWholeWhereEveryChordIs) {
  // Only (0,2) and (1,3) are chords of a square.
  const auto matrix = parse_weights("w.csv", "nan,0.5,7,1e300\n0,0,0.5,inf\n0,0,0,0.5\n0,0,0,0\n");
  EXPECT_EQ(matrix.n(), 4u);
  EXPECT_TRUE(matrix.is_integral());
  EXPECT_EQ(matrix.values<std::int32_t>()[2], 7);
  EXPECT_EQ(matrix.values<std::int32_t>()[7], infinity<std::int32_t>);
  EXPECT_EQ(matrix.values<double>()[7], infinity<double>);
}

TEST(Weights, AreExactBeyondTheIntegersOfDoubles) {
  const auto matrix = parse_weights("w.csv", "0 0 9007199254740993 0\n0 0 0 -9007199254740993\n0 0 0 0\n0 0 0 0");
  EXPECT_EQ(matrix.values<std::int64_t>()[2], 9007199254740993);
  EXPECT_EQ(matrix.values<std::int64_t>()[7], -9007199254740993);
  EXPECT_THAT(refusal<std::int32_t>(matrix), HasSubstr("chord (0, 2) weighs 9007199254740993: i32 does not hold it"));
}

TEST(Weights, WithAFractionAreReal) {
  const auto matrix = parse_weights("w.csv", "0 0 1.5 0\n0 0 0 1e300\n0 0 0 0\n0 0 0 0");
  EXPECT_FALSE(matrix.is_integral());
  EXPECT_EQ(matrix.values<double>()[2], 1.5);
  EXPECT_THAT(refusal<std::int64_t>(matrix), HasSubstr("chord (0, 2) weighs 1.5: i64 does not hold it"));
  EXPECT_THAT(refusal<float>(matrix), HasSubstr("chord (1, 3) weighs 1e+300: f32 does not hold it"));
}

TEST(Weights, NoFiniteNumberForbidsAChord) {
  const auto matrix = parse_weights("w.csv", "0 0 4611686018427387904 0\n0 0 0 1073741823\n0 0 0 0\n0 0 0 0");
  EXPECT_THAT(
      refusal<std::int64_t>(matrix),
      HasSubstr("w.csv: chord (0, 2) weighs 4611686018427387904: i64 does not hold it, f64 does, perhaps rounded"));
  const auto smaller = parse_weights("w.csv", "0 0 1 0\n0 0 0 1073741823\n0 0 0 0\n0 0 0 0");
  EXPECT_THAT(refusal<std::int32_t>(smaller), HasSubstr("chord (1, 3) weighs 1073741823: i32 does not hold it, i64"));
  EXPECT_EQ(smaller.values<std::int64_t>()[7], 1073741823);
}

TEST(Weights, KnowTheLargestEvenBeyondEveryWholeType) {
  const auto matrix = parse_weights("w.csv", "0 0 -100000000000000000000 1e30\n0 0 0 inf\n0 0 0 0\n0 0 0 0");
  EXPECT_TRUE(matrix.is_integral());
  EXPECT_EQ(matrix.largest(), 1e20);
}

std::string refused_text(const char* text) {
  try {
    static_cast<void>(parse_weights("w.csv", text));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Weights, RefuseWhatIsNotSquare) {
  EXPECT_EQ(refused_text("1,2,3"), "w.csv: 1 row of 3 entries: a square matrix is accepted");
  EXPECT_EQ(refused_text("1,2\n3,four"), "w.csv:2: 'four' is no number: 12, -1.5 or 1e3 is accepted");
  EXPECT_EQ(refused_text("1,2,3,4,5,6,7,8\n1,2,3,4,5,6,7,8"),
            "w.csv: 2 rows of 8 entries: a square matrix is accepted");
  EXPECT_EQ(refused_text("0,0,1,0\n# a comment\n0,0,0,\n0,0,0,0\n0,0,0,0"),
            "w.csv:3: entry (1, 3) is empty: a number is accepted");
  EXPECT_EQ(refused_text("0,1,2\n0,1\n2,0,1,2"), "w.csv:2: row 1 has 2 entries, the first one 3: as many are accepted");
  EXPECT_EQ(refused_text("5,1\n0,1\n0,1"), "w.csv: 3 rows of 2 entries: a square matrix is accepted");
}

TEST(Weights, RefuseWhatIsNoWeight) {
  EXPECT_EQ(refused_text("0 0 nan 0\n0 0 0 1\n0 0 0 0\n0 0 0 0"),
            "w.csv: chord (0, 2) weighs nan: a number, or inf to forbid it, is accepted");
  EXPECT_EQ(refused_text("0 0 1 0\n0 0 0 -inf\n0 0 0 0\n0 0 0 0"),
            "w.csv: chord (1, 3) weighs -inf: a number, or inf to forbid it, is accepted");
}

}  // namespace
}  // namespace warpfold::formats
