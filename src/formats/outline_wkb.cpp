#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/quantity.hpp"
#include "formats/outline_parts.hpp"
#include "io/text.hpp"

namespace warpfold::formats {

namespace {

std::string_view hex_digits_of(std::string_view text) {
  text = io::trimmed(text);
  return text.starts_with("\\x") || text.starts_with("0x") ? text.substr(2) : text;
}

unsigned hex_value(char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10); }

std::string bytes_of(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = static_cast<char>(16 * hex_value(digits[2 * k]) + hex_value(digits[2 * k + 1]));
  }
  return bytes;
}

/// The numbers that a geometry's header states.
struct WkbHeader {
  std::uint32_t type = 0;
  bool has_z = false, has_m = false;

  [[nodiscard]] std::size_t numbers() const { return 2 + std::size_t{has_z} + std::size_t{has_m}; }
};

/// Reads the bytes of polygons from the front. Raises Error{input} where they end early.
class WkbReader {
 public:
  WkbReader(const OutlinePlace& place, std::string_view bytes) : place_(place), rest_(bytes) {}

  WkbHeader header() {
    is_little_ = number<std::uint8_t>() == 1;
    const auto stated = number<std::uint32_t>();
    const std::uint32_t kind = stated & 0xffff,
                        dimensions = kind / 1000;             // ISO counts them in thousands, PostGIS in bits
    if ((stated & 0x20000000) != 0) number<std::uint32_t>();  // SRID
    return {kind % 1000, (stated & 0x80000000) != 0 || dimensions == 1 || dimensions == 3,
            (stated & 0x40000000) != 0 || dimensions == 2 || dimensions == 3};
  }

  /// A number of things of so many bytes each.
  std::size_t count(std::size_t bytes_each) {
    const auto count = number<std::uint32_t>();
    if (count > rest_.size() / bytes_each) reject_end();
    return count;
  }

  std::vector<Point> ring(std::size_t numbers) {
    std::vector<Point> vertices(count(numbers * sizeof(double)));
    for (Point& vertex : vertices) {
      vertex.x = number<double>();
      vertex.y = number<double>();
      rest_.remove_prefix((numbers - 2) * sizeof(double));
    }
    return vertices;
  }

  void check_end() const {
    if (!rest_.empty())
      place_.reject(
          fmt::format("{} the geometry: one is accepted", quantity(rest_.size(), "byte follows", "bytes follow")));
  }

 private:
  [[noreturn]] void reject_end() const { place_.reject("ends within the geometry: a whole WKB is accepted"); }

  template <class T>
  T number() {
    if (rest_.size() < sizeof(T)) reject_end();
    std::array<char, sizeof(T)> bytes;
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes[is_native() ? k : sizeof(T) - 1 - k] = rest_[k];
    rest_.remove_prefix(sizeof(T));
    return std::bit_cast<T>(bytes);
  }
  [[nodiscard]] bool is_native() const { return is_little_ == (std::endian::native == std::endian::little); }

  const OutlinePlace& place_;
  std::string_view rest_;
  bool is_little_ = true;
};

constexpr std::uint32_t wkb_polygon = 3, wkb_multipolygon = 6, wkb_triangle = 17;

/// A polygon's rings: the outer one, and how many follow it.
struct WkbPolygon {
  std::vector<Point> outer;
  std::size_t rings = 0;
};

WkbPolygon read_polygon(WkbReader& reader, const WkbHeader& header) {
  WkbPolygon polygon{{}, reader.count(sizeof(std::uint32_t))};
  for (std::size_t k = 0; k < polygon.rings; ++k) {
    std::vector<Point> ring = reader.ring(header.numbers());
    if (k == 0) polygon.outer = std::move(ring);
  }
  return polygon;
}

std::vector<WkbPolygon> read_polygons(const OutlinePlace& place, WkbReader& reader, const WkbHeader& header) {
  if (header.type == wkb_polygon || header.type == wkb_triangle) return {read_polygon(reader, header)};
  if (header.type != wkb_multipolygon) {
    place.reject(fmt::format("is WKB of type {}, no outline: a Polygon or MultiPolygon is accepted", header.type));
  }
  std::vector<WkbPolygon> polygons;
  for (std::size_t left = reader.count(sizeof(std::uint32_t)); left > 0; --left) {
    const WkbHeader part = reader.header();
    if (part.type != wkb_polygon) place.reject(fmt::format("has a part of type {}: Polygons are accepted", part.type));
    polygons.push_back(read_polygon(reader, part));
  }
  return polygons;
}

}  // namespace

bool is_hex_wkb(std::string_view text) {
  constexpr std::size_t least = 18;  // of an empty polygon
  const std::string_view digits = hex_digits_of(text);
  return digits.size() >= least && digits.size() % 2 == 0 && (digits.starts_with("00") || digits.starts_with("01")) &&
         digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
}

OutlineFile parse_hex_wkb(const OutlinePlace& place, std::string_view text, const OutlineChoice& choice) {
  const std::string bytes = bytes_of(hex_digits_of(text));
  WkbReader reader(place, bytes);
  const WkbHeader header = reader.header();
  std::vector<WkbPolygon> polygons = read_polygons(place, reader, header);
  reader.check_end();
  WkbPolygon& polygon = polygons[choose_part(place, polygons.size(), choice)];
  if (polygon.rings == 0) place.reject("the polygon is empty: an outer ring is accepted");
  check_holes(place, polygon.rings - 1);
  OutlineFile outline;
  outline.vertices = std::move(polygon.outer);
  if (header.numbers() > 2) note_ignored(outline, !header.has_m ? "Z is" : header.has_z ? "Z and M are" : "M is");
  return outline;
}

}  // namespace warpfold::formats
