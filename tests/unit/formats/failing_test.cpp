#include <gtest/gtest.h>

#include <new>

#include "allocations.hpp"
#include "warpfold/formats/outline.hpp"

namespace warpfold::formats {
namespace {

/// GEOS reads it. GEOS reports failed allocations in its own ways.
TEST(FailingWkt, RaisesBadAllocWhicheverAllocationFails) {
  const std::string text = "MULTIPOLYGON (((0 0, 1 0, 0.5 2)), ((5 5, 6 5, 6 6, 5 6, 5 5)))";
  const std::string path = "f.wkt";
  int refused = 0;
  bool was_met = true;
  for (std::int64_t number = 0; was_met; ++number) {
    const std::int64_t live = test::live_allocations();
    const test::FailingAllocation failing(number);
    try {
      EXPECT_EQ(parse_wkt_outline(path, text, {{}, 1}).vertices.size(), 5u);
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    was_met = failing.was_met();
    EXPECT_LE(test::live_allocations(), live) << "leaked by the failure of allocation " << number;
  }
  EXPECT_GT(refused, 20) << "GEOS' allocations were not met";
}

}  // namespace
}  // namespace warpfold::formats
