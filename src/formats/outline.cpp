#include "warpfold/formats/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <utility>

#include "core/geos.hpp"
#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "io/json.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

bool is_blank(char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The number of words of a trimmed text.
std::size_t word_count(std::string_view text) {
  std::size_t words = text.empty() ? 0 : 1;
  for (std::size_t at = 1; at < text.size(); ++at) words += is_blank(text[at - 1]) && !is_blank(text[at]) ? 1 : 0;
  return words;
}

bool is_rounded_integer(const io::Number& number) {
  return number.whole && !std::isinf(number.real) && static_cast<io::Whole>(number.real) != number.exact;
}

/// Reads a coordinate as a double, and marks the outline if the file has an integer that a double cannot represent.
double coordinate(const io::Number& number, OutlineFile& outline) {
  outline.is_rounded = outline.is_rounded || is_rounded_integer(number);
  return number.real;
}

/// The place in a file, for messages: "FILE: features[2].geometry: ..".
struct Place {
  std::string path;
  std::string steps = "";

  [[nodiscard]] Place inside(const std::string& key) const { return {path, steps + (steps.empty() ? "" : ".") + key}; }
  [[nodiscard]] Place entry(std::size_t k) const { return {path, fmt::format("{}[{}]", steps, k)}; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("{}: {}{}{}", path, steps, steps.empty() ? "" : ": ", what));
  }
};

/// Returns the chosen index below `count`. Without a choice there must be exactly one.
std::size_t choose(const Place& place, std::size_t count, std::optional<std::size_t> chosen, const std::string& name) {
  if (count == 0) place.refuse(fmt::format("there is no {}: a polygon is accepted", name));
  if (!chosen && count > 1) {
    place.refuse(
        fmt::format("there are {} {}s: exactly one, or --{} 0 .. {} is accepted", count, name, name, count - 1));
  }
  if (chosen.value_or(0) >= count) {
    place.refuse(fmt::format("there is no {} {}: 0 .. {} is accepted", name, *chosen, count - 1));
  }
  return chosen.value_or(0);
}

std::string shown(const io::Json& value) { return io::printable(io::json_text(value)); }

const io::Json& member(const Place& place, const io::Json& object, const char* name) {
  if (!object.is_object()) place.refuse("this is no JSON object: a GeoJSON object is accepted");
  const auto found = object.find(name);
  if (found == object.end()) place.refuse(fmt::format("'{}' is missing", name));
  return *found;
}

std::string type_of(const Place& place, const io::Json& object) {
  const io::Json& type = member(place, object, "type");
  if (!type.is_string()) place.refuse(fmt::format("'type' is {}: a string is accepted", shown(type)));
  return type.get<std::string>();
}

const io::Json& array_at(const Place& place, const io::Json& value) {
  if (!value.is_array()) place.refuse(fmt::format("this is {}: an array is accepted", shown(value)));
  return value;
}

OutlineFile ring_of(const Place& place, const io::Json& polygon) {
  if (array_at(place, polygon).empty()) place.refuse("the polygon is empty: an outer ring is accepted");
  if (polygon.size() > 1) {
    place.refuse(
        fmt::format("the polygon has {}: an outline without holes is accepted", quantity(polygon.size() - 1, "hole")));
  }
  const Place ring_place = place.entry(0);
  OutlineFile outline;
  outline.is_map = true;
  for (const io::Json& position : array_at(ring_place, polygon[0])) {
    const bool is_position = position.is_array() && position.size() >= 2;
    const auto x = is_position ? io::json_number(position[0]) : std::nullopt;
    const auto y = is_position ? io::json_number(position[1]) : std::nullopt;
    if (!x || !y) {
      ring_place.entry(outline.vertices.size())
          .refuse(fmt::format("{} is no position: [x, y] is accepted", shown(position)));
    }
    outline.vertices.push_back({coordinate(*x, outline), coordinate(*y, outline)});
  }
  return outline;
}

OutlineFile outline_of_geometry(const Place& place, const io::Json& geometry, const OutlineChoice& choice) {
  const std::string type = type_of(place, geometry);
  if (type != "Polygon" && type != "MultiPolygon") {
    place.refuse(fmt::format("'{}' is no outline: a Polygon or MultiPolygon is accepted", io::printable(type)));
  }
  const Place coordinates_place = place.inside("coordinates");
  const io::Json& coordinates = array_at(coordinates_place, member(place, geometry, "coordinates"));
  if (type == "Polygon") {
    choose(place, 1, choice.part, "part");
    return ring_of(coordinates_place, coordinates);
  }
  const std::size_t part = choose(coordinates_place, coordinates.size(), choice.part, "part");
  return ring_of(coordinates_place.entry(part), coordinates[part]);
}

