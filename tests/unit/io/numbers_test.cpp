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
  EXPECT_EQ(refusal(std::string("1\n\0\x93", 4)), "f.txt:2: '\\x00\\x93' is no number");
  EXPECT_EQ(refusal("1e999"), "f.txt:1: '1e999' is out of range");
}

TEST(Numbers, JsonListsComeInTheOrderAskedFor) {
  const auto lists = parse_json_lists("f.json", R"({"q": [1, 2.5], "p": [-3, 4]})", {"p", "q"});
  EXPECT_EQ(lists[0].wholes, (std::vector<std::int64_t>{-3, 4}));
  EXPECT_FALSE(lists[1].whole);
  EXPECT_TRUE(lists[1].wholes.empty());
  EXPECT_EQ(lists[1].reals, (std::vector<double>{1, 2.5}));
  EXPECT_FALSE(parse_json_lists("f.json", R"({"p": [18446744073709551615]})", {"p"})[0].whole);
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
  EXPECT_EQ(message("[1"), "f.json: is no JSON");
  EXPECT_EQ(message("[1]"), "f.json: has no list 'p': a JSON object with it is accepted");
  EXPECT_EQ(message(R"({"p": [1, "x"]})"), "f.json: p[1] is \"x\": a number is accepted");
}

TEST(Numbers, NothingIsAnEmptyList) { EXPECT_TRUE(parse_numbers("f.txt", " \n# only words\n").reals.empty()); }

}  // namespace
}  // namespace warpfold::io
