#include "warpfold/io/numbers.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold::io {
namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_numbers("f.txt", text));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(Numbers, SeparatorsAndCommentsMayMix) {
  const Numbers numbers = parse_numbers("f.txt", "1, 2;3\n# 4\n\t-5 # six\r\n7");
  EXPECT_TRUE(numbers.whole);
  EXPECT_EQ(numbers.wholes, (std::vector<std::int64_t>{1, 2, 3, -5, 7}));
  EXPECT_EQ(numbers.reals, (std::vector<double>{1, 2, 3, -5, 7}));
}

TEST(Numbers, OneFractionMakesTheListReal) {
  const Numbers numbers = parse_numbers("f.txt", "1 2.5 3");
  EXPECT_FALSE(numbers.whole);
  EXPECT_TRUE(numbers.wholes.empty());
  EXPECT_EQ(numbers.reals, (std::vector<double>{1, 2.5, 3}));
}

TEST(Numbers, WholeNumbersBeyond53BitsStayExact) {
  EXPECT_EQ(parse_numbers("f.txt", "9007199254740993").wholes[0], 9007199254740993);
  EXPECT_FALSE(parse_numbers("f.txt", "9223372036854775808").whole);
}

TEST(Numbers, WhatIsNoNumberIsNamedWithItsLine) {
  EXPECT_EQ(refusal("1 2\n3 x4\n"), "f.txt:2: 'x4' is no number");
  EXPECT_EQ(refusal("1\n2e\n"), "f.txt:2: '2e' is no number");
  EXPECT_EQ(refusal("1e999"), "f.txt:1: '1e999' is out of range");
}

TEST(Numbers, NothingIsAnEmptyList) { EXPECT_TRUE(parse_numbers("f.txt", " \n# only words\n").reals.empty()); }

}  // namespace
}  // namespace warpfold::io
