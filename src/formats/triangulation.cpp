#include "warpfold/formats/triangulation.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>
#include <vector>

#include "formats/canvas.hpp"
#include "formats/mesh.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

/// The tints of triangles, from the smallest to the largest.
constexpr std::array tints = {"#1f5673", "#2a7489", "#3a919a", "#57ada6", "#7fc6b1", "#abdabd", "#d2ebcc", "#eef7e0"};

double twice_area(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double area_px(const std::vector<Point>& outline) {
  double twice = 0;
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) twice += twice_area(outline[0], outline[k], outline[k + 1]);
  return std::abs(twice) / 2;
}

/// Draws triangles in tints by size, so that the few large ones stand out among thousands of small ones.
void draw_triangles(std::ostream& out, const std::vector<Point>& outline, std::span<const Triangle> triangles) {
  const double total_px = area_px(outline);
  std::array<std::vector<Triangle>, tints.size()> groups;
  for (const Triangle& triangle : triangles) {
    const double share = std::abs(twice_area(outline[triangle.i], outline[triangle.k], outline[triangle.j])) / total_px;
    const double tint = static_cast<double>(tints.size()) + 1.2 + std::log(std::max(share, 1e-12)) / std::log(4.0);
    groups[static_cast<std::size_t>(std::clamp(tint, 0.0, tints.size() - 1.0))].push_back(triangle);
  }
  for (std::size_t tint = 0; tint < tints.size(); ++tint) {
    if (groups[tint].empty()) continue;
    fmt::print(out, "<path fill=\"{}\" d=\"", tints[tint]);
    for (const auto& [i, k, j] : groups[tint]) draw_ring(out, {outline[i], outline[k], outline[j]});
    out << "\"/>\n";
  }
}

void draw_chords(std::ostream& out, const std::vector<Point>& outline, std::span<const Chord> chords, double width_px) {
  fmt::print(out, "<path fill=\"none\" stroke=\"#123c4a\" stroke-width=\"{:.2f}\" d=\"", width_px);
  for (const auto& [i, j] : chords) {
    fmt::print(out, "M{:.2f} {:.2f}L{:.2f} {:.2f}", outline[i].x, outline[i].y, outline[j].x, outline[j].y);
  }
  out << "\"/>\n";
}

/// A text that stands on triangles and lines.
void draw_label(std::ostream& out, const Point& at, double size_px, const std::string& text) {
  fmt::print(out,
             "<text x=\"{:.1f}\" y=\"{:.1f}\" font-family=\"sans-serif\" font-size=\"{:.0f}\" text-anchor=\"middle\" "
             "fill=\"#101820\" stroke=\"#f4f7fa\" stroke-width=\"4\" paint-order=\"stroke\">{}</text>\n",
             at.x, at.y + 0.35 * size_px, size_px, text);
}

/// Numbers the vertices, each a little outward from the middle of all, and writes the chords' labels at their middles.
void draw_labels(std::ostream& out, const std::vector<Point>& outline, std::span<const Chord> chords,
                 const std::vector<std::string>& labels) {
  constexpr double size_px = 16, outward_px = 12;
  Point middle{0, 0};
  for (const Point& vertex : outline) middle = {middle.x + vertex.x, middle.y + vertex.y};
  middle = {middle.x / static_cast<double>(outline.size()), middle.y / static_cast<double>(outline.size())};
  for (std::size_t chord = 0; chord < labels.size(); ++chord) {
    const Point &a = outline[chords[chord].i], &b = outline[chords[chord].j];
    draw_label(out, {(a.x + b.x) / 2, (a.y + b.y) / 2}, size_px, labels[chord]);
  }
  for (std::size_t v = 0; v < outline.size(); ++v) {
    const double dx = outline[v].x - middle.x, dy = outline[v].y - middle.y;
    const double length = std::max(std::hypot(dx, dy), 1.0);
    const Point at{outline[v].x + dx / length * outward_px, outline[v].y + dy / length * outward_px};
    draw_label(out, at, size_px, std::to_string(v));
  }
}

}  // namespace

