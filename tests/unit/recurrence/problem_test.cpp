#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sanitizers.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/semigroup.hpp"
#include "warpfold/recurrence/solve.hpp"

namespace warpfold::recurrence {
namespace {

template <class T>
std::string refusal(Statement<T> statement, ErrorKind expected = ErrorKind::input) {
  try {
    const Problem<T> problem(std::move(statement));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), expected);
    return error.what();
  }
  return "accepted";
}

void expect_mentions(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

using I32 = Statement<std::int32_t>;
using I64 = Statement<std::int64_t>;
using F64 = Statement<double>;

TEST(Problem, TakesOffsetsInAnyOrderWithTheirWeights) {
  const Problem<std::int32_t> problem(I32{Op::min, {2, 5, 1}, {1, 2, 3, 4, 5}, 9, {20, 50, 10}, 0});
  EXPECT_EQ(std::vector<std::int64_t>(problem.offsets().begin(), problem.offsets().end()),
            (std::vector<std::int64_t>{5, 2, 1}));
  EXPECT_EQ(std::vector<std::int32_t>(problem.weights().begin(), problem.weights().end()),
            (std::vector<std::int32_t>{50, 20, 10}));
  EXPECT_EQ(problem.operations(), 12);
}

TEST(Problem, MergesRepeatedOffsetsOfIdempotentOpsKeepingTheWinningWeight) {
  const auto weight = [](Op op) { return Problem<std::int32_t>(I32{op, {2, 2}, {1, 2}, 5, {7, 3}, 0}).weight(0); };
  EXPECT_EQ(weight(Op::min), 3);
  EXPECT_EQ(weight(Op::max), 7);
  EXPECT_EQ(Problem<std::int32_t>(I32{Op::gcd, {2, 2}, {1, 2}, 5, {}, 0}).offsets().size(), 1u);
  for (const Op op : {Op::sum, Op::bit_xor}) {
    expect_mentions(refusal(I32{op, {2, 2}, {1, 2}, 5, {}, 0}), "offset 2 occurs twice");
  }
}

TEST(Problem, RefusesBadInputNamingIt) {
  expect_mentions(refusal(I32{static_cast<Op>(99), {1}, {1}, 5, {}, 0}, ErrorKind::usage), "op 99 is unknown");
  expect_mentions(refusal(I32{Op::min, {}, {}, 5, {}, 0}), "no offsets");
  expect_mentions(refusal(I32{Op::min, {0}, {}, 5, {}, 0}), "offset 0");
  expect_mentions(refusal(I32{Op::min, {-3}, {}, 5, {}, 0}), "offset -3");
  expect_mentions(refusal(I32{Op::min, {3'000'000'000}, {}, 5, {}, 0}), "offset 3000000000");
  expect_mentions(refusal(I32{Op::min, {3}, {1, 2}, 5, {}, 0}), "initial has 2 values");
  expect_mentions(refusal(I32{Op::min, {3}, {1, 2, 3}, 2, {}, 0}), "n is 2");
  expect_mentions(refusal(I32{Op::min, {1}, {1}, std::size_t{1} << 60, {}, 0}), "n is 1152921504606846976");
  expect_mentions(refusal(I32{Op::min, {2, 1}, {1, 2}, 5, {1}, 0}), "1 weight for 2 offsets");
  expect_mentions(refusal(I32{Op::gcd, {1}, {1}, 5, {1}, 0}), "weights do not go with gcd");
  expect_mentions(refusal(I32{Op::gcd, {1}, {-4}, 5, {}, 0}), "initial value 0 is -4");
  expect_mentions(refusal(I32{Op::sum_mod, {1}, {1}, 5, {}, 0}), "modulus is 0");
  expect_mentions(refusal(I32{Op::sum_mod, {1}, {7}, 5, {}, 7}), "0 to 6");
  expect_mentions(refusal(I32{Op::min, {1}, {7}, 5, {}, 7}), "modulus is 7");
  expect_mentions(refusal(F64{Op::min, {1}, {std::nan("")}, 5, {}, 0}), "initial value 0 is NaN");
  expect_mentions(refusal(F64{Op::min, {1}, {1}, 5, {INFINITY}, 0}), "weight inf");
  expect_mentions(refusal(F64{Op::bit_xor, {1}, {1}, 5, {}, 0}), "integers");
}

TEST(Problem, RefusesWeightsWhoseTotalCouldOverflow) {
  EXPECT_EQ(refusal(I32{Op::min, {1}, {0}, 1000, {500'000}, 0}), "accepted");
  expect_mentions(refusal(I32{Op::min, {1}, {0}, 2000, {500'000}, 0}, ErrorKind::overflow), "999500000 in 1999 steps");
  expect_mentions(
      refusal(I32{Op::max, {1}, {std::numeric_limits<std::int32_t>::min()}, 2, {0}, 0}, ErrorKind::overflow),
      "2147483648");
  expect_mentions(
      refusal(I64{Op::min, {1}, {0}, 1000, {std::numeric_limits<std::int64_t>::max()}, 0}, ErrorKind::overflow), "i64");
  expect_mentions(
      refusal(Statement<std::uint64_t>{Op::max, {1}, {std::uint64_t{1} << 62}, 2, {1}, 0}, ErrorKind::overflow), "u64");
}

TEST(Problem, TurnsNegativeZeroIntoZero) {
  const Problem<double> problem(F64{Op::min, {1}, {-0.0}, 3, {-0.0}, 0});
  EXPECT_FALSE(std::signbit(problem.initial()[0]));
  EXPECT_FALSE(std::signbit(problem.weight(0)));
}

TEST(Solve, ReproducesTheSequencesOfTextbooks) {
  EXPECT_EQ(solve(Problem<std::int64_t>(I64{Op::sum, {2, 1}, {1, 1}, 10, {}, 0})).solution.values,
            (std::vector<std::int64_t>{1, 1, 2, 3, 5, 8, 13, 21, 34, 55}));
  // Rod cutting: prices 1, 5, 8, 9 of lengths 1 to 4; lengths below 0 have no value.
  constexpr std::int64_t none = -infinity<std::int64_t>;
  EXPECT_EQ(solve(Problem<std::int64_t>(I64{Op::max, {1, 2, 3, 4}, {none, none, none, 0}, 12, {1, 5, 8, 9}, 0}))
                .solution.values,
            (std::vector<std::int64_t>{none, none, none, 0, 1, 5, 8, 10, 13, 16, 18, 21}));
}

TEST(Solve, SaysWhichAlgorithmRanAndHonoursForce) {
  const Problem<std::int32_t> problem(I32{Op::min, {2, 1}, {4, 3}, 100, {}, 0});
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.device != "cpu" || info.name == "early-exit") continue;
    Options options;
    options.algorithm = info.name;
    EXPECT_EQ(solve(problem, options).report.algorithm, info.name);
  }
}

template <class T>
ErrorKind kind_of(const Problem<T>& problem, const Options& options) {
  try {
    (void)solve(problem, options);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

/// The result of `solve` by each algorithm that supports it.
template <class T>
void expect_overflow(const Statement<T>& statement, const std::string& message) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.device != "cpu" || info.name == "early-exit" || info.name == "spread") continue;
    Options options;
    options.algorithm = info.name;
    try {
      (void)solve(Problem<T>(statement), options);
      ADD_FAILURE() << info.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::overflow);
      EXPECT_STREQ(error.what(), message.c_str()) << info.name;
    }
  }
}

TEST(Solve, RefusesAFloatThatASumMakesInfiniteWhateverElseIsInfinite) {
  const std::string third = "value 3 or a sum on the way to it is larger than ";
  expect_overflow<double>({Op::min, {2}, {INFINITY, 1e308}, 6, {1e308}, 0}, third + "f64 holds");
  expect_overflow<double>({Op::max, {2}, {-INFINITY, -1e308}, 6, {-1e308}, 0}, third + "f64 holds");
  expect_overflow<double>({Op::max, {2}, {-INFINITY, 1e308}, 6, {1e308}, 0}, third + "f64 holds");
  expect_overflow<float>({Op::min, {2}, {INFINITY, 3e38F}, 6, {3e38F}, 0}, third + "f32 holds");
  expect_overflow<double>({Op::sum, {3, 2}, {INFINITY, 1e308, 1e308}, 5, {}, 0},
                          "value 4 or a sum on the way to it is larger than f64 holds");
}

TEST(Solve, KeepsTheInfinitiesThatInitialValuesMake) {
  const std::vector<double> least =
      solve(Problem<double>(F64{Op::min, {2, 1}, {INFINITY, 1e308}, 4, {0, 1e307}, 0})).solution.values;
  EXPECT_EQ(least, (std::vector<double>{INFINITY, 1e308, 1e308 + 1e307, 1e308}));
  const std::vector<double> none =
      solve(Problem<double>(F64{Op::min, {2}, {INFINITY, 1.7e308}, 5, {-1e306}, 0})).solution.values;
  EXPECT_EQ(none[2], INFINITY);
  EXPECT_EQ(none[4], INFINITY);
}

TEST(Solve, RefusesOptionsThatDoNotGoTogether) {
  const Problem<std::int32_t> problem(I32{Op::gcd, {2, 1}, {4, 3}, 100, {}, 0});
  for (const std::string name : {"nonsense", "blocks", "spread"}) {
    Options options;
    options.algorithm = name;
    EXPECT_EQ(kind_of(problem, options), ErrorKind::usage) << name;
  }
  Options negative;
  negative.threads = -1;
  EXPECT_EQ(kind_of(problem, negative), ErrorKind::usage);
}

TEST(Solve, StopsAtItsLimits) {
  std::vector<std::int64_t> offsets;
  for (int a = 1; a <= 4000; ++a) offsets.push_back(a * 2);
  const Problem<std::int32_t> problem(I32{Op::min, offsets, std::vector<std::int32_t>(8000, 1), 60000, {}, 0});
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.device != "cpu" || info.name == "early-exit") continue;
    Options late;
    late.algorithm = info.name;
    late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    EXPECT_EQ(kind_of(problem, late), ErrorKind::time_limit) << info.name;
    Options stopped;
    stopped.algorithm = info.name;
    std::stop_source source;
    source.request_stop();
    stopped.stop = source.get_token();
    EXPECT_EQ(kind_of(problem, stopped), ErrorKind::cancelled) << info.name;
  }
  Options little;
  little.max_memory = 1000;
  EXPECT_EQ(kind_of(problem, little), ErrorKind::memory_limit);
}

TEST(Semigroup, KeepsTheOrderOfAnOperationThatDoesNotCommute) {
  const auto join = [](const std::string& a, const std::string& b) { return (a + b).substr(0, 40); };
  std::vector<std::string> initial;
  for (char c = 'a'; c < 'a' + 12; ++c) initial.push_back(std::string(1, c));
  const std::vector<std::int64_t> offsets{3, 9, 8, 7, 6, 5, 12, 1};
  auto expected = initial;
  for (std::size_t i = 12; i < 60; ++i) {
    std::string value;
    for (const std::size_t a : {12, 9, 8, 7, 6, 5, 3, 1}) value += expected[i - a];
    expected.push_back(value.substr(0, 40));
  }
  EXPECT_EQ(solve_semigroup(offsets, initial, 60, join), expected);
}

TEST(Semigroup, RefusesBadInput) {
  const auto add = [](int a, int b) { return a + b; };
  EXPECT_THROW((void)solve_semigroup<int>({}, {}, 3, add), Error);
  EXPECT_THROW((void)solve_semigroup<int>({2, 2}, {1, 2}, 3, add), Error);
  EXPECT_THROW((void)solve_semigroup<int>({2, 0}, {1, 2}, 3, add), Error);
  EXPECT_THROW((void)solve_semigroup<int>({2}, {1}, 3, add), Error);
  EXPECT_THROW((void)solve_semigroup<int>({2}, {1, 2}, 1, add), Error);
}

TEST(Semigroup, RefusesMoreValuesThanMemoryHolds) {
  const auto refusal = [](std::size_t n) -> std::string {
    try {
      (void)solve_semigroup<int>({2}, {1, 2}, n, [](int a, int b) { return a + b; });
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(std::numeric_limits<std::size_t>::max()), "18446744073709551615 values: more than memory can hold");
  if (test::under_sanitizer) return;  // a sanitizer ends the process at such an allocation
  EXPECT_EQ(refusal(std::size_t{1} << 45), "35184372088832 values: more than memory can hold");
}

TEST(SlidingWindow, CostsAtMostThreeProductsAnElement) {
  std::size_t products = 0;
  const auto count = [&products](int a, int b) {
    ++products;
    return a < b ? a : b;
  };
  SlidingWindow<int, decltype(count)> window(1000, count);
  for (int i = 0; i < 100000; ++i) {
    window.push(i);
    if (i >= 999) {
      ASSERT_EQ(window.product(), i - 999);
    }
  }
  EXPECT_LE(products, 3u * 100000u);
}

}  // namespace
}  // namespace warpfold::recurrence
