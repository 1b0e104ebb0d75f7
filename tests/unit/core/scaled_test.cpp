#include "warpfold/core/scaled.hpp"

#include <gtest/gtest.h>

namespace warpfold {
namespace {

TEST(ScaledTotal, AddsNumbersOfAnyMagnitude) {
  for (const std::int64_t exponent : {-5000, -1030, 0, 1030, 5000}) {
    ScaledTotal total;
    total.add(0.5, exponent);
    total.add(0.75, exponent + 1);
    total.add(0.5, exponent - 3000);
    EXPECT_EQ(total.total(), Scaled(2.0, exponent)) << exponent;
    total.add(Scaled(0.5, exponent + 4000), Scaled(0.5), 4);
    EXPECT_EQ(total.total(), Scaled(1.0, exponent + 4000)) << exponent;
  }
}

TEST(ScaledTotal, OfNothingIsZero) {
  ScaledTotal total;
  total.add(0, -5000);
  EXPECT_TRUE(total.total().is_zero());
}

}  // namespace
}  // namespace warpfold
