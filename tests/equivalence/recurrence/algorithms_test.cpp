#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::recurrence {
namespace {

using Random = std::mt19937_64;

constexpr Op all_ops[] = {Op::min, Op::max, Op::sum, Op::sum_mod, Op::bit_xor, Op::bit_or, Op::bit_and, Op::gcd};

/// The distribution of the offsets in 1 .. largest.
enum class Shape { largest_only, all, sparse, dense, runs, far };

std::vector<std::int64_t> draw_offsets(Shape shape, std::int64_t largest, Random& random) {
  std::vector<std::int64_t> offsets{largest};
  for (std::int64_t a = 1; a < largest; ++a) {
    const auto roll = random() % 100;
    const bool in = shape == Shape::all || (shape == Shape::sparse && roll < 5) ||
                    (shape == Shape::dense && roll < 50) || (shape == Shape::runs && a / 40 % 2 == 1) ||
                    (shape == Shape::far && a > largest / 2 && roll < 60);
    if (in) offsets.push_back(a);
  }
  std::shuffle(offsets.begin(), offsets.end(), random);
  return offsets;
}

/// Small enough that no sum overflows. Integer sums use n close to a_0.
template <class T>
Statement<T> draw(Op op, bool weighted, Shape shape, std::int64_t largest, std::size_t n, Random& random) {
  Statement<T> statement;
  statement.op = op;
  statement.offsets = draw_offsets(shape, largest, random);
  statement.n = n;
  if (op == Op::sum_mod) statement.modulus = static_cast<T>(97);
  for (std::int64_t i = 0; i < largest; ++i) {
    auto value = static_cast<std::int64_t>(random() % 97);
    if (op == Op::bit_or) value &= static_cast<std::int64_t>(random());
    if (op == Op::gcd) value *= 6;
    if (std::is_signed_v<T> && (op == Op::min || op == Op::max)) value -= 50;
    statement.initial.push_back(static_cast<T>(value));
  }
  if (weighted) {
    for (std::size_t j = 0; j < statement.offsets.size(); ++j) {
      const bool may_be_negative = std::is_signed_v<T> && op != Op::sum;  // sums of floats must not cancel
      statement.weights.push_back(static_cast<T>(static_cast<std::int64_t>(random() % 23) - (may_be_negative ? 9 : 0)));
    }
  }
  return statement;
}

template <class T>
std::vector<T> solved(const Problem<T>& problem, const std::string& algorithm, int threads = 1) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  options.device.kind = Device::Kind::cpu;
  return solve(problem, options).solution.values;
}

bool applies(const std::string& algorithm, Op op, bool weighted) {
  const bool is_order = op == Op::min || op == Op::max;
  if (algorithm == "spread") return is_order && !weighted;
  if (algorithm == "early-exit") return op == Op::bit_or || op == Op::bit_and || op == Op::gcd;
  if (algorithm == "blocks") return op != Op::gcd;
  return true;
}

template <class T>
void expect_same(const std::vector<T>& expected, const std::vector<T>& actual, Op op, const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::is_floating_point_v<T> && op == Op::sum) {
      const auto value = static_cast<double>(expected[i]);
      ASSERT_NEAR(static_cast<double>(actual[i]), value, 1e-4 * (1 + value)) << what << " index " << i;
    } else {
      ASSERT_EQ(expected[i], actual[i]) << what << " index " << i;
    }
  }
}

template <class T>
class Algorithms : public testing::Test {};
using AlgorithmsTypes = testing::Types<std::int32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Algorithms, AlgorithmsTypes);

