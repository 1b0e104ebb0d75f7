#include "formats/sequence_blocks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "formats/rna_blocks.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {
namespace {

constexpr std::size_t pieces[] = {1, 2, 3, 17, 64, 1 << 16};

/// A sequence with its name.
struct Named {
  std::string name;
  std::vector<std::uint32_t> symbols;

  bool operator==(const Named&) const = default;
};

void append(std::vector<Named>& all, const SequenceList& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.push_back({list.name(i), list.symbols(i).with_symbols([](const auto& symbols) {
                     return std::vector<std::uint32_t>(symbols.begin(), symbols.end());
                   })});
  }
}

/// All sequences, and the error that ends them.
struct Read {
  std::vector<Named> sequences = {};
  std::string error = {};

  bool operator==(const Read&) const = default;
};

/// Reads blocks to the end. Expects of each that it is as large as the limits ask.
Read read_all(const SequenceBlocks& blocks, const BlockLimits& limits) {
  Read all;
  try {
    for (bool is_last = false; !is_last;) {
      const SequenceList list = blocks(limits);
      is_last = !limits.are_reached(list.size(), list.total_symbols());
      if (list.size() > 0) {
        const std::size_t before = list.total_symbols() - list.symbols(list.size() - 1).size();
        EXPECT_FALSE(limits.are_reached(list.size() - 1, before));
      }
      append(all.sequences, list);
    }
    EXPECT_EQ(blocks(limits).size(), 0u);
  } catch (const Error& error) {
    all.error = error.what();
  }
  return all;
}

std::vector<BlockLimits> any_limits() {
  return {{}, {.sequences = 1}, {.sequences = 3}, {.symbols = 1}, {.sequences = 4, .symbols = 7}};
}

io::LineReader lines_of(const std::string& content, std::size_t piece, const io::LineRules& rules = {}) {
  return {"f", io::source_of(content), rules, piece};
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

/// Letters in lines of several lengths.
std::string wrapped(const std::string& letters, const std::string& end) {
  std::string text;
  for (std::size_t at = 0; at < letters.size();) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 9);
    text += letters.substr(at, size) + end;
    at += size;
  }
  return text;
}

RC_GTEST_PROP(SequenceBlocks, OfFastaAndFastqAreAllRecordsInOrder, ()) {
  const auto records = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('A', 'C', 'G', 'T', 'N')))));
  const bool is_fastq = *rc::gen::arbitrary<bool>();
  const auto end = *rc::gen::element<std::string>("\n", "\r\n", "\r", "\n\n");
  std::string text;
  Read expected;
  for (const std::string& letters : records) {
    expected.sequences.push_back({fmt::format("r{}", text.size()), {letters.begin(), letters.end()}});
    text += fmt::format("{}r{} more{}{}", is_fastq ? '@' : '>', text.size(), end, wrapped(letters, end));
    if (is_fastq) text += '+' + end + wrapped(std::string(letters.size(), '@'), end);
  }
  for (const std::size_t piece : pieces) {
    for (const BlockLimits& limits : any_limits()) {
      RC_ASSERT(read_all(fasta_blocks(lines_of(text, piece), {}), limits) == expected);
    }
  }
}

RC_GTEST_PROP(SequenceBlocks, OfFaultyFilesHaveTheErrorOfTheWholeFile, ()) {
  const std::string text = joined(*rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      ">a\n", ">b c\r\n", "@q\nAC\n+\nII\n", "ACGT\n", "acg", "\n", "A-C\n", "; note\n", "+\n", "II\n", "x\r")));
  Read whole;
  try {
    append(whole.sequences, parse_fasta_records("f", text, {}));
  } catch (const Error& error) {
    whole.error = error.what();
  }
  for (const std::size_t piece : pieces) {
    for (const BlockLimits& limits : any_limits()) {
      Read read = read_all(fasta_blocks(lines_of(text, piece), {}), limits);
      if (!read.error.empty()) read.sequences.clear();  // those of the blocks before the error
      RC_ASSERT(read == whole);
    }
  }
}

/// The lines of a text that was decoded as a whole.
Read lines_of_sequence(const SymbolSequence& whole) {
  std::vector<std::uint32_t> symbols = whole.points;
  for (const char c : whole.content) symbols.push_back(static_cast<unsigned char>(c));
  Read lines;
  for (std::size_t begin = 0; begin < symbols.size();) {
    const auto end =
        static_cast<std::size_t>(std::find(symbols.begin() + begin, symbols.end(), '\n') - symbols.begin());
    std::vector<std::uint32_t> line(symbols.begin() + begin, symbols.begin() + end);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.sequences.push_back({std::to_string(lines.sequences.size() + 1), line});
    begin = end + 1;
  }
  return lines;
}

