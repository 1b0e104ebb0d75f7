#include "warpfold/io/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::io {
namespace {

std::string text_error(const std::string& text) {
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
  EXPECT_TRUE(numbers.is_integral);
  EXPECT_EQ(numbers.integers, (std::vector<Integer>{1, 2, 3, -5, 7}));
  EXPECT_EQ(numbers.real(3), -5);
}

TEST(Numbers, MayAllHaveAPercentSign) {
  EXPECT_EQ(parse_numbers("f.txt", "15% 10%\n5%").integers, (std::vector<Integer>{15, 10, 5}));
  EXPECT_EQ(parse_numbers("f.txt", "1.5%,2%").reals, (std::vector<double>{1.5, 2}));
  for (const char* const text : {"15%\n10", "15\n10%"}) {
    EXPECT_NE(text_error(text).find("f.txt:2: '10"), std::string::npos) << text;
    EXPECT_NE(text_error(text).find("a % after all of them, or after none, is accepted"), std::string::npos) << text;
  }
  EXPECT_NE(text_error("%"), "accepted");
  EXPECT_NE(text_error("5%%"), "accepted");
}

TEST(Numbers, OneFractionMakesTheListReal) {
  const Numbers numbers = parse_numbers("f.txt", "1 2.5 3");
  EXPECT_FALSE(numbers.is_integral);
  EXPECT_TRUE(numbers.integers.empty());
  EXPECT_EQ(numbers.reals, (std::vector<double>{1, 2.5, 3}));
}

TEST(Numbers, IntegersStayExactBeyondEveryTypeOfASolver) {
  EXPECT_EQ(parse_numbers("f.txt", "9007199254740993").integers[0], 9007199254740993);
  const Numbers numbers = parse_numbers("f.txt", "18446744073709551616, -9999999999999999999999999999999999999");
  EXPECT_EQ(numbers.integers[0], Integer{1} << 64);
  EXPECT_EQ(numbers.text(1), "-9999999999999999999999999999999999999");
  EXPECT_EQ(parse_numbers("f.txt", "-85070591730234615865843651857942052863").integers[0], 1 - infinite_integer);
  EXPECT_EQ(text_error("85070591730234615865843651857942052864"),
            "f.txt:1: '85070591730234615865843651857942052864' is out of range: integers below 2^126 are accepted");
  EXPECT_NE(text_error("340282366920938463463374607431768211457").find("is out of range"),
            std::string::npos);  // 2^128 + 1
}

TEST(Numbers, SayWhetherDoublesHoldIntegersAmongFractions) {
  EXPECT_TRUE(parse_numbers("f.txt", "9007199254740992, 0.1, inf, 1e30").doubles_hold);
  EXPECT_FALSE(parse_numbers("f.txt", "0.1, 9007199254740993").doubles_hold);
  EXPECT_FALSE(parse_numbers("f.txt", "9007199254740993, 0.1").doubles_hold);
}

TEST(Numbers, InfinitiesStandAmongIntegers) {
  const Numbers numbers = parse_numbers("f.txt", "inf 4611686018427387903 -inf");
  EXPECT_TRUE(numbers.is_integral);
  EXPECT_EQ(numbers.real(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numbers.text(1), "4611686018427387903");
  EXPECT_EQ(numbers.text(2), "-inf");
}

TEST(Numbers, AreDecimalWhateverTheyBeginWith) {
  EXPECT_EQ(parse_number("010").exact, 10);
  EXPECT_EQ(parse_number("+1").exact, 1);
  EXPECT_EQ(parse_number("+.5").real, 0.5);
  EXPECT_EQ(parse_numbers("f.txt",
                          "\xef\xbb\xbf"
                          "7")
                .integers[0],
            7);
  for (const char* word : {"", "+", "-", "+-1", "--1", "0x10", "1_000", "1 2", "7a", "1e", "infinit"}) {
    EXPECT_THROW(static_cast<void>(parse_number(word)), Error) << word;
  }
}

TEST(Numbers, WhatIsNoNumberIsNamedWithItsLine) {
  EXPECT_EQ(text_error("1 2\n3 x4\n"), "f.txt:2: 'x4' is no number: 12, -1.5 or 1e3 is accepted");
  EXPECT_EQ(text_error("1\n2e\n"), "f.txt:2: '2e' is no number: 12, -1.5 or 1e3 is accepted");
  EXPECT_EQ(text_error(std::string("1\n\0\x93", 4)), "f.txt:2: '\\x00\\x93' is no number: 12, -1.5 or 1e3 is accepted");
  EXPECT_EQ(text_error("1e999"), "f.txt:1: '1e999' is out of range: numbers up to 1.8e308 are accepted");
}

TEST(Numbers, ABlankEntryIsNotSkipped) {
  EXPECT_EQ(text_error("1,2\n3,,4"), "f.txt:2: nothing stands before a ',': a number is accepted");
  EXPECT_EQ(text_error(" ;1"), "f.txt:1: nothing stands before a ';': a number is accepted");
  EXPECT_EQ(parse_numbers("f.txt", "1,\n2,").size(), 2);
}

TEST(Numbers, JsonListsComeInTheOrderAskedFor) {
  const auto lists = parse_json_lists("f.json", R"({"q": [1, 2.5], "p": [-3, 4]})", {"p", "q"});
  EXPECT_EQ(lists[0].integers, (std::vector<Integer>{-3, 4}));
  EXPECT_FALSE(lists[1].is_integral);
  EXPECT_TRUE(lists[1].integers.empty());
  EXPECT_EQ(lists[1].reals, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(parse_json_lists("f.json", R"({"p": [18446744073709551616, "inf"]})", {"p"})[0].integers[0],
            Integer{1} << 64);
}

TEST(Numbers, WhatIsNoJsonListIsNamed) {
  const auto message = [](const char* text) -> std::string {
    try {
      static_cast<void>(parse_json_lists("f.json", text, {"p"}));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("[1"), "f.json:1: this is no JSON near byte 3");
  EXPECT_EQ(message("[1]"), "f.json: has no list 'p': a JSON object with it is accepted");
  EXPECT_EQ(message(R"({"p": [1, "x"]})"), "f.json: p[1] is \"x\": a number is accepted");
}

TEST(Numbers, NothingIsAnEmptyList) { EXPECT_TRUE(parse_numbers("f.txt", " \n# only words\n").empty()); }

}  // namespace
}  // namespace warpfold::io
