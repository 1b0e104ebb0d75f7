#include "warpfold/machine/sdp.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "memory.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace warpfold::machine {
namespace {

using Parameters = std::map<std::string, std::uint64_t>;

RunRequest request(const Machine& machine, std::uint32_t threads, std::uint64_t n, const Parameters& parameters = {},
                   std::uint64_t seed = 1) {
  RunRequest result;
  result.machine = machine;
  result.threads = threads;
  result.n = n;
  result.seed = seed;
  result.parameters = parameters;
  return result;
}

RunResult run_named(const char* name, const RunRequest& what) { return run(find_algorithm(name), what); }

std::uint64_t time_of(const RunResult& result) { return result.report.total.time_units.count; }

/// Counts the reads of the most frequently read address of each step, over all steps.
class Readers : public Observer {
 public:
  void on_dispatch(const TraceDispatch& dispatch) override {
    if (dispatch.step != step_) readers_.clear();
    step_ = dispatch.step;
    for (const TraceAccess& access : dispatch.accesses) {
      if (access.write) {
        EXPECT_TRUE(writers_.insert({step_, access.address}).second) << "step " << step_;
      } else {
        most_ = std::max(most_, ++readers_[access.address]);
      }
    }
  }
  [[nodiscard]] std::uint32_t most() const { return most_; }

 private:
  std::uint32_t step_ = 0, most_ = 0;
  std::map<Address, std::uint32_t> readers_;
  std::set<std::pair<std::uint32_t, Address>> writers_;
};

TEST(Offsets, RunsAreCountedByTheirConsecutiveMembers) {
  EXPECT_EQ(longest_run(std::vector<std::uint32_t>{5, 3, 1}), 1u);
  EXPECT_EQ(longest_run(std::vector<std::uint32_t>{9, 8, 5, 4, 3, 1}), 3u);
  EXPECT_EQ(longest_run(std::vector<std::uint32_t>{4, 3, 2, 1}), 4u);
}

TEST(Offsets, OutOfOrderOrZeroAreRefused) {
  EXPECT_THROW(check_offsets({}), Error);
  EXPECT_THROW(check_offsets(std::vector<std::uint32_t>{3, 3}), Error);
  EXPECT_THROW(check_offsets(std::vector<std::uint32_t>{3, 0}), Error);
  std::mt19937_64 random(1);
  EXPECT_THROW(static_cast<void>(random_offsets(5, 1, 4, random)), Error);
  EXPECT_EQ(random_offsets(4, 3, 6, random), (std::vector<std::uint32_t>{6, 5, 4, 3}));
}

TEST(Offsets, AreDrawnFromARangeThatNobodyHolds) {
  warpfold::test::forget_peak();
  const double before = warpfold::test::process_bytes("VmRSS");
  std::mt19937_64 random(1);
  const auto drawn = random_offsets(3, 1, 400'000'000, random);
  EXPECT_EQ(drawn.size(), 3u);
  EXPECT_GT(drawn[0], drawn[2]);
  if (!warpfold::test::peaks_can_be_measured()) return;
  EXPECT_LT(warpfold::test::process_bytes("VmHWM") - before, 100e6);
}

TEST(Offsets, CollisionsAreTheReadersOfOneElement) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const auto a = random_offsets(1 + static_cast<std::uint32_t>(random() % 12), 1, 30, random);
    for (const std::uint32_t p : {1u, 2u, 3u, 7u}) {
      std::map<std::uint64_t, std::uint32_t> readers;
      std::uint32_t most = 0;
      for (std::uint32_t j = 0; j < p * a.size(); ++j) most = std::max(most, ++readers[j + a[j / p]]);
      EXPECT_EQ(read_collisions(a, p), most);
    }
    EXPECT_EQ(read_collisions(a), longest_run(a));  // the slowdown that 2018 states
  }
}

/// The examples of 2023, Figs. 7 and 11: 3-fold is possible, 4-fold is not.
TEST(Offsets, LargestFoldOfThePapersExampleIsThree) {
  EXPECT_EQ(largest_fold(std::vector<std::uint32_t>{10, 8, 5}), 3u);
}

const std::vector<const char*> sdp_names = {"sdp-sequential", "sdp-tournament", "sdp-pipeline", "sdp-m-by-m",
                                            "sdp-p-fold"};