std::vector<Point> ring_of_geos(const Place& place, const Geos& geos, const GEOSGeometry* polygon) {
  GEOSContextHandle_t handle = geos.get();
  if (GEOSisEmpty_r(handle, polygon) != 0) place.refuse("the polygon is empty: an outer ring is accepted");
  const int holes = GEOSGetNumInteriorRings_r(handle, polygon);
  if (holes != 0) {
    place.refuse(fmt::format("the polygon has {}: an outline without holes is accepted", quantity(holes, "hole")));
  }
  const GEOSCoordSequence* ring = geos.made(GEOSGeom_getCoordSeq_r(handle, GEOSGetExteriorRing_r(handle, polygon)));
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(handle, ring, &count);
  std::vector<Point> vertices(count);
  for (unsigned k = 0; k < count; ++k) GEOSCoordSeq_getXY_r(handle, ring, k, &vertices[k].x, &vertices[k].y);
  return vertices;
}

/// The count of numbers of a vertex. The type's name, the text before the first parenthesis, declares it: 2, and one
/// more each for Z and M.
std::size_t declared_numbers(std::string_view name) {
  std::size_t numbers = 2;
  name = trimmed(name);
  for (const char letter : {'M', 'Z'}) {
    if (name.empty() || std::toupper(static_cast<unsigned char>(name.back())) != letter) continue;
    name.remove_suffix(1);
    ++numbers;
  }
  return numbers;
}

/// Finds which of a vertex's first two words are integers that doubles cannot represent. GEOS reads doubles only.
void note_rounded(std::string_view vertex, OutlineFile& outline) {
  for (int word = 0; word < 2; ++word) {
    const std::size_t end = std::min(vertex.find_first_of(" \t\r\n"), vertex.size());
    const std::string_view digits = vertex.substr(0, end);
    vertex = trimmed(vertex.substr(end));
    if (digits.size() < 16 || digits.find_first_not_of("-0123456789") != digits.npos) continue;
    try {
      static_cast<void>(coordinate(io::parse_number(digits), outline));
    } catch (const Error&) {  // of more digits than `Whole` holds
      outline.is_rounded = true;
    }
  }
}

/// Checks what GEOS does not check. GEOS reads nested collections by recursion, but a polygon needs at most three
/// levels. GEOS ignores text after the last parenthesis. GEOS accepts vertices of 2 to 4 numbers in one file.
void check_wkt_frame(const Place& place, std::string_view content, OutlineFile& outline) {
  const std::size_t numbers = declared_numbers(content.substr(0, content.find('(')));
  int depth = 0;
  bool closed = false;
  std::size_t first = 0;  // behind the last parenthesis or comma
  for (std::size_t at = 0; at < content.size(); ++at) {
    const char character = content[at];
    if (closed && !is_blank(character)) {
      place.refuse("something follows the geometry: one POLYGON ((x y, ...)) is accepted");
    }
    if (character == '(' && ++depth > 3) place.refuse("too many nested parentheses: POLYGON ((x y, ...)) is accepted");
    if (character != '(' && character != ')' && character != ',') continue;
    if (character == ')') closed = --depth == 0;
    const std::string_view vertex = trimmed(content.substr(first, at - first));
    const std::size_t words = character == '(' ? 0 : word_count(vertex);
    if (words > 2 && words != numbers) {
      place.refuse(fmt::format("'{}' has {} numbers: {} a vertex are accepted, one more behind POLYGON Z or M",
                               io::printable(vertex), words, numbers));
    }
    if (words > 1) note_rounded(vertex, outline);
    first = at + 1;
  }
}

/// Whether the words are column names instead of a vertex: x and y, or longitude and latitude.
bool is_header(const std::vector<std::string_view>& words) {
  if (words.size() != 2) return false;
  const std::string first = io::lower(words[0]), second = io::lower(words[1]);
  return (first == "x" && second == "y") || (first.starts_with("lon") && second.starts_with("lat")) ||
         (first == "lng" && second == "lat");
}

/// The first character that is not white space; 0 if there is none.
char first_of(std::string_view content) {
  const std::string_view start = io::trimmed(io::without_mark(content));
  return start.empty() ? '\0' : start.front();
}

}  // namespace

OutlineFile parse_geojson_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  const io::Json document = io::parse_json(path, content);
  Place place{path};
  const io::Json* geometry = &document;
  if (type_of(place, document) == "FeatureCollection") {
    const Place features_place = place.inside("features");
    const io::Json& features = array_at(features_place, member(place, document, "features"));
    const std::size_t feature = choose(features_place, features.size(), choice.feature, "feature");
    place = features_place.entry(feature).inside("geometry");
    geometry = &member(features_place.entry(feature), features[feature], "geometry");
  } else {
    choose(place, 1, choice.feature, "feature");
    if (type_of(place, document) == "Feature") {
      geometry = &member(place, document, "geometry");
      place = place.inside("geometry");
    }
  }
  return outline_of_geometry(place, *geometry, choice);
}

