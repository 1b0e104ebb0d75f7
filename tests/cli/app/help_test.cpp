#include "cli/app/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/app/run.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::app::test {
namespace {

/// The folder has the files that the examples read.
class Help : public CommandLine {
 protected:
  void SetUp() override {
    for (const auto& [name, example] : {std::pair{"outline.geojson", "iceland.geojson"}, {"towns.csv", "towns.csv"}}) {
      std::filesystem::create_symlink(std::filesystem::path(WARPFOLD_EXAMPLES) / example, path(name));
    }
    write("sequences.fa", ">hairpin\nGGGGAAAACCCC\n");
    write("a.fa", ">one\nMKVLAW\n");
    write("b.fa", ">other\nMKLAWQ\n");
    write("a.txt", "the quick brown fox\n");
    write("b.txt", "a quick fox\n");
    write("old.txt", "first\nsecond\n");
    write("new.txt", "first\nlast\n");
    write("dimensions.txt", "30 35 15 5 10 20 25\n");
    write("items.txt", "3 10\n5 4\n6 5\n7 6\n");
    write("numbers.txt", "4 11\n3\n5\n6\n8\n");
    write("coins.json", R"({"coins": [1, 5, 10], "amount": 27, "stock": [9, 2, 1]})");
    write("recurrence.json", R"({"op": "sum", "offsets": [2, 1], "initial": [0, 1], "n": 90})");
    write("p.txt", "3 1 4\n");
    write("q.txt", "1 5 9 2\n");
    write("weights.json", R"({"p": [3, 1, 4], "q": [1, 5, 9, 2]})");
    write("words.txt", "34\n8\n50\n");
    write("edges.csv", "0,1,3\n1,2,4\n2,0,5\n");
    const Ran ran = shell(
        "warpfold recurrence --offsets 4 --initial 2,0,1,3 -n 4 -o permutation.npy && cp permutation.npy words.npy && "
        "warpfold paths edges.csv -o a.npy && cp a.npy b.npy && cp a.npy weights.npy && "
        "warpfold triangulate outline.geojson --json >solution.json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }

  /// Every command of the program that has no commands below it: "machine run".
  [[nodiscard]] std::vector<std::string> commands() const {
    std::vector<Found> all;
    find_commands([&](const std::string& command) { return warpfold("help " + command).out; }, "", all);
    std::vector<std::string> names;
    for (const Found& one : all) names.push_back(one.command.substr(1));
    return names;
  }

  /// The last lines of a command's help.
  [[nodiscard]] std::vector<std::string> examples_of(const std::string& command) const {
    const std::string help = warpfold("help " + command).out;
    const std::string heading = "\nExamples:\n";
    std::vector<std::string> examples;
    std::istringstream lines(help.substr(std::min(help.find(heading), help.size() - heading.size()) + heading.size()));
    for (std::string line; std::getline(lines, line);) examples.push_back(line);
    return examples;
  }

  /// The help of a command as one line.
  [[nodiscard]] std::string text_of(const std::string& command) const {
    std::istringstream words(warpfold("help " + command).out);
    std::string text;
    for (std::string word; words >> word;) text += word + " ";
    return text;
  }
};

TEST_F(Help, OfEveryCommandEndsWithTwoExamplesOfIt) {
  const std::vector<std::string> all = commands();
  EXPECT_GT(all.size(), 15u);
  for (const std::string& command : all) {
    const Ran ran = warpfold(command + " --help");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::vector<std::string> examples = examples_of(command);
    EXPECT_EQ(examples.size(), 2u) << command;
    for (const std::string& example : examples) {
      EXPECT_TRUE(example.starts_with("  ")) << example;
      EXPECT_NE(example.find("warpfold " + command), std::string::npos) << example;
    }
    EXPECT_EQ(warpfold("help " + command).out, ran.out);
  }
}

TEST_F(Help, ExamplesAllRun) {
  const bool has_gpu = !warpfold("info --json").json().at("gpus").empty();
  for (const std::string& command : commands()) {
    if (command == "paper tune" && !has_gpu) continue;
    for (const std::string& example : examples_of(command)) {
      const Ran ran = shell(example);
      EXPECT_EQ(ran.exit_code, 0) << example << ": " << ran.err;
      const bool names_energies = command == "fold" && example.find("--json") == std::string::npos;
      EXPECT_EQ(ran.err, names_energies ? "warpfold: note: energies: rules-1998\n" : "") << example;
    }
  }
}

TEST_F(Help, HasNoLineThatATerminalBreaks) {
  for (const std::string& command : commands()) {
    std::istringstream lines(warpfold("help " + command).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

/// A list of classes that is too long for one line is in the text.
TEST_F(Help, ListsAcceptedWordsInTheTextWhereTheyFillALine) {
  EXPECT_NE(text_of("knapsack").find("--generate NAME class of an instance to write, unsolved: uncorrelated, weakly-"),
            std::string::npos);
}

/// Options of the input come first, then those of solving, output and limits, independent of the order in which they
/// are added.
TEST_F(Help, ListsOptionsByGroup) {
  std::vector<std::string> headings;
  for (const Section& section : sections_of(warpfold("help triangulate").out)) headings.push_back(section.heading);
  EXPECT_EQ(headings, (std::vector<std::string>{"Input", "Solving", "Output", "Limits", "Help", "Examples"}));
  for (const std::string& command : commands()) {
    for (const Section& section : sections_of(warpfold("help " + command).out)) {
      EXPECT_NE(std::find(headings.begin(), headings.end(), section.heading), headings.end()) << section.heading;
      EXPECT_FALSE(section.names.empty()) << command << " " << section.heading;
    }
  }
}

TEST_F(Help, OfTheProgramShowsFiveCommandsFirst) {
  const std::vector<Section> sections = sections_of(warpfold("--help").out);
  ASSERT_GE(sections.size(), 2u);
  EXPECT_EQ(sections[0].names, (std::vector<std::string>{"triangulate", "chain", "knapsack", "paths", "minplus"}));
  EXPECT_GT(sections[1].names.size(), 10u);
}

TEST_F(Help, SaysWhichWordsMayBeLeftOutOrRepeated) {
  for (const auto& [command, usage] : {std::pair{"knapsack", "[INPUT...]"},
                                       {"tree", "INPUT..."},
                                       {"minplus", "A [B]"},
                                       {"verify", "FILES..."},
                                       {"paths", "GRAPH"}}) {
    const std::string line = fmt::format("\nUsage: warpfold {} [OPTIONS] {}\n", command, usage);
    EXPECT_NE(warpfold(fmt::format("help {}", command)).out.find(line), std::string::npos) << line;
  }
}

TEST_F(Help, IsWhatThePlainProgramShowsAndItIsWrongUsage) {
  const Ran ran = warpfold("");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, warpfold("--help").out);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Help, NamesNoGpuWhereNoAlgorithmRunsOnOne) {
  for (const char* command : {"coins", "subset-sum", "tree"}) {
    EXPECT_NE(text_of(command).find("--device auto|cpu device"), std::string::npos) << command;
  }
  EXPECT_NE(text_of("chain").find("--device auto|cpu|cuda|"), std::string::npos);
}

TEST_F(Help, SaysWhichEndingsAnOutputHas) {
  EXPECT_NE(text_of("triangulate").find("file for the solution: .json, .svg, .geojson, .obj or .off"),
            std::string::npos);
  EXPECT_NE(text_of("minplus").find("file for the solution: .npy"), std::string::npos);
}

TEST_F(Help, ShowsTheDefaultOfAnOptionThatHasOne) {
  EXPECT_NE(text_of("bench").find("-n NUMBER number of vertices, or of rows and columns (default 4096)"),
            std::string::npos);
  EXPECT_NE(text_of("bench").find("cuda:all device to solve on (default auto)"), std::string::npos);
  EXPECT_NE(text_of("bench").find("--seed NUMBER seed of everything random (default 1)"), std::string::npos);
  EXPECT_NE(text_of("minplus").find(fmt::format("--semiring {}", fmt::join(minplus::semiring_names(), "|"))),
            std::string::npos);
  EXPECT_NE(text_of("minplus").find("(default min-plus)"), std::string::npos);
}

TEST_F(Help, NamesTheNumberTypeWhereThereIsOnlyOne) {
  EXPECT_NE(text_of("lcs").find("--dtype i64 number type; default: i64"), std::string::npos);
  EXPECT_NE(text_of("chain").find("--dtype i32|i64|f32|f64 number type; default: chosen from the input"),
            std::string::npos);
}

TEST_F(Help, ShowsNoOptionThatTheCommandDoesNotRead) {
  const auto shows = [&](const std::string& command, const std::string& option) {
    return warpfold("help " + command).out.find(option) != std::string::npos;
  };
  std::vector<std::string> some = solving_commands();
  some.insert(some.end(), {"bench", "paper tune"});
  for (const std::string& command : some) {
    SCOPED_TRACE(command);
    const bool draws = command == "bench" || command == "fold" || command == "knapsack" || command == "paper tune";
    EXPECT_EQ(shows(command, "--seed"), draws);
    EXPECT_EQ(shows(command, "--progress"), command != "bench");
    for (const char* option : {"--estimate", "--algorithm", "--threads", "--max-device-memory"}) {
      EXPECT_EQ(shows(command, option), command != "paper tune") << option;
    }
  }
  expect_error(warpfold("chain 5 6 7 --seed 1"), 2, "'--seed' is not accepted here");
  expect_error(warpfold("paper tune -n 100 --estimate"), 2, "'--estimate' is not accepted here");
}

TEST_F(Help, OfACommandIsPrintedWhateverElseIsGiven) {
  for (const char* command : {"edit-distance", "fold", "machine run"}) {
    const std::string expected = warpfold("help " + std::string(command)).out;
    for (const char* words : {" -h x", " x -h", " --help x", " --threads 2 -h"}) {
      const Ran ran = warpfold(command + std::string(words));
      EXPECT_EQ(ran.exit_code, 0) << command << words << ran.err;
      EXPECT_EQ(ran.out, expected) << command << words;
    }
  }
  EXPECT_EQ(warpfold("edit-distance --strings -- -h x").exit_code, 0);
}

TEST_F(Help, OfNoCommandIsTheListOfThem) { EXPECT_EQ(warpfold("help").out, warpfold("--help").out); }

}  // namespace
}  // namespace warpfold::app::test
