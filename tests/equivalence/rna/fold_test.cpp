#include "warpfold/rna/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "equivalence/rna/drawn.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::random_sequence;

/// The least energy of all structures, by trying them all.
Energy least_of_all(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request) {
  Energy least = 0;
  test::for_each_structure(sequence, parameters, request, [&](const std::string& structure) {
    least = std::min(least, energy_of(sequence, structure, parameters, request));
  });
  return least;
}

TEST(Fold, FindsTheLeastEnergyOfAllStructuresOfShortSequences) {
  std::mt19937 random(1);
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 15, round % 2 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{.dangles = round % 3 == 0 ? 0 : 2};
    EXPECT_EQ(fold(sequence, parameters, {}, request).solution.energy, least_of_all(sequence, parameters, request))
        << sequence.letters();
  }
}

TEST(Fold, TiledEqualsTheReferenceInEnergyAndStructure) {
  std::mt19937 random(2);
  Options reference;
  reference.algorithm = "reference";
  for (const std::size_t size : {1, 4, 5, 20, 62, 63, 64, 65, 100, 127, 128, 150}) {
    for (const char* letters : {"ACGU", "GC", "GU", "ACGUN"}) {
      const Sequence sequence(random_sequence(random, size, letters));
      const Parameters parameters = drawn_parameters(static_cast<unsigned>(size));
      for (const int dangles : {0, 2}) {
        const FoldRequest request{.dangles = dangles};
        const Folding expected = fold(sequence, parameters, reference, request).solution;
        for (const std::string& set : instruction_sets()) {
          force_instruction_set(set);
          Options options;
          options.threads = size % 2 == 0 ? 1 : 3;
          const Folding found = fold(sequence, parameters, options, request).solution;
          EXPECT_EQ(found.energy, expected.energy) << size << letters << set;
          EXPECT_EQ(found.structure, expected.structure) << size << letters << set;
        }
        force_instruction_set("");
        EXPECT_EQ(verify(sequence, expected, parameters, request).violation, std::nullopt) << size << letters;
      }
    }
  }
}

TEST(Fold, SequencesOfOneLetterAndOfTwoInTurnHaveTheReferencesStructure) {
  Options reference;
  reference.algorithm = "reference";
  for (const std::size_t size : {40, 90}) {
    std::string in_turn;
    for (std::size_t t = 0; t < size; ++t) in_turn += t % 2 == 0 ? 'G' : 'C';
    for (const std::string& letters : {std::string(size, 'A'), std::string(size, 'G'), in_turn}) {
      const Sequence sequence(letters);
      EXPECT_EQ(fold(sequence, rules_1998()).solution.structure,
                fold(sequence, rules_1998(), reference).solution.structure);
    }
  }
}

TEST(Fold, PairsAreNoFurtherApartThanTheSpan) {
  std::mt19937 random(3);
  const Sequence sequence(random_sequence(random, 120, "GCAU"));
  for (const std::size_t span : {5, 12, 30}) {
    const Folding found = fold(sequence, rules_1998(), {}, {.max_span = span}).solution;
    for (const auto& [i, j] : pairs_of(found.structure)) EXPECT_LE(j - i + 1, span);
    EXPECT_EQ(verify(sequence, found, rules_1998(), {.max_span = span}).violation, std::nullopt);
  }
}

TEST(Fold, AHigherTemperatureNeverLowersTheEnergy) {
  std::mt19937 random(4);
  const Sequence sequence(random_sequence(random, 80, "GCAU"));
  Energy before = std::numeric_limits<Energy>::min();
  for (const double temperature : {10.0, 37.0, 60.0, 90.0}) {
    const Energy energy = fold(sequence, rules_1998(), {}, {.temperature = temperature}).solution.energy;
    EXPECT_GE(energy, before) << temperature;
    before = energy;
  }
}

TEST(Fold, ABatchHasTheFoldingsOfEachSequenceInOrder) {
  std::mt19937 random(5);
  std::vector<Sequence> sequences;
  for (std::size_t size = 1; size < 90; size += 4) sequences.emplace_back(random_sequence(random, size, "GCAU"));
  const auto all = fold_each(sequences, rules_1998()).solution;
  ASSERT_EQ(all.size(), sequences.size());
  for (std::size_t t = 0; t < all.size(); ++t) {
    const Folding alone = fold(sequences[t], rules_1998()).solution;
    EXPECT_EQ(all[t].energy, alone.energy);
    EXPECT_EQ(all[t].structure, alone.structure);
  }
}

TEST(Fold, ObeysAMemoryLimitBeforeItAllocates) {
  const Sequence sequence(std::string(500, 'G'));
  Options options;
  options.max_memory = estimate_fold(sequence, rules_1998()).bytes / 2;
  EXPECT_THROW(static_cast<void>(fold(sequence, rules_1998(), options)), Error);
}

}  // namespace
}  // namespace warpfold::rna
