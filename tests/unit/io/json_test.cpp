#include "io/json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold::io {
namespace {

std::string json_error(const std::string& text) {
  try {
    static_cast<void>(parse_json("f.json", text));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(JsonText, IsReadAndWrittenAlike) {
  for (const char* text :
       {R"({"b":[1,-2,{"a":null}],"a":true,"x":{},"y":[]})", R"([0.1,1e+300,"\u00e9\n"])", "7", "\"\"",
        "[123456789012345678901234567890,-123456789012345678901234567890,18446744073709551615]"}) {
    const std::string again = json_text(parse_json("f.json", text));
    EXPECT_EQ(json_text(parse_json("f.json", again)), again);
    EXPECT_EQ(parse_json("f.json", text), parse_json("f.json", again)) << text;
  }
}

TEST(JsonText, KeepsIntegersOfAnyLength) {
  const std::string digits = "-123456789012345678901234567890123456789";
  EXPECT_EQ(json_text(Json{{"cost", exact_number(digits)}}), "{\"cost\":" + digits + "}");
  EXPECT_EQ(integer_digits(parse_json("f.json", digits)), digits);
  EXPECT_EQ(integer_digits(parse_json("f.json", "18446744073709551615")), "18446744073709551615");
  EXPECT_EQ(integer_digits(parse_json("f.json", "1.5")), std::nullopt);
  EXPECT_EQ(json_number(parse_json("f.json", "9223372036854775808"))->exact, Integer{1} << 63);
}

TEST(JsonText, IsValidWhateverItsStringsHold) {
  EXPECT_EQ(json_text(Json("\x01 7")), "\"\\u0001 7\"");
  EXPECT_EQ(json_text(Json("\xff")), "\"\xef\xbf\xbd\"");
}

TEST(JsonText, ThatIsNoneIsRefusedWithItsLine) {
  EXPECT_EQ(json_error("{\n\"a\": ]}"), "f.json:2: this is no JSON near byte 8");
  EXPECT_EQ(json_error(""), "f.json:1: this is no JSON near byte 1");
  EXPECT_EQ(json_error("1 2"), "f.json:1: this is no JSON near byte 3");
  EXPECT_EQ(json_error("[1e999]"), "f.json:1: a number is out of range: those of 64-bit floating point are accepted");
}

/// The JSON library's own objects compare a key with all others. Half a million keys would take hours.
TEST(JsonText, MayHaveAsManyKeysAsAGraphHasVertices) {
  std::string text = "{\"b\":[]";
  for (int key = 0; key < 500'000; ++key) text += fmt::format(",\"{}\":{}", key, key);
  const Json object = parse_json("f.json", text + "}");
  EXPECT_EQ(object.size(), 500'001U);
  EXPECT_EQ(json_text(object), text + "}");
  EXPECT_EQ(json_error(text + ",\"77\":1}"), "f.json: key '77' is there twice: once is accepted");
  EXPECT_EQ(json_error("{\"77\":{\"77\":1,\"a\":[{\"77\":2}]}}"), "accepted");
}

TEST(JsonText, IsRefusedWhereItIsDeeperThanAnyFileOfOurs) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(json_error(nested(max_depth)), "accepted");
  EXPECT_EQ(json_error(nested(max_depth + 1)), "f.json: is nested more than 64 levels deep");
  EXPECT_EQ(json_error(std::string(1'000'000, '[')), "f.json: is nested more than 64 levels deep");
}

TEST(Json, KeepsTheDigitsOfFractionsThatADoubleRoundsIfAsked) {
  const Json object = parse_json("f.json", R"([0.1, 0.10000000000000000001, 2.50, 1e-3])", {.keeps_decimals = true});
  EXPECT_EQ(json_decimal(object[0]), (Decimal{1, 1}));
  EXPECT_EQ(decimal_text(*json_decimal(object[1])), "0.10000000000000000001");
  EXPECT_EQ(json_decimal(object[2]), (Decimal{25, 1}));
  EXPECT_EQ(json_decimal(object[3]), (Decimal{1, 3}));
  EXPECT_EQ(json_text(exact_number(Decimal{3, 1})), "0.3");
  EXPECT_EQ(json_text(exact_number(Decimal{-30, 0})), "-30");
  EXPECT_EQ(json_decimal(Json("0.1")), std::nullopt);
}

}  // namespace
}  // namespace warpfold::io
