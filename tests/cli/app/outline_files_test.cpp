#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markdown.hpp"
#include "run.hpp"
#include "warpfold/io/npy.hpp"

/// Outlines as other programs write them, from the file to the triangulation.
namespace warpfold::app::test {
namespace {

class OutlineFiles : public CommandLine {
 protected:
  /// The rectangle 4 x 3, whose chord weighs 5, is in the file, and nothing is said about it.
  void expect_rectangle(const std::string& name, const std::string& content, const std::string& options = "") {
    EXPECT_EQ(cost_of(name, content, options, ""), 5) << name << ": " << content;
  }
  /// The same, and that is noted about it.
  void expect_noted(const std::string& name, const std::string& content, const std::string& note) {
    EXPECT_EQ(cost_of(name, content, "", "warpfold: note: " + name + ": " + note + "\n"), 5) << name << ": " << content;
  }

 private:
  Json cost_of(const std::string& name, const std::string& content, const std::string& options,
               const std::string& said) {
    write(name, content);
    const Ran ran = warpfold("triangulate " + name + " --json " + options);
    EXPECT_EQ(ran.err, said);
    return ran.exit_code == 0 ? ran.json()["cost"] : Json();
  }
};

TEST_F(OutlineFiles, DropRepeatedVerticesWithALineAndACount) {
  write("o.geojson",
        R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 0], [4, 3], [0, 3], [0, 0], [0, 0]]]})");
  const Ran ran = warpfold("triangulate o.geojson --json > s.json; cat s.json");
  EXPECT_EQ(ran.err,
            "warpfold: note: o.geojson: 2 repeated vertices are dropped: the others are numbered without them\n");
  EXPECT_EQ(ran.json()["dropped"], 2);
  EXPECT_EQ(ran.json()["n"], 4);
  EXPECT_EQ(warpfold("verify o.geojson s.json").out, "valid\n");
  write("o.geojson", R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 0], [4, 3], [0, 3], [0, 0]]]})");
  expect_error(warpfold("verify o.geojson s.json"), 3, "s.json: 'dropped' is 2, there are 1");
}

TEST_F(OutlineFiles, DropRepeatedVerticesForPathsToo) {
  write("o.txt", "0 0\n4 0\n4 0\n4 3\n0 3\n");
  const Ran ran = warpfold("paths o.txt --outline --from 0 --to 2 --json > s.json; cat s.json");
  EXPECT_EQ(ran.json()["cost"], 5);
  EXPECT_EQ(ran.json()["dropped"], 1);
  EXPECT_EQ(ran.err, "warpfold: note: o.txt: 1 repeated vertex is dropped: the others are numbered without it\n");
  EXPECT_EQ(warpfold("verify o.txt s.json").out, "valid\n");
  write("o.txt", "0 0\n4 0\n4 3\n0 3\n");
  EXPECT_EQ(warpfold("verify o.txt s.json").exit_code, 3);
}

TEST_F(OutlineFiles, SayNothingOfVerticesThatAreNotRepeated) {
  write("o.txt", "0 0\n4 0\n4 3\n0 3\n0 0\n");
  EXPECT_FALSE(warpfold("triangulate o.txt --json").json().contains("dropped"));
}

TEST_F(OutlineFiles, OfGeographersAreRead) {
  expect_rectangle("o.csv", "lat,lon\n0,0\n0,4\n3,4\n3,0\n");
  expect_rectangle("o.csv", "Easting;Northing\n0,0;0,0\n4,0;0,0\n4,0;3,0\n0,0;3,0\n");
  expect_rectangle("o.csv", "id,x,y\n1,0,0\n2,4,0\n3,4,3\n4,0,3\n");
  expect_rectangle("o.csv", "WKT,id\n\"POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))\",1\n");
  expect_rectangle("o.wkt", "SRID=4326;POLYGON((0 0,4 0,4 3,0 3,0 0))");
  expect_rectangle("o.wkt", "\"POLYGON ((0 0, 4 0,\n4 3, 0 3, 0 0))\"\n");
  expect_rectangle(
      "o.wkt",
      "0103000000010000000500000000000000000000000000000000000000000000000000104000000000000000000000000000001040"
      "00000000000008400000000000000000000000000000084000000000000000000000000000000000");
  expect_rectangle("o.txt", "> -Lring\n0 0\n4 0\n4 3\n0 3\n");
  expect_noted("o.wkt", "POLYGONZ((0 0 1,4 0 1,4 3 1,0 3 1,0 0 1))", "Z is ignored: the outline is that of x and y");
  expect_noted("o.txt", "0 0 7\n4 0 7\n4 3 7\n0 3 7\n", "Z is ignored: the outline is that of x and y");
}

