#include "warpfold/interval/grammar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "equivalence/interval/drawn_grammar.hpp"
#include "equivalence/interval/naive_grammar.hpp"
#include "semiring_types.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/verify_grammar.hpp"

namespace warpfold::interval {
namespace {

/// The drawn grammar with a list of its own.
template <class S>
struct Drawn : test::DrawnGrammar<S, std::vector<typename S::Value>> {
  using T = typename S::Value;

  explicit Drawn(std::size_t points, int largest = 60)
      : test::DrawnGrammar<S, std::vector<T>>{test::values_for<S>(test::drawn_costs<T>(points, largest), largest)} {}
};

/// A similar grammar with two sparse tables, and one that is not kept.
template <class S>
struct SparseDrawn : Drawn<S> {
  using Drawn<S>::Drawn, Drawn<S>::cost;
  static constexpr unsigned sparse = 2;
  static constexpr ProductTable not_kept[] = {{.table = 2, .product = 0}};

  [[nodiscard]] bool may_have_value(std::size_t i, std::size_t j) const { return (i * i + 3 * j) % 5 < 2; }
  template <class Add>
  void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    add(0, cost(i, j));
    add(0, cost(j, i), add.inside(0, 1, 1));
    add(0, S::one(), add.stencil(0));
    add(0, cost(i, i), add.inside(2, 1, 1));
    add(1, cost(j, j), add.here(0), S::one());
  }
  template <class Add>
  void dense_terms(std::size_t i, std::size_t j, Add& add) const {
    add(2, add.product(0));
    add(3, j == i + 1 ? cost(i, j) : S::zero());
    add(3, cost(i, i + 1), add.product(1));
    add(3, cost(i, j), add.inside(2, 2, 3));
    add(3, cost(i + 2, j), add.here(0));
    add(3, cost(i, 0), add.inside(3, 1, 0));
    add(3, add.stencil(1));
    add(3, S::one(), add.here(2));
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    if (may_have_value(i, j)) sparse_terms(i, j, add);
    dense_terms(i, j, add);
  }
};

/// The same grammar with loops that have an energy of their size and one of their asymmetry. The last stencil has sizes
/// without a value and sizes that do not carry over.
template <class S>
struct SizedDrawn : Drawn<S> {
  using T = typename S::Value;
  using Drawn<S>::Drawn;
  static constexpr Stencil stencils[2] = {{.of = 1, .deep = 62}, {.of = 3, .deep = 29}};

  [[nodiscard]] T loop(std::size_t s, std::size_t a, std::size_t b) const {
    const std::size_t size = a + b, least = s == 0 ? 2 : 0;
    if (a < least || b < least || (s == 0 ? size == 4 : size == 7)) return S::zero();
    const T asymmetry = static_cast<T>(std::min<std::size_t>(5, a < b ? b - a : a - b));
    return this->costs[size] + asymmetry + static_cast<T>(s == 1 && size == 10 ? a % 3 : 0);
  }
};

/// A grammar with code of its own for two rows of three, and for the weights of every other row. Table 1 is not kept.
struct RowDrawn : Drawn<MinPlus<std::int32_t>> {
  using S = MinPlus<std::int32_t>;
  using Values = detail::Stored<S>;
  using Drawn<S>::Drawn;
  static constexpr unsigned tables = 3;
  static constexpr Product products[1] = {{.left = 2, .right = 2}};
  static constexpr Stencil stencils[1] = {{.of = 0, .deep = 9}};
  static constexpr ProductTable not_kept[] = {{.table = 1, .product = 0}};
  static constexpr std::size_t row_reach = 3;
  std::atomic<std::size_t>* rows = nullptr;  ///< counts the rows that its code closed

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(0, cost(i, j));
    add(0, cost(j, i), add.inside(1, 1, 1));
    add(0, cost(i, 0), add.inside(2, 3, 2));
    add(0, add.stencil(0));
    add(1, add.product(0));
    add(2, cost(0, j), add.here(0));
    add(2, cost(2, j), add.inside(2, 0, 1));
    add(2, add.here(1));
  }