TYPED_TEST(Algorithms, AllEqualTheReferenceForEveryOpAndShapeOfOffsets) {
  using T = TypeParam;
  Random random(7);
  for (const Op op : all_ops) {
    const bool integers_only = op != Op::min && op != Op::max && op != Op::sum;
    if (std::is_floating_point_v<T> && integers_only) continue;
    for (const bool weighted : {false, true}) {
      if (weighted && integers_only && op != Op::sum_mod) continue;
      for (const Shape shape :
           {Shape::largest_only, Shape::all, Shape::sparse, Shape::dense, Shape::runs, Shape::far}) {
        for (const std::int64_t largest : {1, 2, 63, 64, 65, 300}) {
          // Sums double at least every a_0 values, and every value if all offsets exist.
          const auto steps = op == Op::sum ? static_cast<std::size_t>(std::min<std::int64_t>(largest, 12)) : 700u;
          const Problem<T> problem(
              draw<T>(op, weighted, shape, largest, static_cast<std::size_t>(largest) + steps, random));
          const std::vector<T> expected = solved(problem, "reference");
          for (const std::string algorithm : {"runs", "spread", "early-exit", "blocks", ""}) {
            if (algorithm.empty() ? false : !applies(algorithm, op, weighted)) continue;
            expect_same(expected, solved(problem, algorithm, 2), op,
                        algorithm + " " + std::string(to_string(op)) + (weighted ? " weighted" : "") + " shape " +
                            std::to_string(static_cast<int>(shape)) + " largest " + std::to_string(largest));
          }
        }
      }
    }
  }
}

TYPED_TEST(Algorithms, BlocksEqualTheReferenceAroundTheirEdges) {
  using T = TypeParam;
  Random random(8);
  for (const std::size_t outputs : {0u, 1u, 63u, 64u, 65u, 127u, 129u, 2047u, 2048u, 2049u, 4500u}) {
    for (const bool weighted : {false, true}) {
      const Problem<T> problem(draw<T>(Op::max, weighted, Shape::dense, 150, 150 + outputs, random));
      expect_same(solved(problem, "reference"), solved(problem, "blocks", 2), Op::max, std::to_string(outputs));
    }
  }
}

TEST(Algorithms, AgreeWhenATileHasManyChunksOfOffsets) {
  Random random(9);
  for (const Shape shape : {Shape::dense, Shape::sparse, Shape::runs}) {
    for (const bool weighted : {false, true}) {
      const Problem<std::int32_t> problem(draw<std::int32_t>(Op::min, weighted, shape, 6000, 15000, random));
      const auto expected = solved(problem, "reference");
      expect_same(expected, solved(problem, "blocks", 2), Op::min, "blocks");
      if (!weighted) expect_same(expected, solved(problem, "spread"), Op::min, "spread");
      expect_same(expected, solved(problem, "runs"), Op::min, "runs");
    }
  }
}

TEST(Algorithms, ThreadsDoNotChangeABit) {
  Random random(10);
  Statement<double> statement = draw<double>(Op::min, true, Shape::dense, 3000, 9000, random);
  for (double& weight : statement.weights) weight = std::sqrt(std::abs(weight) + 0.1);
  const Problem<double> problem(statement);
  const auto expected = solved(problem, "reference");
  for (const int threads : {1, 2, 3}) EXPECT_EQ(expected, solved(problem, "blocks", threads));
}

TEST(Algorithms, EveryInstructionSetGivesTheSameBits) {
  Random random(12);
  const Problem<std::int32_t> weighted(draw<std::int32_t>(Op::min, true, Shape::dense, 500, 1500, random));
  const Problem<std::int64_t> modular(draw<std::int64_t>(Op::sum_mod, false, Shape::dense, 500, 1500, random));
  const Problem<float> spreading(draw<float>(Op::max, false, Shape::dense, 500, 1500, random));
  for (const std::string& name : instruction_sets()) {
    force_instruction_set(name);
    EXPECT_EQ(solved(weighted, "blocks"), solved(weighted, "reference")) << name;
    EXPECT_EQ(solved(modular, "blocks"), solved(modular, "reference")) << name;
    EXPECT_EQ(solved(spreading, "blocks"), solved(spreading, "reference")) << name;
    EXPECT_EQ(solved(spreading, "spread"), solved(spreading, "reference")) << name;
  }
  force_instruction_set("");
}

TEST(Spread, KeepsTiesAndReachesValuesOnlyLateSourcesHave) {
  // Index 2 and its successors never mix with the other two residues modulo 3.
  Statement<std::int64_t> statement{Op::min, {3, 6}, {5, 9, 7, 5, 8, 7}, 400, {}, 0};
  const Problem<std::int64_t> problem(statement);
  const auto values = solved(problem, "spread");
  for (std::size_t i = 6; i < 400; ++i) EXPECT_EQ(values[i], (std::array<std::int64_t, 3>{5, 8, 7}[i % 3])) << i;
}

