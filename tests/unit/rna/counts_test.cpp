#include "warpfold/interval/counts.hpp"

#include <gtest/gtest.h>

#include "rna/sum_grammar.hpp"

namespace warpfold::rna {
namespace {

using interval::Counts;
using interval::counts;

/// The last table holds helices, so structures with one outermost pair are counted.
TEST(Counts, FindOneDerivationOfEachStructureOfRnaSumsAndSeveralOfLeastEnergies) {
  const Sequence sequence("GGAAACGAAACGAAACC");
  const LoopEnergies energies(sequence, rules_1998(), {});
  const LoopWeights weights(energies);
  const Counts sums = counts(SumGrammar<true>{weights}, sequence.size() + 1);
  EXPECT_GT(sums.structures, 5u);
  EXPECT_FALSE(sums.is_ambiguous());
  const Counts least = counts(FoldingGrammar<true>{energies}, sequence.size() + 1);
  EXPECT_EQ(least.structures, sums.structures);
  EXPECT_TRUE(least.is_ambiguous());
}

}  // namespace
}  // namespace warpfold::rna
