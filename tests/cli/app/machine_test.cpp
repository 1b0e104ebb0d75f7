#include <filesystem>
#include <sstream>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class MachineCommand : public CommandLine {};

/// The options that name the times and counters of an H100.
std::string recorded_on_h100() {
  const std::filesystem::path results = std::filesystem::path(WARPFOLD_EXAMPLES).parent_path() / "results/h100";
  return " --times " + (results / "machine_probe.json").string() + " --counters " +
         (results / "machine_counters.csv").string();
}

TEST_F(MachineCommand, PredictsProgramsBetterWithTheirInstructionsAndBarriers) {
  std::size_t programs = 0;
  const Json summary = warpfold("machine predict summary --json" + recorded_on_h100()).json();
  for (const Json& row : summary["rows"]) {
    EXPECT_EQ(row["counted"], row["rows"]) << row;
    if (row["work"] != "program") continue;
    ++programs;
    EXPECT_EQ(row["equal"], row["rows"]) << row;
    EXPECT_LT(row["detailed_median_error"].get<double>(), row["median_error"].get<double>() / 2) << row;
    EXPECT_LT(row["detailed_largest_error"].get<double>(), row["largest_error"].get<double>() / 2) << row;
  }
  EXPECT_EQ(programs, 2U);
}

TEST_F(MachineCommand, PredictsAProgramByItsParts) {
  const Json sum = warpfold("machine predict sum --json" + recorded_on_h100()).json();
  ASSERT_FALSE(sum["rows"].empty());
  for (const Json& row : sum["rows"]) {
    EXPECT_EQ(row["barriers"], 12) << row;
    double cycles = 0;
    for (const char* part : {"load", "store", "barrier", "instruction"}) {
      cycles += row[std::string(part) + "_cycles"].get<double>();
    }
    EXPECT_NEAR(cycles, row["detailed_cycles"].get<double>(), 2) << row;
  }
}

TEST_F(MachineCommand, PredictsAloneWhereNothingMayBeCounted) {
  write("c.csv",
        "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
        "Performance Counters on the target device 0.\n");
  const Ran ran = warpfold("machine predict sum --counters c.csv --json");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "warpfold: note: c.csv: ncu had no permission to count, so nothing is counted\n");
  EXPECT_TRUE(ran.json()["rows"][0]["counted"].is_null());
  EXPECT_GT(ran.json()["rows"][0]["predicted_count"], 0);
}

