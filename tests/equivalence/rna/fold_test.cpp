#include "warpfold/rna/fold.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "equivalence/rna/drawn.hpp"
#include "sanitizers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::random_sequence;

/// The least energy of all structures, by trying them all; no_loop if there is none.
Energy least_of_all(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request) {
  Energy least = no_loop;
  test::for_each_structure(sequence, parameters, request,
                           [&](const std::string&, Energy energy) { least = std::min(least, energy); });
  return least;
}

/// The energy of a folding, which is verified; no_loop if the request allows no structure.
Energy least_of_fold(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                     const Options& options = {}) {
  try {
    const Folding found = fold(sequence, parameters, options, request).solution;
    EXPECT_EQ(verify(sequence, found, parameters, request).violation, std::nullopt) << sequence.letters();
    return found.energy;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    return no_loop;
  }
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

TEST(Fold, SatisfiesConstraintsAndLeavesNoPairAlone) {
  std::mt19937 random(6);
  for (int round = 0; round < 150; ++round) {
    const Sequence sequence(random_sequence(random, 8 + random() % 9, round % 2 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{
        .dangles = round % 3 == 0 ? 0 : 2,
        .lone_pairs = round % 4 < 2,
        .constraint = round % 2 == 0 ? test::random_constraint(random, sequence.size()) : std::string()};
    const Energy least = least_of_all(sequence, parameters, request);
    for (const char* algorithm : {"tiled", "reference"}) {
      Options options;
      options.algorithm = algorithm;
      EXPECT_EQ(least_of_fold(sequence, parameters, request, options), least)
          << sequence.letters() << ' ' << request.constraint << ' ' << algorithm;
    }
  }
}

TEST(Fold, WithConstraintsTiledHasTheEnergyOfTheReference) {
  std::mt19937 random(7);
  Options reference;
  reference.algorithm = "reference";
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 60 + random() % 90, "ACGU"));
    const FoldRequest request{.lone_pairs = round % 2 == 0,
                              .constraint = test::random_constraint(random, sequence.size())};
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    EXPECT_EQ(least_of_fold(sequence, parameters, request), least_of_fold(sequence, parameters, request, reference));
  }
}

TEST(Fold, AConstraintNeverLowersTheEnergy) {
  std::mt19937 random(8);
  for (int round = 0; round < 20; ++round) {
    const Sequence sequence(random_sequence(random, 70, "ACGU"));
    const Energy free = least_of_fold(sequence, rules_1998(), {});
    EXPECT_GE(least_of_fold(sequence, rules_1998(), {.constraint = test::random_constraint(random, 70)}), free);
    EXPECT_GE(least_of_fold(sequence, rules_1998(), {.lone_pairs = false}), free);
  }
}

/// Energies of stacks, drawn.
std::vector<Energy> random_stack_energies(std::mt19937& random, std::size_t size) {
  std::vector<Energy> energies(size);
  for (Energy& energy : energies) energy = static_cast<Energy>(random() % 200) - 100;
  return energies;
}

TEST(Fold, AStackAddsTheEnergiesOfItsFourBases) {
  const Sequence sequence("GGGGAAAACCCC");
  const std::vector<Energy> of = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  const auto added = [&](const char* structure) {
    return energy_of(sequence, structure, rules_1998(), {.stack_energies = of}) -
           energy_of(sequence, structure, rules_1998());
  };
  EXPECT_EQ(added("((......)).."), 1 + 2 + 256 + 512);
  EXPECT_EQ(added("(.((....)).)"), 4 + 8 + 256 + 512);  // an interior loop is no stack
  EXPECT_EQ(added("((((....))))"), 1 + 2048 + 2 * (2 + 4 + 512 + 1024) + 8 + 256);
}

