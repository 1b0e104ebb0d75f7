#include "rna/sum_rows.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "equivalence/rna/drawn.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/marginals.hpp"

namespace warpfold::rna {
namespace {

using interval::GrammarTables;
using interval::IntervalTable;
using test::random_sequence;

/// The tables of sums, and the outside values of each table for seeds that differ everywhere.
template <bool lone_pairs>
struct Sums {
  using G = RowSums<lone_pairs>;
  GrammarTables<G> tables;
  std::vector<IntervalTable<double>> marginals;

  Sums(const LoopWeights& weights, const SumRows* rows) : Sums(G{{weights}, rows}, weights.size() + 1) {}

 private:
  Sums(const G& grammar, std::size_t points) : tables(solved(grammar, points)) {
    const auto seed = [&](unsigned table, std::size_t i, std::size_t j) {
      const Scaled value = tables.value(table, i, j);
      if (value.is_zero()) return value;
      return Scaled(1.0 / static_cast<double>(1 + (table * 7 + i * 11 + j * 13) % 101)) / value;
    };
    std::vector<std::vector<unsigned>> wanted;
    for (unsigned t = 0; t < G::tables; ++t) wanted.push_back({t});
    wanted.push_back({G::last, G::helix, G::paired});
    Report report;
    const Options options;
    Context context(options, report);
    marginals = interval::detail::seeded_marginals(grammar, tables, wanted, seed, context);
  }
  static GrammarTables<G> solved(const G& grammar, std::size_t points) {
    Report report;
    const Options options;
    Context context(options, report);
    return interval::detail::solve_grammar_tiled<G>({grammar, points}, context);
  }
};

/// Compares all tables that vector code fills, and their marginals, with those of the terms.
template <bool lone_pairs>
void expect_sums_of_terms(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request) {
  const LoopEnergies energies(sequence, parameters, request);
  const LoopWeights weights(energies);
  const Sums<lone_pairs> expected(weights, nullptr);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    const auto rows = SumRows::of(weights);
    ASSERT_NE(rows, nullptr);
    const Sums<lone_pairs> found(weights, rows.get());
    force_instruction_set("");
    const auto place = [&](std::size_t t, std::size_t i, std::size_t j) {
      return "table " + std::to_string(t) + " (" + std::to_string(i) + "," + std::to_string(j) + ") " + set + ' ' +
             sequence.letters();
    };
    for (std::size_t i = 0; i <= sequence.size(); ++i) {
      for (std::size_t j = i + 1; j <= sequence.size(); ++j) {
        for (unsigned t = 0; t < RowSums<lone_pairs>::tables; ++t) {
          ASSERT_EQ(found.tables.value(t, i, j), expected.tables.value(t, i, j)) << place(t, i, j);
        }
        for (std::size_t t = 0; t < expected.marginals.size(); ++t) {
          ASSERT_EQ(found.marginals[t].value(i, j), expected.marginals[t].value(i, j))
              << "marginals of " << place(t, i, j);
        }
      }
    }
  }
}

TEST(SumRows, FillTheTablesAndTheMarginalsAsTheTermsDo) {
  test::each_request_of_rows(21, 2, [](const Sequence& sequence, const Parameters& parameters, FoldRequest request) {
    expect_sums_of_terms<true>(sequence, parameters, request);
    expect_sums_of_terms<false>(sequence, parameters, request);
    if (request.max_span > 0) return;
    request.circular = true;
    expect_sums_of_terms<true>(sequence, parameters, request);
  });
}

TEST(SumRows, TakeTheUnitsOfTilesWhoseExponentsDiffer) {
  std::mt19937 random(22);
  const Sequence sequence(random_sequence(random, 330, "GGCCA"));
  expect_sums_of_terms<true>(sequence, rules_1998(), {.temperature = 45});
}

TEST(SumRows, AreNotForWeightsThatAreNotListed) {
  const Sequence sequence("GGGGAAAACCCC");
  const auto has_rows = [&](const Parameters& parameters, const FoldRequest& request) {
    const LoopEnergies energies(sequence, parameters, request);
    return SumRows::of(LoopWeights(energies)) != nullptr;
  };
  EXPECT_TRUE(has_rows(rules_1998(), {}));
  EXPECT_FALSE(has_rows(rules_1998(), {.temperature = -200}));
  Parameters parameters = rules_1998();
  parameters.at_37.interior_22.values[7] = 5'000;
  EXPECT_FALSE(has_rows(parameters, {}));
}

}  // namespace
}  // namespace warpfold::rna
