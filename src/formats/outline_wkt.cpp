#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <utility>

#include "core/geos.hpp"
#include "formats/outline_parts.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

bool is_letter(char character) { return std::isalpha(static_cast<unsigned char>(character)) != 0; }
bool is_white(char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; }

std::string upper(std::string_view text) {
  std::string large(text);
  for (char& c : large) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return large;
}

/// The types of geometries. Those with a polygon are the first.
constexpr std::string_view geometry_types[] = {
    "POLYGON",        "MULTIPOLYGON",  "TRIANGLE",         "GEOMETRYCOLLECTION",
    "POINT",          "LINESTRING",    "MULTIPOINT",       "MULTILINESTRING",
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON",     "MULTISURFACE",
    "MULTICURVE",     "TIN",           "POLYHEDRALSURFACE"};
constexpr std::size_t types_with_polygons = 4;

/// The beginning of a geometry: its type in capitals, and which numbers follow x and y.
struct WktHead {
  std::string type;
  bool has_z = false, has_m = false;
  std::string_view body;  ///< what follows: parentheses or EMPTY

  [[nodiscard]] std::size_t numbers() const { return 2 + std::size_t{has_z} + std::size_t{has_m}; }
  [[nodiscard]] bool is_known() const {
    return std::find(std::begin(geometry_types), std::end(geometry_types), type) != std::end(geometry_types);
  }
  [[nodiscard]] bool has_polygons() const {
    const auto* const end = std::begin(geometry_types) + types_with_polygons;
    return std::find(std::begin(geometry_types), end, type) != end;
  }
};

std::string take_letters(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
  const std::string word = upper({text.begin(), end});
  text.remove_prefix(word.size());
  return word;
}

/// Removes `letter` from the end of a text, if it is there.
bool take_last(std::string& text, char letter) {
  if (!text.ends_with(letter)) return false;
  text.pop_back();
  return true;
}

/// Reads "POLYGON ((..", "polygonz((..", "POLYGON ZM (..".
WktHead head_of(std::string_view text) {
  WktHead head{take_letters(text), false, false, io::trimmed(text)};
  std::string_view behind = head.body;
  std::string dimensions = take_letters(behind);
  const bool is_apart = dimensions == "Z" || dimensions == "M" || dimensions == "ZM";
  if (is_apart) head.body = io::trimmed(behind);
  std::string& last = is_apart ? dimensions : head.type;
  head.has_m = take_last(last, 'M');
  head.has_z = take_last(last, 'Z');
  return head;
}

/// Removes quotes around a text, and separators after it.
std::string_view without_quotes(std::string_view text) {
  text = io::trimmed(text);
  while (text.ends_with(';') || text.ends_with(',')) text = io::trimmed(text.substr(0, text.size() - 1));
  const bool is_quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? io::trimmed(text.substr(1, text.size() - 2)) : text;
}

/// Removes PostGIS' "SRID=4326;" from the front.
std::string_view without_srid(std::string_view text) {
  const std::size_t end = text.find(';');
  const bool has_srid = end != text.npos && upper(text.substr(0, 5)) == "SRID=";
  return has_srid ? io::trimmed(text.substr(end + 1)) : text;
}

/// The number of words of a trimmed text.
std::size_t word_count(std::string_view text) {
  std::size_t words = text.empty() ? 0 : 1;
  for (std::size_t at = 1; at < text.size(); ++at) words += is_white(text[at - 1]) && !is_white(text[at]) ? 1 : 0;
  return words;
}

/// Finds which of a vertex's first two words are integers that doubles cannot represent. GEOS reads doubles only.
void note_rounded(std::string_view vertex, OutlineFile& outline) {
  for (int word = 0; word < 2; ++word) {
    const std::size_t end = std::min(vertex.find_first_of(" \t\r\n"), vertex.size());
    const std::string_view digits = vertex.substr(0, end);
    vertex = io::trimmed(vertex.substr(end));
    if (digits.size() < 16 || digits.find_first_not_of("-0123456789") != digits.npos) continue;
    static_cast<void>(coordinate(io::parse_real(digits), outline));
  }
}

/// Checks what GEOS does not check. GEOS reads nested collections by recursion, but a collection's MULTIPOLYGON needs
/// at most four levels. GEOS ignores text after the last parenthesis. GEOS accepts vertices of 2 to 4 numbers in one
/// geometry.
class WktFrame {
 public:
  WktFrame(const OutlinePlace& place, const WktHead& head, OutlineFile& outline)
      : place_(place), outline_(outline), max_depth_(head.type == "GEOMETRYCOLLECTION" ? 4 : 3) {
    declare(head);
  }

