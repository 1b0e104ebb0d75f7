#include "warpfold/machine/cost.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/stages.hpp"

namespace {

using namespace warpfold::machine;
using warpfold::Error;

std::int64_t value(const char* text, std::int64_t i = 5) { return Expression(text).value(i, 64, 32); }

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expressions, HaveThePrecedenceOfC) {
  EXPECT_EQ(value("i*33 % 1024"), 165);
  EXPECT_EQ(value("2 + 3*4 - 6/2"), 11);
  EXPECT_EQ(value("20 - 5 - 3"), 12);
  EXPECT_EQ(value("1 << 2 + 1"), 8);
  EXPECT_EQ(value("6 & 3 ^ 1 | 8"), 11);
  EXPECT_EQ(value("-(i - 7) * w"), 64);
  EXPECT_EQ(value("p >> 1"), 32);
  EXPECT_EQ(value("- - 4"), 4);
}

TEST(Expressions, ThatDoNotParseNameThePlace) {
  EXPECT_NE(error_of([] { Expression("i*"); }).find("the end at character 3"), std::string::npos);
  EXPECT_NE(error_of([] { Expression(""); }).find("the end at character 1"), std::string::npos);
  EXPECT_NE(error_of([] { Expression("i*33 % 1024)"); }).find("')' at character 12"), std::string::npos);
  EXPECT_NE(error_of([] { Expression("(i"); }).find("')' is accepted"), std::string::npos);
  EXPECT_NE(error_of([] { Expression("i ** 2"); }).find("'*' at character 4"), std::string::npos);
  EXPECT_NE(error_of([] { Expression("index"); }).find("'i' at character 1"), std::string::npos);
  EXPECT_NE(error_of([] { Expression("99999999999999999999"); }).find("2^63"), std::string::npos);
  EXPECT_NE(error_of([] { Expression(std::string(5000, '(')); }).find("does not parse"), std::string::npos);
  EXPECT_NE(error_of([] { Expression(std::string(20000, '(')); }).find("at most 10000"), std::string::npos);
}

TEST(Expressions, WithoutAValueNameTheThread) {
  EXPECT_NE(error_of([] { value("8 / (i - 5)"); }).find("no value for i = 5"), std::string::npos);
  EXPECT_NE(error_of([] { value("8 % (i - 5)"); }).find("no value"), std::string::npos);
  EXPECT_NE(error_of([] { value("9223372036854775807 + i"); }).find("no value"), std::string::npos);
  EXPECT_NE(error_of([] { value("i << 63"); }).find("no value"), std::string::npos);
  EXPECT_NE(
      error_of([] { static_cast<void>(indexed_accesses(Expression("i - 1"), 4, 4)); }).find("thread 0: index is -1"),
      std::string::npos);
}

TEST(Accesses, AreReadLineByLine) {
  const auto warps = read_accesses("# two warps\nR 0 1 5 10\n\nW 8 - 14, 15\r\n", "x");
  ASSERT_EQ(warps.size(), 2u);
  EXPECT_FALSE(warps[0].write);
  EXPECT_TRUE(warps[1].write);
  ASSERT_EQ(warps[1].lanes.size(), 3u);
  EXPECT_EQ(warps[1].lanes[1].lane, 2u);
  EXPECT_EQ(warps[1].lanes[1].address, 14u);
}

TEST(Accesses, ThatAreNotUnderstoodNameTheLine) {
  EXPECT_NE(error_of([] { static_cast<void>(read_accesses("R 1\n5 6\n", "x")); }).find("x:2: '5'"), std::string::npos);
  EXPECT_NE(error_of([] { static_cast<void>(read_accesses("R 1 -2\n", "x")); }).find("x:1: '-2'"), std::string::npos);
  EXPECT_NE(error_of([] { static_cast<void>(read_accesses("R 4294967296\n", "x")); }).find("x:1: '4294967296'"),
            std::string::npos);
  EXPECT_NE(error_of([] { static_cast<void>(read_accesses("\n# nothing\n", "x")); }).find("x: there is no access"),
            std::string::npos);
  EXPECT_NE(error_of([] { static_cast<void>(step_cost(dmm(2, 1), read_accesses("R 1 2 3", "x"))); }).find("lane 2"),
            std::string::npos);
}

TEST(StepCost, IsThatOfFigure4Of2012) {
  const auto warps = read_accesses("R 0 1 5 10\nR 8 9 14 15\n", "x");
  const StepCost on_dmm = step_cost(dmm(4, 3), warps), on_umm = step_cost(umm(4, 3), warps);
  EXPECT_EQ(on_dmm.time_units.count, 5u);
  EXPECT_EQ(on_dmm.warps[0].stages, 2u);
  EXPECT_EQ(on_umm.time_units.count, 7u);
  EXPECT_EQ(on_umm.warps[1].stages, 2u);
}

TEST(StepCost, OfPaddedColumnsIsFreeOfConflicts) {
  const auto stages_at = [](const char* index) {
    return step_cost(dmm(32, 1), indexed_accesses(Expression(index), 64, 32)).warps[1].stages;
  };
  EXPECT_EQ(stages_at("i*32"), 32u);
  EXPECT_EQ(stages_at("i*33"), 1u);
  EXPECT_EQ(stages_at("i*33 % 1024"), 1u);
  EXPECT_EQ(stages_at("i/2"), 1u);
}

