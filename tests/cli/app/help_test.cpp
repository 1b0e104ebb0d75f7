#include "cli/app/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "cli/app/run.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::app::test {
namespace {

class Help : public CommandLine {
 protected:
  /// Every command that the program lists and that has none below it: "machine run".
  [[nodiscard]] std::vector<std::string> commands() const {
    std::vector<Found> all;
    find_commands([&](const std::string& command) { return warpfold("help " + command).out; }, "", all);
    std::vector<std::string> names;
    for (const Found& one : all) names.push_back(one.command.substr(1));
    return names;
  }

  /// What the help of a command shows as one, "" where it shows none.
  [[nodiscard]] std::string example_of(const std::string& command) const {
    const std::string help = warpfold("help " + command).out;
    const std::size_t example = help.find("Example: ");
    return example == std::string::npos ? "" : help.substr(example + 9, help.find('\n', example) - example - 9);
  }
};

TEST_F(Help, OfEveryCommandShowsAnExampleOfIt) {
  const std::vector<std::string> all = commands();
  EXPECT_GT(all.size(), 15u);
  for (const std::string& command : all) {
    const Ran ran = warpfold(command + " --help");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(example_of(command).find("warpfold " + command), std::string::npos) << command;
    EXPECT_EQ(warpfold("help " + command).out, ran.out);
  }
}

TEST_F(Help, ExamplesRunUnlessTheyNeedAFile) {
  const std::set<std::string> others = {"completions", "man", "paper tune"};  // for a shell, for man, for a GPU
  int ran_well = 0;
  for (const std::string& command : commands()) {
    const std::string example = example_of(command);
    if (others.contains(command)) continue;
    const Ran ran = shell(example);
    const bool needs_file = ran.exit_code == 3 && ran.err.find("cannot be read") != std::string::npos;
    EXPECT_TRUE(ran.exit_code == 0 || needs_file) << example << ": " << ran.err;
    ran_well += ran.exit_code == 0;
  }
  EXPECT_GE(ran_well, 10);
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
