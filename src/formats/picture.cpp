#include "warpfold/formats/picture.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <vector>

#include "formats/canvas.hpp"
#include "formats/xml_text.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

/// The tints of the tree's edges, from its root to the farthest vertex.
constexpr std::array distances = {"#f9d057", "#f2a541", "#e57b45", "#cf5552", "#ae3a62",
                                  "#86296c", "#5f2070", "#3f1d68", "#281b58", "#181744"};

/// The width of the tree's lines, and the distance between their ends.
constexpr double line_px = 1.8, end_px = 1.6;

void draw_title(std::ostream& out, const std::string& title, double width_px) {
  constexpr double margin_px = Canvas::margin_px, title_px = Canvas::title_px;
  constexpr double letter_width = 0.56;  // relative to the size of the font, in a sans-serif face
  const double room_px = width_px - 2 * margin_px;
  const double size_px = std::min(20.0, room_px / (letter_width * static_cast<double>(title.size() + 1)));
  fmt::print(out,
             "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{:.1f}\" fill=\"#22313f\">{}</text>\n",
             margin_px, title_px, size_px, xml_text(title));
}

/// A piece of an edge.
struct Piece {
  Point from;
  Point to;
};

/// The shortest paths from the tree's root to both ends u and v of an edge of the outline, from the vertex where they
/// part. They bend toward each other. So each of their edges, extended, meets the outline's edge.
class Funnel {
 public:
  Funnel(const PathsView& paths, std::uint32_t u, std::uint32_t v)
      : vertices_(paths.vertices), ways_{way_to(paths, u), way_to(paths, v)} {
    auto& [to_u, to_v] = ways_;
    std::size_t shared = 0;
    while (shared < std::min(to_u.size(), to_v.size()) && to_u[shared] == to_v[shared]) ++shared;
    for (auto& way : ways_) way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(shared) - 1);
  }

  /// Returns the last vertex on the shortest path to a point of the edge. It lies on the path to one end, as far as
  /// that path bends away from the point. `orientation` is 1 if u, v and the interior turn left, and -1 if they turn
  /// right.
  [[nodiscard]] std::uint32_t vertex_before(const Point& p, double orientation) const {
    for (const double side : {orientation, -orientation}) {
      const std::vector<std::uint32_t>& way = ways_[side == orientation ? 0 : 1];
      std::size_t k = 0;
      while (k + 1 < way.size() && side * turn(vertices_[way[k]], vertices_[way[k + 1]], p) < 0) ++k;
      if (k > 0) return way[k];
    }
    return ways_[0][0];
  }

 private:
  static std::vector<std::uint32_t> way_to(const PathsView& paths, std::uint32_t v) {
    std::vector<std::uint32_t> way{v};
    while (paths.predecessors[way.back()] != way.back()) way.push_back(paths.predecessors[way.back()]);
    std::reverse(way.begin(), way.end());
    return way;
  }
  /// Positive if c lies to the left of the line from a to b.
  static double turn(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }

  std::span<const Point> vertices_;
  std::array<std::vector<std::uint32_t>, 2> ways_;
};

/// A point of the outline, with the length of its shortest path and the last vertex on that path.
struct WayEnd {
  Point at;
  double length;
  std::uint32_t before;
};

double distance(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

double orientation_of(std::span<const Point> outline) {
  double area = 0;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Point &a = outline[k], &b = outline[(k + 1) % outline.size()];
    area += a.x * b.y - a.y * b.x;
  }
  return area < 0 ? -1 : 1;
}

/// The vertices that have a path. Between them are points so close together that the lines to all of them leave no gap.
std::vector<WayEnd> ends_on_outline(const Canvas& canvas, const PathsView& paths) {
  const double orientation = orientation_of(paths.vertices);
  const auto n = static_cast<std::uint32_t>(paths.lengths.size());
  std::vector<WayEnd> ends;
  for (std::uint32_t u = 0; u < n; ++u) {
    if (!std::isfinite(paths.lengths[u])) continue;
    const Point& from = paths.vertices[u];
    ends.push_back({from, paths.lengths[u], paths.predecessors[u]});
    const std::uint32_t v = (u + 1) % n;
    const bool is_way = paths.predecessors[v] == u || paths.predecessors[u] == v;
    if (is_way || !std::isfinite(paths.lengths[v])) continue;
    const Point& to = paths.vertices[v];
    const double steps = std::ceil(distance(canvas(from), canvas(to)) / end_px);
    const Funnel funnel(paths, u, v);
    for (double step = 1; step < steps; ++step) {
      const double share = step / steps;
      const Point p{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      const std::uint32_t before = funnel.vertex_before(p, orientation);
      ends.push_back({p, paths.lengths[before] + distance(paths.vertices[before], p), before});
    }
  }
  return ends;
}

/// Cuts the last edge to every place into pieces of one tint each. Lengths grow along the edge. The farthest pieces
/// come first, so that near ones are drawn on top.
void draw_tree(std::ostream& out, const Canvas& canvas, const PathsView& paths) {
  double largest = 0;
  for (const double length : paths.lengths) largest = std::max(largest, std::isfinite(length) ? length : 0);
  const double band = largest / static_cast<double>(distances.size());
  const auto band_of = [&](double length) {
    return std::min(distances.size() - 1, static_cast<std::size_t>(std::max(0.0, length / band)));
  };
  std::array<std::vector<Piece>, distances.size()> groups;
  for (const WayEnd& end : ends_on_outline(canvas, paths)) {
    const Point from = canvas(paths.vertices[end.before]), to = canvas(end.at);
    const double first = paths.lengths[end.before], last = end.length;
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
    fmt::print(out, "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"",
               distances[tint], line_px);
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
             canvas.width_px(), canvas.height_px(), xml_text(title));
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
    draw_tree(out, canvas, paths);
    out << "<path fill=\"none\" stroke=\"#0d2530\" stroke-width=\"0.8\" stroke-linejoin=\"round\" d=\"";
    draw_ring(out, outline);
    out << "\"/>\n";
    draw_one_path(out, outline, paths.path);
    out << "</svg>\n";
  });
}

}  // namespace warpfold::formats