TEST_F(OutlineFiles, OfTheWebAreRead) {
  const std::string polygon = R"({"type":"Polygon","coordinates":[[[0,0],[4,0],[4,3],[0,3],[0,0]]]})";
  const std::string point = R"({"type":"Point","coordinates":[1,1]})";
  expect_rectangle("o.geojson", R"({"type":"GeometryCollection","geometries":[)" + point + "," + polygon + "]}");
  const std::string feature = R"({"type":"Feature","properties":{},"geometry":)";
  expect_rectangle("o.geojson",
                   R"({"type":"FeatureCollection","features":[)" + feature + point + "}," + feature + polygon + "}]}");
  expect_rectangle("o.geojsonl", feature + polygon + "}\n" + feature + polygon + "}\n", "--feature 0");
  expect_rectangle("o.ndjson", point + "\n" + polygon + "\n");
}

TEST_F(OutlineFiles, OfPythonAreRead) {
  expect_rectangle("o.txt", "[0, 0],\n[4, 0],\n[4, 3],\n[0, 3]\n");
  io::write_npy(path("o.npy"), std::span<const double>(std::vector<double>{0, 0, 4, 0, 4, 3, 0, 3}), {4, 2});
  EXPECT_EQ(warpfold("triangulate o.npy --json").json()["cost"], 5);
  EXPECT_EQ(warpfold("triangulate - --json", "cat o.npy |").json()["cost"], 5);
  EXPECT_EQ(warpfold("paths o.npy --outline --from 0 --to 2 --json").json()["cost"], 5);
}

TEST_F(OutlineFiles, OfATriangleHaveNoChord) {
  write("o.wkt", "TRIANGLE ((0 0, 4 0, 4 3, 0 0))");
  EXPECT_EQ(warpfold("triangulate o.wkt --json").json()["cost"], 0);
}

TEST_F(OutlineFiles, AreVerifiedByTheirFeature) {
  const std::string two = "POLYGON ((0 0, 4 0, 4 3, 0 3))\nPOLYGON ((0 0, 8 0, 8 6, 0 6))\n";
  write("o.wkt", two);
  EXPECT_EQ(warpfold("triangulate o.wkt --feature 1 --json > s.json; cat s.json").json()["cost"], 10);
  EXPECT_EQ(warpfold("verify o.wkt s.json").out, "valid\n");
}

TEST_F(OutlineFiles, AreReadAsThePageOfFormatsShows) {
  const auto page = read(std::filesystem::path(WARPFOLD_EXAMPLES).parent_path() / "docs/reference/formats.md");
  std::string_view section = std::string_view(page).substr(page.find("\n## Outlines\n"));
  section = section.substr(0, section.find("\n## Edge lists\n"));
  int examples = 0;
  for (std::size_t at = section.find("\n| "); at != section.npos; at = section.find("\n| ", at + 1)) {
    const std::string_view row = section.substr(at, section.find('\n', at + 1) - at);
    const std::size_t second = row.find(" | ") + 3;
    const std::string lines = code_lines(row.substr(second, row.find(" | ", second) - second));
    if (lines.empty()) continue;  // the header
    ++examples;
    write("example", lines);
    const Ran ran = warpfold("triangulate - --json", "cat example |");
    ASSERT_EQ(ran.exit_code, 0) << lines << ran.err;
    EXPECT_EQ(ran.json()["cost"], 5) << lines;
  }
  EXPECT_EQ(examples, 18);
}

}  // namespace
}  // namespace warpfold::app::test
