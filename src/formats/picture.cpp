#include "warpfold/formats/picture.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <vector>

#include "formats/canvas.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

/// The tints of a tree's edges, from its root to the farthest vertex.
constexpr std::array distances = {"#f9d057", "#f2a541", "#e57b45", "#cf5552", "#ae3a62",
                                  "#86296c", "#5f2070", "#3f1d68", "#281b58", "#181744"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    if (character == '&')
      result += "&amp;";
    else if (character == '<')
      result += "&lt;";
    else
      result += character;
  }
  return result;
}

void draw_title(std::ostream& out, const std::string& title, double width_px) {
  constexpr double margin_px = Canvas::margin_px, title_px = Canvas::title_px;
  constexpr double letter_width = 0.56;  // of the font's size, in a sans-serif face
  const double room_px = width_px - 2 * margin_px;
  const double size_px = std::min(20.0, room_px / (letter_width * static_cast<double>(title.size() + 1)));
  fmt::print(out,
             "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{:.1f}\" fill=\"#22313f\">{}</text>\n",
             margin_px, title_px, size_px, escaped(title));
}

/// A piece of an edge.
struct Piece {
  Point from;
  Point to;
};

/// Every edge in pieces of one tint each: along the last edge of a shortest path lengths grow as the way does. The
/// farthest pieces first, so that what is near lies on top.
void draw_tree(std::ostream& out, const std::vector<Point>& outline, const PathsView& paths) {
  double largest = 0;
  for (const double length : paths.lengths) largest = std::max(largest, std::isfinite(length) ? length : 0);
  const double band = largest / static_cast<double>(distances.size());
  const auto band_of = [&](double length) {
    return std::min(distances.size() - 1, static_cast<std::size_t>(std::max(0.0, length / band)));
  };
  std::array<std::vector<Piece>, distances.size()> groups;
  for (std::uint32_t v = 0; v < paths.lengths.size(); ++v) {
    if (!std::isfinite(paths.lengths[v]) || paths.predecessors[v] == v) continue;
    const Point &from = outline[paths.predecessors[v]], &to = outline[v];
    const double first = paths.lengths[paths.predecessors[v]], last = paths.lengths[v];
    if (!(first < last)) continue;
    const auto at = [&](double length) {
      const double share = std::clamp((length - first) / (last - first), 0.0, 1.0);
      return Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    for (std::size_t tint = band_of(first); tint <= band_of(last); ++tint) {
      groups[tint].push_back({at(static_cast<double>(tint) * band), at(static_cast<double>(tint + 1) * band)});
    }
  }
  for (std::size_t tint = distances.size(); tint-- > 0;) {
    if (groups[tint].empty()) continue;
    fmt::print(out, "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linecap=\"round\" d=\"",
               distances[tint]);
    for (const auto& [from, to] : groups[tint]) draw_line(out, {from, to});
    out << "\"/>\n";
  }
}

void draw_one_path(std::ostream& out, const std::vector<Point>& outline, std::span<const std::uint32_t> path) {
  if (path.empty()) return;
  std::vector<Point> points;
  for (const std::uint32_t v : path) points.push_back(outline[v]);
  out << "<path fill=\"none\" stroke=\"#d1242f\" stroke-width=\"3\" stroke-linejoin=\"round\" "
         "stroke-linecap=\"round\" d=\"";
  draw_line(out, points);
  out << "\"/>\n";
  for (const Point& end : {points.front(), points.back()}) {
    fmt::print(out, "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"6\" fill=\"#d1242f\"/>\n", end.x, end.y);
  }
}

}  // namespace

void begin_picture(std::ostream& out, const Canvas& canvas, const std::string& title) {
  fmt::print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
             "height=\"{1:.0f}\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#f4f7fa\"/>\n",
             canvas.width_px(), canvas.height_px(), escaped(title));
  draw_title(out, title, canvas.width_px());
}

void draw_line(std::ostream& out, const std::vector<Point>& points) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    fmt::print(out, "{}{:.2f} {:.2f}", k == 0 ? "M" : "L", points[k].x, points[k].y);
  }
}

void draw_ring(std::ostream& out, const std::vector<Point>& points) {
  draw_line(out, points);
  out << "Z";
}

void write_svg(const std::string& path, const PathsView& paths, const DrawingStyle& style) {
  const Canvas canvas(paths.vertices, style.x_scale);
  const std::vector<Point> outline = canvas.drawn(paths.vertices);
  io::write_file(path, [&](std::ostream& out) {
    begin_picture(out, canvas, style.title);
    out << "<path fill=\"#dde6ea\" d=\"";
    draw_ring(out, outline);
    out << "\"/>\n";
    draw_tree(out, outline, paths);
    out << "<path fill=\"none\" stroke=\"#0d2530\" stroke-width=\"0.8\" stroke-linejoin=\"round\" d=\"";
    draw_ring(out, outline);
    out << "\"/>\n";
    draw_one_path(out, outline, paths.path);
    out << "</svg>\n";
  });
}

}  // namespace warpfold::formats
