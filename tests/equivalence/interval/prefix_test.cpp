#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "equivalence/interval/naive_grammar.hpp"
#include "equivalence/interval/prefixed_grammars.hpp"
#include "semiring_types.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/derivatives.hpp"
#include "warpfold/interval/ranked.hpp"
#include "warpfold/interval/sample.hpp"
#include "warpfold/interval/verify_grammar.hpp"

namespace warpfold::interval {
namespace {

template <class S>
using Prefixed = test::PrefixedGrammar<S, std::vector<typename S::Value>>;
template <class S>
Prefixed<S> prefixed(std::size_t points) {
  return {{test::values_for<S>(test::drawn_costs<typename S::Value>(points, 60), 60)}};
}

/// The prefix tables as grammar_model.hpp describes them, from naive tables.
template <class S>
class NaivePrefixes {
 public:
  using G = Prefixed<S>;
  using T = typename S::Value;

  NaivePrefixes(const G& grammar, std::size_t n)
      : grammar_(grammar), tables_(grammar, n), n_(n), values_(prefix_count<G> * n, S::zero()) {
    for (j_ = 0; j_ < n; ++j_) grammar.prefix_terms(j_, *this);
  }
  template <class... Parts>
  void operator()(unsigned table, Parts... parts) {
    T term = S::one();
    ((term = S::times(term, parts)), ...);
    T& value = values_[table * n_ + j_];
    value = S::plus(value, term);
    if (S::is_zero(value)) value = S::zero();
  }
  T before(unsigned table, std::size_t distance) { return distance <= j_ ? at(table, j_ - distance) : S::zero(); }
  T prefix(unsigned s) {
    T sum = S::zero();
    const auto [left, right] = G::prefix_sums[s];
    for (std::size_t i = 0; i < j_; ++i) {
      const T term = S::times(S::times(at(left, i), tables_.at(right, i, j_)), grammar_.join(s, i, j_));
      if (!S::is_zero(at(left, i)) && !S::is_zero(tables_.at(right, i, j_))) sum = S::plus(sum, term);
    }
    return sum;
  }
  [[nodiscard]] const T& at(unsigned table, std::size_t j) const { return values_[table * n_ + j]; }

 private:
  const G& grammar_;
  test::NaiveGrammar<G> tables_;
  std::size_t n_, j_ = 0;
  std::vector<T> values_;
};

template <class S>
void expect_equal_to_naive_prefixes(std::size_t n) {
  const Prefixed<S> grammar = prefixed<S>(n);
  const NaivePrefixes<S> naive(grammar, n);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const auto tables = solve_grammar(grammar, n, options).solution;
      for (unsigned p = 0; p < prefix_count<Prefixed<S>>; ++p) {
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_EQ(tables.prefix_value(p, j), naive.at(p, j))
              << n << " points, " << p << " at " << j << ' ' << set << ", " << threads << " threads";
        }
      }
      ASSERT_EQ(tables.value(), naive.at(1, n - 1));
    }
  }
  force_instruction_set("");
}

TEST(PrefixTables, EqualTheNaiveOnesBitForBit) {
  for (const std::size_t n : {2, 3, 63, 64, 65, 127, 129, 200}) {
    expect_equal_to_naive_prefixes<MinPlus<std::int32_t>>(n);
    expect_equal_to_naive_prefixes<MaxPlus<std::int64_t>>(n);
    expect_equal_to_naive_prefixes<MinPlus<double>>(n);
    expect_equal_to_naive_prefixes<MaxMin<float>>(n);
    expect_equal_to_naive_prefixes<MinMax<std::int32_t>>(n);
    expect_equal_to_naive_prefixes<CountingModulo<1000003>>(n);
  }
}

