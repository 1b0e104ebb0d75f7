#include "warpfold/interval/counts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warpfold::interval {
namespace {

/// Pairs of G and C that nest. `twice`: a second term derives pairs that stack once more.
template <class S, bool twice>
struct Pairs {
  using Semiring = S;
  using T = typename S::Value;
  enum Table : unsigned { pairs, all, tables };
  static constexpr Product products[] = {{.left = all, .right = pairs}};
  static constexpr unsigned reports[] = {pairs};
  std::string bases;

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const T pair = bases[i] == 'G' && bases[j - 1] == 'C' ? T(2) : S::zero();
    add(pairs, j - i == 2 ? pair : S::zero());
    add(pairs, pair, add.inside(all, 1, 1));
    add(pairs, twice ? pair : S::zero(), add.inside(pairs, 1, 1));
    add(all, j - i == 1 ? S::one() : S::zero());
    add(all, add.here(pairs));
    add(all, add.inside(all, 0, 1));
    add(all, add.product(0));
  }
};

/// GGCC: no pair, four of one pair, (1,4) with (2,3), and (1,3) or (2,4) alone are among the four.
TEST(Counts, TellAGrammarThatDerivesAStructureTwice) {
  const Counts once = counts(Pairs<ScaledSum<double>, false>{"GGCC"}, 5);
  EXPECT_EQ(once.derivations, 6u);
  EXPECT_EQ(once.structures, 6u);
  EXPECT_FALSE(once.is_ambiguous());
  const Counts several = counts(Pairs<MaxPlus<std::int32_t>, true>{"GGCC"}, 5);
  EXPECT_EQ(several.derivations, 7u);
  EXPECT_EQ(several.structures, 6u);
  EXPECT_TRUE(several.is_ambiguous());
}

/// Words of one or two letters, in prefix tables.
struct Words {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { word, tables };
  enum PrefixTable : unsigned { text, prefix_tables };
  static constexpr PrefixSum prefix_sums[] = {{.left = text, .right = word}};
  static constexpr unsigned reports[] = {word};

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(word, j - i <= 2 ? 0.5 : 0.0);
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(text, j == 0 ? 1.0 : 0.0);
    add(text, add.prefix(0));
  }
};

TEST(Counts, TakePrefixTables) {
  const Counts found = counts(Words(), 6);
  EXPECT_EQ(found.derivations, 8u);  // a Fibonacci number
  EXPECT_EQ(found.structures, 8u);
}

}  // namespace
}  // namespace warpfold::interval