TEST(SdpPrograms, FillTheTableOnEveryMachineAndInBothTimings) {
  for (const char* name : sdp_names) {
    for (const Machine& machine : {pram(), bpram(4), dmm(4, 3), umm(4, 5)}) {
      for (const std::uint64_t terms : {1, 2, 3, 5, 8}) {
        for (const std::uint64_t n : {17, 40, 41, 42}) {
          auto what = request(machine, 32, n, {{"terms", terms}, {"m", 1}}, n);
          if (std::string(name) != "sdp-m-by-m") what.parameters.erase("m");
          const RunResult lockstep = run_named(name, what);
          EXPECT_TRUE(lockstep.correct) << name << ", " << terms << " terms, n = " << n;
          EXPECT_LE(lockstep.lower_bound, time_of(lockstep));
          what.options.timing = Timing::pipelined;
          const RunResult pipelined = run_named(name, what);
          EXPECT_TRUE(pipelined.correct) << name << ", pipelined";
          EXPECT_LE(time_of(pipelined), time_of(lockstep)) << name;
        }
      }
    }
  }
}

TEST(SdpPrograms, TakeExactlyTheirFormulaOnThePram) {
  for (const char* name : sdp_names) {
    for (const std::uint64_t terms : {1, 2, 3, 5, 8, 13}) {
      for (const std::uint64_t n : {30, 31, 57}) {
        const RunResult result = run_named(name, request(pram(), 64, n, {{"terms", terms}, {"largest", 26}}, n));
        EXPECT_EQ(time_of(result), result.formula) << name << ", " << terms << " terms, n = " << n;
      }
    }
  }
}

/// Each memory step costs its stages + l - 1. So one more time unit of latency adds the number of memory steps.
TEST(SdpPrograms, PayTheLatencyOncePerMemoryStep) {
  for (const char* name : sdp_names) {
    for (const auto make : {dmm, umm}) {
      for (const std::uint64_t terms : {1, 2, 5, 9}) {
        const Parameters parameters = {{"terms", terms}};
        const RunResult slow = run_named(name, request(make(4, 11), 32, 50, parameters));
        const RunResult fast = run_named(name, request(make(4, 10), 32, 50, parameters));
        EXPECT_EQ(time_of(slow) - time_of(fast), slow.counts.at("memory_steps")) << name << ", " << terms << " terms";
      }
    }
  }
}

TEST(SdpPrograms, OneThreadTakesEveryAccessInFullLatency) {
  const RunResult result = run_named("sdp-sequential", request(umm(4, 7), 4, 100, {{"terms", 6}, {"largest", 9}}));
  EXPECT_EQ(time_of(result), result.formula);
}

/// With contiguous offsets the bound holds with constant 1 on the DMM. On the UMM the constant is 2, because a warp's
/// neighbors are in at most two groups.
TEST(SdpPipeline, StaysUnderItsBoundAsEachParameterGrows) {
  for (const std::uint64_t n : {200, 400}) {
    for (const std::uint64_t terms : {8, 32}) {
      for (const std::uint32_t w : {4u, 16u}) {
        for (const std::uint32_t l : {1u, 20u}) {
          const Parameters parameters = {{"terms", terms}, {"largest", terms}};
          const RunResult on_dmm = run_named("sdp-pipeline", request(dmm(w, l), 32, n, parameters));
          const RunResult on_umm = run_named("sdp-pipeline", request(umm(w, l), 32, n, parameters));
          EXPECT_LE(static_cast<double>(time_of(on_dmm)), *on_dmm.bound);
          EXPECT_LE(static_cast<double>(time_of(on_umm)), 2 * *on_umm.bound);
        }
      }
    }
  }
}

TEST(SdpPipeline, ReadsOneElementAsOftenAsTheLongestRunIsLong) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Readers readers;
    auto what = request(pram(), 32, 80, {{"terms", 7}, {"largest", 12}}, seed);
    what.options.observer = &readers;
    const RunResult result = run_named("sdp-pipeline", what);
    EXPECT_EQ(readers.most(), result.counts.at("longest_run"));
    EXPECT_EQ(readers.most(), result.counts.at("read_collisions"));
  }
}

TEST(SdpPipeline, WorksWithAllThreadsFromStepKToStepNMinusA0) {
  for (const std::uint64_t n : {20u, 13u, 9u}) {  // a_0 = 8, k = 4
    const RunResult result =
        run_named("sdp-pipeline", request(pram(), 32, n, {{"terms", 4}, {"smallest", 5}, {"largest", 8}}));
    EXPECT_EQ(result.counts.at("full_steps"), n < 11 ? 0 : n - 8 - 4 + 1) << n;
  }
  auto what = request(pram(), 32, 24, {{"fold", 3}});
  what.lists["offsets"] = {10, 8, 5};
  const RunResult folded =
      run_named("sdp-p-fold", what);  // heads 12, 15, .., of which 18 and 21 have 9 elements behind
  EXPECT_EQ(folded.counts.at("full_steps"), 2u);
}

