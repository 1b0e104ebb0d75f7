#include "warpfold/interval/grammar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warpfold::interval {
namespace {

using testing::HasSubstr;

/// Nussinov's pairing with a bonus for pairs that stack, over any semiring: each structure is derived once.
template <class S>
struct Stacking {
  using Semiring = S;
  using T = typename S::Value;
  enum Table : unsigned { pairs, all, tables };
  static constexpr Product products[] = {{.left = all, .right = pairs}};
  std::string bases;
  T pair_value, stack_value;

  [[nodiscard]] bool may_pair(std::size_t i, std::size_t j) const {
    return std::string("AU UA CG GC GU UG").find({bases[i], bases[j - 1]}) != std::string::npos;
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const T pair = j - i >= 2 && may_pair(i, j) ? pair_value : S::zero();
    add(pairs, j - i == 2 ? pair : S::zero());
    add(pairs, pair, stack_value, add.inside(pairs, 1, 1));
    add(pairs, pair, add.inside(all, 1, 1));
    add(all, j - i == 1 ? S::one() : S::zero());
    add(all, add.here(pairs));
    add(all, add.inside(all, 0, 1));
    add(all, add.product(0));
  }
};

/// All sets of pairs that nest, with the given bases between.
void for_each_structure(const std::string& bases, const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> partner(bases.size(), -1);
  std::vector<std::size_t> open;
  const Stacking<MaxPlus<std::int32_t>> rule{bases, 1, 1};
  const std::function<void(std::size_t)> go = [&](std::size_t at) {
    if (at == bases.size()) {
      if (open.empty()) visit(partner);
      return;
    }
    partner[at] = -1;
    go(at + 1);
    open.push_back(at);
    go(at + 1);
    open.pop_back();
    if (open.empty()) return;
    const std::size_t first = open.back();
    if (!rule.may_pair(first, at + 1)) return;
    open.pop_back();
    partner[first] = static_cast<int>(at);
    partner[at] = static_cast<int>(first);
    go(at + 1);
    partner[first] = partner[at] = -1;
    open.push_back(first);
  };
  go(0);
}

std::int32_t score_of(const std::vector<int>& partner, std::int32_t pair, std::int32_t stack) {
  std::int32_t score = 0;
  for (int i = 0; i < static_cast<int>(partner.size()); ++i) {
    const int j = partner[static_cast<std::size_t>(i)];
    if (j < i) continue;
    score += pair;
    if (i + 1 < j && partner[static_cast<std::size_t>(i) + 1] == j - 1) score += stack;
  }
  return score;
}

const std::vector<std::string> sequences = {"A", "AU", "GC", "GGCC", "GAUC", "GGGAAACCC", "AUGCAUGC", "GUGUGUGUG"};

TEST(Grammar, StackingPairsHaveTheBestScoreOfAllStructures) {
  for (const std::string& bases : sequences) {
    std::int32_t best = 0;
    for_each_structure(bases, [&](const auto& partner) { best = std::max(best, score_of(partner, 2, 3)); });
    const Stacking<MaxPlus<std::int32_t>> grammar{bases, 2, 3};
    EXPECT_EQ(solve_grammar(grammar, bases.size() + 1).solution.value(), best) << bases;
  }
}

TEST(Grammar, DerivationIsAStructureOfTheBestScore) {
  for (const std::string& bases : sequences) {
    const Stacking<MaxPlus<std::int32_t>> grammar{bases, 2, 3};
    const auto tables = solve_grammar(grammar, bases.size() + 1).solution;
    std::vector<int> partner(bases.size(), -1);
    for (const Step& step : derivation(grammar, tables)) {
      if (step.table != grammar.pairs) continue;
      partner[step.i] = static_cast<int>(step.j) - 1;
      partner[step.j - 1] = static_cast<int>(step.i);
      EXPECT_TRUE(grammar.may_pair(step.i, step.j));
    }
    EXPECT_EQ(score_of(partner, 2, 3), tables.value()) << bases;
  }
}

/// The stacking term and the term around any interval derive a structure of stacked pairs twice.
TEST(Grammar, CountsDerivationsAndSoShowsAnAmbiguousGrammar) {
  std::uint64_t structures = 0;
  for_each_structure("GGCC", [&](const auto&) { ++structures; });
  const Stacking<Counting<std::uint64_t>> twice{"GGCC", 1, 1}, once{"GGCC", 1, 0};
  EXPECT_GT(solve_grammar(twice, 5).solution.value(), structures);
  EXPECT_EQ(solve_grammar(once, 5).solution.value(), structures);
}

/// Structures of bases of which any two pair around one or more.
struct Structures {
  using Semiring = Counting<std::uint64_t>;
  enum Table : unsigned { pairs, all, tables };
  static constexpr Product products[] = {{.left = pairs, .right = all}};

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(pairs, std::uint64_t{1}, add.inside(all, 1, 1));
    add(all, std::uint64_t{j - i == 1});
    add(all, add.inside(all, 1, 0));
    add(all, add.here(pairs));
    add(all, add.product(0));
  }
};

