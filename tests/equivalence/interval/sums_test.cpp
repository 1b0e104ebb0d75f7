#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "equivalence/interval/pairing.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/marginals.hpp"
#include "warpfold/interval/verify_grammar.hpp"

namespace warpfold::interval {
namespace {

using test::Written;

template <class S>
struct Pairing : test::PairingOf<S, std::vector<double>> {
  explicit Pairing(unsigned seed, double of_gain = 1)
      : test::PairingOf<S, std::vector<double>>{test::drawn_weights(seed), of_gain} {}
};

double log2_of(const Scaled& value) { return value.ln() / std::log(2.0); }

/// Compares with the same sums in long double, whose range is 2^16383.
void expect_sums_of_long_double(const Pairing<ScaledSum<double>>& grammar, std::size_t n) {
  Pairing<Counting<long double>> wide(0, grammar.gain);
  wide.weights = grammar.weights;
  wide.helix = grammar.helix;
  const auto expected = solve_grammar(wide, n).solution;
  const auto tables = solve_grammar(grammar, n).solution;
  for (unsigned t = 0; t < table_count<Pairing<ScaledSum<double>>>; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const long double value = expected.value(t, i, j);
        const Scaled found = tables.value(t, i, j);
        ASSERT_EQ(found.is_zero(), value == 0) << n << " points, table " << t << " (" << i << "," << j << ")";
        if (value == 0) continue;
        ASSERT_LT(value, std::numeric_limits<long double>::infinity());
        const long double ratio =
            std::ldexp(static_cast<long double>(found.fraction()), static_cast<int>(found.exponent())) / value;
        ASSERT_NEAR(static_cast<double>(ratio), 1, 1e-12)
            << n << " points, table " << t << " (" << i << "," << j << ")";
      }
    }
  }
}

TEST(Sums, AreThoseOfLongDouble) {
  for (const double gain : {0.01, 1.0, 30.0, 500.0}) {
    for (const std::size_t n : {2, 3, 8, 63, 64, 65, 130, 200, 325}) {
      expect_sums_of_long_double(Pairing<ScaledSum<double>>(static_cast<unsigned>(n), gain), n);
    }
  }
}

/// One helix, 2^4 a point, with small hairpins beside it: its halves are 2^2000 below the whole.
TEST(Sums, OfALongHelixKeepTheirSmallPartsAndTheirLarge) {
  Pairing<ScaledSum<double>> grammar(1, 200);
  const std::size_t n = 1000;
  grammar.helix = n;
  EXPECT_GT(log2_of(solve_grammar(grammar, n).solution.value()), 3000);
  expect_sums_of_long_double(grammar, n);
}

/// One helix, 2^7.3 a point, and pairs everywhere, which grow by less: the tiles close in several units.
TEST(Sums, OfStrongGainsAreThoseOfLongDouble) {
  for (const double gain : {0x1p10, 0x1p12, 0x1.8p14}) {
    for (const std::size_t n : {130, 200, 600}) {
      Pairing<ScaledSum<double>> grammar(1, gain);
      expect_sums_of_long_double(grammar, n);
      grammar.helix = n;
      expect_sums_of_long_double(grammar, n);
    }
  }
}

void expect_equal_bits(const Pairing<ScaledSum<double>>& grammar, std::size_t n) {
  Options one;
  one.threads = 1;
  const auto expected = solve_grammar(grammar, n, one).solution;
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const auto tables = solve_grammar(grammar, n, options).solution;
      for (unsigned t = 0; t < table_count<Pairing<ScaledSum<double>>>; ++t) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(tables.value(t, i, j), expected.value(t, i, j)) << set;
        }
      }
    }
  }
  force_instruction_set("");
}

TEST(Sums, HaveEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  expect_equal_bits(Pairing<ScaledSum<double>>(7, 20), 400);
  expect_equal_bits(Pairing<ScaledSum<double>>(7, 0x1p12), 200);
}

TEST(Sums, StayFiniteWhereDoublesWouldNot) {
  const Pairing<ScaledSum<double>> grammar(3, 500);
  EXPECT_GT(log2_of(solve_grammar(grammar, 1500).solution.value()), 1100);
}

TEST(Sums, AreVerified) {
  const Pairing<ScaledSum<double>> grammar(5, 3);
  const auto tables = solve_grammar(grammar, 130).solution;
  EXPECT_EQ(verify_grammar(grammar, tables).violation, std::nullopt);
  Pairing<ScaledSum<double>> other = grammar;
  other.gain *= 1.001;
  EXPECT_NE(verify_grammar(other, tables).violation, std::nullopt);
}