  [[nodiscard]] bool close_row(const GrammarRow<T>& row) const {
    if (row.i % 3 == 2) return false;
    for (std::size_t c = row.begin; c < row.end; ++c) {
      const std::size_t i = row.i, j = row.j + c;
      const auto at = static_cast<std::ptrdiff_t>(c);
      const T inner = std::min(cost(j, i) + row.inside(1, 1)[at - 1], cost(i, 0) + row.inside(2, 3)[at - 2]);
      const T pair = std::min({cost(i, j), inner, row.stencils[0][c]});
      T split = row.products[0][c];
      for (std::size_t k = 0; k < c; ++k) split = std::min(split, row.values[2][k] + row.right[0][k * 64 + c]);
      const T before = c > 0 ? row.values[2][c - 1] : row.inside(2, 0)[-1];
      const T stem = std::min({cost(0, j) + pair, cost(2, j) + before, split});
      row.values[0][c] = Values::is_zero(pair) ? Values::zero() : pair;
      row.values[1][c] = Values::is_zero(split) ? Values::zero() : split;
      row.values[2][c] = Values::is_zero(stem) ? Values::zero() : stem;
    }
    ++*rows;
    return true;
  }
  [[nodiscard]] bool inner_row(std::size_t s, std::size_t i, std::size_t j, std::span<const T> values,
                               T* weighted) const {
    for (std::size_t t = 0; i % 2 == 0 && t < values.size(); ++t) {
      const bool is_zero = Values::is_zero(values[t]);
      weighted[t] = is_zero ? Values::zero() : values[t] + inner(s, i, j + t);
    }
    return i % 2 == 0;
  }
};

constexpr std::size_t point_counts[] = {2, 3, 7, 8, 9, 63, 64, 65, 95, 127, 129, 200, 325};

template <class G>
void expect_equal_to_naive_tables(const G& grammar, std::size_t n) {
  test::NaiveGrammar<G> naive(grammar, n);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      const detail::GrammarProblem<G> problem{grammar, n};
      const auto tables = solve_by(detail::grammar_backends<G>(), problem, problem, options).solution;
      for (unsigned t = 0; t < table_count<G>; ++t) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i + 1; j < n; ++j) {
            ASSERT_EQ(tables.value(t, i, j), naive.at(t, i, j))
                << n << " points, table " << t << " (" << i << "," << j << ") " << set << ", " << threads << " threads";
          }
        }
      }
    }
  }
  force_instruction_set("");
}

template <class S>
class EveryGrammarSemiring : public testing::Test {};
using GrammarSemirings =
    test::FloatSemiringsAnd<MinPlus<double>, MinPlus<std::int32_t>, MinPlus<std::int64_t>, MaxPlus<std::int32_t>,
                            MaxMin<double>, MinMax<std::int32_t>, MinPlus<std::int16_t>, CountingModulo<1000003>>;
TYPED_TEST_SUITE(EveryGrammarSemiring, GrammarSemirings);

TYPED_TEST(EveryGrammarSemiring, TablesEqualTheNaiveOnesBitForBit) {
  for (const std::size_t n : point_counts) {
    if constexpr (std::is_unsigned_v<typename TypeParam::Value>) {
      if (n > 129) continue;
    }
    // Sixteen bits hold the costs of an interval up to some length; more terms of the same sign leave the range.
    expect_equal_to_naive_tables(Drawn<TypeParam>(n, sizeof(typename TypeParam::Value) == 2 ? 4 : 60), n);
  }
}

TEST(Grammar, SparseTablesEqualTheNaiveOnesBitForBit) {
  for (const std::size_t n : point_counts) {
    expect_equal_to_naive_tables(SparseDrawn<MinPlus<std::int32_t>>(n), n);
    expect_equal_to_naive_tables(SparseDrawn<MaxPlus<double>>(n), n);
  }
}

TEST(Grammar, RowsThatAGrammarClosesByItsOwnCodeEqualTheNaiveOnesBitForBit) {
  for (const std::size_t n : point_counts) {
    std::atomic<std::size_t> rows = 0;
    RowDrawn drawn(n);
    drawn.rows = &rows;
    expect_equal_to_naive_tables(drawn, n);
    EXPECT_GT(rows, 0U) << n;
  }
}

TEST(Grammar, LoopsThatCarryOverEqualTheNaiveOnesBitForBit) {
  using S = MinPlus<std::int32_t>;
  const SizedDrawn<S> drawn(9);
  for (std::size_t s = 0; s < 2; ++s) {
    EXPECT_NE(detail::StencilWeights<SizedDrawn<S>>(drawn, s, 100).by_size(), nullptr) << s;
    EXPECT_EQ(detail::StencilWeights<Drawn<S>>(drawn, s, 100).by_size(), nullptr) << s;
  }
  for (const std::size_t n : point_counts) {
    expect_equal_to_naive_tables(SizedDrawn<S>(n), n);
    expect_equal_to_naive_tables(SizedDrawn<MaxPlus<std::int64_t>>(n), n);
    expect_equal_to_naive_tables(SizedDrawn<MinPlus<float>>(n), n);
  }
}

