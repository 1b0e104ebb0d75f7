#include "warpfold/formats/matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/weights.hpp"

namespace warpfold::formats {
namespace {

using testing::HasSubstr;
using Reals = std::vector<double>;

Reals entries_of(const std::string& text, const char* path = "m.csv") {
  return parse_matrix(path, text).values<double>();
}

std::string matrix_error(const std::string& text, const char* path = "m.csv") {
  try {
    static_cast<void>(parse_matrix(path, text));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(Matrices, OfTextHaveALineForEachRow) {
  const io::NpyArray array = parse_matrix("m.csv", "1, 2;3 # first\n\n4\t5 6,\n");
  EXPECT_EQ(array.dtype, "i64");
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(array.values<double>(), (Reals{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse_matrix("m.csv", "1 2.5").dtype, "f64");
  EXPECT_THAT(matrix_error("1 2\n3"), HasSubstr("m.csv:2: row 1 has 1 entry, the first one 2"));
  EXPECT_THAT(matrix_error("1,2\n3,x"), HasSubstr("m.csv:2: 'x' is no number"));
  EXPECT_THAT(matrix_error("1,,2\n3,4,5"), HasSubstr("m.csv:1: entry (0, 1) is empty"));
}

TEST(Matrices, OfTextHoldNoLengthForInfinity) {
  const io::NpyArray array = parse_matrix("m.csv", "inf -inf 4611686018427387902");
  EXPECT_EQ(array.dtype, "i64");
  EXPECT_EQ(array.weights<double>(), (Reals{infinity<double>, -infinity<double>, 4611686018427387902.0}));
  const std::vector<std::string> all = {"4611686018427387903", "9223372036854775808", "1" + std::string(50, '0')};
  for (const std::string& large : all) {
    const io::NpyArray wide = parse_matrix("m.csv", large + " 1");
    EXPECT_EQ(wide.dtype, "f64") << large;
    EXPECT_GT(wide.weights<double>()[0], 4e18);
    EXPECT_LT(wide.weights<double>()[0], infinity<double>);
  }
  EXPECT_TRUE(parse_matrix("m.csv", "9223372036854775809").is_rounded);
  EXPECT_FALSE(parse_matrix("m.csv", "9007199254740993").is_rounded);
}

TEST(Matrices, OfTextMayNameTheirColumnsAndRows) {
  const Reals expected{1, 2, 3, 4};
  EXPECT_EQ(entries_of("a,b\n1,2\n3,4"), expected);
  EXPECT_EQ(entries_of(";A;B\nA;1;2\nB;3;4"), expected);
  EXPECT_EQ(entries_of(",0,1\n0,1,2\n1,3,4"), expected);
  EXPECT_EQ(entries_of("a b\nx 1 2\ny 3 4"), expected);
  EXPECT_EQ(entries_of("\"\",\"an a\",\"b\"\n\"an a\",1,2\n\"b\",3,4"), expected);
  EXPECT_EQ(entries_of("1,2,\n3,4,"), expected);
}

TEST(Matrices, OfTextKeepRowsThatLookLikeNames) {
  EXPECT_EQ(entries_of("0,1,2\n1,0,1\n2,1,0"), (Reals{0, 1, 2, 1, 0, 1, 2, 1, 0}));
  EXPECT_EQ(entries_of("0 1\n"), (Reals{0, 1}));
  EXPECT_EQ(entries_of("0,1\n1,2\n3,4"), (Reals{0, 1, 1, 2, 3, 4}));
  EXPECT_THAT(matrix_error("a,1\n2,3"), HasSubstr("m.csv:1: 'a' is no number"));
}

TEST(Matrices, BetweenSemicolonsMayHaveDecimalCommas) {
  EXPECT_EQ(entries_of("1,5;2\n3;4,25"), (Reals{1.5, 2, 3, 4.25}));
  EXPECT_EQ(entries_of("1,5\n2,3"), (Reals{1, 5, 2, 3}));
}

TEST(Weights, BelowCountedColumnsAreSquare) {
  const std::string rows = "0,1,4,1\n9,0,1,2\n9,9,0,1\n9,9,9,0\n";
  for (const std::string header : {"0,1,2,3\n", "1,2,3,4\n", "a,b,c,d\n", ""}) {
    EXPECT_EQ(parse_weights("w.csv", header + rows).values<std::int32_t>()[2], 4) << header;
  }
}

TEST(Weights, NeedNumbersForChordsAlone) {
  const WeightMatrix upper = parse_weights("w.csv", ",1,4,1\n,,1,2\n,,,1\n,,,\n");
  EXPECT_EQ(upper.n(), 4u);
  EXPECT_EQ(upper.values<std::int32_t>()[2], 4);
  EXPECT_EQ(upper.values<std::int32_t>()[7], 2);
  // The matrix is square and has an empty corner, but no names: the diagonal is empty.
  const WeightMatrix symmetric = parse_weights("w.csv", ",1,2,3\n1,,9,8\n2,9,,7\n3,8,7,\n");
  EXPECT_EQ(symmetric.n(), 4u);
  EXPECT_EQ(symmetric.values<std::int32_t>()[7], 8);
}

TEST(Matrices, OfMatrixMarketAreArrays) {
  const std::string array = "%%MatrixMarket matrix array ";
  EXPECT_EQ(entries_of(array + "integer general\n2 3\n1\n2\n3\n4\n5\n6\n", "m.mtx"), (Reals{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(entries_of(array + "real symmetric\n2 2\n1\n2\n3\n", "-"), (Reals{1, 2, 2, 3}));
  EXPECT_EQ(entries_of(array + "real skew-symmetric\n2 2\n1\n", "m.mtx"), (Reals{0, -1, 1, 0}));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", "m.mtx"),
              HasSubstr("m.mtx: is a coordinate matrix"));
}

TEST(Matrices, OfAnotherEncodingOrNoneAreNamed) {
  using namespace std::string_literals;
  EXPECT_EQ(matrix_error("\xff\xfe"
                         "1\0"s),
            "m.csv: is UTF-16: UTF-8 is accepted");
  EXPECT_EQ(matrix_error("1\0,\0"s), "m.csv: is UTF-16: UTF-8 is accepted");
  EXPECT_THAT(matrix_error("BZh91AY"), HasSubstr("is compressed by bzip2"));
  EXPECT_THAT(matrix_error("\0\0\x27\x0a"s), HasSubstr("is a shapefile: GeoJSON, WKT and text are accepted"));
  EXPECT_THAT(matrix_error("\x93NUMPY", "m.csv"), HasSubstr("is a .npy array"));
  EXPECT_THAT(matrix_error("\x1f\x8b"), HasSubstr("is compressed twice by gzip"));
}

}  // namespace
}  // namespace warpfold::formats
