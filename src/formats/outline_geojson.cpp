#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/outline_parts.hpp"
#include "io/json.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

using io::Json;

/// A JSON value and its place.
struct PlacedJson {
  OutlinePlace place;
  const Json* value;

  [[nodiscard]] PlacedJson entry(std::size_t k) const { return {place.entry(k), &(*value)[k]}; }
  [[noreturn]] void reject_as(const std::string& accepted) const {
    const std::string stands = io::printable(io::json_text(*value));
    if (place.steps.empty()) place.reject(fmt::format("this is {}: {} is accepted", stands, accepted));
    throw Error(ErrorKind::input,
                fmt::format("{}: {} is {}: {} is accepted", place.path, place.steps, stands, accepted));
  }
};

/// A member of an object. The place of an object is that of the object that needs it.
PlacedJson member_of(const PlacedJson& object, const char* name) {
  if (!object.value->is_object()) object.place.reject("this is no JSON object: a GeoJSON object is accepted");
  const auto found = object.value->find(name);
  if (found == object.value->end()) object.place.reject(fmt::format("'{}' is missing", name));
  return {object.place.inside(name), &*found};
}

std::string type_of(const PlacedJson& object) {
  const PlacedJson type = member_of(object, "type");
  if (type.value->is_string()) return type.value->get<std::string>();
  object.place.reject(fmt::format("'type' is {}: a string is accepted", io::printable(io::json_text(*type.value))));
}

PlacedJson geometry_of(const PlacedJson& feature) {
  PlacedJson geometry = member_of(feature, "geometry");
  if (geometry.value->is_null()) geometry.reject_as("a Polygon or MultiPolygon");
  return geometry;
}

/// Names of GeoJSON's geometries, of which `levels` arrays are around a position.
struct Polygonal {
  const char* type;
  int levels;
};
constexpr Polygonal polygonal[] = {{"Polygon", 2}, {"MultiPolygon", 3}};
constexpr const char* no_polygons[] = {"Point", "MultiPoint", "LineString", "MultiLineString"};

const Polygonal* polygonal_of(const std::string& type) {
  const auto found =
      std::find_if(std::begin(polygonal), std::end(polygonal), [&](const Polygonal& one) { return type == one.type; });
  return found == std::end(polygonal) ? nullptr : found;
}

/// A member of an object; null if there is none.
const Json& member_or_null(const Json& object, const char* name) {
  static const Json null;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? null : *found;
}

/// Whether an object has a polygon, as far as its types say. Raises no error.
bool has_polygon(const Json& object) {
  if (const Json& geometry = member_or_null(object, "geometry"); !geometry.is_null()) return has_polygon(geometry);
  const Json& type = member_or_null(object, "type");
  if (type == "GeometryCollection") {
    const Json& geometries = member_or_null(object, "geometries");
    return std::any_of(geometries.begin(), geometries.end(), has_polygon);
  }
  return type.is_string() && polygonal_of(type.get<std::string>());
}

const char* of_level(int levels) {
  return levels == 0 ? "a position [x, y]" : levels == 1 ? "an array of positions" : "an array of rings";
}

/// Follows the first entries of arrays down to a position. Raises Error{input} where they are nested too little or too
/// much.
void check_nesting(const PlacedJson& value, int levels) {
  if (levels == 0) {
    if (!value.value->is_array() || (!value.value->empty() && value.value->front().is_array()))
      value.reject_as(of_level(0));
    return;
  }
  if (!value.value->is_array()) value.reject_as(levels == 3 ? "an array of polygons" : of_level(levels));
  if (!value.value->empty()) check_nesting(value.entry(0), levels - 1);
}

/// Adds the polygons of a geometry, each the array of its rings. Points and lines of collections have none.
void add_polygons(const PlacedJson& geometry, bool in_collection, std::vector<PlacedJson>& polygons) {
  const std::string type = type_of(geometry);
  if (type == "GeometryCollection") {
    const PlacedJson geometries = member_of(geometry, "geometries");
    if (!geometries.value->is_array()) geometries.reject_as("an array");
    for (std::size_t k = 0; k < geometries.value->size(); ++k) add_polygons(geometries.entry(k), true, polygons);
    return;
  }
  if (in_collection && std::find(std::begin(no_polygons), std::end(no_polygons), type) != std::end(no_polygons)) return;
  const Polygonal* const found = polygonal_of(type);
  if (!found) {
    geometry.place.reject(
        fmt::format("'{}' is no outline: a Polygon or MultiPolygon is accepted", io::printable(type)));
  }
  const PlacedJson coordinates = member_of(geometry, "coordinates");
  check_nesting(coordinates, found->levels);
  if (found->levels == 2) return polygons.push_back(coordinates);
  for (std::size_t k = 0; k < coordinates.value->size(); ++k) polygons.push_back(coordinates.entry(k));
}

