#include "warpfold/permutation/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "drawn_permutation.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::permutation {
namespace {

template <class T>
std::vector<T> moved(const Permutation& permutation, const std::vector<T>& from, int threads) {
  const ThreeStepPlan plan = plan_three_steps(permutation);
  std::vector<T> to(from.size());
  std::vector<T> spare(spare_words(plan));
  move<T>(plan, from, to, spare, threads);
  return to;
}

template <class T>
void expect_moved(std::size_t n, int threads) {
  const Permutation permutation = drawn_permutation(n, n);
  std::vector<T> from(n);
  std::iota(from.begin(), from.end(), T{1});
  std::vector<T> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[permutation[i]] = from[i];
  EXPECT_EQ(moved(permutation, from, threads), expected) << n << " words";
}

TEST(ThreeSteps, MoveEveryWordToItsPlaceAtEverySmallSize) {
  for (std::size_t n = 0; n <= 70; ++n) expect_moved<std::uint32_t>(n, 1);
}

TEST(ThreeSteps, MoveEveryWordToItsPlaceWithThreadsAndWideWords) {
  for (const std::size_t n : {1000U, 1023U, 1024U, 1025U, 5000U, 65536U, 100003U}) {
    expect_moved<std::uint64_t>(n, 3);
    expect_moved<float>(n, 2);
    expect_moved<double>(n, 1);
  }
}

TEST(ThreeSteps, RefuseArraysOfOtherLengths) {
  const ThreeStepPlan plan = plan_three_steps(drawn_permutation(10, 1));
  std::vector<float> words(10), short_spare(spare_words(plan) - 1);
  EXPECT_THROW(move<float>(plan, words, words, short_spare), Error);
  std::vector<float> spare(spare_words(plan)), nine(9);
  EXPECT_THROW(move<float>(plan, nine, words, spare), Error);
}

std::string unsupported_by_plan(const ThreeStepPlan& plan, int threads = 1) {
  std::vector<float> words(100), to(100), spare(10000);
  try {
    move<float>(plan, words, to, spare, threads);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "moved";
}

TEST(ThreeSteps, RefuseAPlanThatIsNone) {
  const ThreeStepPlan plan = plan_three_steps(drawn_permutation(100, 1));
  const std::size_t rows = plan.rows, columns = plan.columns;
  EXPECT_EQ(unsupported_by_plan(plan), "moved");
  ThreeStepPlan forged = plan;
  forged.third[5] = static_cast<std::uint16_t>(columns);
  EXPECT_EQ(unsupported_by_plan(forged),
            fmt::format("the plan's third has {}: 0 .. {} are accepted", columns, columns - 1));
  forged = plan;
  forged.second[0] = 65535;
  EXPECT_EQ(unsupported_by_plan(forged), fmt::format("the plan's second has 65535: 0 .. {} are accepted", rows - 1));
  forged = plan;
  forged.columns = 0;
  EXPECT_EQ(unsupported_by_plan(forged),
            fmt::format("the plan has {} rows of 0 columns: as many as 100 words fill are accepted", rows));
  forged = plan;
  const ThreeStepPlan taken = std::move(forged);
  EXPECT_EQ(unsupported_by_plan(taken), "moved");
  EXPECT_EQ(unsupported_by_plan(forged),  // NOLINT(bugprone-use-after-move)
            fmt::format("the plan's first has 0 entries: {} are accepted", rows * columns));
}

TEST(ThreeSteps, RefuseLessThanNoThread) {
  EXPECT_EQ(unsupported_by_plan(plan_three_steps(drawn_permutation(100, 1)), -1),
            "threads is -1: 0 (all allowed) or more is accepted");
}

/// Every word is moved once, and no two words of a round share a source bank or a destination bank.
void expect_conflict_free(const Permutation& permutation, std::uint32_t width) {
  const BankSchedule schedule = conflict_free_schedule(permutation, width);
  ASSERT_EQ(schedule.rounds(), (permutation.size() + width - 1) / width);
  std::multiset<std::uint32_t> words;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::set<std::uint32_t> banks;
    for (std::uint32_t lane = 0; lane < width; ++lane) {
      const std::uint32_t source = schedule.sources[round * width + lane];
      if (source == idle) continue;
      EXPECT_EQ(source % width, lane);
      EXPECT_TRUE(banks.insert(permutation[source] % width).second) << "round " << round << ", lane " << lane;
      words.insert(source);
    }
  }
  ASSERT_EQ(words.size(), permutation.size());
  EXPECT_EQ(std::set<std::uint32_t>(words.begin(), words.end()).size(), permutation.size());
  EXPECT_EQ(write_stages(permutation, schedule.sources, width), schedule.rounds());
}

RC_GTEST_PROP(BankSchedule, MovesEveryWordOnceWithoutAConflict, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(0, 300);
  expect_conflict_free(drawn_permutation(n, *rc::gen::arbitrary<std::uint64_t>()), *rc::gen::inRange(1U, 40U));
}

TEST(BankSchedule, TakesATransposeOfFullConflictsApart) {
  constexpr std::uint32_t side = 32;
  Permutation transpose(side * side);
  for (std::uint32_t i = 0; i < side * side; ++i) transpose[i] = i % side * side + i / side;
  Permutation in_order(side * side);
  std::iota(in_order.begin(), in_order.end(), 0);
  EXPECT_EQ(write_stages(transpose, in_order, side), side * side);
  EXPECT_EQ(write_stages(transpose, conflict_free_schedule(transpose, side).sources, side), side);
}

TEST(BankSchedule, IsRefusedWhereItDoesNotFitThePermutation) {
  const Permutation permutation = {1, 0};
  EXPECT_THROW(static_cast<void>(write_stages(permutation, Permutation{0, 1}, 0)), Error);
  EXPECT_THROW(static_cast<void>(write_stages(permutation, Permutation{0, 2}, 2)), Error);
  EXPECT_EQ(write_stages(permutation, Permutation{0, idle, 1}, 2), 2);
}

std::string refusal(const Permutation& permutation) {
  try {
    check_permutation(permutation);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(Permutation, NamesTheFirstEntryThatMakesItNone) {
  EXPECT_EQ(refusal({2, 0, 1}), "accepted");
  EXPECT_EQ(refusal({2, 0, 3}), "permutation[2] is 3: 0 .. 2 are accepted");
  EXPECT_EQ(refusal({2, 0, 2}), "permutation[2] is 2, as an earlier entry is: each of 0 .. 2 once is accepted");
  EXPECT_THROW(static_cast<void>(conflict_free_schedule(Permutation{0}, 0)), Error);
}

TEST(Permutation, OfIntegersIsCheckedInTheSameWay) {
  const auto refusal_of = [](const std::vector<std::int64_t>& entries) -> std::string {
    try {
      EXPECT_EQ(permutation_of(entries), Permutation(entries.begin(), entries.end()));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal_of({}), "accepted");
  EXPECT_EQ(refusal_of({2, 0, 1}), "accepted");
  EXPECT_EQ(refusal_of({2, 0, -1}), "permutation[2] is -1: 0 .. 2 are accepted");
  EXPECT_EQ(refusal_of({std::int64_t{1} << 32, 0}), "permutation[0] is 4294967296: 0 .. 1 are accepted");
  EXPECT_EQ(refusal_of({1, 1}), "permutation[1] is 1, as an earlier entry is: each of 0 .. 1 once is accepted");
}

}  // namespace
}  // namespace warpfold::permutation