TEST(Fold, WithEnergiesOfStacksFindsTheLeastOfAllStructures) {
  std::mt19937 random(10);
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 8 + random() % 9, "GC"));
    const FoldRequest request{.lone_pairs = round % 2 == 0,
                              .stack_energies = random_stack_energies(random, sequence.size())};
    const Energy least = least_of_all(sequence, rules_1998(), request);
    for (const char* algorithm : {"tiled", "reference"}) {
      Options options;
      options.algorithm = algorithm;
      EXPECT_EQ(least_of_fold(sequence, rules_1998(), request, options), least) << sequence.letters() << algorithm;
    }
  }
}

/// Energies of some pairs, drawn.
std::vector<PairEnergy> random_pair_energies(std::mt19937& random, std::size_t size) {
  std::vector<PairEnergy> energies;
  for (std::uint32_t j = 0; j < size; ++j) {
    for (std::uint32_t i = 0; i < j; ++i) {
      if (random() % 3 == 0) energies.push_back({i, j, static_cast<Energy>(random() % 600) - 300});
    }
  }
  return energies;
}

TEST(Fold, APairAddsItsEnergyInEveryLoopThatItCloses) {
  const Sequence sequence("GGGGAAAACCCCGGAAAACC");
  const FoldRequest request{.pair_energies = {{12, 19, 4}, {0, 11, 1}, {3, 8, 2}, {0, 10, 800}}};
  const auto added = [&](const char* structure) {
    return energy_of(sequence, structure, rules_1998(), request) - energy_of(sequence, structure, rules_1998());
  };
  EXPECT_EQ(added("((((....))))........"), 1 + 2);
  EXPECT_EQ(added("(..(....)..)........"), 1 + 2);
  EXPECT_EQ(added("((((....))))((....))"), 1 + 2 + 4);
  EXPECT_EQ(added("..((....)).........."), 2);
}

TEST(Fold, WithEnergiesOfPairsFindsTheLeastOfAllStructures) {
  std::mt19937 random(12);
  for (int round = 0; round < 60; ++round) {
    const Sequence sequence(random_sequence(random, 8 + random() % 11, round % 3 == 0 ? "ACGU" : "GC"));
    const FoldRequest request{
        .lone_pairs = round % 2 == 0,
        .constraint = round % 5 == 4 ? test::random_constraint(random, sequence.size()) : std::string(),
        .pair_energies = random_pair_energies(random, sequence.size())};
    const Energy least = least_of_all(sequence, rules_1998(), request);
    for (const char* algorithm : {"tiled", "reference"}) {
      Options options;
      options.algorithm = algorithm;
      if (least >= no_loop) continue;
      EXPECT_EQ(least_of_fold(sequence, rules_1998(), request, options), least) << sequence.letters() << algorithm;
    }
  }
}

TEST(Fold, WithEnergiesOfPairsHasTheEnergyOfTheReferenceAcrossTiles) {
  std::mt19937 random(13);
  for (const std::size_t n : {63, 64, 65, 130}) {
    const Sequence sequence(random_sequence(random, n, "ACGU"));
    const FoldRequest request{.pair_energies = random_pair_energies(random, n)};
    const Folding found = fold(sequence, rules_1998(), {}, request).solution;
    EXPECT_EQ(found.energy, least_of_fold(sequence, rules_1998(), request, {.algorithm = "reference"}));
    EXPECT_TRUE(verify(sequence, found, rules_1998(), request));
  }
}

