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

TEST(DetailedModel, IsFoundFromTimesThatItMakes) {
  const DetailedModel model{2, 28, 0.5, 11, 9.7, 4.5};
  std::vector<MeasuredDetail> measured;
  for (const DetailedWork& work : {DetailedWork{256, 256, 0, 0, 0, 2000}, DetailedWork{2048, 256, 0, 0, 0, 2000},
                                   DetailedWork{0, 0, 256, 256, 0, 900}, DetailedWork{0, 0, 2048, 256, 0, 900},
                                   DetailedWork{256, 256, 0, 0, 256, 2300}, DetailedWork{256, 256, 0, 0, 0, 9000}}) {
    measured.push_back({work, model.cycles(work)});
  }
  const auto found = fit_detail(measured);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cycles_per_load_stage, 2, 1e-6);
  EXPECT_NEAR(found->cycles_per_load, 28, 1e-6);
  EXPECT_NEAR(found->cycles_per_store_stage, 0.5, 1e-6);
  EXPECT_NEAR(found->cycles_per_store, 11, 1e-6);
  EXPECT_NEAR(found->cycles_per_barrier, 9.7, 1e-6);
  EXPECT_NEAR(found->cycles_per_instruction, 4.5, 1e-6);
  measured.pop_back();
  EXPECT_FALSE(fit_detail(measured));
}

TEST(DetailedModel, AddsUpItsParts) {
  const DetailedModel model{2, 28, 0.5, 11, 9.7, 4.5};
  const DetailedWork work{1, 2, 3, 4, 5, 6};
  EXPECT_DOUBLE_EQ(model.cycles_of_loads(work), 58);
  EXPECT_DOUBLE_EQ(model.cycles_of_stores(work), 45.5);
  EXPECT_DOUBLE_EQ(model.cycles_of_barriers(work), 48.5);
  EXPECT_DOUBLE_EQ(model.cycles_of_instructions(work), 27);
  EXPECT_DOUBLE_EQ(model.cycles(work), 179);
}

TEST(DetailedWork, OfTwinsHasTheirStagesAndSteps) {
  const KernelCounters kernel = {{"smsp__inst_executed.sum", 1000}}, frame = {{"smsp__inst_executed.sum", 100}};
  for (const Twin& twin : twins()) {
    const Work work = work_of(twin);
    const auto detail = detailed_work_of(twin, kernel, frame);
    ASSERT_TRUE(detail);
    EXPECT_EQ(detail->load_stages + detail->store_stages, static_cast<double>(work.stages)) << twin.title;
    EXPECT_EQ(detail->loads + detail->stores, static_cast<double>(work.steps)) << twin.title;
    if (twin.threads == 32) {
      EXPECT_EQ(detail->instructions, 900) << twin.title;  // of the only warp
    }
    if (twin.algorithm == "contiguous" || twin.algorithm == "stride") {
      EXPECT_EQ(detail->stores, 0);
      EXPECT_EQ(detail->barriers, 0);
    }
    if (twin.algorithm == "sum") {
      EXPECT_EQ(detail->barriers, 12) << twin.title;  // one after each round
      EXPECT_EQ(detail->loads, 2 * detail->stores);
    }
  }
  EXPECT_FALSE(detailed_work_of(twins().front(), kernel, {}));
}

TEST(DetailedWork, OfLoopsIsThatOfTheirTurns) {
  const KernelCounters kernel = {{"smsp__inst_executed.sum", 3300}}, frame = {{"smsp__inst_executed.sum", 100}};
  for (const Loop& loop : loops()) {
    const auto detail = detailed_work_of(loop, kernel, frame);
    ASSERT_TRUE(detail);
    const double steps = turns_of_loop * loop.at_once;
    EXPECT_EQ(detail->loads, loop.access == Access::load ? steps : 0) << loop.title;
    EXPECT_EQ(detail->stores, loop.access == Access::store ? steps : 0) << loop.title;
    EXPECT_EQ(detail->barriers, loop.has_barrier ? turns_of_loop : 0) << loop.title;
    EXPECT_EQ(detail->instructions, 3200. / (loop.threads / 32)) << loop.title;
    if (loop.title == "loads of words 8 apart" && loop.threads == 256) {
      EXPECT_EQ(detail->load_stages, turns_of_loop * 8 * (loop.space == Space::shared ? 8 : 32));
    }
  }
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
  EXPECT_TRUE(known.contains("smsp__inst_executed.sum"));
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
