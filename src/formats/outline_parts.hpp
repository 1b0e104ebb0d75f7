#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/formats/outline.hpp"
#include "warpfold/io/numbers.hpp"

/// What the readers of outlines share.
namespace warpfold::formats {

/// The place in a file, for messages: "FILE: features[2].geometry".
struct OutlinePlace {
  std::string path;
  std::string steps = "";

  [[nodiscard]] OutlinePlace inside(const std::string& key) const;
  [[nodiscard]] OutlinePlace entry(std::size_t k) const;
  [[noreturn]] void reject(const std::string& what) const;
};

/// Reads a coordinate as a double, and marks the outline if the file has an integer that a double cannot represent.
[[nodiscard]] double coordinate(const io::Number& number, OutlineFile& outline);

/// Notes that numbers beside x and y are ignored: "Z is", or "Z and M are".
void note_ignored(OutlineFile& outline, const std::string& numbers_are);

/// Returns the chosen feature of `count`. Without a choice, it is the only one that has a polygon. Raises Error{input}
/// for any other number of these.
[[nodiscard]] std::size_t choose_feature(const OutlinePlace& place, std::size_t count, const OutlineChoice& choice,
                                         const std::function<bool(std::size_t)>& has_polygon);

/// Returns the chosen part of `count`. Without a choice, there must be exactly one.
[[nodiscard]] std::size_t choose_part(const OutlinePlace& place, std::size_t count, const OutlineChoice& choice);

/// Raises Error{input} if a polygon has holes.
void check_holes(const OutlinePlace& place, std::size_t holes);

/// Raises Error{usage} for a choice where a file holds one outline.
void reject_choice(const std::string& path, std::string_view format, const OutlineChoice& choice);

/// Whether a text is hexadecimal digits of well-known binary, perhaps after `\x` or `0x`.
[[nodiscard]] bool is_hex_wkb(std::string_view text);

/// Reads hexadecimal digits of well-known binary: OGC's, ISO's with Z and M, or PostGIS' with SRID.
[[nodiscard]] OutlineFile parse_hex_wkb(const OutlinePlace& place, std::string_view text, const OutlineChoice& choice);

/// A geometry of a file as text, and its line, from 1.
struct GeometryText {
  std::string_view text;
  std::size_t line = 1;
};

/// Whether a text begins like a geometry of WKT, or is one of hexadecimal WKB.
[[nodiscard]] bool begins_geometry(std::string_view text);

/// Reads the chosen one of several geometries, each WKT or hexadecimal WKB.
[[nodiscard]] OutlineFile parse_geometries(const std::string& path, const std::vector<GeometryText>& geometries,
                                           const OutlineChoice& choice);

/// Returns the geometries of separated values: of each row the first value that begins like one.
[[nodiscard]] std::vector<GeometryText> geometry_column(std::string_view content);

/// Reads an array n x 2 of a .npy file, or n x 3 without the third column. Raises Error{usage} for a choice.
[[nodiscard]] OutlineFile parse_npy_outline(const std::string& path, std::string_view content,
                                            const OutlineChoice& choice);

}  // namespace warpfold::formats