/// The derivation has one step for every interval on the way, and its terms add up to the value.
TEST(PrefixTables, ADerivationGoesThroughPrefixesAndTables) {
  for (const std::size_t n : {5, 64, 150}) {
    const auto grammar = prefixed<MinPlus<std::int32_t>>(n);
    const auto tables = solve_grammar(grammar, n).solution;
    const auto steps = derivation(grammar, tables);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps[0].table, table_count<Prefixed<MinPlus<std::int32_t>>> + 1);
    EXPECT_EQ(steps[0].j, n - 1);
    EXPECT_TRUE(std::ranges::any_of(steps, [&](const Step& step) { return step.table < grammar.tables; })) << n;
    EXPECT_EQ(best_derivations(grammar, tables, 1)[0].value, tables.value());
    EXPECT_EQ(best_derivations(grammar, tables, 1)[0].steps.size(), steps.size());
  }
}

TEST(PrefixTables, AreVerified) {
  for (const std::size_t n : {2, 40, 130}) {
    const auto grammar = prefixed<MinPlus<double>>(n);
    auto tables = solve_grammar(grammar, n).solution;
    EXPECT_EQ(verify_grammar(grammar, tables).violation, std::nullopt) << n;
    tables.stored_prefix(grammar.second, n / 2) += 1;
    EXPECT_NE(verify_grammar(grammar, tables).violation, std::nullopt) << n;
  }
}

/// A text in words, each with a number: any semiring takes the words of a text together.
template <class S>
struct Words {
  using Semiring = S;
  using Value = typename S::Value;
  enum Table : unsigned { word, tables };
  enum PrefixTable : unsigned { text, prefix_tables };
  static constexpr PrefixSum prefix_sums[] = {{.left = text, .right = word}};
  const std::vector<double>& numbers;  ///< of the words (i,j), by i * 64 + j
  const std::vector<double>& joints;   ///< of points

  [[nodiscard]] Value of(std::size_t i, std::size_t j) const {
    return j - i > 4 ? S::zero() : static_cast<Value>(numbers[i * 64 + j]);
  }
  [[nodiscard]] Weight join(std::size_t i, std::size_t /*j*/) const requires(is_scaled<S>) { return Weight(joints[i]); }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    if constexpr (is_scaled<S>) {
      add(word, j - i > 4 ? Weight() : Weight(numbers[i * 64 + j]));
    } else {
      add(word, of(i, j));
    }
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(text, j == 0 ? S::one() : S::zero());
    add(text, add.prefix(0));
  }
};

std::vector<double> drawn_numbers(std::size_t count, double least) {
  std::vector<double> numbers;
  for (std::size_t t = 0; t < count; ++t) numbers.push_back(least + static_cast<double>(t * t * 37 % 101) / 10);
  return numbers;
}

/// Calls visit(words) for every way to cut the points 0 .. n-1 into words of up to 4 points.
template <class Visit>
void each_text(std::size_t n, std::vector<std::size_t>& cuts, const Visit& visit) {
  if (cuts.back() + 1 == n) return visit(cuts);
  for (std::size_t length = 1; length <= 4 && cuts.back() + length < n; ++length) {
    cuts.push_back(cuts.back() + length);
    each_text(n, cuts, visit);
    cuts.pop_back();
  }
}

TEST(PrefixTables, ListAllWaysToCutATextTheBestFirst) {
  const std::vector<double> numbers = drawn_numbers(64 * 64, 0), joints;
  for (const std::size_t n : {2, 5, 11}) {
    const Words<MinPlus<double>> grammar{numbers, joints};
    const auto tables = solve_grammar(grammar, n).solution;
    std::multimap<double, std::vector<std::size_t>> expected;
    std::vector<std::size_t> cuts = {0};
    each_text(n, cuts, [&](const auto& text) {
      double total = 0;
      for (std::size_t t = 0; t + 1 < text.size(); ++t) total += numbers[text[t] * 64 + text[t + 1]];
      expected.emplace(total, text);
    });
    auto next = expected.begin();
    EXPECT_TRUE(visit_derivations(grammar, tables, {}, [&](const auto& one) {
      EXPECT_NE(next, expected.end());
      EXPECT_NEAR(one.value, next->first, 1e-9);
      ++next;
      return true;
    }));
    EXPECT_EQ(next, expected.end()) << n;
    double total = 0;
    for (const Step& step : derivation(grammar, tables)) {
      if (step.table == grammar.word) total += numbers[step.i * 64 + step.j];
    }
    EXPECT_NEAR(total, expected.begin()->first, 1e-9);
  }
}