Triangle counterclockwise(std::span<const Point> vertices, const Triangle& triangle) {
  const bool turns_left = twice_area(vertices[triangle.i], vertices[triangle.k], vertices[triangle.j]) > 0;
  return turns_left ? triangle : Triangle{triangle.i, triangle.j, triangle.k};
}

void draw_svg(std::ostream& out, const TriangulationView& triangulation, const DrawingStyle& style) {
  const Canvas canvas(triangulation.vertices, style.x_scale);
  const std::vector<Point> outline = canvas.drawn(triangulation.vertices);
  // The lines cover the same share of a typical triangle, however many there are.
  const double typical_px = std::sqrt(area_px(outline) / static_cast<double>(outline.size()));
  const double chord_px = std::clamp(0.035 * typical_px, 0.15, 1.2);
  const double outline_px = std::clamp(0.08 * typical_px, 0.5, 2.4);
  begin_picture(out, canvas, style.title);
  // The outline's own fill closes the hairlines between triangles.
  fmt::print(out, "<path fill=\"{}\" d=\"", tints[tints.size() / 2]);
  draw_ring(out, outline);
  out << "\"/>\n";
  draw_triangles(out, outline, triangulation.triangles);
  draw_chords(out, outline, triangulation.chords, chord_px);
  fmt::print(out, "<path fill=\"none\" stroke=\"#0d2530\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" d=\"",
             outline_px);
  draw_ring(out, outline);
  out << "\"/>\n";
  if (outline.size() <= max_labeled_vertices) draw_labels(out, outline, triangulation.chords, style.chord_labels);
  out << "</svg>\n";
}

void write_svg(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style) {
  io::write_file(path, [&](std::ostream& out) { draw_svg(out, triangulation, style); });
}

std::vector<Point> regular_polygon(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    vertices.push_back({std::sin(angle), -std::cos(angle)});
  }
  return vertices;
}

void write_geojson(const std::string& path, const TriangulationView& triangulation) {
  io::write_file(path, [&](std::ostream& out) {
    out << "{\"type\":\"FeatureCollection\",\"features\":[";
    const char* separator = "\n";
    for (const Triangle& triangle : triangulation.triangles) {
      const auto corners = counterclockwise(triangulation.vertices, triangle);
      const Point& a = triangulation.vertices[corners.i];
      const Point& b = triangulation.vertices[corners.k];
      const Point& c = triangulation.vertices[corners.j];
      fmt::print(
          out,
          "{}{{\"type\":\"Feature\",\"properties\":{{\"vertices\":[{},{},{}]}},\"geometry\":{{\"type\":\"Polygon\","
          "\"coordinates\":[[[{},{}],[{},{}],[{},{}],[{},{}]]]}}}}",
          separator, triangle.i, triangle.k, triangle.j, a.x, a.y, b.x, b.y, c.x, c.y, a.x, a.y);
      separator = ",\n";
    }
    out << "\n]}\n";
  });
}

void write_obj(const std::string& path, const TriangulationView& triangulation) {
  io::write_file(path, [&](std::ostream& out) {
    for (const Point& vertex : triangulation.vertices) fmt::print(out, "v {} {} 0\n", vertex.x, vertex.y);
    for (const Triangle& triangle : triangulation.triangles) {
      const auto corners = counterclockwise(triangulation.vertices, triangle);
      fmt::print(out, "f {} {} {}\n", corners.i + 1, corners.k + 1, corners.j + 1);
    }
  });
}

void write_off(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);

std::span<const TriangulationFormat> triangulation_formats() {
  using View = TriangulationView;
  using Style = DrawingStyle;
  static const TriangulationFormat all[] = {
      {"SVG", {".svg"}, write_svg},
      {"GeoJSON",
       {".geojson"},
       [](const std::string& path, const View& view, const Style&) { write_geojson(path, view); },
       true},
      {"OBJ", {".obj"}, [](const std::string& path, const View& view, const Style&) { write_obj(path, view); }, true},
      {"OFF", {".off"}, write_off, true},
  };
  return all;
}

}  // namespace warpfold::formats