/// Stein and Waterman, Discrete Mathematics 26 (1979): 1, 1, 2, 4, 8, 17, .. of 1, 2, 3, .. bases.
TEST(Grammar, CountsAsManySecondaryStructuresAsArePublished) {
  const std::vector<std::uint64_t> published = {1, 1, 2, 4, 8, 17, 37, 82, 185, 423, 978, 2283, 5373, 12735, 30372};
  const auto tables = solve_grammar(Structures(), published.size() + 1).solution;
  for (std::size_t n = 1; n <= published.size(); ++n) EXPECT_EQ(tables.value(Structures::all, 0, n), published[n - 1]);
}

/// One table whose terms are given.
template <class Terms>
struct OneTable {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { only, later, tables };
  static constexpr Product products[] = {{.left = only, .right = only}};
  static constexpr Stencil stencils[] = {{.of = only, .deep = 2}};
  static constexpr unsigned start = only;
  Terms of;
  std::int32_t loop(std::size_t a, std::size_t b) const { return static_cast<std::int32_t>(a + b); }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    of(i, j, add);
  }
};
template <class Terms>
OneTable<Terms> one_table(Terms terms) {
  return {terms};
}

TEST(Grammar, TiesGoToTheFirstTermThenToTheSmallestSplit) {
  const auto grammar = one_table([](std::size_t i, std::size_t j, auto& add) {
    add(0, j == i + 1 ? 0 : infinity<std::int32_t>);
    add(0, add.product(0));
    add(0, add.inside(0, 1, 0));
  });
  const auto steps = derivation(grammar, solve_grammar(grammar, 4).solution);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].term, 1u);
  EXPECT_EQ(steps[0].first, 1u);
  EXPECT_EQ(steps[1].j, 1u);  // the left part before the right
  EXPECT_EQ(steps[1].term, 0u);
  EXPECT_EQ(steps[2].first, 2u);
}

TEST(Grammar, DerivationOfAStencilNamesTheInnerInterval) {
  const auto grammar = one_table([](std::size_t i, std::size_t j, auto& add) {
    add(0, j == i + 1 ? 5 : infinity<std::int32_t>);
    add(0, -9, add.stencil(0));
  });
  const auto tables = solve_grammar(grammar, 5).solution;
  EXPECT_EQ(tables.value(), 5 - 9 + 1);
  const auto steps = derivation(grammar, tables);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].first, 1u);
  EXPECT_EQ(steps[0].last, 2u);
}