TEST(Fold, RejectsEnergiesOfWhatIsNoPairOfItsBases) {
  const Sequence sequence("GGGGAAAACCCC");
  const auto message = [&](std::vector<PairEnergy> pairs) {
    try {
      static_cast<void>(fold(sequence, rules_1998(), {}, {.pair_energies = std::move(pairs)}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({{3, 3, 1}}),
            "pair_energies has the pair 4, 4, counted from 1: bases from 1 to 12, the smaller first, are accepted");
  EXPECT_EQ(message({{3, 12, 1}}),
            "pair_energies has the pair 4, 13, counted from 1: bases from 1 to 12, the smaller first, are accepted");
  EXPECT_EQ(message({{3, 8, 1}, {3, 8, 2}}),
            "pair_energies has the pair 4, 9, counted from 1, twice: one energy is accepted");
  EXPECT_EQ(message({{3, 8, 10'001}}),
            "the energy of the pair 4, 9, counted from 1, is 10001: -10000 to 10000 in 0.01 kcal/mol is accepted");
}

TEST(Fold, OfACircularSequenceIsTheLeastOfAllStructures) {
  std::mt19937 random(14);
  for (int round = 0; round < 150; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 3 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{
        .dangles = round % 2 == 0 ? 0 : 2,
        .constraint = round % 5 == 4 ? test::random_constraint(random, sequence.size()) : std::string(),
        .stack_energies = round % 7 == 6 ? random_stack_energies(random, sequence.size()) : std::vector<Energy>(),
        .pair_energies = round % 4 == 3 ? random_pair_energies(random, sequence.size()) : std::vector<PairEnergy>(),
        .circular = true};
    const Energy least = least_of_all(sequence, parameters, request);
    for (const char* algorithm : {"tiled", "reference"}) {
      Options options;
      options.algorithm = algorithm;
      EXPECT_EQ(least_of_fold(sequence, parameters, request, options), least)
          << sequence.letters() << ' ' << algorithm << ' ' << request.constraint;
    }
  }
}

TEST(Fold, OfACircularSequenceIsTheReferencesAcrossTilesWithEveryKindOfLoopThroughTheEnds) {
  std::mt19937 random(15);
  std::vector<std::size_t> loops(4, 0);
  for (int round = 0; round < 40; ++round) {
    const Sequence sequence(random_sequence(random, 40 + static_cast<std::size_t>(round) * 3, "ACGU"));
    const FoldRequest request{.circular = true};
    const Folding found = fold(sequence, rules_1998(), {}, request).solution;
    const Folding expected = fold(sequence, rules_1998(), {.algorithm = "reference"}, request).solution;
    EXPECT_EQ(found.structure, expected.structure);
    EXPECT_EQ(found.energy, expected.energy);
    EXPECT_TRUE(verify(sequence, found, rules_1998(), request));
    std::size_t outside = 0, depth = 0;
    for (const char is : found.structure) {
      outside += is == '(' && depth == 0 ? 1 : 0;
      depth += is == '(' ? 1 : 0;
      depth -= is == ')' ? 1 : 0;
    }
    ++loops[std::min<std::size_t>(outside, 3)];
  }
  for (const std::size_t kind : {1, 2, 3}) EXPECT_GT(loops[kind], 0) << kind;
}

/// A turn of the circle changes where a structure is cut, and no energy.
TEST(Fold, OfACircularSequenceDoesNotDependOnItsFirstBase) {
  std::mt19937 random(16);
  for (int round = 0; round < 10; ++round) {
    std::string letters = random_sequence(random, 50 + random() % 60, "ACGU");
    const FoldRequest request{.circular = true};
    const Energy energy = fold(Sequence(letters), rules_1998(), {}, request).solution.energy;
    for (const std::size_t turn : {1, 7, 20}) {
      std::ranges::rotate(letters, letters.begin() + static_cast<std::ptrdiff_t>(turn));
      EXPECT_EQ(fold(Sequence(letters), rules_1998(), {}, request).solution.energy, energy) << letters;
    }
  }
}

TEST(Fold, OfACircularSequenceRejectsWhatItIsNotFor) {
  const Sequence sequence("GGGGAAAACCCC");
  EXPECT_THROW(static_cast<void>(fold(sequence, rules_1998(), {}, {.max_span = 9, .circular = true})), Error);
  EXPECT_THROW(static_cast<void>(fold(sequence, rules_1998(), {}, {.lone_pairs = false, .circular = true})), Error);
  EXPECT_THROW(static_cast<void>(energy_of(sequence, "((((....))))", rules_1998(), {.circular = true})), Error);
  EXPECT_THROW(
      static_cast<void>(energy_of(Sequence("GGGGAAAACCCCAA"), "((((....))))..", rules_1998(), {.circular = true})),
      Error);
}

TEST(Fold, RejectsEnergiesOfStacksThatAreNotThoseOfItsBases) {
  const Sequence sequence("GGGGAAAACCCC");
  EXPECT_THROW(static_cast<void>(fold(sequence, rules_1998(), {}, {.stack_energies = {1, 2}})), Error);
  std::vector<Energy> large(12, 0);
  large[3] = 10'001;
  EXPECT_THROW(static_cast<void>(fold(sequence, rules_1998(), {}, {.stack_energies = large})), Error);
}

TEST(Fold, TwoBasesOfAConstraintPairWithEachOther) {
  const Sequence sequence("GGGGAAAACCCC");
  const Folding found = fold(sequence, rules_1998(), {}, {.constraint = ".(......)..."}).solution;
  EXPECT_EQ(found.structure[1], '(');
  EXPECT_EQ(found.structure[8], ')');
  EXPECT_THAT(pairs_of(found.structure), testing::Contains(std::pair<std::size_t, std::size_t>(1, 8)));
}

TEST(Fold, NamesWhatIsNoConstraint) {
  const Sequence sequence("GGGGAAAACCCC");
  const auto message_of = [&](const std::string& constraint) -> std::string {
    try {
      static_cast<void>(fold(sequence, rules_1998(), {}, {.constraint = constraint}));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message_of("..."), HasSubstr("the constraint has 3 positions: 12"));
  EXPECT_THAT(message_of("....?......."), HasSubstr("position 5 of the constraint, counted from 1, is '?'"));
  EXPECT_THAT(message_of("(..........."),
              HasSubstr("position 1 of the constraint, counted from 1, is '(' without ')'"));
  EXPECT_THAT(message_of(")..........."),
              HasSubstr("position 1 of the constraint, counted from 1, is ')' without '('"));
  EXPECT_THAT(message_of("(..)........"), HasSubstr("pairs bases 1 and 4, counted from 1, G and G"));
  EXPECT_THAT(message_of("....|......."), HasSubstr("no structure satisfies the constraint"));
}

TEST(Fold, AFailedSequenceOfAListLeavesTheOthersAsTheyAre) {
  const std::vector<Sequence> sequences = {Sequence("GGGGAAAACCCC"), Sequence("AAAA"), Sequence("GGGAAACCC")};
  const std::vector<std::string> constraints = {"", "||||", "........."};
  const Parameters parameters = drawn_parameters(1);
  Options options;
  std::vector<std::size_t> failed;
  options.failed = [&](std::size_t at, const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    failed.push_back(at);
  };
  const auto all = fold_each(sequences, parameters, options, {}, constraints).solution;
  EXPECT_EQ(failed, (std::vector<std::size_t>{1}));
  for (const std::size_t at : {0, 2}) {
    EXPECT_EQ(all[at].structure, fold(sequences[at], parameters).solution.structure);
  }
  EXPECT_EQ(all[1].structure, "");
}

TEST(Fold, TiledEqualsTheReferenceInEnergyAndStructure) {
  std::mt19937 random(2);
  Options reference;
  reference.algorithm = "reference";
  for (const std::size_t size : {1, 4, 5, 20, 62, 63, 64, 65, 95, 100, 127, 128, 129, 150}) {
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

TEST(Fold, OfAThousandBasesHasTheReferencesEnergyAndStructure) {
  std::mt19937 random(10);
  Options reference;
  reference.algorithm = "reference";
  const Sequence sequence(random_sequence(random, warpfold::test::under_sanitizer ? 300 : 1000, "ACGU"));
  const Folding found = fold(sequence, rules_1998()).solution,
                expected = fold(sequence, rules_1998(), reference).solution;
  EXPECT_EQ(found.energy, expected.energy);
  EXPECT_EQ(found.structure, expected.structure);
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
