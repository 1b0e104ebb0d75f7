#include "warpfold/formats/sequences.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

SymbolSequence read(const char* format, const std::string& content, const SequenceReading& reading = {}) {
  return sequence_format(format).parse("file", content, reading);
}

std::vector<std::string> symbols(const SymbolSequence& sequence) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < sequence.size(); ++i) all.push_back(sequence.text(i));
  return all;
}

using Symbols = std::vector<std::string>;

TEST(Sequences, OfTextAreCodePoints) {
  EXPECT_EQ(symbols(read("text", "aé\xf0\x9f\x98\x80")), (Symbols{"a", "é", "\xf0\x9f\x98\x80"}));
  EXPECT_EQ(read("text", "\xef\xbb\xbfxé").size(), 2u) << "a byte order mark is none";
  EXPECT_EQ(read("text", std::string("a\0é", 4)).points, (std::vector<std::uint32_t>{'a', 0, 0xE9}));
  EXPECT_EQ(read("text", "").size(), 0u);
}

TEST(Sequences, OfBytesHaveAllBytes) { EXPECT_EQ(read("bytes", "\xff\xfe\xc3").size(), 3u); }

TEST(Sequences, OfLinesHaveTheirEndsUnlessTheseAreIgnored) {
  const SymbolSequence lines = read("lines", "a\r\n\nb");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines.piece(0), "a\r\n");
  EXPECT_EQ(lines.piece(1), "\n");
  EXPECT_EQ(lines.piece(2), "b");
  const SymbolSequence plain = read("lines", "a\r\n\nb", {.ignore_ends = true});
  EXPECT_EQ(plain.piece(0), "a");
  EXPECT_EQ(plain.piece(1), "");
}

TEST(Sequences, OfWordsAreCutAtWhiteSpace) {
  EXPECT_EQ(symbols(read("words", " one\ttwo\r\n\nthree ")), (Symbols{"one", "two", "three"}));
  EXPECT_EQ(symbols(read("words", "\xef\xbb\xbfone")), (Symbols{"one"}));
}

TEST(Sequences, OfIntegersIgnoreLeadingZeros) {
  EXPECT_EQ(symbols(read("numbers", "007 -0,18446744073709551616 # end\n")),
            (Symbols{"7", "0", "18446744073709551616"}));
}

TEST(Sequences, OfFastaAreItsLettersInCapitals) {
  EXPECT_EQ(read("fasta", "; remark\n>r a > b\r\nAC\r\n\r\n gt* \r\n\r\n").content, "ACGT*");
  EXPECT_EQ(read("fasta", ">r\rAC\rgt").content, "ACGT") << "a carriage return may end lines";
  EXPECT_EQ(read("fasta", ">r\nACgt", {.keep_case = true}).content, "ACgt");
}

TEST(Sequences, OfFastqMayHaveSeveralLines) {
  EXPECT_EQ(read("fasta", "@r\nACGT\nAC\n+r\n@>+;\nII\n").content, "ACGTAC");
}

TEST(Sequences, OfFilesAreReadByTheirEnding) {
  EXPECT_EQ(sequence_format_of("a/B.FA.gz").name, "fasta");
  EXPECT_EQ(sequence_format_of("x.npy").name, "numbers");
  EXPECT_EQ(sequence_format_of("x.bin").name, "bytes");
  EXPECT_EQ(sequence_format_of("x.cpp").name, "text");
  EXPECT_EQ(sequence_format_of("-").name, "text");
}

TEST(Sequences, AreCodedOverOneAlphabet) {
  const sequence::Coded mixed = coded(read("text", "abc"), read("text", "bçc"));
  EXPECT_EQ(mixed.alphabet(), 2u) << "b and c are common";
  const sequence::Coded words = coded(read("words", "to be or not"), read("words", "not to"));
  EXPECT_EQ(words.alphabet(), 2u);
  EXPECT_EQ(words.matching_pairs(), 2u);
}

TEST(Sequences, AreEqualButForTheCaseOfAsciiLettersIfAsked) {
  for (const char* format : {"bytes", "text", "lines", "words"}) {
    EXPECT_EQ(coded(read(format, "aBcé"), read(format, "AbCé"), true).matching_pairs(),
              coded(read(format, "abcé"), read(format, "abcé")).matching_pairs())
        << format;
  }
  EXPECT_EQ(coded(read("text", "É"), read("text", "é"), true).matching_pairs(), 0u);
}

TEST(Sequences, ShowControlCharactersAsPictures) {
  EXPECT_EQ(symbols(read("text", "\n\x7fé")), (Symbols{"␊", "␡", "é"}));
  EXPECT_EQ(symbols(read("bytes", "\xe9")), (Symbols{"."}));
  EXPECT_EQ(symbols(read("lines", "a\t\xff\r\n")), (Symbols{"a␉."}));
}

SequenceList records(const std::string& content) { return parse_fasta_records("file", content, {}); }

TEST(SequenceLists, OfFastaHaveNamesAndLetters) {
  const SequenceList list = records(">one first\nac\nGT\n\n>two\nA*\n");
  EXPECT_EQ(list.names, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(list.content, "ACGTA*");
  EXPECT_EQ(list.symbols(0).size(), 4u);
  EXPECT_EQ(list.symbols(1).size(), 2u);
  EXPECT_EQ(list.name(1), "two");
}

TEST(SequenceLists, OfFastqMayHaveQualitiesThatLookLikeHeaders) {
  const SequenceList list = records("@x\nACGT\n+\n@@@@\n@y\nA\n+y\nI\n");
  EXPECT_EQ(list.content, "ACGTA");
  EXPECT_EQ(list.names, (std::vector<std::string>{"x", "y"}));
}

TEST(SequenceLists, RejectIncompleteAndMixedRecords) {
  EXPECT_THROW((void)records(""), Error);
  EXPECT_THROW((void)records(">a\n>b\nA\n"), Error);
  EXPECT_THROW((void)records("@a\nAC\n+\nI\n"), Error);
  EXPECT_THROW((void)records("@a\nAC\n@b\nA\n+\nI\n"), Error);
  EXPECT_THROW((void)records(">a\nA\n@b\nA\n+\nI\n"), Error);
  EXPECT_THROW((void)read_sequence_list("file", sequence_format("words")), Error);
}

}  // namespace
}  // namespace warpfold::formats
