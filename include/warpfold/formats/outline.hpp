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

/// An outline as read from a file: the vertices in the order of the file, without further checks. A last vertex that
/// repeats the first one is kept.
struct OutlineFile {
  std::vector<Point> vertices;
  bool is_map = false;      ///< x and y are longitudes and latitudes, as GeoJSON prescribes
  bool is_rounded = false;  ///< a coordinate is an integer that a double cannot represent
};

/// Chooses one polygon of a file that has several. Without a number, the file must hold exactly one.
struct OutlineChoice {
  std::optional<std::size_t> feature;  ///< index in a GeoJSON FeatureCollection, from 0
  std::optional<std::size_t> part;     ///< index in a MultiPolygon, from 0
};

/// A row of the table of formats (format.hpp).
struct OutlineFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  OutlineFile (*parse)(const std::string& path, std::string_view content, const OutlineChoice& choice);
  bool holds_several = false;  ///< a file may have several polygons, and `OutlineChoice` chooses one
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const OutlineFormat> outline_formats();

/// Reads an outline from a file, or from standard input for "-". The ending or the content identifies the format.
/// Raises Error{input} for a .npy matrix, and Error{usage} for a choice if the format holds one polygon only.
[[nodiscard]] OutlineFile read_outline(const std::string& path, const OutlineChoice& choice = {});

/// Reads an outline from text in memory. `path` chooses the format by its ending, and is used in messages.
[[nodiscard]] OutlineFile parse_outline(const std::string& path, std::string_view content,
                                        const OutlineChoice& choice = {});

/// Reads GeoJSON (RFC 7946): a Polygon or MultiPolygon, or a Feature or FeatureCollection with one. Altitudes are
/// ignored. Holes are rejected. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_geojson_outline(const std::string& path, std::string_view content,
                                                const OutlineChoice& choice = {});

/// Reads well-known text: POLYGON or MULTIPOLYGON. Z and M values are ignored if the type's name declares them, and
/// rejected otherwise. Holes are rejected. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_wkt_outline(const std::string& path, std::string_view content,
                                            const OutlineChoice& choice = {});

/// Reads lines `x y` or `x,y`. Empty lines and text after a # are skipped. So is a first line of column names: x and y,
/// or longitude and latitude. `path` is used in messages only.
[[nodiscard]] OutlineFile parse_text_outline(const std::string& path, std::string_view content,
                                             const OutlineChoice& choice = {});

}  // namespace warpfold::formats
