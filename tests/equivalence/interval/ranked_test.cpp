#include "warpfold/interval/ranked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "equivalence/interval/drawn_grammar.hpp"

namespace warpfold::interval {
namespace {

/// The values of all derivations of T(table,i,j), by the definition of a grammar.
template <class G>
class AllDerivations {
 public:
  using S = typename G::Semiring;
  using T = typename S::Value;
  using Values = std::vector<T>;

  AllDerivations(const G& grammar, unsigned table, std::size_t i, std::size_t j)
      : grammar_(grammar), table_(table), i_(i), j_(j) {
    if (i < j) grammar.terms(i, j, *this);
  }
  [[nodiscard]] const Values& values() const { return values_; }

  [[nodiscard]] Values inside(unsigned u, std::size_t a, std::size_t b) const {
    return i_ + a + b < j_ ? of(u, i_ + a, j_ - b) : Values{};
  }
  [[nodiscard]] Values here(unsigned u) const { return u < table_ ? of(u, i_, j_) : Values{}; }
  [[nodiscard]] Values product(unsigned p) const {
    Values all;
    for (std::size_t k = i_ + 1; k < j_; ++k) {
      append(all, times(of(G::products[p].left, i_, k), of(G::products[p].right, k, j_)));
    }
    return all;
  }
  [[nodiscard]] Values stencil(unsigned s) const {
    Values all;
    for (std::size_t a = 0; a <= G::stencils[s].deep; ++a) {
      for (std::size_t b = 0; a + b <= G::stencils[s].deep && i_ + a + b + 2 < j_; ++b) {
        const std::size_t i = i_ + 1 + a, j = j_ - 1 - b;
        append(all, times({S::times(grammar_.loop(s, a, b), grammar_.inner(s, i, j))}, of(G::stencils[s].of, i, j)));
      }
    }
    return all;
  }
  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    if (table != table_) return;
    Values all = {S::one()};
    ((all = times(all, list_of(parts))), ...);
    append(values_, all);
  }

 private:
  [[nodiscard]] Values of(unsigned table, std::size_t i, std::size_t j) const {
    return AllDerivations(grammar_, table, i, j).values();
  }
  static Values list_of(const Values& values) { return values; }
  static Values list_of(T value) { return {value}; }
  static Values times(const Values& left, const Values& right) {
    Values all;
    for (const T a : left) {
      for (const T b : right) {
        if (!S::is_zero(S::times(a, b))) all.push_back(S::times(a, b));
      }
    }
    return all;
  }
  static void append(Values& to, const Values& from) { to.insert(to.end(), from.begin(), from.end()); }

  const G& grammar_;
  unsigned table_;
  std::size_t i_, j_;
  Values values_;
};

/// The best first.
template <class S>
bool is_better(typename S::Value a, typename S::Value b) {
  return a != b && S::plus(a, b) == a;
}

template <class S>
using RankedGrammar = test::DrawnGrammar<S, std::vector<typename S::Value>>;

template <class S>
RankedGrammar<S> ranked_grammar(std::size_t points) {
  using T = typename S::Value;
  std::vector<T> costs = test::drawn_costs<T>(points, 30);
  if constexpr (SemiringTraits<S>::multiplies) {
    for (T& cost : costs) cost = (20 + cost) / 41;
  }
  return {costs};
}

/// All derivations of the whole, by ranked search.
template <class G>
std::vector<RankedDerivation<GrammarValue<G>>> visited(const G& grammar, const GrammarTables<G>& tables,
                                                       std::optional<GrammarValue<G>> within = {}) {
  std::vector<RankedDerivation<GrammarValue<G>>> all;
  EXPECT_TRUE(visit_derivations(grammar, tables, within, [&](const auto& one) {
    all.push_back(one);
    return true;
  }));
  return all;
}

template <class T>
std::size_t distinct(const std::vector<RankedDerivation<T>>& derivations) {
  std::set<std::vector<std::array<unsigned, 5>>> all;
  for (const auto& one : derivations) {
    std::vector<std::array<unsigned, 5>> steps;
    for (const Step& step : one.steps) steps.push_back({step.i, step.j, step.term, step.first, step.last});
    all.insert(steps);
  }
  return all.size();
}

template <class S>
class Ranked : public testing::Test {};
using RankedSemirings =
    testing::Types<MinPlus<std::int32_t>, MaxPlus<std::int64_t>, MinPlus<double>, MaxPlus<float>, MaxTimes<double>>;
TYPED_TEST_SUITE(Ranked, RankedSemirings);

TYPED_TEST(Ranked, VisitsEveryDerivationOnceTheBestFirst) {
  using G = RankedGrammar<TypeParam>;
  for (const std::size_t points : {2, 3, 4, 5}) {
    const G grammar = ranked_grammar<TypeParam>(points);
    const auto tables = solve_grammar(grammar, points).solution;
    auto expected = AllDerivations<G>(grammar, G::stems, 0, points - 1).values();
    std::ranges::stable_sort(expected, is_better<TypeParam>);
    const auto found = visited(grammar, tables);
    ASSERT_EQ(found.size(), expected.size()) << points;
    EXPECT_EQ(distinct(found), found.size()) << points;
    EXPECT_EQ(found[0].value, tables.value());
    for (std::size_t t = 0; t < found.size(); ++t) {
      if (SemiringTraits<TypeParam>::multiplies) {
        ASSERT_NEAR(static_cast<double>(found[t].value) / static_cast<double>(expected[t]), 1, 1e-12)
            << points << " points, number " << t;
      } else {
        ASSERT_EQ(found[t].value, expected[t]) << points << " points, number " << t;
      }
    }
  }
}

TYPED_TEST(Ranked, KBestAreTheBeginningAndTheFirstIsTheDerivation) {
  const std::size_t points = 6;
  const auto grammar = ranked_grammar<TypeParam>(points);
  const auto tables = solve_grammar(grammar, points).solution;
  const auto all = visited(grammar, tables);
  ASSERT_GT(all.size(), 40u);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{40}, all.size() + 1}) {
    const auto best = best_derivations(grammar, tables, k);
    ASSERT_EQ(best.size(), std::min(k, all.size()));
    for (std::size_t t = 0; t < best.size(); ++t) ASSERT_EQ(best[t].value, all[t].value) << k << ", number " << t;
  }
  const auto first = derivation(grammar, tables);
  const auto steps = best_derivations(grammar, tables, 1).at(0).steps;
  ASSERT_EQ(steps.size(), first.size());
  for (std::size_t t = 0; t < steps.size(); ++t) {
    EXPECT_EQ(steps[t].term, first[t].term);
    EXPECT_EQ(steps[t].first, first[t].first);
  }
}