using Grammar = Pairing<ScaledSum<double>>;

/// The change of ln Z with the values of one interval, by a central difference.
double difference(Grammar grammar, std::size_t n, unsigned table, std::size_t i, std::size_t j) {
  constexpr double step = 1e-4;
  grammar.changed = {table, i, j, 1 + step};
  const Scaled more = solve_grammar(grammar, n).solution.value();
  grammar.changed.factor = 1 - step;
  const Scaled less = solve_grammar(grammar, n).solution.value();
  return std::log((more / less).times_power_of_two(0)) / (2 * step);
}

TEST(Marginals, AreTheDerivativesOfTheLogarithmOfTheSum) {
  std::mt19937 random(1);
  for (const std::size_t n : {12, 20, 64, 65, 150}) {
    for (const std::size_t helix : {std::size_t{0}, n - 1}) {
      Grammar grammar(static_cast<unsigned>(n), 5);
      grammar.helix = helix;
      const auto tables = solve_grammar(grammar, n).solution;
      for (const unsigned table : {Grammar::paired, Grammar::branches, Grammar::stems}) {
        const auto found = marginals(grammar, tables, table).solution;
        for (int t = 0; t < 12; ++t) {
          std::size_t i = random() % n, j = random() % n;
          if (helix > 0 && t < 6) j = helix - i;
          if (i >= j) continue;
          const double expected = difference(grammar, n, table, i, j);
          ASSERT_NEAR(found.value(i, j), expected, 1e-7)
              << n << ' ' << helix << ": " << table << " at " << i << ',' << j;
        }
      }
    }
  }
}

/// Each derivation of the whole begins with one term of the whole.
TEST(Marginals, OfTheWholeAreOne) {
  for (const std::size_t n : {10, 100, 700}) {
    for (const double gain : {40.0, 0x1p12}) {
      const Grammar grammar(2, gain);
      const auto tables = solve_grammar(grammar, n).solution;
      EXPECT_NEAR(marginals(grammar, tables, Grammar::stems).solution.value(), 1, 1e-12);
    }
  }
}

TEST(Marginals, HaveEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  const Grammar grammar(7, 20);
  const std::size_t n = 300;
  const auto tables = solve_grammar(grammar, n).solution;
  const auto expected = marginals(grammar, tables, Grammar::paired).solution;
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const auto found = marginals(grammar, tables, Grammar::paired, options).solution;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(found.value(i, j), expected.value(i, j)) << set;
      }
    }
  }
  force_instruction_set("");
}

TEST(Marginals, OfASumOfNothingAreRejected) {
  Grammar grammar(1);
  const auto tables = solve_grammar(grammar, 3).solution;
  EXPECT_THROW(static_cast<void>(marginals(grammar, tables, Grammar::paired)), Error);
}

/// The limits that tile_scales.hpp proves.
TEST(Sums, GrowBySevenAndAHalfBitsAPointAndShrinkByThreePointSevenAndRejectMore) {
  for (const double bits : {7.0, 7.5, -1.5, -3.7}) {
    for (const std::size_t n : {128, 500}) {
      const double found = log2_of(solve_grammar(Written{std::exp2(bits)}, n).solution.value());
      EXPECT_NEAR(found, bits * static_cast<double>(n - 2), 1e-6);
    }
  }
  for (const double rate : {0x1p12, 0x1p-12}) {
    try {
      static_cast<void>(solve_grammar(Written{rate}, 500));
      ADD_FAILURE() << "a value was lost";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::overflow);
      EXPECT_THAT(error.what(), testing::HasSubstr("differs too much from the values near it"));
    }
  }
}

TEST(Sums, ShrinkBelowTheRangeOfDouble) {
  for (const std::size_t n : {1000, 3000}) {
    const double expected = -1.5 * static_cast<double>(n - 2), rate = std::sqrt(0x1p-3);
    EXPECT_NEAR(log2_of(solve_grammar(Written{rate}, n).solution.value()), expected, 1e-6);
    EXPECT_NEAR(log2_of(solve_grammar(test::WrittenBesideNothing{rate}, n).solution.value()), expected, 1e-6);
  }
}

TEST(Sums, RejectWeightsOutOfTheirRange) {
  for (const double rate : {-1.0, 0x1p200, 0x1p-200, std::nan("")}) {
    try {
      static_cast<void>(solve_grammar(Written{rate}, 5));
      ADD_FAILURE() << rate;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("0, and 2^-120 to 2^120, are accepted"));
    }
  }
}

}  // namespace
}  // namespace warpfold::interval