TEST(SdpMByM, ReadsConsecutiveOffsetsWithoutACollisionWhereThePipelineReadsAllTogether) {
  for (const std::uint64_t k : {2, 4, 7, 16}) {
    const Parameters consecutive = {{"terms", k}, {"largest", k}};
    Readers readers;
    auto what = request(pram(), 32, 100, consecutive);
    what.options.observer = &readers;
    const RunResult result = run_named("sdp-m-by-m", what);
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(readers.most(), 1u);
    EXPECT_EQ(result.counts.at("read_collisions"), 1u);
    EXPECT_EQ(run_named("sdp-pipeline", request(pram(), 32, 100, consecutive)).counts.at("read_collisions"), k);
  }
}

TEST(SdpMByM, IsRightForEveryM) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::uint64_t m = 1; m <= 9; ++m) {
      const Parameters parameters = {{"terms", 9}, {"largest", 9 + seed % 4}, {"m", m}};
      const RunResult result = run_named("sdp-m-by-m", request(pram(), 32, 60, parameters, seed));
      EXPECT_TRUE(result.correct) << "m = " << m << ", seed " << seed;
      EXPECT_EQ(time_of(result), result.formula) << "m = " << m << ", seed " << seed;
    }
  }
}

struct Tally {
  int right = 0, wrong = 0;
  void add(bool correct) { ++(correct ? right : wrong); }
};

/// docs/explanation/errata.md, row 3: the printed head ends too early unless p divides n - 1 - a_0 - (p - 1).
TEST(SdpPFold, AsPrintedIsRightOnlyWhereTheFoldDividesTheTable) {
  Tally printed;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto what = request(pram(), 256, 60 + seed, {{"terms", 3}, {"smallest", 8}, {"largest", 20}}, seed);
    const RunResult right = run_named("sdp-p-fold", what);
    EXPECT_TRUE(right.correct);
    EXPECT_EQ(time_of(right), right.formula);
    what.as_printed = true;
    const RunResult result = run_named("sdp-p-fold", what);
    printed.add(result.correct);
    const std::uint64_t p = right.counts.at("fold");
    EXPECT_EQ(right.counts.at("pipeline_steps") == result.counts.at("pipeline_steps"), result.correct) << "p = " << p;
  }
  EXPECT_GT(printed.wrong, 10);
  EXPECT_GT(printed.right, 2);
}

/// docs/explanation/errata.md, row 4: p_max = min over q of floor(a_q / (k - q)).
TEST(SdpPFold, IsRightUpToTheLargestFoldAndOftenWrongBeyond) {
  Tally beyond;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Parameters parameters = {{"terms", 4}, {"smallest", 6}, {"largest", 24}};
    const std::uint64_t most =
        run_named("sdp-p-fold", request(pram(), 256, 90, parameters, seed)).counts.at("largest_fold");
    for (std::uint64_t p = 1; p <= most; ++p) {
      parameters["fold"] = p;
      EXPECT_TRUE(run_named("sdp-p-fold", request(pram(), 256, 90, parameters, seed)).correct) << "p = " << p;
    }
    parameters["fold"] = most + 1;
    beyond.add(run_named("sdp-p-fold", request(pram(), 256, 90, parameters, seed)).correct);
  }
  EXPECT_GT(beyond.wrong, 30);
}

TEST(SdpPFold, CollidesAsOftenAsCounted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Readers readers;
    auto what = request(pram(), 128, 150, {{"terms", 6}, {"smallest", 12}, {"largest", 30}}, seed);
    what.options.observer = &readers;
    const RunResult result = run_named("sdp-p-fold", what);
    EXPECT_EQ(readers.most(), result.counts.at("read_collisions"));
  }
}

/// A table that is shorter than the pipeline never keeps all threads busy.
TEST(SdpCollisions, AreThoseOfTheRunHoweverShort) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::uint64_t n = 26; n <= 50; n += 3) {
      for (const char* name : {"sdp-pipeline", "sdp-m-by-m", "sdp-p-fold"}) {
        Readers readers;
        auto what = request(pram(), 128, n, {{"terms", 6}, {"smallest", 9}, {"largest", 25}}, seed);
        what.options.observer = &readers;
        const RunResult result = run_named(name, what);
        EXPECT_EQ(readers.most(), result.counts.at("read_collisions")) << name << ", n = " << n << ", seed " << seed;
      }
    }
  }
}