OutlineFile parse_wkt_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  const Place place{path};
  OutlineFile outline;
  content = io::without_mark(content);
  if (content.find('\0') != std::string_view::npos) place.refuse("this is no text: POLYGON ((x y, ...)) is accepted");
  check_wkt_frame(place, content, outline);
  choose(place, 1, choice.feature, "feature");
  const Geos geos;
  const auto destroy_reader = [&](GEOSWKTReader* reader) { GEOSWKTReader_destroy_r(geos.get(), reader); };
  const std::unique_ptr<GEOSWKTReader, decltype(destroy_reader)> reader(geos.made(GEOSWKTReader_create_r(geos.get())),
                                                                        destroy_reader);
  GEOSWKTReader_setFixStructure_r(geos.get(), reader.get(), 1);  // closes open rings
  const auto geometry = geos.owner(GEOSWKTReader_read_r(geos.get(), reader.get(), std::string(content).c_str()));
  if (!geometry) place.refuse(fmt::format("{}: POLYGON ((x y, ...)) is accepted", geos.failure()));

  const int type = GEOSGeomTypeId_r(geos.get(), geometry.get());
  if (type != GEOS_POLYGON && type != GEOS_MULTIPOLYGON) {
    place.refuse("this is no outline: a POLYGON or MULTIPOLYGON is accepted");
  }
  const int parts = GEOSGetNumGeometries_r(geos.get(), geometry.get());
  const std::size_t part = choose(place, static_cast<std::size_t>(std::max(parts, 0)), choice.part, "part");
  outline.vertices = ring_of_geos(place, geos, GEOSGetGeometryN_r(geos.get(), geometry.get(), static_cast<int>(part)));
  return outline;
}

OutlineFile parse_text_outline(const std::string& path, std::string_view content, const OutlineChoice&) {
  OutlineFile outline;
  std::vector<std::string_view> words;
  bool first = true;
  io::each_line(path, content, [&](std::string_view line) {
    line = io::trimmed(line);
    if (line.empty() || line.starts_with('#')) return;
    words.clear();
    io::each_word(line, [&](std::string_view word) { words.push_back(word); });
    if (std::exchange(first, false) && is_header(words)) return;
    if (words.size() != 2) {
      throw Error(ErrorKind::input, fmt::format("'{}' is no vertex: 'x y' or 'x,y' is accepted", io::printable(line)));
    }
    const double x = coordinate(io::parse_number(words[0]), outline);
    outline.vertices.push_back({x, coordinate(io::parse_number(words[1]), outline)});
  });
  return outline;
}

std::span<const OutlineFormat> outline_formats() {
  static const OutlineFormat all[] = {
      {"GeoJSON",
       {".geojson", ".json"},
       [](std::string_view content) { return first_of(content) == '{'; },
       parse_geojson_outline,
       true},
      {"WKT",
       {".wkt"},
       [](std::string_view content) { return std::isalpha(static_cast<unsigned char>(first_of(content))) != 0; },
       parse_wkt_outline,
       true},
      {"text", {".csv", ".txt"}, any_other, parse_text_outline},
  };
  return all;
}

namespace {

/// Raises Error{usage} for a choice where a file of the format holds one outline.
void check_choice(const std::string& path, const OutlineFormat& format, const OutlineChoice& choice) {
  if (format.holds_several || !(choice.feature || choice.part)) return;
  std::vector<std::string> several;
  for (const OutlineFormat& other : outline_formats()) {
    if (other.holds_several) several.push_back(other.name);
  }
  throw Error(ErrorKind::usage, fmt::format("{}: {} holds one outline: --feature and --part are for {}", path,
                                            format.name, listed(several, "and")));
}

const OutlineFormat& outline_format(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  if (io::trimmed(io::without_mark(content)).starts_with("\x93NUMPY")) {
    throw Error(ErrorKind::input, path + ": this is a .npy matrix, no outline: --matrix is accepted");
  }
  const OutlineFormat& format = find_format(outline_formats(), path, content);
  check_choice(path, format, choice);
  return format;
}

}  // namespace

OutlineFile parse_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  return outline_format(path, content, choice).parse(path, content, choice);
}

OutlineFile read_outline(const std::string& path, const OutlineChoice& choice) {
  return parse_outline(path, io::read_file(path), choice);
}

}  // namespace warpfold::formats