  void check(std::string_view body) {
    std::size_t first = 0;  // behind the last parenthesis or comma
    for (std::size_t at = 0; at < body.size(); ++at) {
      const char character = body[at];
      if (is_closed_ && !is_white(character)) {
        place_.reject("something follows the geometry: one POLYGON ((x y, ...)) is accepted");
      }
      if (character != '(' && character != ')' && character != ',') continue;
      const std::string_view part = io::trimmed(body.substr(first, at - first));
      character == '(' ? open(part) : check_vertex(part);
      if (character == ')') is_closed_ = --depth_ == 0;
      first = at + 1;
    }
    if (most_ > 2) note_ignored(outline_, most_ > 3 ? "Z and M are" : has_m_ ? "M is" : "Z is");
  }

 private:
  void declare(const WktHead& head) {
    declared_ = head.numbers();
    numbers_ = declared_ > 2 ? declared_ : 0;
    has_m_ = head.has_m;
  }

  /// A parenthesis, in a collection behind the type of a geometry.
  void open(std::string_view type) {
    if (++depth_ > max_depth_) place_.reject("too many nested parentheses: POLYGON ((x y, ...)) is accepted");
    if (depth_ > 1 && !type.empty()) declare(head_of(type));
  }

  void check_vertex(std::string_view vertex) {
    const std::size_t words = word_count(vertex);
    if (words < 2) return;  // GEOS says so
    if (numbers_ == 0) numbers_ = words;
    const bool is_short = words == 2 && declared_ > 2;
    if ((words != numbers_ && !is_short) || words > 4) {
      place_.reject(fmt::format("'{}' has {} numbers: {} a vertex are accepted", io::printable(vertex), words,
                                numbers_ > 4 ? "2 to 4" : std::to_string(numbers_)));
    }
    most_ = std::max(most_, words);
    note_rounded(vertex, outline_);
  }

  const OutlinePlace& place_;
  OutlineFile& outline_;
  int max_depth_;
  int depth_ = 0;
  bool is_closed_ = false;
  std::size_t declared_ = 2;
  std::size_t numbers_ = 0;  ///< of a vertex; 0: the first vertex decides
  std::size_t most_ = 2;     ///< numbers of a vertex
  bool has_m_ = false;
};

std::vector<Point> ring_of_geos(const OutlinePlace& place, const Geos& geos, const GEOSGeometry* polygon) {
  GEOSContextHandle_t handle = geos.get();
  if (GEOSisEmpty_r(handle, polygon) != 0) place.reject("the polygon is empty: an outer ring is accepted");
  check_holes(place, static_cast<std::size_t>(std::max(0, GEOSGetNumInteriorRings_r(handle, polygon))));
  const GEOSCoordSequence* ring = geos.made(GEOSGeom_getCoordSeq_r(handle, GEOSGetExteriorRing_r(handle, polygon)));
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(handle, ring, &count);
  std::vector<Point> vertices(count);
  for (unsigned k = 0; k < count; ++k) GEOSCoordSeq_getXY_r(handle, ring, k, &vertices[k].x, &vertices[k].y);
  return vertices;
}

/// Adds the polygons of a geometry. Points and lines of a collection have none.
void add_polygons_of_geos(const Geos& geos, const GEOSGeometry* geometry, std::vector<const GEOSGeometry*>& polygons) {
  const int type = GEOSGeomTypeId_r(geos.get(), geometry);
  if (type == GEOS_POLYGON) polygons.push_back(geometry);
  if (type != GEOS_MULTIPOLYGON && type != GEOS_GEOMETRYCOLLECTION) return;
  const int parts = GEOSGetNumGeometries_r(geos.get(), geometry);
  for (int k = 0; k < parts; ++k) add_polygons_of_geos(geos, GEOSGetGeometryN_r(geos.get(), geometry, k), polygons);
}

auto geometry_of_geos(const OutlinePlace& place, const Geos& geos, const std::string& text) {
  const auto destroy_reader = [&](GEOSWKTReader* reader) { GEOSWKTReader_destroy_r(geos.get(), reader); };
  const std::unique_ptr<GEOSWKTReader, decltype(destroy_reader)> reader(geos.made(GEOSWKTReader_create_r(geos.get())),
                                                                        destroy_reader);
  GEOSWKTReader_setFixStructure_r(geos.get(), reader.get(), 1);  // closes open rings
  auto geometry = geos.owner(GEOSWKTReader_read_r(geos.get(), reader.get(), text.c_str()));
  if (!geometry) place.reject(fmt::format("{}: POLYGON ((x y, ...)) is accepted", geos.failure()));
  return geometry;
}

