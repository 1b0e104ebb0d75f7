#include "warpfold/formats/outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "warpfold/core/error.hpp"

namespace warpfold::formats {
namespace {

using testing::ElementsAre;
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
  EXPECT_THAT(geojson_error(feature("null")), HasSubstr("geometry is null: a Polygon or MultiPolygon is accepted"));
  EXPECT_THAT(geojson_error(polygon(ring), {7, {}}), HasSubstr("f.geojson: there is no feature 7"));
  EXPECT_THAT(geojson_error(collection("")), HasSubstr("f.geojson: features: there is no feature"));
  EXPECT_THAT(geojson_error(polygon("")), HasSubstr("empty"));
  EXPECT_THAT(geojson_error(polygon(ring + "," + ring)),
              HasSubstr("1 hole: an outline without holes is accepted, so cut"));
  EXPECT_THAT(geojson_error(polygon(R"([[0,0],["a",1],[2,2]])")),
              HasSubstr(R"(coordinates[0][1] is ["a",1]: a position [x, y] is accepted)"));
  EXPECT_THAT(geojson_error(polygon("[[0,0],[1e999,1],[2,2]]")), HasSubstr("out of range"));
  EXPECT_NE(geojson_error(std::string(100000, '[')), "accepted");
  EXPECT_NE(geojson_error(std::string(100000, '[') + std::string(100000, ']')), "accepted");
}

std::string geometries(const std::string& parts) {
  return R"({"type":"GeometryCollection","geometries":[)" + parts + "]}";
}

const std::string point = R"({"type":"Point","coordinates":[1,2]})";

TEST(GeoJson, FindsTheOnlyPolygonAmongPointsAndLines) {
  const std::string line = R"({"type":"LineString","coordinates":[[1,2],[3,4]]})";
  EXPECT_EQ(parse_geojson_outline("f", geometries(point + "," + polygon(ring) + "," + line)).vertices, triangle);
  EXPECT_EQ(parse_geojson_outline("f", geometries(geometries(polygon(ring)) + "," + line)).vertices, triangle);
  const std::string mixed = feature(point) + "," + feature("null") + "," + feature(geometries(polygon(ring)));
  EXPECT_EQ(parse_geojson_outline("f", collection(mixed)).vertices, triangle);
  EXPECT_THAT(geojson_error(collection(mixed + "," + feature(polygon(ring)))),
              HasSubstr("there are 2 polygons among 4 features: exactly one, or --feature 0 .. 3 is accepted"));
  EXPECT_THAT(geojson_error(collection(mixed), {1, {}}), HasSubstr("features[1].geometry is null: a Polygon"));
  EXPECT_THAT(geojson_error(collection(feature(point) + "," + feature(line))),
              HasSubstr("features: none of the 2 features is a polygon"));
}

TEST(GeoJson, ChoosesAPolygonOfAGeometryCollection) {
  const std::string parts = R"({"type":"MultiPolygon","coordinates":[[[[5,5],[6,5],[5,6]]],[)" + ring + "]]}";
  EXPECT_EQ(parse_geojson_outline("f", geometries(point + "," + parts), {{}, 1}).vertices, triangle);
  EXPECT_THAT(geojson_error(geometries(polygon(ring) + "," + parts)),
              HasSubstr("there are 3 parts: exactly one, or --part"));
  EXPECT_THAT(geojson_error(geometries(point)), HasSubstr("there is no part: a polygon is accepted"));
  EXPECT_THAT(geojson_error(geometries(R"({"type":"Circle"})")), HasSubstr("geometries[0]: 'Circle' is no outline"));
}

TEST(GeoJson, NamesNoOptionsForThoseWhoHaveNone) {
  const std::string two = collection(feature(polygon(ring)) + "," + feature(polygon(ring)));
  EXPECT_EQ(geojson_error(two, {.has_options = false}),
            "f.geojson: features: there are 2 features: exactly one is accepted");
}

TEST(GeoJson, ReadsAnObjectALine) {
  const std::string lines = "\n" + feature(point) + "\r\n\n" + feature(polygon(ring)) + "\n";
  EXPECT_EQ(parse_geojson_outline("f", lines).vertices, triangle);
  EXPECT_EQ(parse_geojson_outline("f", "\x1e" + feature(point) + "\n\x1e" + polygon(ring) + "\n", {1, {}}).vertices,
            triangle);
  EXPECT_EQ(parse_geojson_outline("f", "\x1e" + feature(polygon(ring)) + "\n").vertices, triangle);
  EXPECT_THAT(geojson_error(lines, {0, {}}), HasSubstr("f.geojson:2: geometry: 'Point' is no outline"));
  EXPECT_THAT(geojson_error(lines + "{\"type\": oops}\n"), HasSubstr("f.geojson:5: this is no JSON near byte"));
  EXPECT_THAT(geojson_error(lines + lines), HasSubstr("there are 2 polygons among 4 features"));
}

TEST(GeoJson, ReadsOneObjectOverLinesThatEndInBraces) {
  EXPECT_EQ(
      parse_geojson_outline("f", "{\"type\":\"Feature\",\"properties\":{}\n,\n\"geometry\":" + polygon(ring) + "\n}")
          .vertices,
      triangle);
}

TEST(GeoJson, SaysWhereArraysAreNestedWronglyAndWhatStandsThere) {
  const auto of_type = [](const std::string& type, const std::string& coordinates) {
    return geojson_error(R"({"type":")" + type + R"(","coordinates":)" + coordinates + "}");
  };
  const std::string flat = "[[0,0],[1,0],[0.5,2]]";
  EXPECT_THAT(of_type("Polygon", flat), HasSubstr("f.geojson: coordinates[0][0] is 0: a position [x, y] is accepted"));
  EXPECT_THAT(of_type("MultiPolygon", "[" + flat + "," + flat + "]"),
              HasSubstr("coordinates[0][0][0] is 0: a position [x, y] is accepted"));
  EXPECT_THAT(of_type("Polygon", "[[" + flat + "]]"),
              HasSubstr("coordinates[0][0] is [[0,0],[1,0],[0.5,2]]: a position [x, y] is accepted"));
  EXPECT_THAT(of_type("MultiPolygon", "[[0,0]]"),
              HasSubstr("coordinates[0][0] is 0: an array of positions is accepted"));
  EXPECT_THAT(of_type("MultiPolygon", "[[" + flat + "],[7]]"), HasSubstr("there are 2 parts"));
}

TEST(GeoJson, NotesThatAltitudesAreIgnored) {
  EXPECT_THAT(parse_geojson_outline("f", polygon("[[0,0],[1,0,9],[0.5,2]]")).notes,
              ElementsAre("altitudes are ignored: the outline is that of x and y"));
  EXPECT_THAT(parse_geojson_outline("f", polygon(ring)).notes, ElementsAre());
}

TEST(GeoJson, SaysThatJsonHasNoNumberForNan) {
  EXPECT_THAT(geojson_error(polygon("[[0,0],\n[NaN,1],[2,2]]")), HasSubstr("f.geojson:2: NaN is no number of JSON"));
  EXPECT_THAT(geojson_error(polygon("[[0,0],[-Infinity,1]]")), HasSubstr("-Infinity is no number of JSON"));
  EXPECT_THAT(geojson_error(polygon("[[0,0],[nan,1]]")), HasSubstr("nan is no number of JSON"));
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
  EXPECT_THAT(wkt_error("POLYGON ((0 0 7, 1 0, 0.5 2 7))"), HasSubstr("'1 0' has 2 numbers: 3 a vertex are accepted"));
  EXPECT_THAT(wkt_error("POLYGON Z ((0 0 7, 1 0 7 8, 0.5 2 7))"), HasSubstr("3 a vertex are accepted"));
  EXPECT_THAT(wkt_error("POINT (1 2)"), HasSubstr("no outline"));
  EXPECT_THAT(wkt_error("POLYGON ((0 0, 9 0, 0 9, 0 0), (1 1, 2 1, 1 2, 1 1))"), HasSubstr("1 hole:"));
  EXPECT_THAT(wkt_error("GEOMETRYCOLLECTION" + std::string(100000, '(')), HasSubstr("nested"));
  EXPECT_THAT(wkt_error(std::string("POLYGON\0((", 10)), HasSubstr("no text"));
  EXPECT_THAT(wkt_error("POLYGON ((0 0, 1 0, 0.5 2, 0 0))", {1, {}}), HasSubstr("no feature 1"));
}

const Vertices closed_triangle = {{0, 0}, {1, 0}, {0.5, 2}, {0, 0}};

TEST(Wkt, ReadsWhatDatabasesWrite) {
  for (const std::string text :
       {"SRID=4326;POLYGON ((0 0, 1 0, 0.5 2, 0 0))", "\"POLYGON ((0 0, 1 0, 0.5 2, 0 0))\"\n",
        "'srid=3857; polygon((0 0,1 0,0.5 2,0 0))';\n", "POLYGON\n(\n  (0 0,\n1 0, 0.5 2,\r\n0 0)\n)\n",
        "TRIANGLE ((0 0, 1 0, 0.5 2, 0 0))", "GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 1 0, 0.5 2, 0 0)))",
        "GEOMETRYCOLLECTION (MULTIPOLYGON (((0 0, 1 0, 0.5 2, 0 0))))", "\n\nMultiPolygon(((0 0,1 0,0.5 2)))"}) {
    EXPECT_EQ(parse_wkt_outline("f", text).vertices, closed_triangle) << text;
    EXPECT_EQ(parse_outline("-", text).vertices, closed_triangle) << text;
  }
}

TEST(Wkt, IgnoresZAndMWithANote) {
  for (const auto& [text, ignored] :
       std::map<std::string, std::string>{{"POLYGONZ((0 0 7,1 0 7,0.5 2 7,0 0 7))", "Z is"},
                                          {"POLYGON Z ((0 0 7,1 0 7,0.5 2 7,0 0 7))", "Z is"},
                                          {"SRID=1;POLYGON((0 0 7,1 0 7,0.5 2 7,0 0 7))", "Z is"},
                                          {"polygonm((0 0 7,1 0 7,0.5 2 7,0 0 7))", "M is"},
                                          {"POLYGON ZM ((0 0 7 8,1 0 7 8,0.5 2 7 8,0 0 7 8))", "Z and M are"},
                                          {"MultiPolygonZM(((0 0 7 8,1 0 7 8,0.5 2 7 8,0 0 7 8)))", "Z and M are"},
                                          {"GEOMETRYCOLLECTION Z (POLYGON Z ((0 0 7,1 0 7,0.5 2 7,0 0 7)))", "Z is"}}) {
    const OutlineFile outline = parse_wkt_outline("f", text);
    EXPECT_EQ(outline.vertices, closed_triangle) << text;
    EXPECT_THAT(outline.notes, ElementsAre(ignored + " ignored: the outline is that of x and y")) << text;
  }
}

TEST(Wkt, ReadsAGeometryALine) {
  const std::string lines = "POINT (1 2)\nPOLYGON ((0 0, 1 0,\n0.5 2, 0 0))\nPOLYGON EMPTY\nLINESTRING (0 0, 1 1)\n";
  EXPECT_EQ(parse_wkt_outline("f", lines, {1, {}}).vertices, closed_triangle);
  EXPECT_THAT(wkt_error(lines),
              HasSubstr("f.wkt: there are 2 polygons among 4 features: exactly one, or --feature 0 .. 3"));
  EXPECT_THAT(wkt_error(lines, {0, {}}), HasSubstr("f.wkt:1: 'POINT' is no outline: a POLYGON or MULTIPOLYGON"));
  EXPECT_THAT(wkt_error(lines, {2, {}}), HasSubstr("f.wkt:4: the polygon is empty"));
  EXPECT_THAT(wkt_error("POINT (1 2)\nPOINT (1 3)\n"), HasSubstr("none of the 2 features is a polygon"));
}

TEST(Wkt, MarksIntegersThatDoublesRound) {
  EXPECT_TRUE(parse_wkt_outline("f", "POLYGON ((0 0, 9007199254740993 0, 0 1))").is_rounded);
  EXPECT_TRUE(parse_wkt_outline("f", "POLYGON ((0 0, 1" + std::string(60, '0') + "1 0, 0 1))").is_rounded);
  EXPECT_FALSE(parse_wkt_outline("f", "POLYGON ((0 0, 9007199254740992 0, 0 1))").is_rounded);
}

TEST(Text, FindsXAndYByTheHeader) {
  for (const std::string text :
       {"lat,lon\n0,0\n0,1\n2,0.5\n", "Longitude;Latitude\n0;0\n1;0\n0,5;2\n", "id,x,y\n1,0,0\n2,1,0\n3,0.5,2\n",
        "northing easting\n0 0\n0 1\n2 0.5\n", "name\tE\tN\nthe first\t0\t0\nb\t1\t0\nc\t0.5\t2\n",
        "\"X\",\"Y\",\"note\"\n\"0\",\"0\",\"a, b\"\n1,0,\n0.5,2,\n", ",x,y\n0,0,0\n1,1,0\n2,0.5,2\n",
        "POINT_X,POINT_Y\n0,0\n1,0\n0.5,2\n", "lat,id,lon (deg)\n0,7,0\n0,7,1\n2,7,0.5\n"}) {
    EXPECT_EQ(parse_text_outline("f", text).vertices, triangle) << text;
    EXPECT_THAT(parse_text_outline("f", text).notes, ElementsAre()) << text;
  }
  EXPECT_TRUE(parse_text_outline("f", "lat,lon\n0,0\n").is_map);
  EXPECT_FALSE(parse_text_outline("f", "y,x\n0,0\n").is_map);
  EXPECT_THAT(text_error("name,place\n0,0\n"),
              HasSubstr("f.txt:1: the columns 'name,place' have no x and y: names x,y, lon"));
  EXPECT_THAT(text_error("x_min,x_max,y_min,y_max\n0,0,1,1\n"), HasSubstr("have no x and y"));
  EXPECT_THAT(text_error("x,y\n0\n"), HasSubstr("f.txt:2: '0' is no vertex"));
}

TEST(Text, IgnoresIdsAndZWithoutAHeader) {
  const std::string counted = "the first column counts the vertices, and is ignored";
  const std::string z = "Z is ignored: the outline is that of x and y";
  for (const auto& [text, notes] : std::map<std::string, std::vector<std::string>>{
           {"1,0,0\n2,1,0\n3,0.5,2\n", {counted}},
           {"0 0 0\n1 1 0\n2 0.5 2\n", {counted}},
           {"a,0,0\nb,1,0\nc,0.5,2\n", {}},
           {"0,0,7\n1,0,7\n0.5,2,7\n", {z}},
           {"x,y,z\n0,0,7\n1,0,7\n0.5,2,7\n", {"column 'z' is ignored: the outline is that of x and y"}},
           {"1,0,0,7\n2,1,0,7\n3,0.5,2,7\n", {counted, z}}}) {
    EXPECT_EQ(parse_text_outline("f", text).vertices, triangle) << text;
    EXPECT_EQ(parse_text_outline("f", text).notes, notes) << text;
  }
  EXPECT_THAT(text_error("5,0,0,7\n6,1,0,7\n"), HasSubstr("f.txt:1: '5,0,0,7' is no vertex"));
}

TEST(Text, ReadsBracketsSegmentsAndDecimalCommas) {
  for (const std::string text :
       {"[0, 0],\n[1, 0],\n[0.5, 2]\n", "[[0 0]\n [1 0]\n [0.5 2]]\n", "[[0, 0], [1, 0], [0.5, 2]]\n",
        "[(0, 0), (1, 0), (0.5, 2)]", "[[0, 0],\n [1, 0], [0.5, 2]]", "(0; 0)\n(1; 0)\n(0,5; 2)\n",
        "0\t0\n1\t0\n0,5\t2\n", "> -Lring\n0 0\n1 0\n0.5 2\n", "0 0\r1 0\r0.5 2\r", "0,0;\n1,0;\n0.5,2;\n"}) {
    EXPECT_EQ(parse_text_outline("f", text).vertices, triangle) << text;
  }
  EXPECT_THAT(text_error("> a\n0 0\n1 0\n> b\n0 1\n"), HasSubstr("f.txt:4: another segment begins"));
  EXPECT_THAT(text_error("[[[0, 0], [1, 0], [0.5, 2]], [[0.5, 1]]]"),
              HasSubstr("f.txt:1: there are lists of vertices"));
}

TEST(Text, ReadsAColumnOfGeometries) {
  for (const std::string text :
       {"WKT,id\n\"POLYGON ((0 0, 1 0, 0.5 2, 0 0))\",1\n", "id;geom\r\n1;POLYGON ((0 0, 1 0, 0.5 2, 0 0))\r\n",
        "id\tgeom\n1\tSRID=4326;POLYGON ((0 0, 1 0, 0.5 2, 0 0))\n", "POLYGON ((0 0, 1 0, 0.5 2, 0 0))\n",
        "id,WKT\n\"a \"\"b\"\"\",\"POLYGON ((0 0,\n1 0, 0.5 2, 0 0))\"\n"}) {
    EXPECT_EQ(parse_text_outline("f", text).vertices, closed_triangle) << text;
  }
  const std::string two = "id,WKT\n1,\"POLYGON ((5 5, 6 5, 6 6))\"\n2,\"POLYGON ((0 0, 1 0, 0.5 2, 0 0))\"\n";
  EXPECT_EQ(parse_outline("f.csv", two, {1, {}}).vertices, closed_triangle);
  EXPECT_THAT(text_error(two), HasSubstr("there are 2 features: exactly one, or --feature 0 .. 1 is accepted"));
  EXPECT_THAT(text_error("id,WKT\n1,POLYGON ((0 0, 1))\n2,POINT (0 0)\n"), HasSubstr("f.txt:2: "));
}

TEST(Text, NamesXml) {
  EXPECT_THAT(text_error("<?xml version=\"1.0\"?><kml></kml>"),
              HasSubstr("f.txt: is XML, such as KML or GML: GeoJSON, WKT and text are accepted"));
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
