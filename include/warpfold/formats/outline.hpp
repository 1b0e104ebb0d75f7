#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/core/point.hpp"

/// Readers of one outline: its vertices in the file's order, not checked any further. A closing vertex that repeats the
/// first is kept. Every reader raises Error{input} that names the file and the place, and sets `is_rounded`, where that
/// is asked, to whether a coordinate is written as a whole number that is no double.
namespace warpfold::formats {

/// Which polygon of a file with several. Without a number the file has to hold exactly one.
struct OutlineChoice {
  std::optional<std::size_t> feature;  ///< of a GeoJSON FeatureCollection, from 0
  std::optional<std::size_t> part;     ///< of a MultiPolygon, from 0
};

/// Reads a file, or standard input for "-", as `outline_format` says.
[[nodiscard]] std::vector<Point> read_outline(const std::string& path, const OutlineChoice& choice = {});

/// The same for what was read from there.
[[nodiscard]] std::vector<Point> parse_outline(const std::string& path, std::string_view content,
                                               const OutlineChoice& choice = {}, bool* is_rounded = nullptr);

enum class OutlineFormat { geojson, wkt, text };

/// By the file's ending: .geojson or .json, .wkt, .csv or .txt; by its content for other endings and for "-". Raises
/// Error{input} for a .npy matrix.
[[nodiscard]] OutlineFormat outline_format(const std::string& path, std::string_view content);

/// RFC 7946: a Polygon or MultiPolygon, a Feature or FeatureCollection with it. Altitudes are ignored, holes refused.
/// `path` is only for messages.
[[nodiscard]] std::vector<Point> parse_geojson_outline(const std::string& path, std::string_view content,
                                                       const OutlineChoice& choice = {}, bool* is_rounded = nullptr);

/// Well-known text: POLYGON or MULTIPOLYGON. Z and M are ignored where the type's name declares them, and refused where
/// it does not; so are holes.
[[nodiscard]] std::vector<Point> parse_wkt_outline(const std::string& path, std::string_view content,
                                                   const OutlineChoice& choice = {}, bool* is_rounded = nullptr);

/// Lines `x y` or `x,y`. Empty lines, what follows a #, and a first line that names the columns (x and y, or longitude
/// and latitude) are skipped.
[[nodiscard]] std::vector<Point> parse_text_outline(const std::string& path, std::string_view content,
                                                    bool* is_rounded = nullptr);

}  // namespace warpfold::formats
