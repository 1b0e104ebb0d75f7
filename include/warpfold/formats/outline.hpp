#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/point.hpp"

/// Readers of one outline. Each raises Error{input} that names the file and the place.
namespace warpfold::formats {

/// An outline as its file has it: the vertices in the file's order, not checked any further. A closing vertex that
/// repeats the first is kept.
struct OutlineFile {
  std::vector<Point> vertices;
  bool is_map = false;      ///< x and y are longitudes and latitudes, as GeoJSON prescribes
  bool is_rounded = false;  ///< a coordinate is written as an integer that is no double
};

/// Which polygon of a file with several. Without a number the file has to hold exactly one.
struct OutlineChoice {
  std::optional<std::size_t> feature;  ///< of a GeoJSON FeatureCollection, from 0
  std::optional<std::size_t> part;     ///< of a MultiPolygon, from 0
};

/// A row of the table: format.hpp.
struct OutlineFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognises)(std::string_view content);
  OutlineFile (*parse)(const std::string& path, std::string_view content, const OutlineChoice& choice);
  bool holds_several = false;  ///< a file may have several polygons, of which `OutlineChoice` takes one
};
/// Every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const OutlineFormat> outline_formats();

/// Reads a file, or standard input for "-", in the format that its ending or its content tells. Raises Error{input} for
/// a .npy matrix, and Error{usage} for a choice where the format holds one polygon.
[[nodiscard]] OutlineFile read_outline(const std::string& path, const OutlineChoice& choice = {});

/// The same for what was read from there.
[[nodiscard]] OutlineFile parse_outline(const std::string& path, std::string_view content,
                                        const OutlineChoice& choice = {});

/// RFC 7946: a Polygon or MultiPolygon, a Feature or FeatureCollection with it. Altitudes are ignored, holes refused.
/// `path` is only for messages.
[[nodiscard]] OutlineFile parse_geojson_outline(const std::string& path, std::string_view content,
                                                const OutlineChoice& choice = {});

/// Well-known text: POLYGON or MULTIPOLYGON. Z and M are ignored where the type's name declares them, and refused where
/// it does not; so are holes.
[[nodiscard]] OutlineFile parse_wkt_outline(const std::string& path, std::string_view content,
                                            const OutlineChoice& choice = {});

/// Lines `x y` or `x,y`. Empty lines, what follows a #, and a first line that names the columns (x and y, or longitude
/// and latitude) are skipped.
[[nodiscard]] OutlineFile parse_text_outline(const std::string& path, std::string_view content,
                                             const OutlineChoice& choice = {});

}  // namespace warpfold::formats
