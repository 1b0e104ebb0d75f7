#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::gpu_polygon_2013 {
namespace {

constexpr Stage thread_based{Method::thread_based, Arrangement::sliding, 64, 1};
constexpr Stage block_based{Method::block_based, Arrangement::mirroring, 256, 2};

static_assert(element(Arrangement::naive, 8, 2, 5) == 2 * 8 + 5);
static_assert(element(Arrangement::sliding, 8, 2, 5) == 3 * 8 + 5);
static_assert(right_element(Arrangement::mirroring, 8, 2, 5) == 5 * 8 + 2);
static_assert(right_element(Arrangement::naive, 8, 2, 5) == 2 * 8 + 5);

template <class F>
ErrorKind kind_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(Arrangement, GivesEveryEntryItsOwnElementInsideTheArray) {
  for (const auto arrangement : {Arrangement::naive, Arrangement::sliding, Arrangement::mirroring}) {
    for (std::size_t n : {3u, 8u, 33u}) {
      std::set<std::size_t> seen;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          EXPECT_LT(element(arrangement, n, i, j), n * n);
          EXPECT_LT(right_element(arrangement, n, i, j), n * n);
          EXPECT_TRUE(seen.insert(element(arrangement, n, i, j)).second);
        }
      }
    }
  }
}

TEST(Arrangement, SlidingPutsADiagonalIntoARow) {
  for (std::size_t i = 1; i + 4 < 16; ++i) {
    EXPECT_EQ(element(Arrangement::sliding, 16, i + 1, i + 4) - element(Arrangement::sliding, 16, i, i + 3), 1u);
  }
}

TEST(Arrangement, MirroringLetsTheRightOperandsFollowEachOther) {
  for (std::size_t k = 1; k < 9; ++k) {
    EXPECT_EQ(right_element(Arrangement::mirroring, 16, k + 1, 9) - right_element(Arrangement::mirroring, 16, k, 9),
              1u);
  }
}

// Section 4.2 prints row i-j+n of an n x n array; row n does not exist.
TEST(Arrangement, SlidingAsPrintedLeavesTheArrayOnTheMainDiagonal) {
  const auto printed_row = [](std::size_t n, std::size_t i, std::size_t j) { return i + n - j; };
  constexpr std::size_t n = 8;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(printed_row(n, i, i), n);
    for (std::size_t j = i + 1; j < n; ++j) EXPECT_LT(printed_row(n, i, j), n);
  }
}

TEST(PairRange, DividesThePairsWithoutGapAndEvenly) {
  for (std::size_t p = 1; p < 70; ++p) {
    for (const std::size_t blocks : {1u, 2u, 4u, 8u}) {
      std::size_t next = 0;
      for (std::size_t block = 0; block < blocks; ++block) {
        const auto [first, last] = pair_range(p, block, blocks);
        EXPECT_EQ(first, next);
        EXPECT_LE(last - first, p / blocks + 1);
        next = last;
      }
      EXPECT_EQ(next, p);
    }
  }
}

