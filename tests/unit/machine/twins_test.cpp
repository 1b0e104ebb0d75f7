#include "machine/twins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "machine/prediction.hpp"

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

TEST(Patterns, HaveOpcodesOfTheirMemoryAndBytes) {
  for (const Pattern& pattern : patterns()) {
    const auto opcode = parse_opcode(opcode_of(pattern));
    ASSERT_TRUE(opcode) << opcode_of(pattern);
    EXPECT_EQ(opcode->space, pattern.space);
    EXPECT_EQ(opcode->bytes, pattern.bytes);
  }
}

TEST(Experiments, EachHaveATitleInTheirMemoryACounterAndASentence) {
  std::set<std::string> titles;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(titles.insert(experiment.title + to_string(experiment.pattern.space)).second) << experiment.title;
    EXPECT_TRUE(experiment.counter.ends_with(".sum")) << experiment.title;
    EXPECT_TRUE(experiment.reason.ends_with(".")) << experiment.title;
  }
  EXPECT_EQ(titles.size(), 14u);
}

TEST(Loops, HaveWordsOfTheirOwnForEachWarpAndFitSharedMemory) {
  std::set<std::string> titles;
  for (const Loop& loop : loops()) {
    EXPECT_TRUE(titles.insert(loop.title + to_string(loop.space) + std::to_string(loop.threads)).second) << loop.title;
    const std::int64_t last = Expression(loop.index).value(31, 32, 32) + 32 * (loop.at_once - 1);
    EXPECT_LT(last, words_of_warp(loop)) << loop.title;
    EXPECT_EQ(words_of_warp(loop) % 32, 0u) << loop.title;
    EXPECT_LE(frame_of(loop).words * 4, 227u << 10) << loop.title;
    EXPECT_EQ(std::ranges::count(frames(), frame_of(loop)), 1) << loop.title;
  }
  EXPECT_EQ(titles.size(), 84u);
}

TEST(Frames, AreThoseOfAllProgramsEachOnce) {
  const auto all = frames();
  for (const Twin& twin : twins()) EXPECT_EQ(std::ranges::count(all, frame_of(twin)), 1) << twin.title;
}

TEST(Twins, OfTheWorstPermutationInTilesWriteEachColumnToOneBank) {
  std::map<std::string, std::uint64_t> stages;
  for (const Twin& twin : twins()) {
    if (twin.in_tiles) stages[twin.algorithm] = work_of(twin).stages;
  }
  EXPECT_EQ(stages.at("permute-straightforward"), 35u * stages.at("permute-dmm") / 4);
}

}  // namespace
