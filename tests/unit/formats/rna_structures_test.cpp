#include "warpfold/formats/rna_structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/pair_energies.hpp"
#include "warpfold/formats/probing.hpp"

namespace warpfold::formats {
namespace {

const RnaRecord record = {"loop", rna::Sequence("GGAAACCA")};
const rna::Folding folding = {-120, "((...))."};

TEST(RnaStructures, AConnectivityTableHasEachBaseWithItsNeighborsAndPartner) {
  EXPECT_EQ(ct_text(record, folding),
            "8 ENERGY = -1.20 loop\n1 G 0 2 7 1\n2 G 1 3 6 2\n3 A 2 4 0 3\n4 A 3 5 0 4\n5 A 4 6 0 5\n"
            "6 C 5 7 2 6\n7 C 6 8 1 7\n8 A 7 0 0 8\n");
}

TEST(RnaStructures, BpseqHasEachBaseWithItsPartner) {
  EXPECT_EQ(bpseq_text(record, folding), "1 G 7\n2 G 6\n3 A 0\n4 A 0\n5 A 0\n6 C 2\n7 C 1\n8 A 0\n");
}

TEST(RnaStructures, WhatIsWrittenIsReadAgain) {
  const auto tables = parse_rna_structures("two.ct", ct_text(record, folding) + ct_text(record, folding));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].record.name, "loop");
  EXPECT_EQ(tables[1].record.sequence.letters(), "GGAAACCA");
  EXPECT_EQ(tables[1].structure, folding.structure);
  EXPECT_EQ(tables[1].energy, folding.energy);
  const auto pairs = parse_rna_structures("one.bpseq", bpseq_text(record, folding));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].structure, folding.structure);
  EXPECT_EQ(pairs[0].energy, std::nullopt);
}

TEST(RnaStructures, DotBracketsHaveAHeaderAndAnEnergyOrNone) {
  const auto found = parse_rna_structures(
      "a.db", ">loop of eight\nGGAAACCA\n((...)). ( -1.20)\n((...)). [ -1.50]\nggaaacca\n........\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].record.name, "loop");
  EXPECT_EQ(found[0].energy, -120);
  EXPECT_EQ(found[1].record.name, "");
  EXPECT_EQ(found[1].structure, "........");
  EXPECT_EQ(found[1].energy, std::nullopt);
}

std::string message_of(const std::string& path, const std::string& content) {
  try {
    static_cast<void>(parse_rna_structures(path, content));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

TEST(RnaStructures, WhatIsNoStructureIsNamedWithItsLine) {
  using testing::HasSubstr;
  EXPECT_THAT(message_of("a.ct", "3 x\n1 G 0 2 3 1\n"),
              HasSubstr("a.ct: the table ends 2 bases before its header's 3"));
  EXPECT_THAT(message_of("a.ct", "3 x\n2 G 0 2 3 1\n"), HasSubstr("a.ct:2: base 2 comes after base 0"));
  EXPECT_THAT(message_of("a.ct", "1 x\n1 G 0 2 3\n"), HasSubstr("a.ct:2: a base has 5 columns: 6 are accepted"));
  EXPECT_THAT(message_of("a.ct", "1 ENERGY = cold\n"), HasSubstr("a.ct:1: the energy is 'cold'"));
  EXPECT_THAT(message_of("a.bpseq", "1 G 2\n2 C 0\n"), HasSubstr("base 1 pairs with 2, which does not pair with it"));
  EXPECT_THAT(message_of("a.bpseq", "1 G 3\n2 C 4\n3 C 1\n4 G 2\n"), HasSubstr("the pairs 1, 3 and 2, 4 cross"));
  EXPECT_THAT(message_of("a.bpseq", "1 G x\n"), HasSubstr("a.bpseq:1: 'x' is no integer"));
  EXPECT_THAT(message_of("a.db", "GG\n...\n"), HasSubstr("a.db:2: the structure has 3 positions: 2"));
  EXPECT_THAT(message_of("a.db", "GG\n.. -1\n"), HasSubstr("a.db:2: '-1' stands after the structure"));
  EXPECT_THAT(message_of("a.db", ">a\nGG\n"), HasSubstr("a.db: sequence 'a' has no structure"));
  EXPECT_THAT(message_of("a.db", "(.)\n"), HasSubstr("a.db:1: a structure stands before its sequence"));
  EXPECT_THAT(message_of("a.db", "\n"), HasSubstr("a.db: no structure"));
}

TEST(Probing, AReactivityBecomesTheEnergyOfAStack) {
  EXPECT_EQ(parse_stack_energies("s", "# position reactivity\n1 0\n3 a 1.0\n4 -999\n", rna::Sequence("CCAGG")),
            (std::vector<rna::Energy>{-60, 0, 65, 0, 0}));
  EXPECT_EQ(parse_stack_energies("s", "2 T 0\n", rna::Sequence("CU"), {.slope = 1, .intercept = 0.25}),
            (std::vector<rna::Energy>{0, 25}));
}

TEST(RnaStructures, ADrawingHasALetterForEachBaseAndNeighborsAtOneDistance) {
  const std::string text = structure_drawing(record, folding);
  std::vector<double> x, y;
  for (std::size_t at = text.find("<circle"); at != std::string::npos; at = text.find("<circle", at + 1)) {
    double cx = 0, cy = 0;
    ASSERT_EQ(std::sscanf(text.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &cx, &cy), 2);
    x.push_back(cx);
    y.push_back(cy);
  }
  ASSERT_EQ(x.size(), 8U);
  for (std::size_t t = 1; t < x.size(); ++t) EXPECT_NEAR(std::hypot(x[t] - x[t - 1], y[t] - y[t - 1]), 16, 0.05);
  EXPECT_NEAR(std::hypot(x[0] - x[6], y[0] - y[6]), 16, 0.05);
}

TEST(PairEnergies, AreReadWithTheirBases) {
  EXPECT_EQ(parse_pair_energies("p", "# i j kcal/mol\n1 5 -1.5\n\n2 4 0.25  # weak\n", 5),
            (std::vector<rna::PairEnergy>{{0, 4, -150}, {1, 3, 25}}));
  EXPECT_THROW(static_cast<void>(parse_pair_energies("p", "# none", 5)), Error);
}

}  // namespace
}  // namespace warpfold::formats