TYPED_TEST(Ranked, WithinHasThoseNearTheBestAlone) {
  const std::size_t points = 6;
  const auto grammar = ranked_grammar<TypeParam>(points);
  const auto tables = solve_grammar(grammar, points).solution;
  const auto all = visited(grammar, tables);
  using T = typename TypeParam::Value;
  const T within = 8;
  const auto is_near = [&](const auto& one) {
    const T best = tables.value();
    if (SemiringTraits<TypeParam>::multiplies) return one.value * within >= best;
    return std::abs(one.value - best) <= within;
  };
  const auto near = visited(grammar, tables, std::optional<T>(within));
  EXPECT_EQ(near.size(), static_cast<std::size_t>(std::ranges::count_if(all, is_near)));
  EXPECT_LT(near.size(), all.size());
}

TEST(RankedDerivations, OfAnIntervalAreThoseOfItsTable) {
  const auto grammar = ranked_grammar<MinPlus<std::int32_t>>(6);
  const auto tables = solve_grammar(grammar, 6).solution;
  const auto found = best_derivations(grammar, tables, grammar.branches, 1, 4, 1000);
  using G = RankedGrammar<MinPlus<std::int32_t>>;
  EXPECT_EQ(found.size(), AllDerivations<G>(grammar, G::branches, 1, 4).values().size());
  EXPECT_EQ(found.at(0).value, tables.value(grammar.branches, 1, 4));
}

/// A point more costs 1, or so much that 20 of it leave the range.
struct SteepChain {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { chain, tables };
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(chain, j == i + 1 ? 1 : Semiring::zero());
    add(chain, 1, add.inside(chain, 1, 0));
    add(chain, 100'000'000, add.inside(chain, 1, 0));
  }
};

TEST(RankedDerivations, OutsideTheRangeOfTheTypeAreLeftOut) {
  const auto tables = solve_grammar(SteepChain{}, 13).solution;
  const auto found = visited(SteepChain{}, tables);
  std::size_t expected = 0;
  for (unsigned choices = 0; choices < 1U << 11; ++choices) expected += std::popcount(choices) <= 10 ? 1 : 0;
  EXPECT_EQ(found.size(), expected);  // 11 x 100,000,000 is beyond max/2
  EXPECT_EQ(found.back().value, 1'000'000'002);
}

template <class Call>
ErrorKind kind_of_error(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::input;
}

TEST(RankedDerivations, NameWhatIsWrong) {
  const auto grammar = ranked_grammar<MinPlus<std::int32_t>>(6);
  const auto tables = solve_grammar(grammar, 6).solution;
  const auto all = [](const auto&) { return true; };
  EXPECT_EQ(kind_of_error([&] { visit_derivations(grammar, tables, -1, all); }), ErrorKind::usage);
  EXPECT_EQ(kind_of_error([&] { static_cast<void>(best_derivations(grammar, tables, 3, 2, 2, 1)); }),
            ErrorKind::infeasible);
  Options little;
  little.max_memory = 1000;
  EXPECT_EQ(kind_of_error([&] { visit_derivations(grammar, tables, {}, all, little); }), ErrorKind::memory_limit);
  const auto fractions = ranked_grammar<MaxTimes<double>>(6);
  const auto of_fractions = solve_grammar(fractions, 6).solution;
  EXPECT_EQ(kind_of_error([&] { visit_derivations(fractions, of_fractions, 0.5, all); }), ErrorKind::usage);
}

TEST(RankedDerivations, StopWhereTheVisitSaysSo) {
  const auto grammar = ranked_grammar<MinPlus<std::int32_t>>(6);
  const auto tables = solve_grammar(grammar, 6).solution;
  int seen = 0;
  EXPECT_FALSE(visit_derivations(grammar, tables, {}, [&](const auto&) { return ++seen < 7; }));
  EXPECT_EQ(seen, 7);
}

}  // namespace
}  // namespace warpfold::interval
