#include "warpfold/polygon/orientation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpfold::polygon {
namespace {

__extension__ using Wide = __int128;

int sign(Wide value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

int whole_orientation(const std::int64_t (&p)[6]) {
  return sign(Wide(p[2] - p[0]) * (p[5] - p[1]) - Wide(p[3] - p[1]) * (p[4] - p[0]));
}

TEST(Orientation, IsExactForIntegersOf53BitsNearALine) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> coordinate(-(std::int64_t{1} << 50), std::int64_t{1} << 50);
  std::uniform_int_distribution<std::int64_t> step(-2, 2);
  int degenerate = 0;
  for (int round = 0; round < 20000; ++round) {
    std::int64_t p[6];
    for (std::int64_t& value : p) value = coordinate(random);
    p[4] = (p[0] + p[2]) / 2 + step(random);
    p[5] = (p[1] + p[3]) / 2 + step(random);
    const auto real = [&](int k) { return std::ldexp(static_cast<double>(p[k]), -30); };
    const int expected = whole_orientation(p);
    degenerate += expected == 0;
    EXPECT_EQ(orientation({real(0), real(1)}, {real(2), real(3)}, {real(4), real(5)}), expected);
  }
  EXPECT_GT(degenerate, 0);
}

TEST(Orientation, SeesOneUnitInTheLastPlaceWhereRoundingDoesNot) {
  const Point a{12, 12};
  const Point b{24, 24};
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const Point c{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53};
      EXPECT_EQ(orientation(a, b, c), (j > i) - (j < i));
    }
  }
}

TEST(Orientation, IsExactAtTheLimitsOfCoordinates) {
  for (const double size : {min_coordinate, largest_coordinate}) {
    const double more = std::nextafter(size, size * 2);
    EXPECT_EQ(orientation({0, 0}, {size, size}, {more, more}), 0);
    EXPECT_EQ(orientation({0, 0}, {size, size}, {size, more}), 1);
    EXPECT_EQ(orientation({0, 0}, {size, size}, {more, size}), -1);
  }
  EXPECT_EQ(orientation({largest_coordinate, 0}, {-largest_coordinate, 0}, {1, min_coordinate}), -1);
}

TEST(Orientation, TurnsWithTheOrderOfItsPoints) {
  const Point a{0.1, 0.2};
  const Point b{0.3, 0.7};
  const Point c{-0.4, 0.9};
  EXPECT_EQ(orientation(a, b, c), 1);
  EXPECT_EQ(orientation(b, c, a), 1);
  EXPECT_EQ(orientation(c, b, a), -1);
}

TEST(Orientation, TellsPointsOfALineFromThoseBesideIt) {
  for (std::int64_t t = 1; t < 1000; ++t) {
    const auto x = static_cast<double>(3 * t), y = static_cast<double>(7 * t);
    const Point a{-3, -7}, b{x, y}, beside{3e9, std::nextafter(7e9, 1e10)}, on{3e9, 7e9};
    EXPECT_EQ(orientation(a, b, on), 0);
    EXPECT_EQ(orientation(a, on, b), 0);
    EXPECT_EQ(orientation(a, b, beside), 1);
    EXPECT_EQ(orientation(b, a, beside), -1);
  }
}

}  // namespace
}  // namespace warpfold::polygon
