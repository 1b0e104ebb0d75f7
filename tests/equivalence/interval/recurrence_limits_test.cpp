#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "warpfold/interval/recurrence.hpp"

/// The limits of a user-defined recurrence, and the messages when it exceeds them.
namespace warpfold::interval {
namespace {

template <class Action>
std::string message_of(ErrorKind kind, Action&& action) {
  try {
    static_cast<void>(action());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

/// A recurrence of three points with two leaves and a split. One number at a time is unusual.
template <class S>
struct Three {
  using Semiring = S;
  using T = typename S::Value;
  T leaf0 = 0, leaf1 = 0, at_split = 0, at_whole = 0;
  T leaf(std::size_t i) const { return i == 0 ? leaf0 : leaf1; }
  T split(std::size_t, std::size_t, std::size_t) const { return at_split; }
  T weight(std::size_t, std::size_t) const { return at_whole; }
};

/// The same by the library's vector code, and with a user-defined close.
template <class S>
struct InVectors {
  using Semiring = S;
  Three<S> three;
  typename S::Value leaf(std::size_t i) const { return three.leaf(i); }
  typename S::Value weight(std::size_t i, std::size_t j) const { return three.weight(i, j); }
};
template <class S>
struct ByClose {
  using Semiring = S;
  Three<S> three;
  typename S::Value leaf(std::size_t i) const { return three.leaf(i); }
  typename S::Value close(std::size_t, std::size_t, typename S::Value best) const {
    return S::times(best, three.at_whole);
  }
};

template <class S>
class Sums : public testing::Test {};
using SumSemirings = testing::Types<MinPlus<std::int8_t>, MinPlus<std::int16_t>, MinPlus<std::int32_t>,
                                    MinPlus<std::int64_t>, MaxPlus<std::int16_t>, MaxPlus<std::int32_t>,
                                    MaxPlus<std::int64_t>, MinPlus<float>, MaxPlus<double>>;
TYPED_TEST_SUITE(Sums, SumSemirings);

TYPED_TEST(Sums, TheLargestNumbersThatAreTakenAddUpExactly) {
  using T = typename TypeParam::Value;
  const T most = detail::Stored<TypeParam>::largest, least = static_cast<T>(-most);
  for (const Three<TypeParam>& three :
       {Three<TypeParam>{most, least, most, least}, Three<TypeParam>{least, most, least, most},
        Three<TypeParam>{most, least, 0, most}, Three<TypeParam>{least, most, 0, least}}) {
    const auto sum = static_cast<T>(three.leaf0 + three.leaf1 + three.at_split + three.at_whole);
    EXPECT_EQ(solve_recurrence(three, 3).solution.value(), sum);
    if (three.at_split != 0) continue;
    EXPECT_EQ(solve_recurrence(InVectors<TypeParam>{three}, 3).solution.value(), sum);
    EXPECT_EQ(solve_recurrence(ByClose<TypeParam>{three}, 3).solution.value(), sum);
  }
}

TYPED_TEST(Sums, WhatTookUpAnInfinityStaysInfinite) {
  using T = typename TypeParam::Value;
  const T most = detail::Stored<TypeParam>::largest, least = static_cast<T>(-most), none = TypeParam::zero();
  for (const T other : {most, least, none}) {
    for (const T weight : {most, least, none}) {
      for (const T split : {most, least, none}) {
        EXPECT_NE(message_of(ErrorKind::infeasible,
                             [&] {
                               return solve_recurrence(Three<TypeParam>{none, other, split, weight}, 3);
                             }),
                  "no error");
      }
      for (const bool vectors : {false, true}) {
        const Three<TypeParam> three{other, none, 0, weight};
        EXPECT_NE(message_of(ErrorKind::infeasible,
                             [&] {
                               return vectors ? solve_recurrence(InVectors<TypeParam>{three}, 3).solution.value()
                                              : solve_recurrence(ByClose<TypeParam>{three}, 3).solution.value();
                             }),
                  "no error");
      }
    }
  }
}

TYPED_TEST(Sums, EveryFiniteNumberBeyondTheseIsRefusedByItsPlace) {
  using T = typename TypeParam::Value;
  const T most = detail::Stored<TypeParam>::largest;
  std::vector<T> odd;
  if constexpr (std::is_integral_v<T>) {
    odd = {static_cast<T>(most + 1), static_cast<T>(infinity<T> - 1), static_cast<T>(-infinity<T> + 1),
           detail::Stored<TypeParam>::zero()};
  } else {
    odd = {most * 2, -most * 2, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  }
  const auto overflow = [](auto solve) { return message_of(ErrorKind::overflow, solve); };
  for (const T value : odd) {
    const std::string is = " is " + detail::number_text(value);
    EXPECT_EQ(overflow([&] { return solve_recurrence(Three<TypeParam>{value}, 3); }).find("leaf(0)" + is), 0U) << value;
    EXPECT_EQ(overflow([&] {
                return solve_recurrence(Three<TypeParam>{0, 0, value}, 3);
              }).find("split(0,1,2)" + is),
              0U)
        << value;
    EXPECT_EQ(overflow([&] {
                return solve_recurrence(Three<TypeParam>{0, 0, 0, value}, 3);
              }).find("weight(0,2)" + is),
              0U)
        << value;
    const Three<TypeParam> heavy{0, 0, 0, value};
    EXPECT_EQ(overflow([&] { return solve_recurrence(InVectors<TypeParam>{heavy}, 3); }).find("weight(0,2)" + is), 0U);
    EXPECT_EQ(overflow([&] { return solve_recurrence(ByClose<TypeParam>{heavy}, 3); }).find("value(0,2)" + is), 0U);
  }
  const Three<TypeParam> sum{most, most, 0, 0};
  EXPECT_EQ(overflow([&] { return solve_recurrence(sum, 3); }).find("value(0,2) is"), 0U);
  EXPECT_EQ(overflow([&] { return solve_recurrence(InVectors<TypeParam>{sum}, 3); }).find("value(0,2) is"), 0U);
  EXPECT_EQ(overflow([&] { return solve_recurrence(ByClose<TypeParam>{sum}, 3); }).find("value(0,2) is"), 0U);
}

TYPED_TEST(Sums, InfinityAndWhateverIsBeyondForbids) {
  using T = typename TypeParam::Value;
  const T none = TypeParam::zero();
  const T beyond = none > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  for (const T forbidden : {none, std::is_integral_v<T> ? beyond : none}) {
    for (const Three<TypeParam>& three :
         {Three<TypeParam>{forbidden}, Three<TypeParam>{0, 0, forbidden}, Three<TypeParam>{0, 0, 0, forbidden}}) {
      EXPECT_NE(message_of(ErrorKind::infeasible, [&] { return solve_recurrence(three, 3); }), "no error");
    }
  }
}

/// Three vertices of a polygon that weigh 900 each: the triangle's cost is beyond what 32 bits take.
struct Heavy {
  using Semiring = MinPlus<std::int32_t>;
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t weight(std::size_t, std::size_t) const { return 900 * 900 * 900; }
};

/// Every interval of two leaves is beyond the limit. Sums with "no value" wrap.
struct EveryPairTooHeavy {
  using Semiring = MinPlus<std::int32_t>;
  std::int32_t leaf(std::size_t) const { return -100000000; }
  std::int32_t weight(std::size_t, std::size_t) const { return 1; }
};

TEST(RecurrenceLimits, TheFirstValueThatIsTooLargeIsNamedHoweverManyAre) {
  for (const std::size_t points : {3, 8, 64, 65, 130}) {
    const std::string message =
        message_of(ErrorKind::overflow, [&] { return solve_recurrence(EveryPairTooHeavy(), points); });
    EXPECT_TRUE(message.starts_with("value(0,2) is -199999999: ")) << points << ": " << message;
  }
}

TEST(RecurrenceLimits, AMessageSaysWhatIsTakenAndWhichTypeHoldsMore) {
  EXPECT_EQ(message_of(ErrorKind::overflow, [] { return solve_recurrence(Heavy(), 3); }),
            "weight(0,2) is 729000000: -134217727 to 134217727 are accepted, and 1073741823 for no value; std::int64_t "
            "holds more");
  const std::string floats = ": numbers up to an eighth of the type's largest are accepted, and ";
  EXPECT_EQ(message_of(ErrorKind::input, [] { return solve_recurrence(Three<MinPlus<float>>{-infinity<float>}, 3); }),
            "leaf(0) is -inf" + floats + "inf for no value");
  EXPECT_EQ(message_of(ErrorKind::input, [] { return solve_recurrence(Three<MaxPlus<double>>{std::nan("")}, 3); }),
            "leaf(0) is nan" + floats + "-inf for no value");
}

TEST(RecurrenceLimits, NoNumbersAreRefusedInEverySemiring) {
  const double nan = std::nan("");
  const auto input = [](auto solve) { return message_of(ErrorKind::input, solve); };
  EXPECT_EQ(input([&] { return solve_recurrence(Three<MinPlus<double>>{nan}, 3); }).find("leaf(0) is"), 0U);
  EXPECT_EQ(input([&] { return solve_recurrence(Three<MaxPlus<double>>{0, 0, nan}, 3); }).find("split(0,1,2) is"), 0U);
  EXPECT_EQ(input([&] { return solve_recurrence(Three<MinMax<double>>{0, 0, 0, nan}, 3); }).find("weight(0,2) is"), 0U);
  EXPECT_EQ(input([&] { return solve_recurrence(Three<Counting<double>>{nan}, 3); }).find("leaf(0) is"), 0U);
  EXPECT_EQ(input([&] { return solve_recurrence(Three<MinPlus<float>>{-infinity<float>}, 3); }).find("leaf(0) is"), 0U);
}

TEST(RecurrenceLimits, CountsModuloANumberAreBelowIt) {
  using Seven = CountingModulo<7>;
  EXPECT_EQ(message_of(ErrorKind::overflow, [] { return solve_recurrence(Three<Seven>{7}, 3); }).find("leaf(0) is 7"),
            0U);
}

TEST(RecurrenceLimits, ChoicesTakeEveryWholeNumberUpToTheirInfinities) {
  const std::int32_t none = infinity<std::int32_t>;
  EXPECT_EQ(solve_recurrence(Three<MinMax<std::int32_t>>{none - 1, 5, 0, -none + 1}, 3).solution.value(), none - 1);
  EXPECT_EQ(solve_recurrence(Three<MaxMin<std::int32_t>>{none - 1, none, none, none}, 3).solution.value(), none - 1);
}

/// A chain with the lists of a test.
template <class S>
struct ListedIn {
  using Semiring = S;
  using T = typename S::Value;
  ProductSplit<T> lists;
  T leaf(std::size_t) const { return S::one(); }
  T close(std::size_t, std::size_t, T best) const { return best; }
  ProductSplit<T> product_split() const { return lists; }
};
template <class T>
using Listed = ListedIn<MinPlus<T>>;

TEST(RecurrenceLimits, MorePointsThanCanBeAddressedAreRefusedBeforehand) {
  const Three<MinPlus<double>> three;
  EXPECT_EQ(message_of(ErrorKind::input, [&] { return solve_recurrence(three, std::size_t{1} << 32); }),
            "a recurrence has 4294967296 points: 2 to 4294967295 are accepted");
  EXPECT_NE(message_of(ErrorKind::input, [&] { return solve_recurrence(three, (std::size_t{1} << 56) - 64); }),
            "no error")
      << "whose bytes would wrap to none";
  for (const std::size_t n : {std::size_t{1} << 31, std::size_t{1} << 32}) {
    EXPECT_EQ(IntervalTable<double>::bytes(n - 1), std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(message_of(ErrorKind::memory_limit, [&] { return solve_recurrence(three, n - 1); })
                  .find("the solve needs 2^64 bytes or more"),
              0U);
  }
}

TEST(RecurrenceLimits, ListsOfAProductThatAreNullOrNoNumbersAreRefusedByName) {
  const std::vector<double> good = {1, 2, 3}, bad = {1, std::nan(""), 3};
  const auto refusal = [&](ErrorKind kind, ProductSplit<double> lists) {
    return message_of(kind, [&] { return solve_recurrence(Listed<double>{lists}, 3); });
  };
  EXPECT_EQ(refusal(ErrorKind::usage, {good.data(), nullptr, good.data()}),
            "product_split().middle is null: a list of 3 numbers is accepted");
  EXPECT_EQ(refusal(ErrorKind::usage, {}), "product_split().left is null: a list of 3 numbers is accepted");
  EXPECT_EQ(refusal(ErrorKind::input, {good.data(), good.data(), bad.data()}).find("product_split().right[1] is"), 0U);
  const std::vector<std::int32_t> large = {1000, 1000, 1000};
  EXPECT_EQ(message_of(ErrorKind::overflow,
                       [&] {
                         return solve_recurrence(Listed<std::int32_t>{{large.data(), large.data(), large.data()}}, 3);
                       })
                .find("the product split reaches 1e+09"),
            0U);
}

/// Lists of equal numbers. A `left` of 0 compensates large values of the others.
template <class S>
class Products : public testing::Test {
 protected:
  using Number = typename S::Value;
  static std::string refusal(Number left, Number middle, Number right) {
    const std::vector<Number> lefts(70, left), middles(70, middle), rights(70, right);
    const ListedIn<S> recurrence{{lefts.data(), middles.data(), rights.data()}};
    return message_of(ErrorKind::overflow, [&] {
      EXPECT_EQ(solve_recurrence(recurrence, 70).solution.value(), Number{0});
      return 0;
    });
  }
};
using ProductSemirings = testing::Types<MinPlus<std::int16_t>, MinPlus<std::int32_t>, MaxPlus<std::int64_t>,
                                        MinPlus<float>, MaxPlus<double>, MinPlus<long double>>;
TYPED_TEST_SUITE(Products, ProductSemirings);

TYPED_TEST(Products, WhoseFirstHalfDoesNotFitAreRefusedHoweverSmallLeftIs) {
  using T = typename TypeParam::Value;
  const T most = std::numeric_limits<T>::max(), half = static_cast<T>(most / 2);
  const std::string message = "middle * right of the product split reaches ";
  for (const T left : {T{0}, std::numeric_limits<T>::denorm_min()}) {
    for (const T sign : {T{1}, static_cast<T>(-1)}) {
      const std::string refusal = this->refusal(left, static_cast<T>(sign * half), 3);
      EXPECT_EQ(refusal.find(message), 0U) << refusal;
      EXPECT_NE(refusal.find(": up to " + detail::number_text(most) + " is accepted"), std::string::npos) << refusal;
    }
  }
  EXPECT_EQ(this->refusal(0, most, 1), "no error");
  EXPECT_EQ(this->refusal(0, half, 2), "no error");
}

TEST(RecurrenceLimits, AProductThatOverflowsOnTheWayToAnAcceptedTotalIsRefused) {
  const std::vector<double> left = {1e-300, 0, 0, 0}, middle = {0, 1e200, 0.85e200, 0}, right = {0, 0, 1.7e108, 2e108};
  EXPECT_EQ(message_of(ErrorKind::overflow,
                       [&] {
                         return solve_recurrence(Listed<double>{{left.data(), middle.data(), right.data()}}, 4);
                       })
                .find("middle * right of the product split reaches "),
            0U);
}

template <class S>
void expect_no_way_through_zeros() {
  const std::vector<typename S::Value> zeros(10, 0);
  const ListedIn<S> recurrence{{zeros.data(), zeros.data(), zeros.data()}};
  EXPECT_EQ(solve_recurrence(recurrence, 10).solution.value(), 0U);
}

/// 16-bit operands become int in a product, which overflows; that would not compile in a constant expression.
static_assert(Counting<std::uint16_t>::times(65535, 65535) == 1);

TEST(RecurrenceLimits, AProductThatIsZeroLeavesNoWayInEveryTypeThatCounts) {
  expect_no_way_through_zeros<Counting<std::uint64_t>>();
  expect_no_way_through_zeros<Counting<double>>();
  expect_no_way_through_zeros<CountingModulo<1'000'003>>();
}

TEST(RecurrenceLimits, OptionsThatTheSolverDoesNotHaveAreRefused) {
  const Three<MinPlus<double>> three;
  Options options;
  const std::vector<std::size_t> points = {3};
  const auto solve_many = [&](const Options& with) {
    return solve_recurrences(std::span<const Three<MinPlus<double>>>(&three, 1), points, with);
  };
  options.device = {Device::Kind::cuda, 0};
  EXPECT_EQ(message_of(ErrorKind::device, [&] { return solve_recurrence(three, 3, options); }),
            "solve_recurrence runs on the CPU: cuda::solve_recurrence runs on cuda:0");
  EXPECT_EQ(message_of(ErrorKind::device, [&] { return solve_many(options); }),
            "solve_recurrence runs on the CPU: cuda::solve_recurrence runs on cuda:0");
  options = {};
  options.algorithm = "fast";
  const std::string unknown = "algorithm 'fast' is unknown: tiled is accepted";
  EXPECT_TRUE(message_of(ErrorKind::usage, [&] { return solve_recurrence(three, 3, options); }).starts_with(unknown));
  EXPECT_TRUE(message_of(ErrorKind::usage, [&] { return solve_many(options); }).starts_with(unknown));
  options.algorithm = "tiled";
  EXPECT_EQ(solve_recurrence(three, 3, options).report.algorithm, "tiled");
}

TEST(RecurrenceLimits, AnEstimateHasTheTableThatASolveTakesAndRefusesWhatASolveRefuses) {
  const Three<MinPlus<double>> three;
  for (const std::size_t points : {2, 63, 65, 300}) {
    const Estimate expected = estimate_recurrence(three, points);
    const Report report = solve_recurrence(three, points).report;
    EXPECT_EQ(expected.algorithm, report.algorithm) << points;
    EXPECT_EQ(expected.bytes, report.peak_bytes) << points;
    EXPECT_EQ(expected.operations, static_cast<double>(points * (points - 1) * (points - 2) / 6)) << points;
    EXPECT_GT(expected.seconds, 0) << points;
  }
  EXPECT_EQ(message_of(ErrorKind::input, [&] { return estimate_recurrence(three, 1); }),
            "a recurrence has 1 points: 2 to 4294967295 are accepted");
  Options options;
  options.algorithm = "fast";
  EXPECT_NE(message_of(ErrorKind::usage, [&] { return estimate_recurrence(three, 3, options); }), "no error");
  options = {};
  options.device = {Device::Kind::cuda, 0};
  EXPECT_NE(message_of(ErrorKind::device, [&] { return estimate_recurrence(three, 3, options); }), "no error");
}

/// Slow weights that remember the last point that was requested.
struct SlowWeights {
  using Semiring = MinPlus<double>;
  std::atomic<std::size_t>* last;
  double leaf(std::size_t) const { return 0; }
  double weight(std::size_t, std::size_t j) const {
    std::this_thread::sleep_for(std::chrono::microseconds(10));
    for (std::size_t before = *last; before < j && !last->compare_exchange_weak(before, j);) {
    }
    return 0;
  }
};

TEST(RecurrenceLimits, AnEstimateCallsASlowFunctionForTheFirstPointsAlone) {
  std::atomic<std::size_t> last = 0;
  const Estimate expected = estimate_recurrence(SlowWeights{&last}, 100'000);
  EXPECT_LE(last, 63U);
  const double weights = 99'999. * 99'998 / 2;
  EXPECT_GT(expected.seconds, 1e-5 * weights);
  EXPECT_LT(expected.seconds, 0.03 * weights) << "once a split they would take 10 us * points / 3 for each";
}

TEST(RecurrenceLimits, WhatHasNoValueHasNoStructure) {
  const Three<MinPlus<std::int32_t>> forbidden{infinity<std::int32_t>};
  Report report;
  Context context({}, report);
  const auto table = detail::fill_table(forbidden, 3, context);
  EXPECT_EQ(message_of(ErrorKind::infeasible, [&] { return structure(forbidden, table); }),
            "the whole has no value, and so no structure");
}

TEST(RecurrenceLimits, ASemiringThatAddsUpHasNoStructure) {
  const Three<Counting<double>> ways{1, 1, 1, 1};
  const auto solved = solve_recurrence(ways, 4);
  EXPECT_NE(message_of(ErrorKind::usage, [&] { return structure(ways, solved.solution); }), "no error");
}

/// An interval may also be closed at a price of its own, if neither a split nor the inner interval is as cheap.
struct Alone {
  using Semiring = MinPlus<std::int32_t>;
  std::int32_t price;
  std::int32_t leaf(std::size_t) const { return 5; }
  std::int32_t close(std::size_t, std::size_t, std::int32_t best, std::int32_t inner) const {
    return std::min({best, Semiring::times(inner, 8), price});
  }
};

TEST(RecurrenceLimits, AStructureSaysWhereAnIntervalIsClosedByItself) {
  const auto nodes = [](std::int32_t price) {
    return structure(Alone{price}, solve_recurrence(Alone{price}, 3).solution);
  };
  EXPECT_EQ(nodes(7), (std::vector<Split>{{0, 2, 2}}));  // k == j: neither
  EXPECT_EQ(nodes(9), (std::vector<Split>{{0, 0, 2}}));  // k == i: around (1,1)
  EXPECT_EQ(structure(Three<MinPlus<std::int32_t>>{}, solve_recurrence(Three<MinPlus<std::int32_t>>{}, 3).solution),
            (std::vector<Split>{{0, 1, 2}}));
}

/// Functions so slow that a tile takes minutes. The fiftieth call requests a stop.
struct Slow {
  using Semiring = MinPlus<double>;
  bool slow_split;
  std::stop_source* stop;
  std::atomic<int>* calls;

  double leaf(std::size_t) const { return 0; }
  double close(std::size_t, std::size_t, double best) const {
    if (!slow_split) wait();
    return best;
  }
  double split(std::size_t, std::size_t, std::size_t) const {
    if (slow_split) wait();
    return 1;
  }
  void wait() const {
    if (++*calls == 50) stop->request_stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

TEST(RecurrenceLimits, AStopIsAnsweredBetweenTwoCallsOfASlowFunction) {
  for (const bool slow_split : {false, true}) {
    for (const int threads : {1, 2}) {
      std::stop_source stop;
      std::atomic<int> calls = 0;
      Options options;
      options.stop = stop.get_token();
      options.threads = threads;
      const Slow slow{slow_split, &stop, &calls};
      EXPECT_NE(message_of(ErrorKind::cancelled, [&] { return solve_recurrence(slow, 300, options); }), "no error");
      EXPECT_LE(calls, 50 + threads);
    }
  }
}

TEST(RecurrenceLimits, AnEstimateTakesTheRateOfASlowSplitFromFewCalls) {
  std::stop_source stop;
  std::atomic<int> calls = 0;
  const Estimate expected = estimate_recurrence(Slow{true, &stop, &calls}, 1000);
  EXPECT_LT(calls, 50);
  EXPECT_GT(expected.seconds, 0.99e-3 * expected.operations);
  EXPECT_LT(expected.seconds, 0.1 * expected.operations);
}

TEST(RecurrenceLimits, AnEstimateHearsAStopAndADeadlineBetweenTwoCalls) {
  std::stop_source stop;
  std::atomic<int> calls = 49;  // the estimate's first call requests a stop
  const Slow slow{true, &stop, &calls};
  Options options;
  options.stop = stop.get_token();
  EXPECT_NE(message_of(ErrorKind::cancelled, [&] { return estimate_recurrence(slow, 1000, options); }), "no error");
  EXPECT_EQ(calls, 50);
  EXPECT_NE(message_of(ErrorKind::cancelled, [&] { return estimate_recurrence(slow, 1000, options); }), "no error");
  EXPECT_EQ(calls, 50) << "none is called where the stop has been asked for";
  options = {};
  options.deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(1500);
  EXPECT_NE(message_of(ErrorKind::time_limit, [&] { return estimate_recurrence(slow, 1000, options); }), "no error");
}

/// Requests a stop at its fifth close.
struct StoppedByAClose {
  using Semiring = MinPlus<double>;
  std::stop_source* stop;
  int* calls;

  double leaf(std::size_t) const { return 0; }
  double close(std::size_t, std::size_t, double best) const {
    if (++*calls == 5) stop->request_stop();
    return best + 1;
  }
};

TEST(RecurrenceLimits, AStopIsAnsweredBetweenTwoIntervalsOfAStructure) {
  std::stop_source stop;
  int calls = 0;
  Options options;
  options.threads = 1;
  const StoppedByAClose recurrence{&stop, &calls};
  const auto table = solve_recurrence(recurrence, 50, options).solution;
  stop = {};
  options.stop = stop.get_token();
  calls = 0;
  EXPECT_NE(message_of(ErrorKind::cancelled, [&] { return structure(recurrence, table, options); }), "no error");
  EXPECT_LE(calls, 6) << "an interval asks three times";
}

}  // namespace
}  // namespace warpfold::interval
