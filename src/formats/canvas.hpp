#pragma once

#include <algorithm>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/point.hpp"

/// The SVG canvas of every picture of an outline.
namespace warpfold::formats {

/// Maps the plane of the vertices to the picture: scales and moves it, and flips y so that it points down.
class Canvas {
 public:
  static constexpr double margin_px = 24, title_px = 44;

  Canvas(std::span<const Point> vertices, double x_scale) : x_scale_(x_scale) {
    low_ = high_ = scaled(vertices[0]);
    for (const Point& vertex : vertices) {
      const Point p = scaled(vertex);
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    scale_ = (longer_side_px - 2 * margin_px) / std::max(high_.x - low_.x, high_.y - low_.y);
  }

  [[nodiscard]] std::vector<Point> drawn(std::span<const Point> vertices) const {
    std::vector<Point> points;
    for (const Point& vertex : vertices) points.push_back((*this)(vertex));
    return points;
  }
  [[nodiscard]] double width_px() const { return (high_.x - low_.x) * scale_ + 2 * margin_px; }
  [[nodiscard]] double height_px() const { return (high_.y - low_.y) * scale_ + 2 * margin_px + title_px; }
  [[nodiscard]] Point operator()(const Point& vertex) const {
    const Point p = scaled(vertex);
    return {(p.x - low_.x) * scale_ + margin_px, (high_.y - p.y) * scale_ + margin_px + title_px};
  }

 private:
  static constexpr double longer_side_px = 1000;

  [[nodiscard]] Point scaled(const Point& vertex) const { return {vertex.x * x_scale_, vertex.y}; }

  double x_scale_;
  double scale_ = 1;
  Point low_;
  Point high_;
};

/// Writes the beginning of the file: its size, background and title.
void begin_picture(std::ostream& out, const Canvas& canvas, const std::string& title);

/// A closed line and an open line, as the data of an SVG path.
void draw_ring(std::ostream& out, const std::vector<Point>& points);
void draw_line(std::ostream& out, const std::vector<Point>& points);

}  // namespace warpfold::formats
