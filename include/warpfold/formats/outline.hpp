#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/point.hpp"

/// Readers of outlines. Each returns one outline, and raises Error{input} that names the file and the place.
namespace warpfold::formats {

/// An outline as read from a file: the vertices in the order of the file, without further checks. Vertices that repeat
/// others are kept.
struct OutlineFile {
  std::vector<Point> vertices = {};
  bool is_map = false;      ///< x and y are longitudes and latitudes, by GeoJSON's rules or the columns' names
  bool is_rounded = false;  ///< a coordinate is an integer that a double cannot represent
  std::vector<std::string> notes = {};  ///< what was ignored, a sentence each
};

/// Says that so many vertices were dropped, for a note.
[[nodiscard]] std::string dropped_text(std::size_t count);

/// Chooses one polygon of a file that has several. Without a number, the file must hold exactly one.
struct OutlineChoice {
  std::optional<std::size_t> feature = {};  ///< index of a feature of GeoJSON, or of a geometry of WKT, from 0
  std::optional<std::size_t> part = {};     ///< index of a polygon in the feature, from 0
  bool has_options = true;                  ///< messages name the options --feature and --part
};

/// A row of the table of formats (format.hpp).
struct OutlineFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  OutlineFile (*parse)(const std::string& path, std::string_view content, const OutlineChoice& choice);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const OutlineFormat> outline_formats();

/// Reads an outline from a file, or from standard input for "-". The ending or the content identifies the format.
/// Raises Error{usage} for a choice if the format holds one polygon only.
[[nodiscard]] OutlineFile read_outline(const std::string& path, const OutlineChoice& choice = {});

/// Reads an outline from the content of a file in memory. `path` chooses the format by its ending, and is used in
/// messages.
[[nodiscard]] OutlineFile parse_outline(const std::string& path, std::string_view content,
                                        const OutlineChoice& choice = {});

/// Reads GeoJSON (RFC 7946): a Polygon or MultiPolygon, or one in a GeometryCollection, Feature or FeatureCollection,
/// among points and lines. Or reads such objects one per line (RFC 8142 too), each a feature. Altitudes are ignored.
/// Holes are rejected. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_geojson_outline(const std::string& path, std::string_view content,
                                                const OutlineChoice& choice = {});

/// Reads well-known text: a POLYGON, TRIANGLE or MULTIPOLYGON, or one in a GEOMETRYCOLLECTION. It may have quotes
/// around it, PostGIS' SRID before it, and others of its kind on the next lines. Or reads well-known binary in
/// hexadecimal digits. Z and M are ignored. Holes are rejected. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_wkt_outline(const std::string& path, std::string_view content,
                                            const OutlineChoice& choice = {});

/// Reads lines `x y`, `x,y`, `x;y` or `[x, y],`. Empty lines, text after a # and lines that begin with > are skipped. A
/// first line of names finds the columns: x and y, longitude and latitude, or easting and northing. Without it, names
/// or counts may precede x, and z may follow y; both are ignored. A column of well-known text is read as
/// `parse_wkt_outline` does. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_text_outline(const std::string& path, std::string_view content,
                                             const OutlineChoice& choice = {});

}  // namespace warpfold::formats
