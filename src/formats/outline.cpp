#include "warpfold/formats/outline.hpp"

#include "formats/outline_parts.hpp"
#include "io/text.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

/// Whether a text is JSON, or a sequence of JSON texts (RFC 8142).
bool is_geojson(std::string_view content) {
  content = io::trimmed(io::without_mark(content));
  return content.starts_with('{') || content.starts_with('\x1e');
}

bool is_wkt(std::string_view content) { return begins_geometry(io::without_mark(content)); }

bool is_npy_array(std::string_view content) { return content.starts_with("\x93NUMPY"); }

}  // namespace

std::span<const OutlineFormat> outline_formats() {
  static const OutlineFormat all[] = {
      {"GeoJSON", {".geojson", ".json", ".geojsonl", ".geojsons", ".ndjson"}, is_geojson, parse_geojson_outline},
      {"WKT", {".wkt"}, is_wkt, parse_wkt_outline},
      {"NumPy", {".npy", ".npz"}, is_npy_array, parse_npy_outline},
      {"text", {".csv", ".tsv", ".txt"}, any_other, parse_text_outline},
  };
  return all;
}

OutlineFile parse_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  return find_format(outline_formats(), path, content).parse(path, content, choice);
}

OutlineFile read_outline(const std::string& path, const OutlineChoice& choice) {
  return parse_outline(path, io::read_file(path), choice);
}

}  // namespace warpfold::formats
