#include "warpfold/formats/format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/listed.hpp"
#include "warpfold/formats/graph.hpp"
#include "warpfold/formats/knapsack_instance.hpp"
#include "warpfold/formats/matrix.hpp"
#include "warpfold/formats/outline.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/formats/weights.hpp"

namespace warpfold::formats {
namespace {

using testing::ElementsAre;

TEST(Formats, ListWordsAsASentenceDoes) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b"}), "a or b");
  EXPECT_EQ(listed({"a", "b", "c"}, "and"), "a, b and c");
}

template <class Format>
void expect_distinct_names(std::span<const Format> table) {
  const std::vector<std::string> names = names_of(table);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_GE(names.size(), 2u);
}

template <class Format>
void expect_distinct_endings(std::span<const Format> table) {
  const std::vector<std::string> endings = endings_of(table);
  EXPECT_EQ(std::set<std::string>(endings.begin(), endings.end()).size(), endings.size());
  for (const Format& format : table) {
    for (const std::string& ending : format.endings) {
      EXPECT_EQ(ending, io::extension("name" + ending)) << "as `find_by_ending` compares it";
      EXPECT_EQ(find_by_ending(table, "a/NAME" + ending), &format);
    }
  }
}

template <class Format>
void expect_one_for_other_files(std::span<const Format> table) {
  EXPECT_EQ(std::count_if(table.begin(), table.end(), [](const Format& f) { return f.recognizes == any_other; }), 1);
  EXPECT_EQ(find_by_content(table, "").recognizes, &any_other);
}

TEST(Formats, OfATableDifferInNamesAndEndings) {
  expect_distinct_names(outline_formats());
  expect_distinct_names(graph_formats());
  expect_distinct_names(knapsack_formats());
  expect_distinct_names(weight_formats());
  expect_distinct_names(matrix_formats());
  expect_distinct_names(triangulation_formats());
  expect_distinct_endings(outline_formats());
  expect_distinct_endings(graph_formats());
  expect_distinct_endings(weight_formats());
  expect_distinct_endings(matrix_formats());
  expect_distinct_endings(triangulation_formats());
}

TEST(Formats, OfATableHaveOneForAllOtherFiles) {
  expect_one_for_other_files(outline_formats());
  expect_one_for_other_files(graph_formats());
  expect_one_for_other_files(weight_formats());
  expect_one_for_other_files(matrix_formats());
}

TEST(Formats, AreFoundByTheEndingElseByTheContent) {
  EXPECT_THAT(endings_of(outline_formats()), ElementsAre(".geojson", ".json", ".geojsonl", ".geojsons", ".ndjson",
                                                         ".wkt", ".npy", ".npz", ".csv", ".tsv", ".txt"));
  EXPECT_EQ(find_format(outline_formats(), "o.WKT", "{").name, "WKT");
  EXPECT_EQ(find_format(outline_formats(), "o.dat", "\xef\xbb\xbf\n {").name, "GeoJSON");
  EXPECT_EQ(find_format(outline_formats(), "-", " polygon ((").name, "WKT");
  EXPECT_EQ(find_format(outline_formats(), "o.csv", "POLYGON").name, "text");
  EXPECT_EQ(find_format(weight_formats(), "-", "\x93NUMPY").name, "NumPy");
  EXPECT_EQ(find_by_ending(graph_formats(), "roads.csv"), nullptr);
  EXPECT_EQ(find_format(graph_formats(), "roads.GR.gz", "0,1,2").name, "DIMACS") << "as it was before it was packed";
}

TEST(KnapsackFormats, AreToldByTheFirstLines) {
  const auto name = [](std::string_view content) { return find_by_content(knapsack_formats(), content).name; };
  for (const char* content : {"", "\n \n", "3 10", "n capacity\n3 10", "# 1\n2 3", "+3 1", "1 2 3\n4"})
    EXPECT_EQ(name(content), "standard");
  for (const char* content : {"3", "-3", "3\n\n10\n1 2 3", "3\n1 2"}) EXPECT_EQ(name(content), "kplib");
  for (const char* content : {"3\n1 2 3", "\n3\r\n\r\n1 2 3\n"}) EXPECT_EQ(name(content), "jooken");
  for (const char* content : {"knapPI_1\nn 3", "a b\nn 3", "x"}) EXPECT_EQ(name(content), "pisinger");
  for (const char* content : {"value,weight", "capacity,5\nw;v"}) EXPECT_EQ(name(content), "csv");
  for (const char* content : {"{", " [1"}) EXPECT_EQ(name(content), "json");
}

}  // namespace
}  // namespace warpfold::formats