OutlineFile ring_of(const PlacedJson& polygon) {
  if (!polygon.value->is_array()) polygon.reject_as(of_level(2));
  if (polygon.value->empty()) polygon.place.reject("the polygon is empty: an outer ring is accepted");
  check_holes(polygon.place, polygon.value->size() - 1);
  const PlacedJson ring = polygon.entry(0);
  if (!ring.value->is_array()) ring.reject_as(of_level(1));
  OutlineFile outline;
  outline.is_map = true;
  bool has_altitudes = false;
  for (const Json& position : *ring.value) {
    const bool is_position = position.is_array() && position.size() >= 2;
    const auto x = is_position ? io::json_number(position[0]) : std::nullopt;
    const auto y = is_position ? io::json_number(position[1]) : std::nullopt;
    if (!x || !y) ring.entry(outline.vertices.size()).reject_as(of_level(0));
    outline.vertices.push_back({coordinate(*x, outline), coordinate(*y, outline)});
    has_altitudes = has_altitudes || position.size() > 2;
  }
  if (has_altitudes) note_ignored(outline, "altitudes are");
  return outline;
}

OutlineFile outline_of(const PlacedJson& geometry, const OutlineChoice& choice) {
  std::vector<PlacedJson> polygons;
  add_polygons(geometry, false, polygons);
  const OutlinePlace place =
      type_of(geometry) == "MultiPolygon" ? geometry.place.inside("coordinates") : geometry.place;
  return ring_of(polygons[choose_part(place, polygons.size(), choice)]);
}

const PlacedJson& chosen_feature(const OutlinePlace& place, const std::vector<PlacedJson>& features,
                                 const OutlineChoice& choice) {
  return features[choose_feature(place, features.size(), choice,
                                 [&](std::size_t k) { return has_polygon(*features[k].value); })];
}

/// The outline of one of several features or geometries.
OutlineFile outline_of_objects(const OutlinePlace& place, const std::vector<PlacedJson>& objects,
                               const OutlineChoice& choice) {
  const PlacedJson& object = chosen_feature(place, objects, choice);
  return outline_of(type_of(object) == "Feature" ? geometry_of(object) : object, choice);
}

OutlineFile outline_of_collection(const PlacedJson& features, const OutlineChoice& choice) {
  if (!features.value->is_array()) features.reject_as("an array");
  std::vector<PlacedJson> all;
  for (std::size_t k = 0; k < features.value->size(); ++k) all.push_back(features.entry(k));
  return outline_of(geometry_of(chosen_feature(features.place, all, choice)), choice);
}

std::string_view without_separator(std::string_view line) {
  line = io::trimmed(line);
  return line.starts_with('\x1e') ? io::trimmed(line.substr(1)) : line;
}

/// A line that is not empty, and its number from 1.
using NumberedLine = std::pair<std::size_t, std::string_view>;

/// Returns the first lines that are not empty, up to `most`.
std::vector<NumberedLine> numbered_lines(std::string_view content, std::size_t most) {
  std::vector<NumberedLine> lines;
  content = io::without_mark(content);
  const char end = io::end_of_line(content);
  for (std::size_t number = 1; !content.empty() && lines.size() < most; ++number) {
    const std::string_view line = without_separator(io::take_line(content, end));
    if (!line.empty()) lines.emplace_back(number, line);
  }
  return lines;
}

/// Whether the lines are JSON objects of their own. Inside one object a comma separates two of them.
bool has_objects_in_lines(std::string_view content) {
  const std::vector<NumberedLine> lines = numbered_lines(content, 2);
  return lines.size() == 2 && std::all_of(lines.begin(), lines.end(), [](const NumberedLine& line) {
           return line.second.starts_with('{') && line.second.ends_with('}');
         });
}

OutlineFile outline_of_lines(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  const std::vector<NumberedLine> lines = numbered_lines(content, content.size());
  std::vector<Json> values;
  std::vector<PlacedJson> features;
  values.reserve(lines.size());
  for (const auto& [number, line] : lines) {
    values.push_back(io::parse_json(path, line, {.first_line = number}));
    features.push_back({{fmt::format("{}:{}", path, number)}, &values.back()});
  }
  return outline_of_objects({path}, features, choice);
}

}  // namespace

OutlineFile parse_geojson_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  if (has_objects_in_lines(content)) return outline_of_lines(path, content, choice);
  content = io::without_mark(content);
  const Json document = io::parse_json(path, content.starts_with('\x1e') ? content.substr(1) : content);
  const PlacedJson object{{path}, &document};
  if (type_of(object) == "FeatureCollection") return outline_of_collection(member_of(object, "features"), choice);
  return outline_of_objects({path}, {object}, choice);
}

}  // namespace warpfold::formats
