#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "warpfold/core/error.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::rna {
namespace {

using testing::HasSubstr;

Energy energy(const std::string& sequence, const std::string& structure, int dangles = 0) {
  return energy_of(Sequence(sequence), structure, rules_1998(), {.dangles = dangles});
}

/// Two stacks of GG/CC (-3.26 each) and a hairpin of 4 (5.60) with a mismatch beside GC (-1.50).
TEST(Evaluate, AddsTheStacksAndTheHairpin) { EXPECT_EQ(energy("GGGAAAACCC", "(((....)))"), 2 * -326 + 560 - 150); }

/// A triloop has no mismatch. A pair of A and U costs 0.45 at each end of its helix.
TEST(Evaluate, ChargesTheEndsOfHelicesThatAreNotOfCAndG) { EXPECT_EQ(energy("AAAAU", "(...)"), 570 + 2 * 45); }

TEST(Evaluate, AddsABulgeOfOneWithItsStack) { EXPECT_EQ(energy("GAGAAAACC", "(.(....))"), 380 - 326 + 560 - 150); }

TEST(Evaluate, AddsABulgeOfTwoWithoutAStack) { EXPECT_EQ(energy("GAAGAAAACC", "(..(....))"), 280 + 560 - 150); }

/// A multiloop: closing 3.40, three branches 0.40 each; two hairpins of 4.
TEST(Evaluate, AddsAMultiloopByItsBranches) {
  EXPECT_EQ(energy("GGAAAACGAAAACC", "((....)(....))"), 340 + 3 * 40 + 2 * (560 - 150));
}

TEST(Evaluate, AddsTheBasesBesideAnExteriorPairWithDanglesTwo) {
  const Energy without = energy("AGAAAACA", ".(....).");
  EXPECT_EQ(energy("AGAAAACA", ".(....).", 2), without - 30 - 130);
  EXPECT_EQ(energy("AGAAAAC", ".(....)", 2), without - 30);
  EXPECT_EQ(energy("GAAAACA", "(....).", 2), without - 130);
}

std::string message_of(const std::function<void()>& call, ErrorKind kind = ErrorKind::input) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(Evaluate, NamesWhatIsNoStructure) {
  EXPECT_THAT(message_of([] { energy("GGGAAAACCC", "(((....))"); }), HasSubstr("9 positions: 10"));
  EXPECT_THAT(message_of([] { energy("GGGAAAACCC", "(((....))."); }), HasSubstr("position 1, counted from 1, is '('"));
  EXPECT_THAT(message_of([] { energy("GGGAAAACCC", ")((....))."); }), HasSubstr("position 1, counted from 1, is ')'"));
  EXPECT_THAT(message_of([] { energy("GGGAAAACCC", "[((....))]"); }), HasSubstr("position 1, counted from 1, is '['"));
  EXPECT_THAT(message_of([] { energy("GGGAAAAGCC", "..(....).."); }),
              HasSubstr("bases 3 and 8, counted from 1, are G and G"));
  EXPECT_THAT(message_of([] { energy("GAC", "(.)"); }), HasSubstr("bases 1 and 3"));
  const std::string long_loop = "G" + std::string(31, 'A') + "GAAAACC";
  EXPECT_THAT(message_of([&] { energy(long_loop, "(" + std::string(31, '.') + "(....))"); }),
              HasSubstr("31 unpaired bases: up to 30"));
}

TEST(Evaluate, NamesALetterThatIsNoBase) {
  EXPECT_THAT(message_of([] { Sequence("GGX"); }), HasSubstr("base 3, counted from 1, is 'X': A, C, G, U, T and N"));
}

TEST(Evaluate, RejectsTemperaturesAndDanglesOutsideTheModel) {
  const Sequence sequence("GGGAAAACCC");
  EXPECT_THAT(message_of([&] { static_cast<void>(fold(sequence, rules_1998(), {}, {.temperature = -273.15})); },
                         ErrorKind::usage),
              HasSubstr("the temperature is -273.15"));
  EXPECT_THAT(
      message_of([&] { static_cast<void>(fold(sequence, rules_1998(), {}, {.dangles = 1})); }, ErrorKind::usage),
      HasSubstr("dangles is 1: 0 and 2"));
}

TEST(Evaluate, TIsUAndCaseDoesNotMatter) {
  EXPECT_EQ(Sequence("acgtN").letters(), "ACGUN");
  EXPECT_EQ(fold(Sequence("gggttttccc"), rules_1998()).solution.energy,
            fold(Sequence("GGGUUUUCCC"), rules_1998()).solution.energy);
}

TEST(Verify, FindsAnEnergyThatIsNotTheStructures) {
  const Sequence sequence("GGGAAAACCC");
  const Folding found = fold(sequence, rules_1998()).solution;
  EXPECT_EQ(verify(sequence, found, rules_1998()).violation, std::nullopt);
  const Verdict wrong = verify(sequence, {found.energy - 1, found.structure}, rules_1998());
  EXPECT_TRUE(wrong.is_feasible);
  EXPECT_THAT(*wrong.violation, HasSubstr("its loops add up to"));
  EXPECT_FALSE(verify(sequence, {found.energy, "(........)"}, rules_1998()).violation == std::nullopt);
  EXPECT_FALSE(verify(sequence, {found.energy, "((......"}, rules_1998()).is_feasible);
}

}  // namespace
}  // namespace warpfold::rna