TEST_F(MachineCommand, ListNamesEveryAlgorithmOfThePapers) {
  const Json list = warpfold("machine list --json").json();
  std::vector<std::string> names;
  for (const Json& algorithm : list["algorithms"]) names.push_back(algorithm["name"]);
  for (const char* name : {"contiguous",
                           "stride",
                           "transpose-straightforward",
                           "transpose-diagonal",
                           "transpose-rotating",
                           "permute-straightforward",
                           "permute-dmm",
                           "permute-rows",
                           "permute-umm",
                           "sum",
                           "prefix-sums",
                           "sequential",
                           "dp-opt",
                           "umm-opt",
                           "opt-threads-naive",
                           "opt-threads-sliding",
                           "opt-blocks-naive",
                           "opt-blocks-mirroring",
                           "sdp-sequential",
                           "sdp-naive",
                           "sdp-tournament",
                           "sdp-pipeline",
                           "sdp-m-by-m",
                           "sdp-p-fold",
                           "mcm-sequential",
                           "mcm-tournament",
                           "mcm-diagonals",
                           "mcm-pipeline",
                           "knapsack-p-fold",
                           "tiled-umm-opt",
                           "transpose-hmm",
                           "permute-hmm",
                           "sum-hmm",
                           "prefix-sums-hmm",
                           "matrix-product",
                           "matrix-product-hmm",
                           "bitonic-sort",
                           "list-ranking",
                           "breadth-first-search",
                           "convolution",
                           "lcs-sequential",
                           "lcs-rows",
                           "lcs",
                           "lcs-sliding",
                           "lcs-mirroring",
                           "lcs-slices",
                           "lcs-tiles",
                           "edit-distance-sequential",
                           "edit-distance-rows",
                           "edit-distance",
                           "edit-distance-sliding",
                           "edit-distance-mirroring",
                           "edit-distance-slices",
                           "edit-distance-tiles"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    EXPECT_NE(warpfold("machine list").out.find(std::string(name) + "\n"), std::string::npos) << name;
  }
}

TEST_F(MachineCommand, RunHasTheContractsKeys) {
  const Json run =
      warpfold("machine run contiguous --machine umm --width 4 --latency 5 --threads 8 -n 16 --json").json();
  EXPECT_EQ(run["command"], "machine run");
  EXPECT_EQ(run["time_units"], 12);
  EXPECT_EQ(run["formula"], 12);
  EXPECT_EQ(run["lower_bound"], 10);
  EXPECT_EQ(run["correct"], true);
  EXPECT_EQ(run["accesses"], 16);
  EXPECT_EQ(run["dispatches"], 4);
  EXPECT_EQ(run["total_stages"], 4);
  EXPECT_EQ(run["phases"].size(), 1u);
  EXPECT_EQ(run["phases"][0]["sequences"][0]["length"], 16);
  const Json pipelined =
      warpfold("machine run contiguous --machine umm --width 4 --latency 5 --threads 8 -n 16 --timing pipelined --json")
          .json();
  EXPECT_EQ(pipelined["time_units"], 11);
}

TEST_F(MachineCommand, NoTimeIsBelowItsLowerBound) {
  for (const std::string algorithm : {"sdp-sequential", "sdp-tournament", "sdp-pipeline", "sdp-m-by-m", "sdp-p-fold"}) {
    for (int seed = 1; seed <= 6; ++seed) {  // the offset, 3 to 6, leaves 1 to 4 entries to compute
      const Json run = warpfold("machine run " + algorithm +
                                " -n 7 --threads 1 --width 1 --latency 1 --terms 1 --smallest 3 --largest 6 --json "
                                "--seed " +
                                std::to_string(seed))
                           .json();
      EXPECT_EQ(run["correct"], true) << algorithm << seed;
      EXPECT_LE(run["lower_bound"], run["time_units"]) << algorithm << seed;
    }
  }
}

TEST_F(MachineCommand, CostIsThatOfFigure4Of2012) {
  const std::string figure = "printf 'R 0 1 5 10\\nR 8 9 14 15\\n' |";
  const Json dmm = warpfold("machine cost --machine dmm --width 4 --latency 3 --json", figure).json();
  EXPECT_EQ(dmm["stages"], Json({2, 1}));
  EXPECT_EQ(dmm["time_units"], 5);
  const Json umm = warpfold("machine cost --machine umm --width 4 --latency 3 --json", figure).json();
  EXPECT_EQ(umm["stages"], Json({3, 2}));
  EXPECT_EQ(umm["time_units"], 7);
  EXPECT_EQ(warpfold("machine cost --machine dmm --index 'i*33 % 1024' --threads 64 -o x.svg").exit_code, 0);
  EXPECT_TRUE(file("x.svg").starts_with("<svg "));
}

TEST_F(MachineCommand, RandomShiftBreaksAColumnsConflicts) {
  const Json plain = warpfold("machine cost --machine dmm --index 'i*32' --json").json();
  const Json shifted = warpfold("machine cost --machine dmm --index 'i*32' --mapping random-shift --json").json();
  EXPECT_EQ(plain["stages"][0], 32);
  EXPECT_LT(shifted["stages"][0], 8);
}

TEST_F(MachineCommand, BadInputIsOneClearError) {
  const std::string run = "machine run contiguous --width 4 --latency 5 ";
  expect_error(warpfold("machine run contiguous --width 0"), 2, "width is 0: 1 or more is accepted");
  expect_error(warpfold("machine run contiguous --latency 0"), 2, "latency is 0: 1 or more is accepted");
  expect_error(warpfold(run + "--threads 0"), 2, "threads is 0: 1 or more is accepted");
  expect_error(warpfold(run + "--threads 10"), 2, "the papers assume whole warps");
  expect_error(warpfold("machine run nothing"), 2, "algorithm 'nothing' is unknown");
  expect_error(warpfold("machine run contiguous --machine gpu"), 2, "machine 'gpu' is unknown");
  expect_error(warpfold("machine run contiguous --timing fast"), 2, "timing 'fast' is unknown");
  expect_error(warpfold("machine run contiguous --as-printed"), 2, "has no other printed form");
  expect_error(warpfold("machine run tiled-umm-opt --machine umm"), 2, "does not run on the umm");
  expect_error(warpfold("machine run contiguous --mapping random-shift"), 2, "mapping is random-shift on the umm");
  expect_error(warpfold("machine run stride --threads 64 -n 100"), 2, "n is 100");
  expect_error(warpfold("machine run contiguous -n 100000000000"), 5, "the solve needs 4 TB");
  expect_error(warpfold("machine run contiguous -n 1000000 --max-memory 4M"), 5, "1000000 words would need 12 MB");
  expect_error(warpfold("machine run contiguous --trace x.txt"), 2, "x.txt");
  EXPECT_FALSE(exists("x.txt"));
  expect_error(warpfold("machine cost --machine dmm --index 'i*'"), 2, "does not parse");
  expect_error(warpfold("machine cost --machine dmm --index 'i-1'"), 3, "thread 0: index is -1");
  expect_error(warpfold("machine cost --machine dmm --index '1/i'"), 3, "no value for i = 0");
  expect_error(warpfold("machine cost --machine dmm --bytes 5 --index i"), 2, "bytes is 5");
  expect_error(warpfold("machine cost --machine pram --index i"), 2, "the dmm or the umm");
  expect_error(warpfold("machine cost --machine dmm", "echo 'R 1 x' |"), 3, ":1: 'x' is not understood");
  expect_error(warpfold("machine cost --machine dmm", "printf '' |"), 3, "there is no access");
}

TEST_F(MachineCommand, APermutationThatIsNoneIsRefusedByName) {
  // A .npy of two unsigned 32-bit zeros.
  std::string header = "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  header += '\n';
  write("p.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(8, '\0'));
  const Ran ran = warpfold("machine run permute-dmm --machine dmm --width 2 --threads 2 -n 2 --permutation p.npy");
  expect_error(ran, 3, "0");
}

/// The options "--NAME=LIST" that the output of a run shows.
std::string shown_lists(const std::string& text) {
  std::string options;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("--")) options += " " + line;
  }
  return options;
}

