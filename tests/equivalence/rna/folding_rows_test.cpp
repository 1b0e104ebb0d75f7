#include "rna/folding_rows.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "equivalence/rna/drawn.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/rna/suboptimal.hpp"

namespace warpfold::rna {
namespace {

/// Compares all tables that vector code fills with those of the terms.
template <bool lone_pairs>
void expect_tables_of_terms(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request) {
  const LoopEnergies energies(sequence, parameters, request);
  const auto rows = FoldingRows::of(energies);
  ASSERT_NE(rows, nullptr);
  const std::size_t points = sequence.size() + 1;
  const auto tables_of = [&](const FoldingRows* used) {
    const RowFolding<lone_pairs> grammar{{energies}, used};
    Report report;
    Options options;
    Context context(options, report);
    return interval::detail::solve_grammar_tiled<RowFolding<lone_pairs>>({grammar, points}, context);
  };
  const auto expected = tables_of(nullptr);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    const auto own_rows = FoldingRows::of(energies);
    const auto found = tables_of(own_rows.get());
    force_instruction_set("");
    for (unsigned t = 0; t < RowFolding<lone_pairs>::tables; ++t) {
      for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t j = i + 1; j < points; ++j) {
          ASSERT_EQ(found.value(t, i, j), expected.value(t, i, j))
              << "table " << t << " (" << i << "," << j << ") " << set << ' ' << sequence.letters();
        }
      }
    }
  }
}

TEST(FoldingRows, FillTheTablesAsTheTermsDo) {
  test::each_request_of_rows(20, 1, [](const Sequence& sequence, const Parameters& parameters, FoldRequest request) {
    expect_tables_of_terms<true>(sequence, parameters, request);
    expect_tables_of_terms<false>(sequence, parameters, request);
    if (request.max_span > 0) return;
    request.circular = true;
    expect_tables_of_terms<true>(sequence, parameters, request);
  });
}

TEST(FoldingRows, AreNotForNumbersWhoseSumsNeedChecks) {
  const Sequence sequence("GGGGAAAACCCC");
  Parameters parameters = rules_1998();
  EXPECT_NE(FoldingRows::of(LoopEnergies(sequence, parameters, {})), nullptr);
  parameters.at_37.interior_22.values[7] = 200'000'000;
  EXPECT_EQ(FoldingRows::of(LoopEnergies(sequence, parameters, {})), nullptr);
  parameters = rules_1998();
  parameters.at_37.multi_base.values[0] = -9'000'000;
  EXPECT_EQ(FoldingRows::of(LoopEnergies(sequence, parameters, {})), nullptr);
  EXPECT_FALSE(FoldingRows::supports({.constraint = "............"}));
}

TEST(FoldingRows, LeaveAValueThatIsNotAcceptedToTheTerms) {
  const Sequence sequence(std::string(30, 'G') + "AAAA" + std::string(30, 'C'));
  Parameters parameters = rules_1998();
  for (Energy& energy : parameters.at_37.stack.values) energy = -60'000'000;
  const auto message = [&](const auto& solve) {
    try {
      solve();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::overflow) << error.what();
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string of_users =
      "energies of structures are beyond 1342177.27 kcal/mol: loops whose energies add up to less "
      "are accepted";
  EXPECT_EQ(message([&] { static_cast<void>(fold(sequence, parameters)); }), of_users);
  EXPECT_EQ(message([&] { static_cast<void>(suboptimal(sequence, parameters)); }), of_users);
}

}  // namespace
}  // namespace warpfold::rna