TEST(StepCost, ServesWideAccessesByHalfAndQuarterWarps) {
  // 32 neighbors of 8 bytes are 64 words: two halves without conflict. Of 16 bytes: four quarters.
  for (const auto& [bytes, stages] : {std::pair{4u, 1u}, std::pair{8u, 2u}, std::pair{16u, 4u}}) {
    const auto warps = indexed_accesses(Expression("i"), 32, 32);
    EXPECT_EQ(step_cost(dmm(32, 1), warps, bytes).warps[0].stages, stages);
    EXPECT_EQ(step_cost(umm(32, 1), warps, bytes).warps[0].stages, stages);
  }
  // Every second element of 8 bytes: in each half, every other pair of banks has two words.
  EXPECT_EQ(step_cost(dmm(32, 1), indexed_accesses(Expression("2*i"), 32, 32), 8).warps[0].stages, 4u);
}

TEST(StepCost, OfHalvesAndBytesCountsWordsThatLanesShare) {
  for (const std::uint32_t bytes : {1u, 2u}) {
    EXPECT_EQ(step_cost(dmm(32, 1), indexed_accesses(Expression("i"), 32, 32), bytes).warps[0].stages, 1u);
  }
  // Every 64th half is in bank 0, and every 64th byte in bank 0 or 16.
  EXPECT_EQ(step_cost(dmm(32, 1), indexed_accesses(Expression("64*i"), 32, 32), 2).warps[0].stages, 32u);
  EXPECT_EQ(step_cost(dmm(32, 1), indexed_accesses(Expression("64*i"), 32, 32), 1).warps[0].stages, 16u);
  // 32 neighbors of 1, 2, 4, 8 and 16 bytes are in 1, 2, 4, 8 and 16 sectors of 32 bytes.
  Machine global = umm(8, 1);
  global.warp = 32;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    EXPECT_EQ(step_cost(global, indexed_accesses(Expression("i"), 32, 8, 32), bytes).warps[0].stages, bytes);
  }
  EXPECT_NE(error_of([] { static_cast<void>(step_cost(dmm(32, 1), {}, 3)); }).find("1, 2, 4, 8 or 16"),
            std::string::npos);
}

TEST(StepCost, PicturesShowLanesBanksAndStages) {
  const Machine machine = dmm(4, 3);
  const StepCost cost = step_cost(machine, read_accesses("R 0 4 - 2\n", "x"));
  EXPECT_NE(cost_text(machine, cost).find("     0 0...\n     1 1...\n     3 ..0.\n"), std::string::npos);
  const std::string svg = cost_svg(machine, cost);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find("lane 1, word 4, bank 0, stage 1"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(StepCost, PicturesOfTheUmmNameAddressGroups) {
  const StepCost cost = step_cost(umm(4, 3), read_accesses("R 0 4 - 2\n", "x"));
  EXPECT_NE(cost_text(umm(4, 3), cost).find("lane x place in the address group"), std::string::npos);
  const std::string svg = cost_svg(umm(4, 3), cost);
  EXPECT_NE(svg.find("lane 1, word 4, address group 1, stage 1"), std::string::npos);
  EXPECT_EQ(svg.find("bank"), std::string::npos);
}

TEST(StepCost, HasNoWarpsOfNoThreads) {
  EXPECT_EQ(error_of([] { static_cast<void>(indexed_accesses(Expression("i"), 4, 0)); }),
            "width is 0: 1 or more is accepted");
}

/// A letter of a sans-serif font is about half as wide as its size. A narrow machine has the widest lines.
TEST(StepCost, PicturesAreAsWideAsTheirWidestLine) {
  for (const std::uint32_t w : {1u, 4u, 8u, 32u}) {
    const Machine machine = dmm(w, 100);
    const std::string svg = cost_svg(machine, step_cost(machine, indexed_accesses(Expression("i*w"), 2 * w, w)));
    const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
    std::size_t lines = 0;
    const std::regex line("<text x=\"([0-9]+)\"[^>]*font-size=\"([0-9]+)\">([^<]*)</text>");
    for (std::sregex_iterator text(svg.begin(), svg.end(), line), end; text != end; ++text, ++lines) {
      const auto length = static_cast<double>((*text)[3].length());
      EXPECT_LE(std::stod((*text)[1]) + 0.55 * std::stod((*text)[2]) * length, width) << (*text)[3] << ", width " << w;
    }
    EXPECT_EQ(lines, 3u);
    EXPECT_GE(width, 46 + 14 * w);
  }
}

RC_GTEST_PROP(StepCost, ServesTheLastWordInTheLastStageThatStagesCounts, ()) {
  const auto width = *rc::gen::inRange<std::uint32_t>(1, 40);
  WarpAccess warp;
  for (std::uint32_t lane = 0; lane < width; ++lane) warp.lanes.push_back({lane, *rc::gen::inRange<Address>(0, 200)});
  for (const Machine& machine : {dmm(width, 1), umm(width, 1)}) {
    const StepCost cost = step_cost(machine, {warp});
    std::uint32_t last = 0;
    for (const Served& word : cost.warps[0].words) last = std::max(last, word.stage);
    RC_ASSERT(cost.warps[0].stages == last + 1);
  }
}

}  // namespace