TEST_F(MachineCommand, WhatWasDrawnCanBeTypedInAgain) {
  for (const std::string run :
       {"sdp-p-fold --machine pram --threads 16 -n 30", "knapsack-p-fold --threads 32 -n 5 --capacity 9",
        "mcm-pipeline --threads 32 -n 6", "umm-opt --threads 32 -n 7", "sequential --threads 32 -n 9",
        "permute-straightforward --threads 32 -n 16", "tiled-umm-opt --threads 32 -n 7 --width 4"}) {
    SCOPED_TRACE(run);
    const std::string lists = shown_lists(warpfold("machine run " + run + " --seed 3").out);
    EXPECT_NE(lists, "");
    Json drawn = warpfold("machine run " + run + " --seed 3 --json").json();
    Json typed = warpfold("machine run " + run + " --seed 4 --json" + lists).json();
    EXPECT_EQ(drawn["correct"], true);
    for (Json* object : {&drawn, &typed}) {
      object->erase("seed");
      object->erase("peak_bytes");
    }
    EXPECT_EQ(typed, drawn);
  }
}

TEST_F(MachineCommand, ALongListIsShortInTextAndWholeInJson) {
  const std::string run = "machine run permute-straightforward --threads 32 -n 64 --seed 7";
  const std::string text = warpfold(run).out;
  EXPECT_NE(text.find("  64 in all, drawn by --seed 7; --json prints them\n"), std::string::npos) << text;
  EXPECT_EQ(warpfold(run + " --json").json()["inputs"]["permutation"].size(), 64u);
  const Json beyond = warpfold("machine run contiguous -n 1000001 --json").json();
  EXPECT_EQ(beyond["inputs"]["words"], Json());  // a million entries are printed; the seed gives longer lists again
}

TEST_F(MachineCommand, AListIsTypedOrComesFromAFileAndSaysTheSize) {
  write("chain.txt", "30 35 15 # rows and columns\n5 10 20 25\n");
  for (const std::string list : {"chain.txt", "30,35,15,5,10,20,25"}) {
    const Json run = warpfold("machine run mcm-pipeline --machine pram --threads 8 --json --dimensions " + list).json();
    EXPECT_EQ(run["n"], 6);
    EXPECT_EQ(run["outputs"]["ST"].back(), 15125);
  }
}

TEST_F(MachineCommand, UmmOptTakesItsFormulaWithMoreThreadsThanElements) {
  const Json run = warpfold("machine run umm-opt -n 128 --threads 4096 --json").json();
  EXPECT_EQ(run["correct"], true);
  EXPECT_EQ(run["time_units"], run["formula"]);
}

}  // namespace
}  // namespace warpfold::app::test
