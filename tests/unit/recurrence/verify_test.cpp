#include "warpfold/recurrence/verify.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <random>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {
namespace {

using testing::HasSubstr;

void expect_violation(const Verdict& verdict, bool is_feasible, const std::string& violation) {
  EXPECT_THAT(verdict.violation.value_or("none"), HasSubstr(violation));
  EXPECT_EQ(verdict.is_feasible, is_feasible);
}

template <class T>
class VerifyRecurrence : public testing::Test {
 protected:
  static Problem<T> fibonacci() { return Problem<T>({Op::sum, {2, 1}, {0, 1}, 8, {}, 0}); }
};
using VerifyRecurrenceTypes = testing::Types<std::int32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(VerifyRecurrence, VerifyRecurrenceTypes);

TYPED_TEST(VerifyRecurrence, TellsTheFirstValueThatIsWrong) {
  using T = TypeParam;
  const Solution<T> right{{0, 1, 1, 2, 3, 5, 8, 13}};
  const Verdict verdict = verify(this->fibonacci(), right);
  EXPECT_EQ(verdict.violation, std::nullopt);
  EXPECT_TRUE(verdict.is_optimal);
  Solution<T> wrong = right;
  wrong.values[4] = 4;
  expect_violation(verify(this->fibonacci(), wrong), false, "value 4 is 4, it has to be 3");
  wrong = right;
  wrong.values[1] = 2;
  expect_violation(verify(this->fibonacci(), wrong), false, "value 1 is 2, it has to be 1");
  wrong = right;
  wrong.values.pop_back();
  expect_violation(verify(this->fibonacci(), wrong), false, "7 values for n = 8");
}

TYPED_TEST(VerifyRecurrence, SeesEveryChangedValueOfEveryOp) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  for (const Op op : {Op::min, Op::max, Op::sum, Op::sum_mod, Op::bit_xor, Op::bit_or, Op::bit_and, Op::gcd}) {
    if (std::is_floating_point_v<T> && op > Op::sum) continue;
    for (const bool weighted : {false, true}) {
      if (weighted && op > Op::sum_mod) continue;
      Statement<T> statement{op, {5, 3, 2}, {}, 20, {}, static_cast<T>(op == Op::sum_mod ? 7 : 0)};
      for (int i = 0; i < 5; ++i) statement.initial.push_back(static_cast<T>(random() % 7));
      if (weighted) statement.weights = {1, 2, 3};
      const Problem<T> problem(statement);
      const Solution<T> right = solve(problem).solution;
      EXPECT_EQ(verify(problem, right).violation, std::nullopt) << to_string(op);
      for (std::size_t i = 0; i < right.values.size(); ++i) {
        Solution<T> wrong = right;
        wrong.values[i] += 1;
        EXPECT_FALSE(verify(problem, wrong)) << to_string(op) << " " << i;
      }
    }
  }
}

TEST(VerifyRecurrence, RefusesASumThatWrapped) {
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Problem<std::int32_t> problem({Op::sum, {2, 1}, {most, 1}, 3, {}, 0});
  const Solution<std::int32_t> wrapped{{most, 1, std::numeric_limits<std::int32_t>::min()}};
  expect_violation(verify(problem, wrapped), false, "value 2 is -2147483648, it has to be 2147483648");
}

TEST(VerifyRecurrence, KeepsWhatHasNoValueWithoutOne) {
  const std::int32_t none = infinity<std::int32_t>;
  const Problem<std::int32_t> least({Op::min, {2, 3}, {0, none, none}, 5, {1, 1}, 0});
  EXPECT_TRUE(verify(least, Solution<std::int32_t>{{0, none, none, 1, none}}));
  EXPECT_FALSE(verify(least, Solution<std::int32_t>{{0, none, none, 1, none + 1}}));
  const Problem<std::int32_t> most({Op::max, {1, 2}, {-none, -none}, 3, {1, 1}, 0});
  EXPECT_TRUE(verify(most, Solution<std::int32_t>{{-none, -none, -none}}));
  EXPECT_FALSE(verify(most, Solution<std::int32_t>{{-none, -none, 1 - none}}));
}