TEST(Spread, HandsOnToBlocksWhereTheWinningValuesStayInTheirResidueClass) {
  // All values of residue 0 win over those of residue 1, and so on, so nearly every initial value must spread.
  constexpr std::int64_t step = 499, terms = 99;
  Statement<std::int64_t> statement{Op::min, {}, {}, 200'000, {}, 0};
  for (std::int64_t term = 1; term <= terms; ++term) statement.offsets.push_back(term * step);
  for (std::int64_t i = 0; i < terms * step; ++i) statement.initial.push_back(i % step * 1000 + i / step);
  const Problem<std::int64_t> problem(statement);
  Options options;
  options.threads = 1;
  ASSERT_EQ(estimate(problem, options).algorithm, "spread");
  const auto [solution, report] = solve(problem, options);
  EXPECT_EQ(report.algorithm, "blocks");
  EXPECT_EQ(solution.values, solved(problem, "reference"));
}

TEST(Infinity, StaysWhereNothingLeads) {
  for (const std::string algorithm : {"reference", "runs", "blocks"}) {
    Statement<std::int32_t> statement{Op::min, {2, 4}, {}, 500, {-3, 5}, 0};
    statement.initial = {infinity<std::int32_t>, 1, infinity<std::int32_t>, 2};
    const auto values = solved(Problem<std::int32_t>(statement), algorithm);
    for (std::size_t i = 4; i < 500; i += 2) EXPECT_EQ(values[i], infinity<std::int32_t>) << algorithm << i;
    EXPECT_EQ(values[499], values[497] - 3) << algorithm;
    statement.op = Op::max;
    statement.initial = {-infinity<std::int32_t>, 1, -infinity<std::int32_t>, 2};
    const auto largest = solved(Problem<std::int32_t>(statement), algorithm);
    EXPECT_EQ(largest[498], -infinity<std::int32_t>) << algorithm;
  }
}

template <class T>
std::string failure(const Problem<T>& problem, const std::string& algorithm) {
  try {
    (void)solved(problem, algorithm);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
    return error.what();
  }
  return "none";
}

TEST(Overflow, IsRefusedWithItsFirstIndexByEveryAlgorithm) {
  for (const std::string algorithm : {"reference", "runs", "blocks"}) {
    EXPECT_NE(failure(Problem<std::int64_t>({Op::sum, {2, 1}, {0, 1}, 120, {}, 0}), algorithm)
                  .find("index 93 is 12200160415121876738"),
              std::string::npos);
    EXPECT_EQ(solved(Problem<std::int64_t>({Op::sum, {2, 1}, {0, 1}, 93, {}, 0}), algorithm).back(),
              7540113804746346429);
    EXPECT_EQ(solved(Problem<std::uint64_t>({Op::sum, {2, 1}, {0, 1}, 94, {}, 0}), algorithm).back(),
              12200160415121876738u);
    EXPECT_NE(failure(Problem<std::uint64_t>({Op::sum, {2, 1}, {0, 1}, 95, {}, 0}), algorithm).find("index 94"),
              std::string::npos);
    EXPECT_NE(failure(Problem<std::int32_t>({Op::sum, {2, 1}, {0, 1}, 95, {}, 0}), algorithm).find("index 47"),
              std::string::npos);
    EXPECT_NE(failure(Problem<std::int64_t>({Op::sum, {2, 1}, {0, -1}, 95, {}, 0}), algorithm).find("index 93"),
              std::string::npos);
  }
}

/// The definition, modulo m in 128 bits.
std::vector<std::uint64_t> linear_modulo(const Statement<std::uint64_t>& statement) {
  using Wide = unsigned __int128;
  std::vector<std::uint64_t> values = statement.initial;
  while (values.size() < statement.n) {
    Wide sum = 0;
    for (std::size_t j = 0; j < statement.offsets.size(); ++j) {
      const std::uint64_t value = values[values.size() - static_cast<std::size_t>(statement.offsets[j])];
      sum = (sum + Wide{value} * statement.coefficients[j] % statement.modulus) % statement.modulus;
    }
    values.push_back(static_cast<std::uint64_t>(sum));
  }
  return values;
}

TEST(Coefficients, GiveTheLinearRecurrenceModuloSmallAndLargeNumbers) {
  Random random(12);
  for (const std::uint64_t modulus : {std::uint64_t{1}, std::uint64_t{1'000'000'007}, std::uint64_t{1} << 48,
                                      (std::uint64_t{1} << 48) + 1, 18446744073709551557u}) {
    Statement<std::uint64_t> statement{Op::sum_mod, {}, {}, 400, {}, modulus};
    for (int a = 1; a <= 60; a += 1 + static_cast<int>(random() % 3)) statement.offsets.push_back(a);
    for (std::int64_t i = 0; i < statement.offsets.back(); ++i)
      statement.initial.push_back(modulus - 1 - i % 3 % modulus);
    for (std::size_t j = 0; j < statement.offsets.size(); ++j) {
      statement.coefficients.push_back((j < 3 ? modulus - 1 : random()) % modulus);
    }
    const Problem<std::uint64_t> problem(statement);
    const std::vector<std::uint64_t> expected = linear_modulo(statement);
    for (const std::string algorithm : {"reference", "runs", ""}) {
      EXPECT_EQ(solved(problem, algorithm), expected) << algorithm << " modulo " << modulus;
    }
    EXPECT_TRUE(verify(problem, {expected})) << modulus;
  }
}

TEST(Coefficients, AreNegativeOrZeroInExactSums) {
  const Problem<std::int64_t> chebyshev(
      {.op = Op::sum, .offsets = {1, 2}, .initial = {1, 3}, .n = 20, .coefficients = {6, -1}});
  for (const std::string algorithm : {"reference", "runs"}) {
    const std::vector<std::int64_t> values = solved(chebyshev, algorithm);
    EXPECT_EQ(values[4], 577) << algorithm;  // 3, 17, 99, 577: halves of the sums of powers of 3 + 2 sqrt(2)
    EXPECT_EQ(values[19], 6 * values[18] - values[17]) << algorithm;
  }
  const Problem<std::int32_t> shift(
      {.op = Op::sum, .offsets = {1, 3}, .initial = {1, 2, 3}, .n = 9, .coefficients = {0, 1}});
  EXPECT_EQ(solved(shift, "runs"), (std::vector<std::int32_t>{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST(Coefficients, OfFloatsAreMultipliedBeforeTheSumIsRounded) {
  const Problem<float> decay(
      {.op = Op::sum, .offsets = {1}, .initial = {1}, .n = 8, .weights = {1}, .coefficients = {0.5F}});
  const std::vector<float> values = solved(decay, "reference");
  EXPECT_EQ(values.back(), 2 - 0x1p-7F);
  EXPECT_TRUE(verify(decay, {values}));
  std::vector<float> wrong = values;
  wrong[3] += 0.01F;
  EXPECT_FALSE(verify(decay, {wrong}));
}

TEST(SumModulo, HoldsFor64BitModuli) {
  const std::uint64_t modulus = 18446744073709551557u;  // the largest prime below 2^64
  Statement<std::uint64_t> statement{Op::sum_mod, {}, {}, 900, {}, modulus};
  Random random(11);
  for (int a = 1; a <= 200; ++a) statement.offsets.push_back(a);
  for (int i = 0; i < 200; ++i) statement.initial.push_back(modulus - 1 - random() % 1000);
  const Problem<std::uint64_t> problem(statement);
  std::vector<std::uint64_t> expected = statement.initial;
  for (std::size_t i = 200; i < 900; ++i) {
    unsigned __int128 sum = 0;
    for (std::size_t a = 1; a <= 200; ++a) sum += expected[i - a];
    expected.push_back(static_cast<std::uint64_t>(sum % modulus));
  }
  for (const std::string algorithm : {"reference", "runs", "blocks"}) EXPECT_EQ(solved(problem, algorithm), expected);
}

}  // namespace
}  // namespace warpfold::recurrence
