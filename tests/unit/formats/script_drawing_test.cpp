#include "warpfold/formats/script_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "warpfold/sequence/edit_distance.hpp"

namespace warpfold::formats {
namespace {

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

std::string drawing_of(const std::string& a, const std::string& b, const sequence::Script& script) {
  return script_drawing({.content = a}, {.content = b}, sequence::Coded(a, b), script);
}

std::string drawing_of(const std::string& a, const std::string& b) {
  return drawing_of(a, b, sequence::edit_distance(a, b, {}, {.script = true}).solution.script);
}

/// The points of the path of a color.
std::string path_of(const std::string& drawing, const std::string& color = "#d9534f") {
  const std::size_t begin = drawing.find(" d=\"", drawing.find(color)) + 4;
  return drawing.substr(begin, drawing.find('"', begin) - begin);
}

TEST(ScriptDrawing, HasADotForEachPairOfEqualSymbolsAndALetterForEachSymbol) {
  const std::string drawing = drawing_of("ab<a", "ba&");
  EXPECT_TRUE(drawing.starts_with("<svg "));
  EXPECT_TRUE(drawing.ends_with("</svg>\n"));
  EXPECT_EQ(times_in(path_of(drawing, "#cbd5dd"), "z"), 3u);  // a and a twice, b and b
  EXPECT_EQ(times_in(drawing, ">a</text>"), 3u);
  EXPECT_EQ(times_in(drawing, ">&lt;</text>"), 1u);
  EXPECT_EQ(times_in(drawing, ">&amp;</text>"), 1u);
}

TEST(ScriptDrawing, HasThePathFromItsBeginningToItsEnd) {
  sequence::Script script;
  script.push(sequence::Edit::match, 2);
  script.push(sequence::Edit::deletion, 2);
  EXPECT_EQ(path_of(drawing_of("aabb", "aa", script)), "M72.00 72.00L432.00 432.00L432.00 792.00");
  sequence::Script local;
  local.push(sequence::Edit::match, 1);
  local.begin_a = 1;
  local.begin_b = 2;
  EXPECT_EQ(path_of(drawing_of("xay", "pqa", local)), "M552.00 312.00L792.00 552.00");
}

TEST(ScriptDrawing, HasTheShareOfMatchesInItsBars) {
  sequence::Script script;
  script.push(sequence::Edit::match, 240);
  script.push(sequence::Edit::substitution, 240);
  const std::string a(480, 'a'), b = std::string(240, 'a') + std::string(240, 'b');
  const std::string drawing = drawing_of(a, b, script);
  EXPECT_EQ(times_in(drawing, "#5b8db8"), 240u);
  EXPECT_EQ(times_in(drawing, "height=\"48.00\" fill=\"#5b8db8\""), 120u);
  EXPECT_EQ(times_in(drawing, "height=\"0.00\" fill=\"#5b8db8\""), 120u);
}

TEST(ScriptDrawing, IsSmallAtAnyLength) {
  std::mt19937 random(1);
  std::string a, b;
  for (int i = 0; i < 20000; ++i) a += "ACGT"[random() % 4];
  for (int i = 0; i < 15000; ++i) b += "ACGT"[random() % 4];
  const std::string drawing = drawing_of(a, b);
  EXPECT_LT(drawing.size(), 100'000u);
  EXPECT_LT(drawing_of(std::string(60, 'a'), std::string(60, 'a')).size(), 200'000u);
  EXPECT_TRUE(path_of(drawing).ends_with("L612.00 792.00"));
  sequence::Script zigzag;
  for (int i = 0; i < 1'000'000; ++i) {
    zigzag.push(sequence::Edit::deletion, 50);
    zigzag.push(sequence::Edit::insertion, 50);
  }
  EXPECT_LT(path_drawing(50'000'000, 50'000'000, zigzag).size(), 100'000u);
}

TEST(ScriptDrawing, IsOfEmptyAndVeryUnequalSequencesToo) {
  EXPECT_TRUE(drawing_of("", "").ends_with("</svg>\n"));
  EXPECT_TRUE(drawing_of("a", "").ends_with("</svg>\n"));
  const std::string drawing = drawing_of("a", std::string(5000, 'a'));
  EXPECT_NE(drawing.find("height=\"36.00\""), std::string::npos);
  EXPECT_EQ(drawing.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace warpfold::formats
