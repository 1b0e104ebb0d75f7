#include "warpfold/rna/suboptimal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "equivalence/rna/drawn.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::rna {
namespace {

using test::drawn_parameters;
using test::for_each_structure;
using test::random_sequence;

constexpr std::size_t no_limit = ~std::size_t{0};

std::vector<std::string> texts_of(const Suboptimal& found) {
  std::vector<std::string> texts;
  for (const Folding& folding : found.structures) texts.push_back(folding.structure);
  return texts;
}

/// All structures of a short sequence with their energies.
std::map<std::string, Energy> all_structures(const Sequence& sequence, const Parameters& parameters,
                                             const FoldRequest& request) {
  std::map<std::string, Energy> all;
  for_each_structure(sequence, parameters, request,
                     [&](const std::string& structure, Energy energy) { all[structure] = energy; });
  return all;
}

/// The list of all structures has each once, by energy, or is refused if there is none.
void expect_all_structures_once(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request) {
  const auto all = all_structures(sequence, parameters, request);
  if (all.empty()) {
    EXPECT_THROW(static_cast<void>(suboptimal(sequence, parameters, {}, request)), Error);
    return;
  }
  const Suboptimal found = suboptimal(sequence, parameters, {}, request, {.limit = no_limit}).solution;
  EXPECT_TRUE(found.is_complete);
  EXPECT_TRUE(std::ranges::is_sorted(found.structures, {}, &Folding::energy));
  ASSERT_EQ(found.structures.size(), all.size()) << sequence.letters();
  for (const Folding& folding : found.structures) ASSERT_EQ(all.at(folding.structure), folding.energy);
  auto texts = texts_of(found);
  std::ranges::sort(texts);
  EXPECT_TRUE(std::ranges::adjacent_find(texts) == texts.end()) << sequence.letters();
}

TEST(Suboptimal, ListsEveryStructureOfShortSequencesOnceByEnergy) {
  std::mt19937 random(1);
  for (int round = 0; round < 120; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 2 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{
        .dangles = round % 3 == 0 ? 0 : 2,
        .lone_pairs = round % 7 < 4,
        .constraint = round % 4 == 3 ? test::random_constraint(random, sequence.size()) : std::string()};
    expect_all_structures_once(sequence, parameters, request);
  }
}

TEST(Suboptimal, OfShortCircularSequencesAreAllStructuresOnceByEnergy) {
  std::mt19937 random(5);
  for (int round = 0; round < 80; ++round) {
    const Sequence sequence(random_sequence(random, 1 + random() % 18, round % 3 == 0 ? "ACGU" : "GC"));
    const Parameters parameters = drawn_parameters(static_cast<unsigned>(round));
    const FoldRequest request{
        .dangles = round % 2 == 0 ? 0 : 2,
        .constraint = round % 5 == 4 ? test::random_constraint(random, sequence.size()) : std::string(),
        .circular = true};
    expect_all_structures_once(sequence, parameters, request);
  }
}

TEST(Suboptimal, EndsAtTheEnergyAndAtTheLimit) {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    const Sequence sequence(random_sequence(random, 12 + random() % 6, "GC"));
    const Suboptimal all = suboptimal(sequence, rules_1998(), {}, {}, {.limit = no_limit}).solution;
    const Energy least = all.structures.front().energy;
    for (const Energy within : {0, 1, 100, 750}) {
      const Suboptimal found =
          suboptimal(sequence, rules_1998(), {}, {}, {.within = within, .limit = no_limit}).solution;
      const auto end =
          std::ranges::find_if(all.structures, [&](const Folding& folding) { return folding.energy > least + within; });
      const auto count = static_cast<std::size_t>(end - all.structures.begin());
      ASSERT_EQ(found.structures.size(), count);
      EXPECT_EQ(found.structures.back().energy, all.structures[count - 1].energy);
    }
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{7}, all.structures.size()}) {
      const Suboptimal found = suboptimal(sequence, rules_1998(), {}, {}, {.limit = limit}).solution;
      ASSERT_EQ(found.structures.size(), std::min(limit, all.structures.size()));
      EXPECT_EQ(found.is_complete, limit >= all.structures.size());
      for (std::size_t t = 0; t < found.structures.size(); ++t) {
        EXPECT_EQ(found.structures[t].energy, all.structures[t].energy);
      }
    }
  }
}

TEST(Suboptimal, BeginsWithTheLeastEnergyAndIsTheSameForEveryThreadAndInstructionSet) {
  std::mt19937 random(3);
  for (const std::size_t n : {0, 1, 2, 63, 64, 65, 129, 200}) {
    const Sequence sequence(random_sequence(random, n, "ACGU"));
    const Suboptimal first = suboptimal(sequence, rules_1998(), {}, {}, {.limit = 40}).solution;
    ASSERT_FALSE(first.structures.empty());
    EXPECT_EQ(first.structures.front().energy, fold(sequence, rules_1998()).solution.energy);
    for (const Folding& folding : first.structures) EXPECT_TRUE(verify(sequence, folding, rules_1998()));
    for (const std::string& set : instruction_sets()) {
      force_instruction_set(set);
      Options options;
      options.threads = 3;
      EXPECT_EQ(texts_of(suboptimal(sequence, rules_1998(), options, {}, {.limit = 40}).solution), texts_of(first));
    }
    force_instruction_set("");
  }
}

TEST(Suboptimal, VisitsUntilItIsToldToEnd) {
  const Sequence sequence("GGGGAAAACCCCAAAAGGGGAAAACCCC");
  std::vector<Energy> seen;
  visit_suboptimal(sequence, rules_1998(), {}, {}, {}, [&](const Folding& folding) {
    seen.push_back(folding.energy);
    return seen.size() < 5;
  });
  EXPECT_EQ(seen.size(), 5);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(Suboptimal, EndsWhereMemoryEnds) {
  Options options;
  options.max_memory = std::size_t{8} << 20;
  std::mt19937 random(4);
  const Sequence sequence(random_sequence(random, 120, "ACGU"));
  EXPECT_THROW(static_cast<void>(suboptimal(sequence, rules_1998(), options, {}, {.limit = no_limit})), Error);
}

}  // namespace
}  // namespace warpfold::rna