TEST(VerifyRecurrence, AllowsSumsOfFloatsWhateverTheirOrderAndNoMore) {
  const Problem<double> problem({Op::sum, {3, 2, 1}, {1e16, 1, -1e16}, 4, {}, 0});
  EXPECT_TRUE(verify(problem, Solution<double>{{1e16, 1, -1e16, 1}}));
  EXPECT_TRUE(verify(problem, Solution<double>{{1e16, 1, -1e16, 0}})) << "1 vanishes beside 1e16";
  EXPECT_FALSE(verify(problem, Solution<double>{{1e16, 1, -1e16, 100}}));
  const Problem<double> tenths({Op::sum, {2, 1}, {0.1, 0.2}, 3, {}, 0});
  EXPECT_TRUE(verify(tenths, Solution<double>{{0.1, 0.2, 0.3}}));
  EXPECT_FALSE(verify(tenths, Solution<double>{{0.1, 0.2, 0.3 + 1e-14}}));
}

TEST(VerifyRecurrence, TellsInfiniteSumsFromOthers) {
  const double inf = infinity<double>;
  const Problem<double> problem({Op::sum, {2, 1}, {inf, 1}, 3, {}, 0});
  EXPECT_TRUE(verify(problem, Solution<double>{{inf, 1, inf}}));
  EXPECT_FALSE(verify(problem, Solution<double>{{inf, 1, 1}}));
  EXPECT_FALSE(verify(Problem<double>({Op::sum, {2, 1}, {2, 1}, 3, {}, 0}), Solution<double>{{2, 1, inf}}));
}

TEST(VerifyRecurrence, FindsAnInfinityThatNoValueBeforeItMakes) {
  const double inf = infinity<double>;
  const Problem<double> least({Op::min, {2}, {inf, 1e308}, 4, {1e308}, 0});
  expect_violation(verify(least, Solution<double>{{inf, 1e308, inf, inf}}), false,
                   "value 3 or a sum on the way to it is larger than f64 holds");
  const Problem<double> most({Op::max, {2, 1}, {inf, -1e308}, 3, {-1e308, -1e308}, 0});
  EXPECT_TRUE(verify(most, Solution<double>{{inf, -1e308, inf}}));
  const Problem<float> sum({Op::sum, {2, 1}, {3e38F, 3e38F}, 3, {}, 0});
  EXPECT_FALSE(verify(sum, Solution<float>{{3e38F, 3e38F, infinity<float>}}));
}

TEST(VerifyRecurrence, StopsWhereTheOptionsAskForIt) {
  Options options;
  options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const Problem<double> problem({Op::sum, {1}, {0}, 2, {}, 0});
  EXPECT_THROW(static_cast<void>(verify(problem, Solution<double>{{0, 0}}, options)), Error);
}

TEST(VerifyChange, TellsTheFirstThingWrong) {
  const CoinSystem coins({1, 5, 12});
  const Verdict right = verify(coins, 15, Change{3, {0, 3, 0}});
  EXPECT_EQ(right.violation, std::nullopt);
  EXPECT_TRUE(right.is_optimal);
  expect_violation(verify(coins, 15, Change{4, {3, 0, 1}}), true, "the fewest coins are 3, 4 is claimed");
  expect_violation(verify(coins, 15, Change{4, {0, 3, 0}}), false, "'fewest' is 4, the coins used are 3");
  expect_violation(verify(coins, 15, Change{2, {0, 2, 0}}), false, "the coins add up to 10, the amount is 15");
  expect_violation(verify(coins, 15, Change{3, {0, 3}}), false, "'used' has 2 entries for 3 coins");
  expect_violation(verify(coins, 15, Change{3, {-2, 1, 1}}), false, "coin 1 is used -2 times");
  const CoinSystem few({1, 5, 12}, {9, 2, 1});
  EXPECT_TRUE(verify(few, 15, Change{4, {3, 0, 1}}).is_optimal);
  expect_violation(verify(few, 15, Change{3, {0, 3, 0}}), false, "coin 5 is used 3 times, there are 2");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  expect_violation(verify(coins, 15, Change{3, {most, most, 0}}), false, "more coins are used than can be counted");
  EXPECT_THROW(static_cast<void>(verify(coins, -1, Change{0, {0, 0, 0}})), Error);
}

