#include "rna/gpu/short_lists.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "equivalence/rna/drawn.hpp"

namespace warpfold::rna {
namespace {

unsigned bases_of(const Sequence& sequence) {
  unsigned bases = 1;
  for (const Base base : sequence.bases()) bases = bases << 3 | base;
  return bases;
}

TEST(SpecialHairpins, FindTheirEnergiesAndNoOthers) {
  LoopNumbers numbers;
  std::mt19937 random(1);
  for (int t = 0; t < 500; ++t) {
    numbers.special_hairpins[test::random_sequence(random, 3 + random() % 8, "ACGUN")] = static_cast<Energy>(t);
  }
  numbers.special_hairpins["GAXAC"] = 1;  // no sequence has it
  const SpecialHairpins list(numbers);
  const auto find = [&](const std::string& letters) {
    return SpecialHairpin::find(list.places.data(), list.bits, bases_of(Sequence(letters)));
  };
  for (const auto& [letters, energy] : numbers.special_hairpins) {
    if (letters.size() < 5 || letters.size() > 8 || letters == "GAXAC") continue;
    EXPECT_EQ(find(letters).energy, energy) << letters;
  }
  for (int t = 0; t < 500; ++t) {
    const std::string letters = test::random_sequence(random, 5 + random() % 4, "ACGUN");
    if (numbers.special_hairpins.contains(letters)) continue;
    EXPECT_EQ(find(letters).bases, SpecialHairpin::none) << letters;
  }
}

TEST(LoopGroups, HaveEachLoopThatIsASumOnceAndShortOnesFirst) {
  const Sequence sequence("GGGAAACCC");
  const LoopEnergies energies(sequence, test::drawn_parameters(1), {});
  const LoopGroups groups = short_lists_of(energies, pair_lists_of(energies), 113).groups;
  std::set<std::pair<unsigned, unsigned>> seen;
  std::map<unsigned, unsigned> least;
  for (unsigned group = 0; group < LoopGroups::count; ++group) {
    const LoopKind kind{group < LoopGroups::one_by_more ? 0U : group < LoopGroups::generic ? 1U : 2U};
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned left = groups.left[group][lane], right = groups.right[group][lane], size = left + right;
      if (size == 0) continue;
      EXPECT_TRUE(seen.emplace(left, right).second) << left << ' ' << right;
      EXPECT_EQ(loop_kind(left, right), kind);
      EXPECT_EQ(groups.weights[group][lane], energies.loop(kind, left, right));
      least[group] = least.contains(group) ? std::min(least[group], size) : size;
    }
  }
  EXPECT_EQ(seen.size(), 487);
  EXPECT_EQ(least[LoopGroups::bulges + 1], LoopGroups::second_bulge);
  EXPECT_EQ(least[LoopGroups::one_by_more + 1], LoopGroups::second_one_by_more);
  for (unsigned t = 0; t < 4; ++t) {
    const unsigned first = LoopGroups::generic + 3 * t;
    EXPECT_EQ(std::min({least[first], least[first + 1], least[first + 2]}), LoopGroups::generic_from(t));
  }
}

}  // namespace
}  // namespace warpfold::rna