/// One table and one product, closed as a recurrence unless `kind` adds a term that is none of its own.
template <class S>
struct OneTableDrawn : Drawn<S> {
  using T = typename S::Value;
  enum class Kind { recurrence, values, values_beside_weights, inside, two_products, two_weights };
  static constexpr unsigned tables = 1;
  static constexpr Product products[1] = {{.left = 0, .right = 0}};
  static constexpr std::array<Stencil, 0> stencils = {};
  using Drawn<S>::cost;
  Kind kind;

  OneTableDrawn(std::size_t points, Kind of_kind) : Drawn<S>(points), kind(of_kind) {}

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool has_value = (i * i + 3 * j) % 5 < 2;
    add(0, j == i + 1 ? cost(i, j) : S::zero());
    if (kind == Kind::values) {
      add(0, has_value ? cost(j, i) : S::zero());
      add(0, add.product(0));
      return;
    }
    if (kind == Kind::values_beside_weights) add(0, has_value ? cost(j, i) : S::zero(), cost(i, i));
    if (kind == Kind::inside) add(0, cost(j, i), add.inside(0, 1, 1));
    if (kind == Kind::two_products) add(0, cost(j, j), add.product(0));
    if (kind == Kind::two_weights && has_value) return add(0, cost(i, j), cost(j, i), add.product(0));
    add(0, has_value ? cost(i, j) : S::zero(), add.product(0));
  }
};

template <class S>
void expect_equal_to_naive_tables_of_one() {
  using Kind = typename OneTableDrawn<S>::Kind;
  for (const Kind kind : {Kind::recurrence, Kind::values, Kind::values_beside_weights, Kind::inside, Kind::two_products,
                          Kind::two_weights}) {
    SCOPED_TRACE(static_cast<int>(kind));
    for (const std::size_t n : {2, 3, 9, 64, 65, 129, 200}) {
      expect_equal_to_naive_tables(OneTableDrawn<S>(n, kind), n);
    }
  }
}

TEST(Grammar, OneTableOfARecurrenceOrOfOtherTermsEqualsTheNaiveOneBitForBit) {
  expect_equal_to_naive_tables_of_one<MinPlus<float>>();
  expect_equal_to_naive_tables_of_one<MaxPlus<std::int32_t>>();
  expect_equal_to_naive_tables_of_one<MinPlus<std::int64_t>>();
  expect_equal_to_naive_tables_of_one<MaxTimes<double>>();
  expect_equal_to_naive_tables_of_one<MinMax<std::int32_t>>();
}

TEST(Grammar, TablesAreVerified) {
  for (const std::size_t n : {2, 40, 130}) {
    const Drawn<MinPlus<double>> grammar(n);
    const auto tables = solve_grammar(grammar, n).solution;
    EXPECT_EQ(verify_grammar(grammar, tables).violation, std::nullopt) << n;
    Drawn<MinPlus<double>> other = grammar;
    for (double& cost : other.costs) cost -= 1;
    EXPECT_NE(verify_grammar(other, tables).violation, std::nullopt) << n;
  }
}

TEST(Grammar, ADerivationReadsTablesThatAreNotKept) {
  const std::size_t n = 150;
  const SparseDrawn<MinPlus<std::int32_t>> grammar(n);
  const auto tables = solve_grammar(grammar, n).solution;
  const auto steps = derivation(grammar, tables);
  EXPECT_TRUE(std::ranges::any_of(steps, [](const Step& step) { return step.table == 2; }));
  EXPECT_EQ(verify_grammar(grammar, tables).violation, std::nullopt);
  EXPECT_LT(GrammarTables<SparseDrawn<MinPlus<std::int32_t>>>::bytes(5000),
            0.77 * static_cast<double>(GrammarTables<Drawn<MinPlus<std::int32_t>>>::bytes(5000)));
}

TEST(Grammar, BatchGivesTheTablesOfEachGrammarInOrder) {
  std::vector<Drawn<MaxPlus<std::int32_t>>> grammars;
  std::vector<std::size_t> points;
  for (std::size_t n = 2; n < 150; n += 7) {
    grammars.emplace_back(n);
    points.push_back(n);
  }
  const auto batch = solve_grammars(grammars, points).solution;
  ASSERT_EQ(batch.size(), grammars.size());
  for (std::size_t t = 0; t < batch.size(); ++t) {
    EXPECT_EQ(batch[t].value(), solve_grammar(grammars[t], points[t]).solution.value()) << points[t];
  }
}

}  // namespace
}  // namespace warpfold::interval
