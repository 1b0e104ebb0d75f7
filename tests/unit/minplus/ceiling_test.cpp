#include "warpfold/minplus/ceiling.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpfold::minplus {
namespace {

TEST(Ceiling, IsARateForEveryType) {
  EXPECT_GT(measure_ceiling<std::int16_t>(1), 0);
  EXPECT_GT(measure_ceiling<std::int32_t>(1), 0);
  EXPECT_GT(measure_ceiling<std::int64_t>(1), 0);
  EXPECT_GT(measure_ceiling<float>(2), 0);
  EXPECT_GT(measure_ceiling<double>(1), 0);
}

}  // namespace
}  // namespace warpfold::minplus
