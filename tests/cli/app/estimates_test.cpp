#include <algorithm>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"
#include "needs_gpu.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app::test {
namespace {

/// Compares `--estimate` before a run with the report of the run.
class Estimates : public CommandLine {
 protected:
  void expect_right(const Solve& solve) const {
    const Ran before = warpfold(solve.arguments + " --json --estimate");
    const Ran after = warpfold(solve.arguments + " --json");
    ASSERT_EQ(before.exit_code, 0) << before.err;
    ASSERT_EQ(after.exit_code, 0) << after.err;
    const Json estimate = before.json();
    const Json run = after.json();
    const auto bytes = run.at("peak_bytes").get<double>();
    const auto expected = estimate.at("peak_bytes").get<double>();
    EXPECT_EQ(estimate.at("n"), run.at("n"));
    if (!solve.by_instance) {
      EXPECT_FALSE(estimate.contains("at_most")) << "nothing but the sizes decides";
      EXPECT_EQ(estimate.at("algorithm"), run.at("algorithm"));
      EXPECT_GT(expected, bytes / 1.2);
      EXPECT_LT(expected, bytes * 1.2);
      EXPECT_EQ(estimate.at("peak_device_bytes"), run.at("peak_device_bytes"));
      return;
    }
    // The number of states of a core search, the length of a queue, and the algorithm that ends the search depend on
    // the data. The run must be between the two estimates.
    ASSERT_TRUE(estimate.contains("at_most"));
    const Json& most = estimate.at("at_most");
    EXPECT_TRUE(run.at("algorithm") == estimate.at("algorithm") || run.at("algorithm") == most.at("algorithm"));
    EXPECT_LT(expected, bytes * 1.2);
    EXPECT_GT(most.at("peak_bytes").get<double>(), bytes / 1.2);
    if (most.at("seconds").is_number()) {
      EXPECT_GE(most.at("seconds").get<double>(), estimate.at("seconds").get<double>());
    }
  }
};

TEST_F(Estimates, NameTheAlgorithmAndTheBytesOfTheRun) {
  for (const Solve& solve : large_solves(path(""))) {
    SCOPED_TRACE(solve.arguments);
    expect_right(solve);
  }
}

TEST_F(Estimates, AreTestedForEverySolvingCommand) {
  std::vector<std::string> runs;
  for (const Solve& solve : large_solves(path(""))) runs.push_back(solve.arguments);
  expect_runs_of_solving_commands(runs);
}

TEST_F(Estimates, IncludeTheStartOfAGpu) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const std::string chain = "chain 30 35 15 5 10 20 25 --algorithm dp --estimate --json --device ";
  const Json estimate = warpfold(chain + "cuda").json();
  EXPECT_GT(estimate.at("gpu_start_seconds"), 0);
  EXPECT_GT(estimate.at("seconds"), estimate.at("gpu_start_seconds"));
  EXPECT_FALSE(warpfold(chain + "cpu").json().contains("gpu_start_seconds"));
}

TEST_F(Estimates, TellAPaymentByResiduesFromATableOfAllAmounts) {
  const Json estimate = warpfold("coins --coins 1,5 --amount 1000000000000 --json --estimate").json();
  EXPECT_EQ(estimate.at("algorithm"), "residues");
  EXPECT_LT(estimate.at("seconds").get<double>(), 0.1);
  const Json open = warpfold("coins --coins 5,7,1000 --amount 20000 --json --estimate").json();
  EXPECT_EQ(open.at("at_most").at("algorithm"), "table");  // the residues may not suffice
}

TEST_F(Estimates, SayInWordsWhatTheInstanceDecides) {
  write("k.txt", "3 10\n4 5\n5 6\n3 4\n");
  const Ran ran = warpfold("knapsack k.txt --estimate");
  EXPECT_NE(ran.out.find("by core: at least"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("at most, by table"), std::string::npos) << ran.out;
}

TEST_F(Estimates, RefuseWhatTheRunRefuses) {
  for (const auto& [arguments, by_instance] : large_solves(path(""))) {
    if (arguments.find(" -a ") != std::string::npos) continue;
    SCOPED_TRACE(arguments);
    const Ran run = warpfold(arguments + " -a nope");
    const Ran estimate = warpfold(arguments + " -a nope --estimate");
    expect_error(run, 2, "nope");
    EXPECT_EQ(estimate.exit_code, 2);
    EXPECT_EQ(estimate.err, run.err);
  }
}

}  // namespace
}  // namespace warpfold::app::test
