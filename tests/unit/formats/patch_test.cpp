#include "warpfold/formats/patch.hpp"

#include <gtest/gtest.h>

#include <random>

#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::formats {
namespace {

SymbolSequence lines(const std::string& text) { return parse_lines("file", text, {}); }

std::string diff(const std::string& a, const std::string& b, std::size_t context = 3) {
  const SymbolSequence first = lines(a), second = lines(b);
  const auto found = sequence::lcs(coded(first, second), {.threads = 1}, {.script = true});
  return unified_diff(first, second, found.solution.script, "a", "b", context);
}

TEST(Patch, OfEqualTextsIsEmpty) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("a\nb", "a\nb"), "");
}

TEST(Patch, DeletesBeforeItInserts) {
  EXPECT_EQ(diff("a\nb\nc\n", "a\nx\nc\n"), "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
}

TEST(Patch, StatesEmptyRangesByTheLineBefore) {
  EXPECT_EQ(diff("", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(diff("x\ny\n", ""), "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-x\n-y\n");
  EXPECT_EQ(diff("a\nb\n", "a\nx\nb\n", 0), "--- a\n+++ b\n@@ -1,0 +2 @@\n+x\n");
}

TEST(Patch, SaysWhereALastLineHasNoNewline) {
  EXPECT_EQ(diff("a", "a\n"), "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(diff("x\na", "a"), "--- a\n+++ b\n@@ -1,2 +1 @@\n-x\n a\n\\ No newline at end of file\n");
}

TEST(Patch, JoinsChangesWhoseContextsMeet) {
  EXPECT_EQ(diff("a\nb\nc\nd\n", "x\nb\nc\ny\n", 1), "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-a\n+x\n b\n c\n-d\n+y\n");
  EXPECT_EQ(diff("a\nb\nc\nC\nd\n", "x\nb\nc\nC\ny\n", 1),
            "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n@@ -4,2 +4,2 @@\n C\n-d\n+y\n");
}

TEST(Patch, QuotesNamesThatPatchWouldMisread) {
  const SymbolSequence a = lines("a\n"), none = lines("");
  sequence::Script script;
  script.push(sequence::Edit::deletion);
  EXPECT_TRUE(
      unified_diff(a, none, script, "two words", "tab\t\xc3").starts_with("--- two words\t\n+++ \"tab\\011\\303\"\n"));
}

TEST(Patch, TurnsTheFirstTextIntoTheSecond) {
  std::mt19937 random(7);
  const auto draw = [&] {
    std::string text;
    const std::size_t count = random() % 30;
    for (std::size_t i = 0; i < count; ++i) text += std::string(1, "ab\n"[random() % 3]) + (random() % 2 ? "\n" : "");
    return text;
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string a = draw(), b = draw(), patch = diff(a, b, random() % 4);
    const Patched patched = apply_patch("patch", patch, a);
    EXPECT_EQ(patched.text, b) << a << "\n" << patch;
    const auto length = sequence::lcs(coded(lines(a), lines(b)), {.threads = 1}).solution.length;
    EXPECT_EQ(patched.deletions + patched.insertions,
              lines(a).size() + lines(b).size() - 2 * static_cast<std::size_t>(*length));
  }
}

TEST(SideBySide, HasMarksBetweenTheRows) {
  sequence::Request request{.script = true};
  const SymbolSequence a = parse_text("a", "kitten", {}), b = parse_text("b", "sitting", {});
  const auto found = sequence::edit_distance(coded(a, b), {.threads = 1}, request);
  EXPECT_EQ(side_by_side(a, b, found.solution.script),
            "         0 kitten- 6\n           .|||.| \n         0 sitting 7\n");
  EXPECT_EQ(side_by_side(a, b, found.solution.script, 4),
            "         0 kitt 4\n           .|||\n         0 sitt 4\n\n"
            "         4 en- 6\n           .| \n         4 ing 7\n");
}

TEST(SideBySide, HasALineForEachWord) {
  const SymbolSequence a = parse_words("a", "one two", {}), b = parse_words("b", "two three", {});
  const auto found = sequence::lcs(coded(a, b), {.threads = 1}, {.script = true});
  EXPECT_EQ(side_by_side(a, b, found.solution.script), "one\t<\t\ntwo\t|\ttwo\n\t>\tthree\n");
}

}  // namespace
}  // namespace warpfold::formats
