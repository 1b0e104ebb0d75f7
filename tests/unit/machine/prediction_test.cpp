#include "machine/prediction.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::machine;

TEST(TimeModel, IsFoundFromTimesThatItMakes) {
  const TimeModel model{2, 26.8};
  std::vector<Measured> measured;
  for (const Work& work : {Work{32, 32}, Work{64, 32}, Work{1000, 20}, Work{5, 500}}) {
    measured.push_back({work, model.cycles(work)});
  }
  const auto found = fit(measured);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cycles_per_stage, 2, 1e-9);
  EXPECT_NEAR(found->cycles_per_step, 26.8, 1e-9);
}

TEST(TimeModel, NeedsWorkOfDifferentShares) {
  EXPECT_FALSE(fit({}));
  EXPECT_FALSE(fit({{{10, 5}, 100}, {{20, 10}, 190}}));
}

TEST(Work, OfATwinIsItsStagesAndTheStepsThatWait) {
  for (const Twin& twin : twins()) {
    if (twin.algorithm != "contiguous") continue;
    const Work work = work_of(twin);
    EXPECT_EQ(work.stages, twin.n / (twin.space == Space::shared ? 32 : 8));
    EXPECT_EQ(work.steps, twin.n / twin.threads);
  }
}

const std::string head = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

TEST(Counters, AreReadByKernel) {
  const std::string text = "==PROF== Connected\n" + head +
                           "\"0\",\"twin(int, int)\",\"a.sum\",\"\",\"1,024\"\n"
                           "\"0\",\"twin(int, int)\",\"b.sum\",\"\",\"3\"\n\"1\",\"chain\",\"a.sum\",\"\",\"7\"\n";
  const auto kernels = read_counters(text, "c.csv");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].at("a.sum"), 1024);
  EXPECT_EQ(kernels[0].at("b.sum"), 3);
  EXPECT_EQ(kernels[1].at("a.sum"), 7);
}

TEST(Counters, OfTheProbeAreThoseOfItsProgramsAndExperiments) {
  const auto names = counters_of_probe();
  const std::set<std::string> known(names.begin(), names.end());
  EXPECT_EQ(known.size(), names.size());
  EXPECT_TRUE(known.contains("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  for (const Experiment& experiment : experiments()) EXPECT_TRUE(known.contains(experiment.counter));
}

TEST(Counters, OfATwinAreWithoutThoseOfItsFrame) {
  const Twin twin = twins().front();
  ASSERT_EQ(twin.space, Space::shared);
  KernelCounters counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 384},
                             {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 256}};
  EXPECT_EQ(frame_stages(twin), 512u);
  EXPECT_EQ(counted_stages(twin, counters), 128);
  counters.erase(counters.begin());
  EXPECT_FALSE(counted_stages(twin, counters));
}

std::string rejection_of(const std::string& text) {
  try {
    static_cast<void>(read_counters(text, "c.csv"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return {};
}

TEST(Counters, ThatAreNoneAreRejectedWithTheirPlace) {
  EXPECT_NE(rejection_of("a,b\n1,2\n").find("c.csv: has no columns ID"), std::string::npos);
  EXPECT_NE(rejection_of(head + "0,k,a.sum,,n/a\n").find("c.csv:2: the metric's value is 'n/a'"), std::string::npos);
}

}  // namespace