/// The weights of all texts, with their words and the points where words begin.
struct TextSums {
  double total = 0;
  std::map<std::pair<std::size_t, std::size_t>, double> with_word;
  std::vector<double> with_cut = std::vector<double>(64);
};

TextSums sums_of_texts(std::size_t n, const std::vector<double>& numbers, const std::vector<double>& joints) {
  TextSums sums;
  std::vector<std::size_t> cuts = {0};
  each_text(n, cuts, [&](const auto& text) {
    double weight = 1;
    for (std::size_t t = 0; t + 1 < text.size(); ++t) weight *= numbers[text[t] * 64 + text[t + 1]] * joints[text[t]];
    sums.total += weight;
    for (std::size_t t = 0; t < text.size(); ++t) {
      sums.with_cut[text[t]] += weight;
      if (t + 1 < text.size()) sums.with_word[{text[t], text[t + 1]}] += weight;
    }
  });
  return sums;
}

TEST(PrefixTables, SumsMarginalsAndDerivativesAreThoseOfAllTexts) {
  const std::vector<double> numbers = drawn_numbers(64 * 64, 0.1), joints = drawn_numbers(64, 0.3);
  for (const std::size_t n : {2, 6, 13}) {
    const Words<ScaledSum<double>> grammar{numbers, joints};
    const auto tables = solve_grammar(grammar, n).solution;
    const TextSums expected = sums_of_texts(n, numbers, joints);
    EXPECT_NEAR(tables.value().times_power_of_two(0) / expected.total, 1, 1e-12);
    EXPECT_EQ(verify_grammar(grammar, tables).violation, std::nullopt);
    const auto words = marginals(grammar, tables, grammar.word).solution;
    const auto cuts = prefix_marginals(grammar, tables, grammar.text).solution;
    const std::span<const double> lists[] = {numbers, joints};
    const auto derivatives = weight_derivatives(grammar, tables, lists).solution;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(cuts[i], expected.with_cut[i] / expected.total, 1e-12);
      const double begins = i + 1 < n ? expected.with_cut[i] / expected.total : 0;
      EXPECT_NEAR(derivatives[1][i] * joints[i], begins, 1e-12);
      for (std::size_t j = i + 1; j < n; ++j) {
        const auto found = expected.with_word.find({i, j});
        const double share = found == expected.with_word.end() ? 0 : found->second / expected.total;
        EXPECT_NEAR(words.value(i, j), share, 1e-12) << i << ' ' << j;
        EXPECT_NEAR(derivatives[0][i * 64 + j] * numbers[i * 64 + j], share, 1e-12) << i << ' ' << j;
      }
    }
  }
}

TEST(PrefixTables, SamplesHaveTheFrequenciesOfTheirWeights) {
  const std::vector<double> numbers = drawn_numbers(64 * 64, 0.1), joints = drawn_numbers(64, 0.3);
  const std::size_t n = 9, count = 20000;
  const Words<ScaledSum<double>> grammar{numbers, joints};
  const auto tables = solve_grammar(grammar, n).solution;
  const TextSums expected = sums_of_texts(n, numbers, joints);
  std::vector<double> begins(n);
  for (std::size_t t = 0; t < count; ++t) {
    SeededRandom random(1, t);
    for (const Step& step : sample_derivation(grammar, tables, random)) {
      if (step.table == grammar.word) begins[step.i] += 1;
    }
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    EXPECT_NEAR(begins[i] / static_cast<double>(count), expected.with_cut[i] / expected.total, 0.02) << i;
  }
}

using Outer = test::OuterPairs<std::vector<double>>;

