#include "warpfold/io/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::io {
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
  EXPECT_EQ(matrix.n, 4u);
  EXPECT_TRUE(matrix.whole);
  EXPECT_EQ(matrix.values<std::int32_t>()[2], 7);
  EXPECT_EQ(matrix.values<std::int32_t>()[7], infinity<std::int32_t>);
  EXPECT_EQ(matrix.values<double>()[7], infinity<double>);
}

TEST(Weights, AreExactBeyondTheWholeNumbersOfDoubles) {
  const auto matrix = parse_weights("w.csv", "0 0 9007199254740993 0  0 0 0 -9007199254740993  0 0 0 0  0 0 0 0");
  EXPECT_EQ(matrix.values<std::int64_t>()[2], 9007199254740993);
  EXPECT_EQ(matrix.values<std::int64_t>()[7], -9007199254740993);
  EXPECT_THAT(refusal<std::int32_t>(matrix), HasSubstr("chord (0, 2) weighs 9007199254740993: i32 does not hold it"));
}

TEST(Weights, WithAFractionAreReal) {
  const auto matrix = parse_weights("w.csv", "0 0 1.5 0  0 0 0 1e300  0 0 0 0  0 0 0 0");
  EXPECT_FALSE(matrix.whole);
  EXPECT_EQ(matrix.values<double>()[2], 1.5);
  EXPECT_THAT(refusal<std::int64_t>(matrix), HasSubstr("chord (0, 2) weighs 1.5: i64 does not hold it"));
  EXPECT_THAT(refusal<float>(matrix), HasSubstr("chord (1, 3) weighs 1e+300: f32 does not hold it"));
}

TEST(Weights, RefuseWhatIsNotSquare) {
  EXPECT_THROW(static_cast<void>(parse_weights("w.csv", "1,2,3")), Error);
  EXPECT_THROW(static_cast<void>(parse_weights("w.csv", "1,2,3,four")), Error);
}

}  // namespace
}  // namespace warpfold::io
