#include "warpfold/formats/alignment.hpp"

#include <gtest/gtest.h>

#include "warpfold/formats/patch.hpp"

namespace warpfold::formats {
namespace {

/// "ACGT" in "TTACGGTA", with one insertion.
struct Aligned {
  SymbolSequence a{.content = "ACGT"}, b{.content = "TTACGGTA"};
  sequence::Alignment alignment = sequence::align(sequence::ScoredPair(sequence::Coded("ACGT", "TTACGGTA"), 2, -2), {},
                                                  {.script = true, .gaps = {1, 1, {}}, .ends = sequence::infix_ends})
                                      .solution;
  AlignedPair pair{a, b, "ref", "read", alignment};
};

TEST(AlignmentFormats, WriteGappedFasta) {
  EXPECT_EQ(gapped_fasta(Aligned().pair), ">ref 1-4\nAC-GT\n>read 3-7\nACGGT\n");
}

TEST(AlignmentFormats, WriteSamWithSoftClips) {
  EXPECT_EQ(sam(Aligned().pair),
            "@HD\tVN:1.6\n@SQ\tSN:ref\tLN:4\n"
            "read\t0\tref\t1\t255\t2S2=1I2=1S\t*\t0\t0\tTTACGGTA\t*\tAS:i:6\tNM:i:1\n");
}

TEST(AlignmentFormats, WriteSamOfNothingAsUnmapped) {
  const SymbolSequence a{.content = "A"}, b{.content = "C"};
  const sequence::Alignment nothing;
  EXPECT_EQ(sam({a, b, "x", "y", nothing}),
            "@HD\tVN:1.6\n@SQ\tSN:x\tLN:1\ny\t4\t*\t0\t255\t*\t*\t0\t0\tC\t*\tAS:i:0\tNM:i:0\n");
}

TEST(AlignmentFormats, WritePaf) {
  EXPECT_EQ(paf(Aligned().pair), "read\t8\t2\t7\t+\tref\t4\t0\t4\t4\t5\t255\tAS:i:6\tNM:i:1\tcg:Z:2=1I2=\n");
}

TEST(AlignmentFormats, WriteTheAlignedPartsSideBySide) {
  const Aligned aligned;
  EXPECT_EQ(side_by_side(aligned.a, aligned.b, aligned.alignment.script),
            "         0 AC-GT 4\n           || ||\n         2 ACGGT 7\n");
}

TEST(AlignmentFormats, BreakLongRows) {
  const std::string text(130, 'A');
  const SymbolSequence a{.content = text};
  const auto alignment = sequence::align(text, text, {}, {.script = true}).solution;
  const std::string row = std::string(60, 'A') + '\n' + std::string(60, 'A') + '\n' + std::string(10, 'A') + '\n';
  EXPECT_EQ(gapped_fasta({a, a, "x", "y", alignment}), ">x 1-130\n" + row + ">y 1-130\n" + row);
}

}  // namespace
}  // namespace warpfold::formats