/// The text of a geometry as every version of GEOS reads it. A triangle is a polygon.
std::string text_for_geos(const WktHead& head) {
  const std::string type = head.type == "TRIANGLE" ? "POLYGON" : head.type;
  return fmt::format("{}{}{}{} {}", type, head.numbers() > 2 ? " " : "", head.has_z ? "Z" : "", head.has_m ? "M" : "",
                     head.body);
}

OutlineFile parse_wkt(const OutlinePlace& place, std::string_view text, const OutlineChoice& choice) {
  const WktHead head = head_of(text);
  if (head.is_known() && !head.has_polygons()) {
    place.reject(fmt::format("'{}' is no outline: a POLYGON or MULTIPOLYGON is accepted", head.type));
  }
  OutlineFile outline;
  WktFrame(place, head, outline).check(head.body);
  const Geos geos;
  const auto geometry = geometry_of_geos(place, geos, text_for_geos(head));
  std::vector<const GEOSGeometry*> polygons;
  add_polygons_of_geos(geos, geometry.get(), polygons);
  outline.vertices = ring_of_geos(place, geos, polygons[choose_part(place, polygons.size(), choice)]);
  return outline;
}

/// Whether a line without parentheses is a whole geometry.
bool is_whole_line(std::string_view line) {
  line = without_quotes(line);
  return upper(line.substr(line.size() - std::min<std::size_t>(line.size(), 5))) == "EMPTY" || is_hex_wkb(line);
}

/// Splits a text into geometries. Each begins on its own line, and ends at the end of a line.
class GeometryLines {
 public:
  void add(std::string_view line) {
    ++lines_;
    const bool is_first = open_.text.empty();
    if (is_first && io::trimmed(line).empty()) return;
    if (is_first) open_ = {line, lines_};
    open_.text = {open_.text.data(), static_cast<std::size_t>(line.data() + line.size() - open_.text.data())};
    for (const char character : line) depth_ += character == '(' ? 1 : character == ')' ? -1 : 0;
    has_parentheses_ = has_parentheses_ || line.find('(') != line.npos;
    if (has_parentheses_ ? depth_ <= 0 : is_whole_line(line)) close();
  }

  [[nodiscard]] std::vector<GeometryText> take() {
    if (!open_.text.empty()) close();
    return std::move(geometries_);
  }

 private:
  void close() {
    geometries_.push_back(std::exchange(open_, {}));
    has_parentheses_ = false;
    depth_ = 0;
  }

  std::vector<GeometryText> geometries_;
  GeometryText open_;
  std::size_t lines_ = 0;
  int depth_ = 0;
  bool has_parentheses_ = false;
};

std::vector<GeometryText> geometries_in_lines(std::string_view content) {
  GeometryLines lines;
  const char end = io::end_of_line(content);
  while (!content.empty()) lines.add(io::take_line(content, end));
  return lines.take();
}

OutlineFile parse_geometry(const OutlinePlace& place, std::string_view text, const OutlineChoice& choice) {
  text = without_srid(without_quotes(text));
  return is_hex_wkb(text) ? parse_hex_wkb(place, text, choice) : parse_wkt(place, text, choice);
}

}  // namespace

bool begins_geometry(std::string_view text) {
  text = io::trimmed(text);
  if (text.starts_with('"') || text.starts_with('\'')) text.remove_prefix(1);
  text = without_srid(io::trimmed(text));
  const WktHead head = head_of(text.substr(0, 80));
  return (head.is_known() && (head.body.starts_with('(') || upper(head.body.substr(0, 5)) == "EMPTY")) ||
         is_hex_wkb(text);
}

OutlineFile parse_geometries(const std::string& path, const std::vector<GeometryText>& geometries,
                             const OutlineChoice& choice) {
  const auto has_polygon = [&](std::size_t k) {
    const std::string_view text = without_srid(without_quotes(geometries[k].text));
    return head_of(text).has_polygons() || is_hex_wkb(text);
  };
  const std::size_t chosen = choose_feature({path}, geometries.size(), choice, has_polygon);
  const GeometryText& geometry = geometries[chosen];
  const OutlinePlace place{geometries.size() == 1 ? path : fmt::format("{}:{}", path, geometry.line)};
  return parse_geometry(place, geometry.text, choice);
}

OutlineFile parse_wkt_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  content = io::without_mark(content);
  if (content.find('\0') != std::string_view::npos) {
    OutlinePlace{path}.reject("this is no text: POLYGON ((x y, ...)) is accepted");
  }
  std::vector<GeometryText> geometries = geometries_in_lines(content);
  if (geometries.empty()) geometries.push_back({content});
  return parse_geometries(path, geometries, choice);
}

}  // namespace warpfold::formats