TEST(SdpCollisions, OfAShortTableAreFewerThanOfALongOne) {
  RunRequest what{.machine = pram(), .threads = 6, .n = 11};
  what.parameters["fold"] = 3;
  what.lists = {{"offsets", {7, 3}}, {"initial", {1, 2, 3, 4, 5, 6, 7}}};
  EXPECT_EQ(run_named("sdp-p-fold", what).counts.at("read_collisions"), 1u);
  what.n = 40;
  EXPECT_EQ(run_named("sdp-p-fold", what).counts.at("read_collisions"), 2u);
}

/// docs/explanation/errata.md, row 2: from n = 4 on the printed order reads operands that are not final.
TEST(McmPipeline, AsPrintedIsWrongOnSomeChainsOfFourAndMore) {
  for (std::uint64_t n = 2; n <= 11; ++n) {
    Tally printed;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      auto what = request(pram(), 16, n, {}, seed);
      EXPECT_TRUE(run_named("mcm-pipeline", what).correct) << "n = " << n << ", seed " << seed;
      what.as_printed = true;
      printed.add(run_named("mcm-pipeline", what).correct);
    }
    if (n < 4) {
      EXPECT_EQ(printed.wrong, 0) << "n = " << n;
    } else {
      EXPECT_GT(printed.wrong, 0) << "n = " << n;
      EXPECT_GT(printed.right, 0) << "n = " << n;
    }
  }
}

/// 2018, Lemmas 1 and 2 and Theorem 1: they hold for the order of the stages, and for the printed order, which reads
/// values without conflict before they are there.
TEST(McmPipeline, NoTwoThreadsReadOneElementInASubstepInEitherOrder) {
  for (const bool as_printed : {false, true}) {
    for (std::uint64_t n = 2; n <= 20; ++n) {
      Readers readers;
      auto what = request(pram(), 32, n);
      what.as_printed = as_printed;
      what.options.observer = &readers;
      static_cast<void>(run_named("mcm-pipeline", what));
      EXPECT_EQ(readers.most(), 1u) << "n = " << n << (as_printed ? ", printed" : "");
    }
  }
}

TEST(McmPipeline, TakesExactlyItsFormulaAsEachParameterGrows) {
  for (const std::uint64_t n : {2, 5, 12, 30}) {
    for (const std::uint32_t w : {1u, 4u, 8u}) {
      for (const std::uint32_t l : {1u, 6u}) {
        for (const Machine& machine : {pram(), bpram(w), dmm(w, l), umm(w, l)}) {
          const RunResult result = run_named("mcm-pipeline", request(machine, 32, n));
          EXPECT_EQ(time_of(result), result.formula) << to_string(machine) << ", n = " << n;
          EXPECT_TRUE(result.correct);
        }
      }
    }
  }
}

TEST(McmPipeline, CountsItsMemoryStepsAsThePramTakesThemInBothOrders) {
  for (std::uint64_t n = 2; n < 24; ++n) {
    auto what = request(pram(), 32, n);
    for (const bool as_printed : {false, true}) {
      what.as_printed = as_printed;
      const RunResult result = run_named("mcm-pipeline", what);
      EXPECT_EQ(time_of(result), result.counts.at("memory_steps")) << n << " matrices, as printed: " << as_printed;
    }
  }
}

TEST(McmPipeline, TakesFewerStepsByStagesThanAsPrinted) {
  auto what = request(pram(), 32, 20);
  EXPECT_EQ(run_named("mcm-pipeline", what).counts.at("pipeline_steps"), 20u * 19 / 2);
  what.as_printed = true;
  EXPECT_EQ(run_named("mcm-pipeline", what).counts.at("pipeline_steps"), 20u * 21 / 2 - 2);
}

/// 2018, section I: O(n^3) steps by one thread, O(n^2 log n) in tournaments, and the plain order.
TEST(McmInOtherOrders, IsRightInTheMemoryStepsThatItCounts) {
  for (std::uint64_t n = 2; n < 40; n += n < 10 ? 1 : 7) {
    for (const char* name : {"mcm-sequential", "mcm-tournament", "mcm-diagonals"}) {
      for (const Machine& machine : {pram(), bpram(64), dmm(4, 3), umm(4, 3)}) {
        const RunResult result = run_named(name, request(machine, 64, n));
        EXPECT_TRUE(result.correct) << name << " on " << to_string(machine) << ", n = " << n;
        if (machine.kind != Kind::pram && name != std::string("mcm-sequential")) continue;
        EXPECT_EQ(time_of(result), result.formula) << name << " on " << to_string(machine) << ", n = " << n;
      }
    }
  }
}

