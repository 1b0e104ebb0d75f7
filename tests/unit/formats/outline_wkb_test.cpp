#include <geos_c.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/outline.hpp"

namespace warpfold::formats {
namespace {

/// Well-known binary of a text as GEOS writes it, in hexadecimal digits.
std::string hex_by_geos(const std::string& text, int order, int flavor, int srid) {
  GEOSContextHandle_t geos = GEOS_init_r();
  GEOSWKTReader* const reader = GEOSWKTReader_create_r(geos);
  GEOSGeometry* const geometry = GEOSWKTReader_read_r(geos, reader, text.c_str());
  GEOSSetSRID_r(geos, geometry, srid);
  GEOSWKBWriter* const writer = GEOSWKBWriter_create_r(geos);
  GEOSWKBWriter_setOutputDimension_r(geos, writer, 3);
  GEOSWKBWriter_setByteOrder_r(geos, writer, order);
  GEOSWKBWriter_setFlavor_r(geos, writer, flavor);
  GEOSWKBWriter_setIncludeSRID_r(geos, writer, srid != 0);
  std::size_t size = 0;
  unsigned char* const digits = GEOSWKBWriter_writeHEX_r(geos, writer, geometry, &size);
  const std::string hex(reinterpret_cast<const char*>(digits), size);
  GEOSFree_r(geos, digits);
  GEOSWKBWriter_destroy_r(geos, writer);
  GEOSGeom_destroy_r(geos, geometry);
  GEOSWKTReader_destroy_r(geos, reader);
  GEOS_finish_r(geos);
  return hex;
}

std::string wkb_error(const std::string& hex, const OutlineChoice& choice = {}) {
  try {
    static_cast<void>(parse_wkt_outline("f.wkt", hex, choice));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

const std::string triangle_wkt = "POLYGON ((0 0, 4 0, 4 3.25, 0 0))";

TEST(HexWkb, IsReadAsGeosWritesIt) {
  const std::vector<Point> expected = {{0, 0}, {4, 0}, {4, 3.25}, {0, 0}};
  for (const std::string text : {"POLYGON ((0 0, 4 0, 4 3.25, 0 0))", "POLYGON Z ((0 0 7, 4 0 7, 4 3.25 7, 0 0 7))",
                                 "MULTIPOLYGON (((0 0, 4 0, 4 3.25, 0 0)))"}) {
    for (const int order : {GEOS_WKB_XDR, GEOS_WKB_NDR}) {
      for (const int flavor : {GEOS_WKB_EXTENDED, GEOS_WKB_ISO}) {
        for (const int srid : {0, 4326}) {
          const OutlineFile outline = parse_wkt_outline("f", hex_by_geos(text, order, flavor, srid) + "\n");
          EXPECT_EQ(outline.vertices, expected) << text << " " << order << " " << flavor << " " << srid;
          EXPECT_EQ(outline.notes.size(), text.find('Z') == std::string::npos ? 0u : 1u);
        }
      }
    }
  }
}

TEST(HexWkb, IsFoundByItsContent) {
  const std::string hex = hex_by_geos(triangle_wkt, GEOS_WKB_NDR, GEOS_WKB_EXTENDED, 4326);
  for (const std::string path : {"-", "f.wkt", "f.txt", "f.hex"}) {
    EXPECT_EQ(parse_outline(path, hex).vertices.size(), 4u) << path;
    EXPECT_EQ(parse_outline(path, "\\x" + hex + "\n").vertices.size(), 4u) << path;
  }
  EXPECT_EQ(parse_outline("f.csv", "id,geom\n1," + hex + "\n").vertices.size(), 4u);
}

TEST(HexWkb, HasPartsAndHoles) {
  const std::string two = hex_by_geos("MULTIPOLYGON (((5 5, 6 5, 6 6, 5 5)), ((0 0, 4 0, 4 3, 0 0)))", 1, 1, 0);
  EXPECT_EQ(parse_wkt_outline("f", two, {{}, 1}).vertices[1], (Point{4, 0}));
  EXPECT_THAT(wkb_error(two), testing::HasSubstr("there are 2 parts: exactly one, or --part 0 .. 1 is accepted"));
  const std::string holed = hex_by_geos("POLYGON ((0 0, 9 0, 0 9, 0 0), (1 1, 2 1, 1 2, 1 1))", 1, 1, 0);
  EXPECT_THAT(wkb_error(holed), testing::HasSubstr("1 hole:"));
  EXPECT_THAT(wkb_error(hex_by_geos("POLYGON EMPTY", 1, 1, 0)), testing::HasSubstr("the polygon is empty"));
  EXPECT_THAT(wkb_error(hex_by_geos("LINESTRING (0 0, 1 1)", 1, 1, 0)),
              testing::HasSubstr("WKB of type 2, no outline"));
}

TEST(HexWkb, EndsWhereItIsCutOrGoesOn) {
  const std::string hex = hex_by_geos(triangle_wkt, GEOS_WKB_NDR, GEOS_WKB_EXTENDED, 0);
  for (std::size_t size = 18; size < hex.size(); size += 2) {
    EXPECT_THAT(wkb_error(hex.substr(0, size)), testing::HasSubstr("f.wkt: ends within the geometry")) << size;
  }
  EXPECT_THAT(wkb_error(hex + "00"), testing::HasSubstr("1 byte follows the geometry"));
  std::string many = hex;
  many.replace(10, 8, "ffffffff");
  EXPECT_THAT(wkb_error(many), testing::HasSubstr("ends within the geometry"));
}

}  // namespace
}  // namespace warpfold::formats
