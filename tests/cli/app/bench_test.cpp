#include "cli/app/run.hpp"
#include "needs_gpu.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app::test {
namespace {

class Bench : public CommandLine {};

TEST_F(Bench, ChecksAndTimesSmallProblems) {
  for (const char* family : {"triangulate", "minplus"}) {
    const Ran ran = warpfold(std::string("bench ") + family + " -n 64 --repeats 1 --device cpu --json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    for (const char* key : {"median_seconds", "spread", "rate_per_second", "ceiling_per_second", "fraction_of_ceiling",
                            "repeats", "version"}) {
      EXPECT_TRUE(ran.json().contains(key)) << key;
    }
  }
}

TEST_F(Bench, ChecksAndTimesEveryKindOfProblem) {
  const Ran ran = warpfold("bench all --quick --repeats 1 --device cpu --json", "env PATH=/nowhere");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto rows = ran.json()["rows"];
  ASSERT_EQ(rows.size(), 17);
  for (const auto& row : rows) {
    SCOPED_TRACE(row["work"]);
    EXPECT_GT(row["rate_per_second"], 0);
    EXPECT_EQ(row["device"], "cpu");
    EXPECT_TRUE(row["instead_of"].is_null()) << "there is no python3";
  }
}

TEST_F(Bench, TellsResidentDataFromHostMemoryOnAGpu) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  for (const char* family : {"triangulate", "minplus"}) {
    const Ran ran = warpfold(std::string("bench ") + family + " -n 512 --repeats 3 --device cuda --json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto json = ran.json();
    for (const char* key : {"median_seconds", "spread", "rate_per_second", "ceiling_per_second", "fraction_of_ceiling",
                            "repeats", "version"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    for (const char* key : {"median_seconds", "spread", "rate_per_second"}) {
      EXPECT_TRUE(json["from_host"].contains(key)) << key;
    }
    EXPECT_GT(json["from_host"]["median_seconds"], json["median_seconds"]) << "the way there takes time too";
  }
}

TEST_F(Bench, EstimatesWithoutSolving) {
  for (const char* family : {"triangulate", "minplus"}) {
    const Ran ran = warpfold(std::string("bench ") + family + " -n 131072 --estimate --json", "timeout 20");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["status"], "estimate");
    EXPECT_GT(ran.json()["seconds"], 60);
    for (const char* key : {"device", "version"}) EXPECT_TRUE(ran.json().contains(key)) << key;
  }
}

TEST_F(Bench, RefusesNonsenseInOneLine) {
  expect_error(warpfold("bench triangulate -n 3"), 2, "from 4 to 131072");
  expect_error(warpfold("bench minplus --repeats 0"), 2, "--repeats is '0'");
  expect_error(warpfold("bench minplus --dtype u64"), 2, "i32, i64, f32 or f64 is");
}

class Dev : public CommandLine {};

TEST_F(Dev, RefusesWhatItDoesNotKnow) {
  for (const char* words : {"build --anything", "build --asan --tsan", "demo now", "lint -x", "nothing"}) {
    const Ran ran = shell(WARPFOLD_EXAMPLES "/../dev " + std::string(words));
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_TRUE(ran.err.starts_with("dev: error: ")) << ran.err;
  }
}

}  // namespace
}  // namespace warpfold::app::test
