#include "io/decimal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace warpfold::io {
namespace {

TEST(Decimals, AreReadExactlyWithAsFewPlacesAsPossible) {
  EXPECT_EQ(parse_decimal("4.0"), (Decimal{4, 0}));
  EXPECT_EQ(parse_decimal("-1.50"), (Decimal{-15, 1}));
  EXPECT_EQ(parse_decimal("2.5e-3"), (Decimal{25, 4}));
  EXPECT_EQ(parse_decimal("+1.2E3"), (Decimal{1200, 0}));
  EXPECT_EQ(parse_decimal(".5"), (Decimal{5, 1}));
  EXPECT_EQ(parse_decimal("5."), (Decimal{5, 0}));
  EXPECT_EQ(parse_decimal("-0.000"), Decimal{});
  EXPECT_EQ(parse_decimal("0e999999"), Decimal{});
}

TEST(Decimals, AreNoOtherWords) {
  for (const char* word : {"", ".", "-", "+-1", "--1", "1e", "1e+-2", "1.2.3", "inf", "nan", "0x10", "1 2", "1e99",
                           "1e-99", "123456789012345678901234567890123456789", "1e99999999999"}) {
    EXPECT_EQ(parse_decimal(word), std::nullopt) << word;
  }
}

TEST(Decimals, AreNoMultiplesOfAUnitThatIsTooLargeOrBeyond64Bits) {
  EXPECT_EQ(in_units({15, 1}, 3), 1500);
  EXPECT_EQ(in_units({15, 1}, 0), std::nullopt);
  EXPECT_EQ(in_units({1, 0}, 18), 1'000'000'000'000'000'000);
  EXPECT_EQ(in_units({10, 0}, 18), std::nullopt);
  EXPECT_EQ(in_units({-10, 0}, 18), std::nullopt);
  EXPECT_EQ(in_units({0, 0}, 1000), 0);
}

RC_GTEST_PROP(Decimals, SurviveUnitsAndText, ()) {
  const auto units = *rc::gen::inRange<std::int64_t>(-std::numeric_limits<std::int64_t>::max(),
                                                     std::numeric_limits<std::int64_t>::max());
  const auto places = *rc::gen::inRange(0, 19);
  const Decimal number = from_units(units, places);
  RC_ASSERT(number.places == 0 || number.digits % 10 != 0);
  RC_ASSERT(in_units(number, places) == units);
  RC_ASSERT(parse_decimal(decimal_text(number)) == number);
}

}  // namespace
}  // namespace warpfold::io
