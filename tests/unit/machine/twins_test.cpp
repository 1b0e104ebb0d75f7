#include "machine/twins.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using namespace warpfold;
using namespace warpfold::machine;

TEST(Twins, RunOnTheirMachinesWithTheRightResult) {
  std::set<std::string> names;
  for (const Twin& twin : twins()) {
    const RunResult result = run(find_algorithm(twin.algorithm), request_of(twin));
    EXPECT_TRUE(result.correct) << twin.title;
    EXPECT_GT(result.report.total.stages, 0u) << twin.title;
    EXPECT_TRUE(names.insert(twin.title + to_string(twin.space) + std::to_string(twin.threads)).second) << twin.title;
  }
}

TEST(Patterns, AreMoreThanFiftyAndTheirStagesAreThoseOfAnH100) {
  EXPECT_GE(patterns().size(), 50u);
  const auto stages = [](Space space, std::uint32_t bytes, const char* index) {
    return predicted_stages({space, bytes, index});
  };
  EXPECT_EQ(stages(Space::shared, 4, "i*24"), 8u);
  EXPECT_EQ(stages(Space::shared, 4, "i*33"), 1u);
  EXPECT_EQ(stages(Space::shared, 16, "i*1"), 4u);
  EXPECT_EQ(stages(Space::global, 4, "i*3"), 12u);
  EXPECT_EQ(stages(Space::global, 16, "i*1"), 16u);
}

}  // namespace