TEST(PrefixTables, OfSumsHaveEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  const std::size_t n = 200;
  const Outer grammar{{test::drawn_weights(3), 9}};
  Options one;
  one.threads = 1;
  const auto expected = solve_grammar(grammar, n, one).solution;
  EXPECT_EQ(verify_grammar(grammar, expected).violation, std::nullopt);
  const auto of_exterior = prefix_marginals(grammar, expected, Outer::exterior, one).solution;
  const auto of_stems = marginals(grammar, expected, Outer::stems, one).solution;
  EXPECT_NEAR(of_exterior.back(), 1, 1e-12);
  EXPECT_NEAR(prefix_marginals(grammar, expected, Outer::free).solution[0], 1, 1e-9);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    Options options;
    options.threads = 3;
    const auto tables = solve_grammar(grammar, n, options).solution;
    for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(tables.prefix_value(1, j), expected.prefix_value(1, j)) << set;
    ASSERT_EQ(prefix_marginals(grammar, tables, Outer::exterior, options).solution, of_exterior) << set;
    const auto found = marginals(grammar, tables, Outer::stems, options).solution;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(found.value(i, j), of_stems.value(i, j)) << set;
    }
  }
  force_instruction_set("");
}

/// Prefix tables whose terms are given.
template <class Terms>
struct Given {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { only, tables };
  enum PrefixTable : unsigned { left, right, prefix_tables };
  static constexpr PrefixSum prefix_sums[] = {{.left = left, .right = only}};
  Terms of;
  template <class Add>
  void terms(std::size_t /*i*/, std::size_t /*j*/, Add& add) const {
    add(only, 1);
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    of(j, add);
  }
};

template <class Terms>
void expect_rejected(Terms terms, const std::string& message) {
  try {
    static_cast<void>(solve_grammar(Given<Terms>{terms}, 5));
    ADD_FAILURE() << message;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(message));
  }
}

TEST(PrefixTables, TermsOutOfOrderAndValuesOutOfRangeAreRejected) {
  expect_rejected(
      [](std::size_t, auto& add) {
        add(1, 0);
        add(0, 0);
      },
      "a term of table 1 comes after");
  expect_rejected([](std::size_t, auto& add) { add(0, add.before(0, 0)); }, "comes after `here` of it");
  expect_rejected([](std::size_t j, auto& add) { add(1, j == 3 ? 1 << 28 : 0); }, "table 2 at (0,3)");
  expect_rejected([](std::size_t, auto& add) { add(1, Given<int>::Semiring::zero()); }, "forbids every way");
}

TEST(PrefixTables, NumbersThatTheGrammarDoesNotHaveAreRejected) {
  expect_rejected([](std::size_t, auto& add) { add(0, add.before(2, 1)); },
                  "prefix table 2 is read: the grammar has 2");
  expect_rejected([](std::size_t, auto& add) { add(1, add.before(9, 0)); },
                  "prefix table 9 is read: the grammar has 2");
  expect_rejected([](std::size_t, auto& add) { add(0, add.prefix(1)); }, "prefix sum 1 is read: the grammar has 1");
  const std::vector<double> numbers = drawn_numbers(64 * 64, 0.1), joints = drawn_numbers(64, 0.3);
  const Words<ScaledSum<double>> grammar{numbers, joints};
  const auto tables = solve_grammar(grammar, 5).solution;
  EXPECT_THROW(static_cast<void>(prefix_marginals(grammar, tables, 99)), Error);
}

TEST(PrefixTables, DerivativesDoNotDependOnTheNumberOfThreads) {
  constexpr std::size_t n = 300;
  const std::vector<double> joints = drawn_numbers(n, 0.3);
  const std::vector<double> words = drawn_numbers(65 * n, 0.1);
  const Words<ScaledSum<double>> grammar{words, joints};
  const auto tables = solve_grammar(grammar, n).solution;
  const std::span<const double> lists[] = {words, joints};
  Options options;
  options.threads = 1;
  const auto expected = weight_derivatives(grammar, tables, lists, options).solution;
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    EXPECT_EQ(weight_derivatives(grammar, tables, lists, options).solution, expected) << threads;
  }
}

}  // namespace
}  // namespace warpfold::interval
