#include "warpfold/formats/energy_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/rna_sequences.hpp"

namespace warpfold::formats {
namespace {

using testing::HasSubstr;

const std::string begin = "## RNAfold parameter file v2.0\n", end = "# END\n";

std::string error_of(const std::string& content) {
  try {
    static_cast<void>(parse_energy_parameters("e.par", content));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

std::string numbers(std::size_t count, int first = 0) {
  std::string text;
  for (std::size_t t = 0; t < count; ++t)
    text += std::to_string(first + static_cast<int>(t)) + (t % 7 == 6 ? "\n" : " ");
  return text + "\n";
}

TEST(EnergyParameters, SectionsReplaceTheNumbersOfTheBuiltInSet) {
  const auto read =
      parse_energy_parameters("e.par", begin + "# stack\n/* a comment */\n" + numbers(49) + "# ML_params\n" +
                                           "1 2 3 4 5 6\n# NINIO\n7 8 9\n# Misc\n10 11 12 13 2.5 0\n" + end);
  EXPECT_EQ(read.at_37.stack(0, 1), 1);
  EXPECT_EQ(read.at_37.stack(1, 0), 7);
  EXPECT_EQ(read.at_37.stack(5, 5), 40);  // the seventh kind of pair is left out
  EXPECT_EQ(read.at_37.multi_base(0), 1);
  EXPECT_EQ(read.enthalpy.multi_closing(0), 4);
  EXPECT_EQ(read.at_37.multi_branch(0), 5);
  EXPECT_EQ(read.at_37.asymmetry(0), 7);
  EXPECT_EQ(read.max_asymmetry, 9);
  EXPECT_EQ(read.at_37.terminal_au(0), 12);
  EXPECT_EQ(read.log_slope, 2.5);
  EXPECT_EQ(read.at_37.bulge(3), rna::rules_1998().at_37.bulge(3));
  EXPECT_EQ(read.name, "e.par over rules-1998");
}

TEST(EnergyParameters, TwoByTwoLoopsWithAnUnknownBaseHaveTheLargestEnergyOfTheFour) {
  const auto read = parse_energy_parameters("e.par", begin + "# int22\n" + numbers(36 * 256) + end);
  EXPECT_EQ(read.at_37.interior_22(0, 0, 1, 1, 1, 1), 0);
  EXPECT_EQ(read.at_37.interior_22(0, 1, 1, 1, 1, 2), 257);
  EXPECT_EQ(read.at_37.interior_22(0, 0, 1, 1, 1, 0), 3);
  EXPECT_EQ(read.at_37.interior_22(0, 0, 0, 0, 0, 0), 255);
}

TEST(EnergyParameters, SpecialHairpinsAreWholeLoops) {
  const auto read = parse_energy_parameters(
      "e.par", begin + "# Tetraloops\nCTTCGG 370 -1530\n# hairpin_enthalpies\nINF INF INF " + numbers(28) + end);
  EXPECT_EQ(read.at_37.special_hairpins.at("CUUCGG"), 370);
  EXPECT_EQ(read.enthalpy.special_hairpins.at("CUUCGG"), -1530);
  EXPECT_EQ(read.enthalpy.hairpin(0), rna::no_loop);
}

TEST(EnergyParameters, ADamagedFileIsNamedWithItsLine) {
  EXPECT_THAT(error_of(""), HasSubstr("e.par: no numbers"));
  EXPECT_THAT(error_of("# stack\n"), HasSubstr("e.par:1: '# stack' is not the first line"));
  EXPECT_THAT(error_of(begin + "# stack\n" + numbers(48) + end),
              HasSubstr("section 'stack' has 48 numbers: 49 are accepted"));
  EXPECT_THAT(error_of(begin + "# stack\n" + numbers(50) + end),
              HasSubstr("section 'stack' has more numbers: 49 are accepted"));
  EXPECT_THAT(error_of(begin + "# stack\n" + numbers(49)),
              HasSubstr("the last line is not '# END': a file, whole or in part, that ends with it is accepted"));
  EXPECT_THAT(error_of(begin + "# stacks\n" + end), HasSubstr("e.par:2: 'stacks' is no section"));
  EXPECT_THAT(error_of(begin + "# stack\n1 x\n" + end), HasSubstr("e.par:3: 'x' in section 'stack'"));
  EXPECT_THAT(error_of(begin + "# stack\n1 INF\n" + end), HasSubstr("e.par:3: 'INF' in section 'stack'"));
  EXPECT_THAT(error_of(begin + "# stack\n1 999999\n" + end), HasSubstr("'999999'"));
  EXPECT_THAT(error_of(begin + "1 2\n" + end), HasSubstr("before the first section"));
  EXPECT_THAT(error_of(begin + "# NINIO\n1 2 3\n# NINIO\n1 2 3\n" + end), HasSubstr("'NINIO' comes twice"));
  EXPECT_THAT(error_of(begin + "# Triloops\nCAACG 680\n" + end),
              HasSubstr("e.par:3: a line of 'Triloops' has 2 words"));
}

std::vector<RnaRecord> records(const std::string& content) { return parse_rna_sequences("s.fa", content); }
std::string sequence_error(const std::string& content) {
  try {
    static_cast<void>(records(content));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

TEST(RnaSequences, FastaRecordsMayHaveSeveralLinesAndBlankOnesBetween) {
  const auto all = records(">a first\nACG\r\n\nut\n;a comment\n>b\nN\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].sequence.letters(), "ACGUU");
  EXPECT_EQ(all[1].sequence.letters(), "N");
}

TEST(RnaSequences, WithoutHeadersEveryLineIsASequence) {
  const auto all = records("ACG\nGGC\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].sequence.letters(), "GGC");
}

TEST(RnaSequences, BadRecordsAreNamedWithTheirLine) {
  EXPECT_THAT(sequence_error(""), HasSubstr("s.fa: no sequence"));
  EXPECT_THAT(sequence_error(">a\nACX\n"), HasSubstr("s.fa:2: base 3, counted from 1, is 'X'"));
  EXPECT_THAT(sequence_error(">a\nAC-G\n"), HasSubstr("base 3, counted from 1, is '-'"));
  EXPECT_THAT(sequence_error(">a\n>b\nA\n"), HasSubstr("record 'a' of line 1 has no bases"));
  EXPECT_THAT(sequence_error(">a\nA\n>b\n"), HasSubstr("record 'b' of line 3 has no bases"));
}

TEST(RnaSequences, SeveralMayHaveTheSameName) {
  const auto all = records(">a 1\nA\n>a 2\nC\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].name, "a");
  EXPECT_EQ(all[1].sequence.letters(), "C");
}

TEST(RnaSequences, AFaultyRecordKeepsItsPlaceIfThatIsAskedFor) {
  const auto all = parse_rna_sequences("s.fa", ">a\nACG\n>b\nAX\nAY\n>c\n>a\nA\n>d\nGG\n", FaultyRecords::keep);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].error, "");
  EXPECT_THAT(all[1].error, HasSubstr("s.fa:4: base 2, counted from 1, is 'X'"));
  EXPECT_THAT(all[2].error, HasSubstr("record 'c' of line 6 has no bases"));
  EXPECT_EQ(all[3].error, "");
  for (const std::size_t faulty : {1, 2}) EXPECT_EQ(all[faulty].sequence.size(), 0u);
  EXPECT_EQ(all[4].sequence.letters(), "GG");
  const auto lines = parse_rna_sequences("s.txt", "AC\nX\nG\n", FaultyRecords::keep);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1].error, HasSubstr("s.txt:2:"));
  EXPECT_EQ(lines[2].sequence.letters(), "G");
}

TEST(EnergyParameters, ASetOfAnInstalledViennaRNAIsFoundByItsName) {
  const test::TemporaryFolder folder;
  const auto file = folder / "share/ViennaRNA/rna_unlike2004.par";
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "## RNAfold parameter file v2.0\n# END\n";
  const std::string before = std::getenv("PATH");
  setenv("PATH", (before + ":" + (folder / "bin").string()).c_str(), 1);
  EXPECT_THAT(energy_parameters("unlike2004").name, testing::StartsWith(file.string()));
  EXPECT_EQ(energy_parameters(energy_parameters("unlike2004").name).name, energy_parameters("unlike2004").name);
  setenv("PATH", before.c_str(), 1);
  EXPECT_THROW(static_cast<void>(energy_parameters("unlike2004")), Error);
}

}  // namespace
}  // namespace warpfold::formats
