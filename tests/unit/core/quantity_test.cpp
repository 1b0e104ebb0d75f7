#include "core/quantity.hpp"

#include <gtest/gtest.h>

#include "core/size_text.hpp"

namespace warpfold {
namespace {

TEST(Quantity, HasItsNounInTheRightNumber) {
  EXPECT_EQ(quantity(0, "warp"), "0 warps");
  EXPECT_EQ(quantity(1, "warp"), "1 warp");
  EXPECT_EQ(quantity(2U, "warp"), "2 warps");
  EXPECT_EQ(quantity(std::size_t{1}, "entry", "entries"), "1 entry");
  EXPECT_EQ(quantity(std::size_t{3}, "entry", "entries"), "3 entries");
}

TEST(Quantity, OfBytesIsExactWhileItIsSmall) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1001), "1001 bytes");
  EXPECT_EQ(bytes_text(9999), "9999 bytes");
}

TEST(Quantity, OfBytesHasThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(bytes_text(10'000), "10 kB");
  EXPECT_EQ(bytes_text(999'499), "999 kB");
  EXPECT_EQ(bytes_text(999'500), "1 MB");
  EXPECT_EQ(bytes_text(12'400'000'000), "12.4 GB");
  EXPECT_EQ(bytes_text(40e9), "40 GB");
  EXPECT_EQ(bytes_text(8e14), "800 TB");
  EXPECT_EQ(bytes_text(0x1p64), "18.4 EB");
}

}  // namespace
}  // namespace warpfold
