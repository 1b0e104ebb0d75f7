#include "warpfold/formats/score_matrix.hpp"

#include <gmock/gmock.h>

#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

std::string message_of(std::string_view content) {
  try {
    static_cast<void>(parse_score_matrix("m", content));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ScoreMatrixFormat, HasTheMatricesThatComeWithTheLibrary) {
  for (const std::string& name : score_matrix_names()) {
    const sequence::ScoreMatrix matrix = read_score_matrix(name);
    EXPECT_EQ(matrix.symbols().size(), 24u) << name;
    EXPECT_TRUE(matrix.is_symmetric()) << name;
  }
  const sequence::ScoreMatrix matrix = read_score_matrix("BLOSUM62");
  const auto score = [&](char x, char y) {
    return matrix.score(*matrix.find(static_cast<unsigned char>(x)), *matrix.find(static_cast<unsigned char>(y)));
  };
  EXPECT_EQ(score('W', 'W'), 11);
  EXPECT_EQ(score('A', 'R'), -1);
  EXPECT_EQ(score('B', 'Z'), 1);
  EXPECT_EQ(score('*', 'A'), -4);
}

TEST(ScoreMatrixFormat, TakesRowsInAnyOrderWithCommentsAndCarriageReturns) {
  const sequence::ScoreMatrix matrix = parse_score_matrix("m", "# c\r\n\r\n  A\tC é\r\nC 1 2 3\r\né 7 8 9\r\nA 4 5 -6");
  EXPECT_EQ(matrix.score(0, 2), -6);
  EXPECT_EQ(matrix.score(1, 0), 1);
  EXPECT_EQ(matrix.score(*matrix.find(0xE9), 2), 9);
  EXPECT_FALSE(matrix.is_symmetric());
}

TEST(ScoreMatrixFormat, NamesTheLineThatIsWrong) {
  EXPECT_THAT(message_of(""), testing::HasSubstr("no matrix"));
  EXPECT_THAT(message_of("A C\nA 1 2\nC 1"), testing::StartsWith("m:3: 1 score for 2 columns"));
  EXPECT_THAT(message_of("A C\nA 1 2\nA 1 2"), testing::StartsWith("m:3: 'A' begins a second row"));
  EXPECT_THAT(message_of("A C\nA 1 2"), testing::HasSubstr("2 columns and 1 row"));
  EXPECT_THAT(message_of("A C\nA 1 2.5"), testing::StartsWith("m:2: score '2.5'"));
  EXPECT_THAT(message_of("A\nA 2000000000000000000"), testing::StartsWith("m:2: score"));
}

TEST(ScoreMatrixFormat, ScoresTextAndBytesAlike) {
  const sequence::ScoreMatrix matrix = read_score_matrix("BLOSUM62");
  const SymbolSequence bytes{.content = "wMK"}, points{.unit = SymbolSequence::Unit::point, .points = {'W', 'M', 'K'}};
  EXPECT_THROW(static_cast<void>(scored(bytes, points, matrix)), Error);
  const sequence::ScoredPair pair = scored(bytes, points, matrix, true);
  EXPECT_EQ(sequence::align(pair).solution.score, 11 + 5 + 5);
}

}  // namespace
}  // namespace warpfold::formats