TEST(Plan, RefusesWhatThePaperDoesNotHave) {
  EXPECT_NO_THROW(check_plan(uniform_plan(8, thread_based), 8));
  EXPECT_NO_THROW(check_plan(uniform_plan(8, block_based), 8));
  EXPECT_EQ(kind_of([] { check_plan(uniform_plan(8, thread_based), 9); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([] { check_plan({}, 1); }), ErrorKind::usage);
  for (const Stage wrong : {Stage{Method::thread_based, Arrangement::mirroring, 64, 1},
                            Stage{Method::thread_based, Arrangement::sliding, 64, 2},
                            Stage{Method::block_based, Arrangement::sliding, 64, 1},
                            Stage{Method::block_based, Arrangement::mirroring, 48, 1},
                            Stage{Method::block_based, Arrangement::mirroring, 2048, 1},
                            Stage{Method::block_based, Arrangement::mirroring, 64, 3}}) {
    EXPECT_EQ(kind_of([&] { check_plan(uniform_plan(8, wrong), 8); }), ErrorKind::usage) << to_string(wrong);
  }
}

TEST(Plan, ChangesFromSlidingToMirroringOnly) {
  Plan plan = uniform_plan(8, thread_based);
  plan[5] = plan[6] = block_based;
  EXPECT_NO_THROW(check_plan(plan, 8));
  plan[6] = thread_based;
  EXPECT_EQ(kind_of([&] { check_plan(plan, 8); }), ErrorKind::usage);
}

TEST(Plan, FollowsTheAlgorithmName) {
  EXPECT_EQ(algorithm_plan("tb", 8, 0), uniform_plan(8, {Method::thread_based, Arrangement::sliding, 64, 1}));
  EXPECT_EQ(algorithm_plan("tb-naive:128", 8, 0), uniform_plan(8, {Method::thread_based, Arrangement::naive, 128, 1}));
  EXPECT_EQ(algorithm_plan("bb:32,8", 8, 0), uniform_plan(8, {Method::block_based, Arrangement::mirroring, 32, 8}));
  EXPECT_EQ(algorithm_plan("bb-naive", 8, 0), uniform_plan(8, {Method::block_based, Arrangement::naive, 256, 1}));
  for (const char* wrong : {"bb:", "bb:x", "bb:32,", "bb:32,8,1", "bb:32 "}) {
    EXPECT_EQ(kind_of([&] { (void)algorithm_plan(wrong, 8, 0); }), ErrorKind::usage) << wrong;
  }
}

TEST(FastestPlan, SwitchesWhereTheSumIsLeast) {
  const std::vector<Stage> tb = thread_based_stages(Arrangement::sliding);
  const std::vector<Stage> bb = block_based_stages(Arrangement::mirroring);
  const std::vector<Stage> two_tb{tb[0], tb[1]};
  const std::vector<Stage> two_bb{bb[0], bb[1]};
  const Plan plan = fastest_plan(two_tb, {{1, 9, 9, 9}, {9, 1, 9, 9}}, two_bb, {{4, 4, 2, 9}, {9, 9, 9, 2}}, 1);
  EXPECT_EQ(plan, (Plan{tb[0], tb[1], bb[0], bb[1]}));
}

TEST(FastestPlan, PaysForTheConversionOnlyWhereItConverts) {
  const Stage tb = thread_based;
  const Stage bb = block_based;
  EXPECT_EQ(fastest_plan({tb}, {{1, 1, 5, 5}}, {bb}, {{2, 2, 2, 2}}, 3), uniform_plan(5, bb));
  EXPECT_EQ(fastest_plan({tb}, {{1, 1, 2, 2}}, {bb}, {{2, 2, 2, 2}}, 3), uniform_plan(5, tb));
}

class TuningFile : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "tuning" / "plan.json").string();
};

TEST_F(TuningFile, ComesBackAsItWasWritten) {
  Tuning tuning{"Some GPU", 9, "f32", uniform_plan(9, thread_based), 5, 0.25, 1.5};
  for (std::size_t p = 5; p < 8; ++p) tuning.plan[p] = block_based;
  write_tuning(path_, tuning);
  const Tuning back = read_tuning(path_);
  EXPECT_EQ(back.device, tuning.device);
  EXPECT_EQ(back.n, tuning.n);
  EXPECT_EQ(back.dtype, tuning.dtype);
  EXPECT_EQ(back.plan, tuning.plan);
  EXPECT_EQ(back.first_block_stage, tuning.first_block_stage);
  EXPECT_EQ(back.total_seconds, tuning.total_seconds);
}

TEST_F(TuningFile, IsRefusedInOneLineWhenItIsDamaged) {
  write_tuning(path_, {"Some GPU", 9, "f32", uniform_plan(9, thread_based), 8, 0, 1});
  std::ifstream file(path_);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"), replaced("\"n\": 9", "\"n\": 10"),
        replaced("\"n\": 9", "\"n\": -9"), replaced("\"threads\": 64", "\"threads\": 65"), replaced("\"TB\"", "\"XB\""),
        replaced("\"last\": 7", "\"last\": 6"), replaced("\"last\": 7", "\"last\": 8")}) {
    std::ofstream(path_) << text;
    try {
      (void)read_tuning(path_);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << text;
      EXPECT_NE(std::string(error.what()).find(path_), std::string::npos) << error.what();
    }
  }
}

TEST_F(TuningFile, LiesInTheUsersCache) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(tuning_path("Big GPU (2)", 512), "/somewhere/warpfold/adaptive-Big-GPU--2--512.json");
  unsetenv("XDG_CACHE_HOME");
}

TEST(Tune, RefusesWhatItCannotTime) {
  Options options;
  EXPECT_EQ(kind_of([&] { (void)tune(2, "f32", 1, 1, options); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { (void)tune(8, "f32", 0, 1, options); }), ErrorKind::usage);
  options.device = parse_device("cpu");
  EXPECT_EQ(kind_of([&] { (void)tune(8, "f32", 1, 1, options); }), ErrorKind::usage);
  options.device = parse_device("cuda:99");
  EXPECT_EQ(kind_of([&] { (void)tune(8, "f32", 1, 1, options); }), ErrorKind::device);
}

}  // namespace
}  // namespace warpfold::papers::gpu_polygon_2013
