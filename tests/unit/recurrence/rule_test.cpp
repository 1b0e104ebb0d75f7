#include "recurrence/rule.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/problem.hpp"

namespace warpfold::recurrence::cuda {
namespace {

constexpr std::int32_t largest_bound = (1 << 29) - 1;

/// The problem with one step from 0 by this weight: its bound is the weight's magnitude.
Problem<std::int32_t> one_step(Op op, std::int32_t weight) {
  return Problem<std::int32_t>({op, {1}, {0}, 2, {weight}, 0});
}

/// Calls check(rule, value, weight) for min and max, several bounds, and values and weights that these admit.
template <class Check>
void for_every_bound(const Check& check) {
  for (const std::int32_t bound : {0, 1, 2, 5, 1000, largest_bound - 1, largest_bound}) {
    for (const std::int32_t value : {-bound, -bound / 2, 0, bound / 2, bound}) {
      for (const std::int32_t weight : {-bound, -bound / 2, 0, bound / 2, bound}) {
        SCOPED_TRACE(testing::Message() << "bound " << bound << " value " << value << " weight " << weight);
        check(Rule<true, true>{bound}, value, weight);
        check(Rule<false, true>{bound}, value, weight);
      }
    }
  }
}

TEST(Rule, KeepsNoValueUnderEveryWeight) {
  for_every_bound([](const auto& rule, std::int32_t value, std::int32_t weight) {
    const std::int32_t blank = rule.blank;
    EXPECT_EQ(rule.finish(blank), blank);
    EXPECT_EQ(rule.finish(rule.join(blank, blank, weight)), blank);
    EXPECT_EQ(rule.finish(rule.join_near(blank, blank, weight)), blank);
    EXPECT_EQ(rule.finish(rule.join_near(blank, value, blank)), blank);
    EXPECT_EQ(rule.finish(rule.join_near(blank, blank, blank)), blank);
  });
}

TEST(Rule, KeepsEveryValueThatTheBoundAdmitsBesideNoValue) {
  for_every_bound([](const auto& rule, std::int32_t value, std::int32_t weight) {
    const std::int32_t blank = rule.blank, sum = value + weight;
    if (sum < -rule.bound || sum > rule.bound) return;  // not a candidate of the table
    const std::int32_t best = rule.join(blank, value, weight);
    EXPECT_EQ(rule.finish(best), sum);
    EXPECT_EQ(rule.finish(rule.join_near(blank, value, weight)), sum);
    EXPECT_EQ(rule.finish(rule.join(best, blank, weight)), sum);
    EXPECT_EQ(rule.finish(rule.join_near(best, value, blank)), sum);
    EXPECT_EQ(rule.finish(rule.join_near(best, blank, blank)), sum);
  });
}

TEST(Rule, HoldsForTheLargestBoundThatAProblemMayHave) {
  for (const Op op : {Op::min, Op::max}) {
    for (const int sign : {-1, 1}) {
      EXPECT_EQ(one_step(op, sign * largest_bound).bound(), largest_bound);
      EXPECT_THROW((void)one_step(op, sign * (largest_bound + 1)), Error);
    }
  }
}

}  // namespace
}  // namespace warpfold::recurrence::cuda