TEST(McmInOtherOrders, ThePlainOrderHasTheStepsOfTheCorrectedPipeline) {
  for (const std::uint64_t n : {2u, 8u, 20u}) {
    EXPECT_EQ(run_named("mcm-diagonals", request(pram(), 32, n)).counts.at("pipeline_steps"),
              run_named("mcm-pipeline", request(pram(), 32, n)).counts.at("pipeline_steps"));
  }
}

/// Doubling n multiplies n^3 by 8, and n^2 log n by a little more than 4.
TEST(McmInOtherOrders, GrowAsThePaperSays) {
  const auto growth = [](const char* name) {
    const auto time = [&](std::uint64_t n) {
      return static_cast<double>(time_of(run_named(name, request(pram(), 128, n))));
    };
    return time(128) / time(64);
  };
  EXPECT_NEAR(growth("mcm-sequential"), 8, 0.2);
  EXPECT_NEAR(growth("mcm-tournament"), 4 * 6.0 / 5, 0.3);
}

/// docs/explanation/errata.md, row 5: two terms allow p up to (C + 1 + w_min) / 2, not C + 1.
TEST(KnapsackPFold, IsRightUpToItsLimitAndWrongAsPrinted) {
  Tally printed, beyond;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Parameters parameters = {{"capacity", 23}, {"lightest", 1 + seed % 6}};
    auto what = request(pram(), 64, 10, parameters, seed);
    const RunResult usual = run_named("knapsack-p-fold", what);
    EXPECT_TRUE(usual.correct);
    EXPECT_EQ(usual.counts.at("fold"), usual.counts.at("largest_fold"));
    what.as_printed = true;
    printed.add(run_named("knapsack-p-fold", what).correct);
    what.as_printed = false;
    what.parameters["fold"] = usual.counts.at("largest_fold") + 1;
    beyond.add(run_named("knapsack-p-fold", what).correct);
  }
  EXPECT_GT(printed.wrong, 25);
  EXPECT_GT(beyond.wrong, 0);
}

TEST(KnapsackPFold, TakesExactlyItsMemoryStepsOnThePramAndTheirLatencyElsewhere) {
  for (const std::uint64_t lightest : {1u, 20u}) {  // with and without a first step that reads
    for (const std::uint64_t fold : {1u, 7u, 20u}) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Parameters parameters = {{"capacity", 40}, {"lightest", lightest}, {"fold", fold}};
        const RunResult plain = run_named("knapsack-p-fold", request(pram(), 64, 12, parameters, seed));
        const RunResult slow = run_named("knapsack-p-fold", request(umm(8, 11), 64, 12, parameters, seed));
        const RunResult fast = run_named("knapsack-p-fold", request(umm(8, 10), 64, 12, parameters, seed));
        EXPECT_TRUE(slow.correct);
        EXPECT_EQ(time_of(plain), plain.formula);
        EXPECT_EQ(time_of(plain), plain.counts.at("memory_steps"));
        EXPECT_EQ(time_of(slow) - time_of(fast), slow.counts.at("memory_steps"));
      }
    }
  }
}

TEST(SdpPrograms, NameWhatTheyRefuse) {
  EXPECT_THROW(static_cast<void>(run_named("sdp-pipeline", request(pram(), 4, 50, {{"terms", 5}}))), Error);
  EXPECT_THROW(static_cast<void>(run_named("sdp-pipeline", request(pram(), 8, 8, {{"terms", 4}, {"smallest", 8}}))),
               Error);
  EXPECT_THROW(static_cast<void>(run_named("sdp-p-fold", request(pram(), 8, 50, {{"fold", 0}}))), Error);
  EXPECT_THROW(static_cast<void>(run_named("sdp-m-by-m", request(pram(), 8, 50, {{"m", 5}}))), Error);
  EXPECT_THROW(static_cast<void>(run_named("mcm-pipeline", request(pram(), 8, 10))), Error);
  EXPECT_THROW(static_cast<void>(run_named("knapsack-p-fold", request(pram(), 8, 0))), Error);
}

}  // namespace
}  // namespace warpfold::machine
