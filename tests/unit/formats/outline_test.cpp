#include "warpfold/formats/outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

using testing::HasSubstr;
using Vertices = std::vector<Point>;

const Vertices triangle = {{0, 0}, {1, 0}, {0.5, 2}};
const std::string ring = "[[0,0],[1,0],[0.5,2]]";

template <class Read>
std::string refusal(Read read) {
  try {
    static_cast<void>(read());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

std::string geojson_error(const std::string& text, const OutlineChoice& choice = {}) {
  return refusal([&] { return parse_geojson_outline("f.geojson", text, choice); });
}

std::string wkt_error(const std::string& text, const OutlineChoice& choice = {}) {
  return refusal([&] { return parse_wkt_outline("f.wkt", text, choice); });
}

std::string text_error(const std::string& text) {
  return refusal([&] { return parse_text_outline("f.txt", text); });
}

std::string polygon(const std::string& rings) { return R"({"type":"Polygon","coordinates":[)" + rings + "]}"; }
std::string feature(const std::string& geometry) { return R"({"type":"Feature","geometry":)" + geometry + "}"; }
std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

TEST(GeoJson, ReadsPolygonFeatureAndCollectionOfOne) {
  EXPECT_EQ(parse_geojson_outline("f", polygon(ring)).vertices, triangle);
  EXPECT_EQ(parse_geojson_outline("f", feature(polygon(ring))).vertices, triangle);
  EXPECT_EQ(parse_geojson_outline("f", collection(feature(polygon(ring)))).vertices, triangle);
  EXPECT_EQ(parse_geojson_outline("f", polygon("[[0,0,9],[1,0,9],[0.5,2,9]]")).vertices, triangle);
}

TEST(GeoJson, ChoosesAFeatureAndAPart) {
  const std::string other = polygon("[[5,5],[6,5],[5,6]]");
  const std::string two = collection(feature(other) + "," + feature(polygon(ring)));
  EXPECT_EQ(parse_geojson_outline("f", two, {1, {}}).vertices, triangle);
  EXPECT_THAT(geojson_error(two), HasSubstr("there are 2 features: exactly one, or --feature 0 .. 1"));
  EXPECT_THAT(geojson_error(two, {2, {}}), HasSubstr("no feature 2"));
  const std::string parts = R"({"type":"MultiPolygon","coordinates":[[[[5,5],[6,5],[5,6]]],[)" + ring + "]]}";
  EXPECT_EQ(parse_geojson_outline("f", parts, {{}, 1}).vertices, triangle);
  EXPECT_THAT(geojson_error(parts), HasSubstr("--part 0 .. 1"));
  EXPECT_THAT(geojson_error(parts, {{}, 2}), HasSubstr("no part 2"));
}

TEST(GeoJson, RefusesWhatIsNoOutlineWithItsPlace) {
  EXPECT_THAT(geojson_error("{\n\"type\": oops}"), HasSubstr("f.geojson:2: this is no JSON"));
  EXPECT_THAT(geojson_error(polygon(ring) + "x"), HasSubstr("this is no JSON"));
  EXPECT_THAT(geojson_error("7"), HasSubstr("no JSON object"));
  EXPECT_THAT(geojson_error("{}"), HasSubstr("'type' is missing"));
  EXPECT_THAT(geojson_error(R"({"type":3})"), HasSubstr("'type' is 3: a string is accepted"));
  EXPECT_THAT(geojson_error(R"({"type":"Point","coordinates":[1,2]})"), HasSubstr("'Point' is no outline"));
  EXPECT_THAT(geojson_error(feature("null")), HasSubstr("geometry"));
  EXPECT_THAT(geojson_error(polygon(ring), {7, {}}), HasSubstr("f.geojson: there is no feature 7"));
  EXPECT_THAT(geojson_error(collection("")), HasSubstr("f.geojson: features: there is no feature"));
  EXPECT_THAT(geojson_error(polygon("")), HasSubstr("empty"));
  EXPECT_THAT(geojson_error(polygon(ring + "," + ring)), HasSubstr("1 hole:"));
  EXPECT_THAT(geojson_error(polygon(R"([[0,0],["a",1],[2,2]])")),
              HasSubstr(R"(coordinates[0][1]: ["a",1] is no position)"));
  EXPECT_THAT(geojson_error(polygon("[[0,0],[1e999,1],[2,2]]")), HasSubstr("out of range"));
  EXPECT_NE(geojson_error(std::string(100000, '[')), "accepted");
  EXPECT_NE(geojson_error(std::string(100000, '[') + std::string(100000, ']')), "accepted");
}

TEST(Wkt, ReadsPolygonsClosedOrNot) {
  const Vertices closed = {{0, 0}, {1, 0}, {0.5, 2}, {0, 0}};
  EXPECT_EQ(parse_wkt_outline("f", "POLYGON ((0 0, 1 0, 0.5 2, 0 0))\n").vertices, closed);
  EXPECT_EQ(parse_wkt_outline("f", "polygon z ((0 0 7, 1 0 7, 0.5 2 7))").vertices, closed);
  EXPECT_EQ(parse_wkt_outline("f", "MULTIPOLYGON (((9 9, 8 9, 8 8, 9 9)), ((0 0, 1 0, 0.5 2, 0 0)))", {{}, 1}).vertices,
            closed);
}

TEST(Wkt, RefusesWhatIsNoOutline) {
  EXPECT_NE(wkt_error(""), "accepted");
  EXPECT_NE(wkt_error("POLYGON ((0 0, 1 0"), "accepted");
  EXPECT_NE(wkt_error("POLYGON ((0 0, 1 0, 0.5 2, 0 0)) and more"), "accepted");
  EXPECT_THAT(wkt_error("POLYGON EMPTY"), HasSubstr("empty"));
  EXPECT_THAT(wkt_error("POLYGON ((0 0, 1 0 7, 0.5 2))"), HasSubstr("'1 0 7' has 3 numbers: 2 a vertex are accepted"));
  EXPECT_THAT(wkt_error("POLYGON Z ((0 0 7, 1 0 7 8, 0.5 2 7))"), HasSubstr("3 a vertex are accepted"));
  EXPECT_THAT(wkt_error("POINT (1 2)"), HasSubstr("no outline"));
  EXPECT_THAT(wkt_error("POLYGON ((0 0, 9 0, 0 9, 0 0), (1 1, 2 1, 1 2, 1 1))"), HasSubstr("1 hole:"));
  EXPECT_THAT(wkt_error("GEOMETRYCOLLECTION" + std::string(100000, '(')), HasSubstr("nested"));
  EXPECT_THAT(wkt_error(std::string("POLYGON\0((", 10)), HasSubstr("no text"));
  EXPECT_THAT(wkt_error("POLYGON ((0 0, 1 0, 0.5 2, 0 0))", {1, {}}), HasSubstr("no feature 1"));
}

TEST(Text, ReadsBlanksCommasCommentsAndAHeader) {
  EXPECT_EQ(parse_text_outline("f", "0 0\n1\t0\n0.5 2").vertices, triangle);
  EXPECT_EQ(parse_text_outline("f", "x,y\n# a comment\n0,0\r\n\n1 , 0\n+0.5,+2e0\n").vertices, triangle);
}

TEST(Text, RefusesALineWithItsNumber) {
  EXPECT_THAT(text_error("0 0\n1 0\n2\n"), HasSubstr("f.txt:3: '2' is no vertex"));
  EXPECT_THAT(text_error("0 0\n1 0 5\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(text_error("0 0\n\n1 zero\n"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(text_error("x,y\nx,y\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(text_error("1e999 0\n"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(text_error(std::string("0 0\n\0\xff \x1b[m\n", 11)), HasSubstr("f.txt:2: '\\x00\\xff'"));
  EXPECT_THAT(text_error(std::string(1000, '7')), HasSubstr("'" + std::string(40, '7') + "..'"));
}

}  // namespace
}  // namespace warpfold::formats
