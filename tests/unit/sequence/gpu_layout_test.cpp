#include <gtest/gtest.h>

#include <utility>

#include "sequence/gpu/layout.hpp"

namespace warpfold::sequence::cuda {
namespace {

Size size_of(double n, double m, int planes, Measure measure = Measure::edit) { return {n, m, 0, planes, measure, {}}; }

TEST(GpuLayout, StripsCoverAllRowsAndChunksAllColumns) {
  for (const std::uint64_t n : {1, 1023, 1024, 1025, 16384, 16385, 1'000'000, 50'000'000}) {
    for (const std::uint64_t m : {1, 63, 64, 65, 1'000'000}) {
      const Layout layout = layout_of(size_of(static_cast<double>(n), static_cast<double>(m), 2));
      EXPECT_GE(layout.strips() * stripes * layout.rows, n);
      EXPECT_LT((layout.strips() - 1) * stripes * layout.rows, n);
      EXPECT_GE(layout.chunks() * chunk_columns, m);
      EXPECT_LT((layout.chunks() - 1) * chunk_columns, m);
    }
  }
}

TEST(GpuLayout, LongerSequencesGetTallerStripesThatTheirSymbolsAllow) {
  unsigned rows = 1;
  for (double n = 1 << 16; n <= 1 << 26; n *= 2) {
    const unsigned taller = layout_of(size_of(n, n, 2)).rows;
    EXPECT_GE(taller, rows) << n;
    rows = taller;
  }
  EXPECT_EQ(rows, 16);
  EXPECT_LE(layout_of(size_of(1 << 26, 1 << 26, 16)).rows, 4);
}

TEST(GpuLayout, PlanesAreThoseOfAKernel) {
  for (int planes = 1; planes <= 16; ++planes) {
    const int taken = layout_of(size_of(1000, 1000, planes)).planes;
    EXPECT_GE(taken, planes);
    EXPECT_TRUE(taken == 2 || taken == 5 || taken == 8 || taken == 16) << taken;
  }
}

TEST(GpuLayout, EmptySequencesTakeAlmostNothing) {
  for (const auto& [n, m] : {std::pair(0, 0), std::pair(0, 1000), std::pair(1000, 0)}) {
    const Layout layout = layout_of(size_of(n, m, 1));
    EXPECT_LT(layout.bytes(), 20'000) << n << ' ' << m;
    EXPECT_GE(layout.cycles(528), 0) << n << ' ' << m;
  }
}

TEST(GpuLayout, BytesGrowWithTheRowsBetweenStrips) {
  const Layout one = layout_of(size_of(1000, 1'000'000, 2));
  EXPECT_EQ(one.packets(), 0);
  const Layout many = layout_of(size_of(1 << 22, 1 << 22, 2));
  EXPECT_GE(many.bytes(), 8 * many.packets());
  EXPECT_EQ(many.packets(), (many.strips() - 1) * many.chunks());
}

}  // namespace
}  // namespace warpfold::sequence::cuda
