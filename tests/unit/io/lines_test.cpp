#include "io/lines.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "io/text.hpp"

namespace warpfold::io {
namespace {

using Lines = std::vector<std::string>;

/// The lines, or the error at their end.
Lines lines_of(LineReader reader) {
  Lines lines;
  try {
    while (reader.visit_next([&](std::string_view line) {
      lines.emplace_back(line);
      if (line == "wrong") throw Error(ErrorKind::input, "wrong");
    })) {
    }
  } catch (const Error& error) {
    lines.emplace_back(error.what());
  }
  return lines;
}

Lines lines_in_pieces(const std::string& text, std::size_t piece, const LineRules& rules = {}) {
  return lines_of(LineReader("f", source_of(text), rules, piece));
}

/// The same by the reader of whole texts.
Lines lines_of_text(const std::string& text) {
  Lines lines;
  try {
    each_line("f", text, [&](std::string_view line) {
      lines.emplace_back(line);
      if (line == "wrong") throw Error(ErrorKind::input, "wrong");
    });
  } catch (const Error& error) {
    lines.emplace_back(error.what());
  }
  return lines;
}

std::string any_text() {
  std::string text = *rc::gen::element<std::string>("", "\xef\xbb\xbf", "first line\n");
  for (const auto& part : *rc::gen::container<Lines>(rc::gen::element<std::string>(
           "\n", "\n", "\r\n", "\r", "a", "bc", "wrong", "\nwrong\n", "a line of more bytes than a piece"))) {
    text += part;
  }
  return text;
}

RC_GTEST_PROP(LineReader, GivesTheLinesAndErrorsOfAWholeTextWhateverThePieces, ()) {
  const std::string text = any_text();
  const Lines expected = lines_of_text(text);
  RC_ASSERT(lines_of(LineReader("f", text)) == expected);
  for (const std::size_t piece : {1, 2, 3, 5, 64, 1000}) RC_ASSERT(lines_in_pieces(text, piece) == expected);
}

TEST(LineReader, CutsAtLineFeedsAloneIfAsked) {
  const LineRules rules{.is_text = false, .carriage_returns = false};
  for (const std::size_t piece : {1, 2, 100}) {
    EXPECT_EQ(lines_in_pieces("a\rb\r", piece, rules), (Lines{"a\rb\r"}));
    EXPECT_EQ(lines_in_pieces("\xef\xbb\xbf\n\nb", piece, rules), (Lines{"\xef\xbb\xbf", "", "b"}));
    EXPECT_EQ(lines_in_pieces(std::string("\x1f\x8b\0\n", 4), piece, rules), (Lines{std::string("\x1f\x8b\0", 3)}));
  }
}

TEST(LineReader, KnowsTheNumberAndThePlaceOfALine) {
  for (const std::size_t piece : {1, 4, 100}) {
    const std::string text =
        "\xef\xbb\xbf"
        "ab\n\ncd";
    LineReader reader("f", source_of(text), {}, piece);
    std::string_view line;
    std::vector<std::size_t> offsets;
    while (reader.next(line)) offsets.push_back(reader.offset());
    EXPECT_EQ(offsets, (std::vector<std::size_t>{3, 6, 7}));
    EXPECT_EQ(reader.number(), 3u);
    EXPECT_FALSE(reader.next(line));
  }
}

TEST(LineReader, RejectsWhatIsNoTextFromItsFirstBytes) {
  for (const std::size_t piece : {1, 7, 100}) {
    EXPECT_THROW(LineReader("f", source_of("\x89HDF\r\n and more"), {}, piece), Error);
  }
}

/// Each byte of the line is once the last one of a piece, and once the first one.
TEST(LineReader, GivesALineThatCrossesEveryBorder) {
  std::string line(3000, ' ');
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<char>('a' + i % 26);
  for (std::size_t piece = 1; piece < 200; ++piece) {
    EXPECT_EQ(lines_in_pieces("x\n" + line + "\r\ny", piece), (Lines{"x", line + '\r', "y"})) << piece;
  }
}

}  // namespace
}  // namespace warpfold::io