TEST(VerifyChange, SaysThatOfLargeAmountsItAddsUpAlone) {
  const Verdict verdict = verify(CoinSystem({1, 2}), 300'000'000, Change{300'000'000, {300'000'000, 0}});
  EXPECT_TRUE(verdict);
  EXPECT_FALSE(verdict.is_optimal);
  EXPECT_EQ(verdict.unchecked, "whether fewer coins give the amount");
  expect_violation(verify(CoinSystem({1, 2}), 300'000'000, Change{1, {1, 0}}), false, "the coins add up to 1");
}

TEST(VerifyFewest, TellsTheFirstAmountThatIsWrong) {
  const CoinSystem coins({4, 6});
  const FewestTable right{{0, -1, -1, -1, 1, -1, 1, -1, 2, -1, 2}};
  EXPECT_TRUE(verify(coins, 10, right).is_optimal);
  EXPECT_TRUE(verify(coins, 10, FewestTable{{2}})) << "of the amount alone";
  EXPECT_TRUE(verify(coins, 7, FewestTable{{-1}}));
  expect_violation(verify(coins, 7, FewestTable{{2}}), true, "the fewest coins for the amount 7 are -1, 2 is claimed");
  expect_violation(verify(coins, 9, right), false, "11 numbers, 10 expected");
  expect_violation(verify(coins, 10, FewestTable{}), false, "0 numbers, 11 expected");
  for (std::size_t a = 0; a < right.fewest.size(); ++a) {
    FewestTable wrong = right;
    ++wrong.fewest[a];
    EXPECT_THAT(verify(coins, 10, wrong).violation.value_or("none"),
                HasSubstr(fmt::format("for the amount {} are", a)));
  }
  EXPECT_FALSE(verify(coins, 200'000'000, FewestTable{{0}}).is_complete());
}

TEST(VerifyWays, ComparesExactNumbersAndResidues) {
  const CoinSystem coins({4, 6});
  const std::vector<std::string> exact = {"1", "0", "0", "0", "1", "0", "1", "0", "1", "0", "1", "0", "2"};
  EXPECT_TRUE(verify(coins, 12, Ways{exact, {}}, 0).is_optimal);
  EXPECT_TRUE(verify(coins, 12, Ways{{"2"}, {}}, 0));
  EXPECT_TRUE(verify(coins, 12, Ways{{}, {0}}, 2));
  expect_violation(verify(coins, 12, Ways{{"3"}, {}}, 0), true, "the number of ways is wrong for the amount 12");
  expect_violation(verify(coins, 12, Ways{{"x"}, {}}, 0), true, "the number of ways is wrong for the amount 12");
  expect_violation(verify(coins, 12, Ways{{}, {2}}, 2), true, "the number of ways is wrong for the amount 12");
  expect_violation(verify(coins, 12, Ways{{"2", "2"}, {}}, 0), false, "2 numbers of ways, 13 expected");
  expect_violation(verify(coins, 12, Ways{{"2"}, {}}, 2), false, "0 numbers of ways, 13 expected");
  for (std::size_t a = 0; a < exact.size(); ++a) {
    Ways wrong{exact, {}};
    ++wrong.exact[a][0];
    EXPECT_THAT(verify(coins, 12, wrong, 0).violation.value_or("none"), HasSubstr(fmt::format("the amount {}", a)));
  }
  EXPECT_FALSE(verify(coins, 200'000'000, Ways{{"1"}, {}}, 0).is_complete());
}

RC_GTEST_PROP(VerifyCoins, AcceptsEveryAnswerOfTheSolvers, ()) {
  const auto stock = *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(0, 40));
  const auto amount = *rc::gen::inRange<std::int64_t>(0, 200);
  const CoinSystem system({2, 3, 7}, *rc::gen::arbitrary<bool>() ? stock : std::vector<std::int64_t>{});
  const FewestTable table = fewest_coins_up_to(system, amount).solution;
  RC_ASSERT(verify(system, amount, table).violation == std::nullopt);
  for (const std::uint64_t modulus : {0, 5}) {
    RC_ASSERT(verify(system, amount, count_ways(system, amount, modulus, true).solution, modulus).violation ==
              std::nullopt);
  }
  if (table.fewest.back() < 0) return;
  RC_ASSERT(verify(system, amount, fewest_coins(system, amount).solution).violation == std::nullopt);
}

}  // namespace
}  // namespace warpfold::recurrence
