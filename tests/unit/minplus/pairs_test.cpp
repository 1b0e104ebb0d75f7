#include "minplus/pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warpfold::minplus {
namespace {

std::int16_t column(std::uint32_t word, int at) { return static_cast<std::int16_t>(word >> 16 * at); }

TEST(Pairs, EveryColumnIsChosenAndAddedAloneTheExtremesIncluded) {
  const std::uint16_t extreme[] = {0, 1, 0xffff, 0x7fff, 0x8000, 0x3fff, 0xc000};
  std::mt19937 random(1);
  const auto draw = [&] {
    const auto half = [&] {
      return random() % 2 == 0 ? static_cast<std::uint32_t>(random() & 0xffffU) : extreme[random() % 7];
    };
    return half() << 16 | half();
  };
  for (int repeat = 0; repeat < 200000; ++repeat) {
    const std::uint32_t best = draw(), a = draw(), b = draw();
    for (const int at : {0, 1}) {
      const std::int16_t x = column(best, at), y = column(a, at);
      const auto sum = static_cast<std::int16_t>(y + column(b, at));
      ASSERT_EQ(column(choose_pair<true>(best, a), at), std::min(x, y)) << std::hex << best << " " << a;
      ASSERT_EQ(column(choose_pair<false>(best, a), at), std::max(x, y)) << std::hex << best << " " << a;
      ASSERT_EQ(column(add_and_choose_pair<true>(best, a, b), at), std::min(x, sum)) << std::hex << best << " " << a;
      ASSERT_EQ(column(add_and_choose_pair<false>(best, a, b), at), std::max(x, sum)) << std::hex << best << " " << a;
    }
  }
}

}  // namespace
}  // namespace warpfold::minplus