RC_GTEST_PROP(SequenceBlocks, OfLinesAreThoseOfTheWholeText, ()) {
  const bool is_text = *rc::gen::arbitrary<bool>();
  const std::string text = joined(*rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "bcd", "\n", "\n", "\r\n", "\r", "\xc3\xa9", "\xf0\x9f\x98\x80", "\xef\xbb\xbf", "\xff")));
  Read whole;
  try {
    whole = lines_of_sequence(sequence_format(is_text ? "text" : "bytes").parse("f", text, {}));
  } catch (const Error& error) {
    whole.error = error.what();
  }
  for (const std::size_t piece : pieces) {
    for (const BlockLimits& limits : any_limits()) {
      try {
        Read read = read_all(line_blocks(lines_of(text, piece, line_list_rules(is_text)), is_text), limits);
        if (!read.error.empty()) read.sequences.clear();
        RC_ASSERT(read == whole);
      } catch (const Error& error) {
        RC_ASSERT(error.what() == whole.error);
      }
    }
  }
}

/// The line is longer than the pieces that are read of a file, plain or inflated, and its borders are in it.
TEST(SequenceBlocks, HaveALongLineFromAFile) {
  const test::TemporaryFolder folder;
  std::string letters(5 * io::LineReader::default_piece + 7, 'A');
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = "ACGT"[(i * i + i / 3) % 4];
  const std::string path = (folder / "f.fa").string();
  io::write_file(path, ">first\nAC\n>long\n" + letters + "\n>last\nGT");
  const SequenceList list = read_sequence_list(path, sequence_format("fasta"));
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list.content == "AC" + letters + "GT");
  EXPECT_EQ(list.pieces[1].size, letters.size());
  EXPECT_TRUE(read_sequence(path, sequence_format("text")).content.ends_with(letters + "\n>last\nGT"));
}

/// Every symbol of the line is beside a border once.
TEST(SequenceBlocks, HaveALineThatCrossesEveryBorder) {
  std::string letters(2000, 'A');
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = "ACGT"[(i * i + i / 3) % 4];
  const std::string text = ">first\nAC\n>long\n" + letters + "\n>last\nGT";
  for (std::size_t piece = 1; piece < 150; ++piece) {
    const SequenceBlocks blocks = fasta_blocks(lines_of(text, piece), {});
    EXPECT_EQ(blocks({.sequences = 1}).content, "AC");
    EXPECT_EQ(blocks({.sequences = 1}).content, letters) << piece;
    EXPECT_EQ(blocks({.sequences = 1}).content, "GT");
  }
}

TEST(SequenceBlocks, HaveCapitalsIfAsked) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "f.txt").string();
  io::write_file(path, "ab\n\xc3\xa9z\n");
  const SequenceBlocks blocks = sequence_blocks(path, sequence_format("text"), {}, true);
  EXPECT_EQ(blocks({.sequences = 1}).content, "AB");
  EXPECT_EQ(blocks({.sequences = 1}).points, (std::vector<std::uint32_t>{0xE9, 'Z'}));
}

/// Names, letters and errors of RNA records.
using RnaText = std::vector<std::string>;

void append(RnaText& all, const std::vector<RnaRecord>& records) {
  for (const auto& [name, sequence, error] : records) {
    all.push_back(fmt::format("{} {} {}", name, sequence.letters(), error));
  }
}

RC_GTEST_PROP(RnaBlocks, HaveTheRecordsAndErrorsOfTheWholeFile, ()) {
  const std::string text = joined(*rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      ">a\n", ">b c\r\n", "ACGU\n", "acg", "\n", "AXC\n", "; note\n", "((..))\n", "NNNT\n", "\r")));
  for (const FaultyRecords faulty : {FaultyRecords::reject, FaultyRecords::keep}) {
    RnaText whole;
    try {
      append(whole, parse_rna_sequences("f", text, faulty));
    } catch (const Error& error) {
      whole = {error.what()};
    }
    for (const std::size_t piece : pieces) {
      for (const BlockLimits& limits : any_limits()) {
        RnaText read;
        try {
          const RnaBlocks blocks = rna_blocks(lines_of(text, piece), faulty);
          for (std::vector<RnaRecord> block = blocks(limits); !block.empty(); block = blocks(limits)) {
            append(read, block);
          }
        } catch (const Error& error) {
          read = {error.what()};
        }
        RC_ASSERT(read == whole);
      }
    }
  }
}

}  // namespace
}  // namespace warpfold::formats