template <class G>
std::string message_of(const G& grammar, ErrorKind kind, std::size_t points = 3) {
  try {
    static_cast<void>(derivation(grammar, solve_grammar(grammar, points).solution));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Grammar, ValuesOutsideTheRangeAreNamedWithTableAndInterval) {
  const auto large_part = one_table([](std::size_t, std::size_t, auto& add) { add(0, 200'000'000); });
  EXPECT_THAT(message_of(large_part, ErrorKind::overflow), HasSubstr("a value of table 0 at (1,2) is 200000000"));
  const auto large_sum = one_table([](std::size_t, std::size_t, auto& add) { add(0, 100'000'000, 100'000'000); });
  EXPECT_THAT(message_of(large_sum, ErrorKind::overflow), HasSubstr("table 0 at (1,2) is 200000000"));
}

TEST(Grammar, NoWayToTheWholeIsInfeasible) {
  const auto none =
      one_table([](std::size_t i, std::size_t j, auto& add) { add(0, j - i == 1 ? 1 : infinity<std::int32_t>); });
  EXPECT_THAT(message_of(none, ErrorKind::infeasible), HasSubstr("(0,2)"));
}

TEST(Grammar, TermsOutOfOrderAreRejected) {
  const auto back = one_table([](std::size_t, std::size_t, auto& add) {
    add(1, 1);
    add(0, 1);
  });
  EXPECT_THAT(message_of(back, ErrorKind::usage), HasSubstr("a term of table 0"));
  const auto itself = one_table([](std::size_t, std::size_t, auto& add) { add(0, add.here(0)); });
  EXPECT_THAT(message_of(itself, ErrorKind::usage), HasSubstr("a term of table 0"));
  const auto no_step = one_table([](std::size_t, std::size_t, auto& add) { add(0, add.inside(0, 0, 0)); });
  EXPECT_THAT(message_of(no_step, ErrorKind::usage), HasSubstr("here(table)"));
}

TEST(Grammar, NumbersThatItDoesNotHaveAreRejected) {
  const auto table = one_table([](std::size_t, std::size_t, auto& add) { add(0, add.inside(7, 1, 0)); });
  EXPECT_THAT(message_of(table, ErrorKind::usage), HasSubstr("table 7 is read: the grammar has "));
  const auto product = one_table([](std::size_t, std::size_t, auto& add) { add(0, add.product(3)); });
  EXPECT_THAT(message_of(product, ErrorKind::usage), HasSubstr("product 3 is read: the grammar has 1"));
  const auto stencil = one_table([](std::size_t, std::size_t, auto& add) { add(0, add.stencil(1)); });
  EXPECT_THAT(message_of(stencil, ErrorKind::usage), HasSubstr("stencil 1 is read: the grammar has 1"));
}

/// A grammar whose first table is sparse and has the given terms.
template <class Terms>
struct OneSparseTable : OneTable<Terms> {
  static constexpr unsigned sparse = 1;
  [[nodiscard]] bool may_have_value(std::size_t, std::size_t) const { return true; }
  template <class Add>
  void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    this->of(i, j, add);
  }
  template <class Add>
  void dense_terms(std::size_t, std::size_t, Add& add) const {
    add(1, add.here(0));
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    sparse_terms(i, j, add);
    dense_terms(i, j, add);
  }
};
template <class Terms>
OneSparseTable<Terms> one_sparse_table(Terms terms) {
  return {{terms}};
}

TEST(Grammar, TermsOfSparseTablesReadOnlyIntervalsThatBeginLater) {
  const auto later = one_sparse_table([](std::size_t i, std::size_t j, auto& add) {
    add(0, j == i + 1 ? 1 : infinity<std::int32_t>);
    add(0, 2, add.inside(0, 1, 0));
  });
  EXPECT_EQ(solve_grammar(later, 4).solution.value(), 5);
  const auto row = one_sparse_table([](std::size_t, std::size_t, auto& add) { add(0, 1, add.inside(0, 0, 1)); });
  EXPECT_THAT(message_of(row, ErrorKind::usage), HasSubstr("reads an interval that begins at i"));
  const auto product = one_sparse_table([](std::size_t, std::size_t, auto& add) { add(0, 1, add.product(0)); });
  EXPECT_THAT(message_of(product, ErrorKind::usage), HasSubstr("reads an interval that begins at i"));
  const auto dense = one_sparse_table([](std::size_t, std::size_t, auto& add) { add(1, 1); });
  EXPECT_THAT(message_of(dense, ErrorKind::usage), HasSubstr("a term of table 1"));
}

TEST(Grammar, FewerThanTwoPointsAreRejected) {
  const Stacking<MaxPlus<std::int32_t>> grammar{"", 1, 1};
  EXPECT_THAT(message_of(grammar, ErrorKind::input, 1), HasSubstr("1 points"));
}

TEST(Grammar, EstimateCoversTheTablesAndTheProducts) {
  const std::string bases(300, 'G');
  const Stacking<MaxPlus<std::int32_t>> grammar{bases, 1, 1};
  const Estimate expected = estimate_grammar(grammar, 301);
  EXPECT_EQ(expected.operations, 301.0 * 300 * 299 / 6);
  EXPECT_GE(expected.bytes, GrammarTables<Stacking<MaxPlus<std::int32_t>>>::bytes(301));
  Options options;
  options.max_memory = expected.bytes;
  EXPECT_EQ(solve_grammar(grammar, 301, options).solution.value(), 0);
  options.max_memory = expected.bytes / 2;
  EXPECT_THROW(static_cast<void>(solve_grammar(grammar, 301, options)), Error);
}

TEST(Grammar, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  const Stacking<MaxPlus<std::int32_t>> grammar{std::string(100, 'G'), 1, 1};
  try {
    static_cast<void>(solve_grammar(grammar, 101, options));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace warpfold::interval
