#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/app/run.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::app::test {
namespace {

using Help = CommandLine;

constexpr const char* commands[] = {"bench",       "chain",        "coins",      "info",        "knapsack",
                                    "machine run", "machine cost", "minplus",    "paper run",   "paper example",
                                    "permute",     "plan",         "recurrence", "subset-sum",  "tree",
                                    "paper tune",  "triangulate",  "verify",     "completions", "man"};

TEST_F(Help, OfEveryCommandShowsAnExampleOfIt) {
  for (const std::string command : commands) {
    const Ran ran = warpfold(command + " --help");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::size_t example = ran.out.find("Example: ");
    ASSERT_NE(example, std::string::npos) << command;
    EXPECT_NE(ran.out.find("warpfold " + command, example), std::string::npos) << command;
    EXPECT_EQ(warpfold("help " + command).out, ran.out);
  }
}

TEST_F(Help, ExamplesThatNeedNoFileRun) {
  for (const std::string command : {"chain", "coins", "info", "knapsack", "machine run", "machine cost", "paper run",
                                    "paper example", "plan", "recurrence"}) {
    const std::string help = warpfold("help " + command).out;
    const std::size_t example = help.find("Example: ") + 9;
    const Ran ran = shell(help.substr(example, help.find('\n', example) - example));
    EXPECT_EQ(ran.exit_code, 0) << command << ": " << ran.err;
  }
}

TEST_F(Help, SaysWhichEndingsAnOutputHas) {
  EXPECT_NE(warpfold("help triangulate").out.find("FILE: .json, .svg, .geojson or .obj"), std::string::npos);
  EXPECT_NE(warpfold("help minplus").out.find("FILE: .npy"), std::string::npos);
}

TEST_F(Help, ShowsTheDefaultOfAnOptionThatHasOne) {
  const auto shows = [&](const std::string& command, const std::string& option, const std::string& value) {
    const std::string help = warpfold("help " + command).out;  // CLI11 2.3 writes =4096, 2.4 writes [4096]
    return help.find(option + "=" + value) != std::string::npos ||
           help.find(option + " [" + value + "]") != std::string::npos;
  };
  EXPECT_TRUE(shows("bench", "-n NUMBER", "4096"));
  EXPECT_TRUE(shows("bench", "--device auto|cpu|cuda|cuda:N,...|cuda:all", "auto"));
  EXPECT_TRUE(shows("bench", "--seed NUMBER", "1"));
  EXPECT_TRUE(
      shows("minplus", "--semiring " + fmt::format("{}", fmt::join(minplus::semiring_names(), "|")), "min-plus"));
}

TEST_F(Help, ShowsNoOptionThatTheCommandDoesNotRead) {
  const auto shows = [&](const std::string& command, const std::string& option) {
    return warpfold("help " + command).out.find(option) != std::string::npos;
  };
  for (const std::string command : {"bench", "chain", "coins", "knapsack", "minplus", "paper tune", "recurrence",
                                    "subset-sum", "tree", "triangulate"}) {
    SCOPED_TRACE(command);
    EXPECT_EQ(shows(command, "--seed"), command == "bench" || command == "knapsack" || command == "paper tune");
    EXPECT_EQ(shows(command, "--progress"), command != "bench");
    for (const char* option : {"--estimate", "--algorithm", "--threads", "--max-device-memory"}) {
      EXPECT_EQ(shows(command, option), command != "paper tune") << option;
    }
  }
  expect_error(warpfold("chain 5 6 7 --seed 1"), 2, "'--seed' is not accepted here");
  expect_error(warpfold("paper tune -n 100 --estimate"), 2, "'--estimate' is not accepted here");
}

TEST_F(Help, OfNoCommandIsTheListOfThem) { EXPECT_EQ(warpfold("help").out, warpfold("--help").out); }

}  // namespace
}  // namespace warpfold::app::test
