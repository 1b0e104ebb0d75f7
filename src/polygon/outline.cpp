#include "warpfold/polygon/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "core/geos.hpp"
#include "core/quantity.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/polygon/orientation.hpp"

namespace warpfold::polygon {

namespace {

bool before(const Point& a, const Point& b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); }

void check_coordinate(std::size_t vertex, char axis, double& value) {
  const double size = std::abs(value);
  if (size == 0) value = 0;  // -0 and 0 are the same place
  if (size == 0 || (size >= min_coordinate && size <= largest_coordinate)) return;
  throw Error(ErrorKind::input, fmt::format("vertex {}: {} is {}: 0 or a magnitude from {} to {} is accepted", vertex,
                                            axis, value, min_coordinate, largest_coordinate));
}

/// The numbers of the vertices that stay: those that differ from the one before, without last ones that repeat the
/// first.
std::vector<std::size_t> kept_vertices(const std::vector<Point>& vertices) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    if (k == 0 || vertices[k] != vertices[k - 1]) kept.push_back(k);
  }
  while (kept.size() > 1 && vertices[kept.back()] == vertices[kept.front()]) kept.pop_back();
  return kept;
}

/// Raises Error{input} if two of the kept vertices are equal.
void check_distinct(const std::vector<Point>& vertices, std::vector<std::size_t> kept) {
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::size_t a, std::size_t b) { return before(vertices[a], vertices[b]); });
  const auto same = std::adjacent_find(kept.begin(), kept.end(),
                                       [&](std::size_t a, std::size_t b) { return vertices[a] == vertices[b]; });
  if (same == kept.end()) return;
  const Point& place = vertices[*same];
  throw Error(ErrorKind::input, fmt::format("the outline touches itself at ({}, {}), in vertices {} and {}: distinct "
                                            "vertices are accepted",
                                            place.x, place.y, *same, *std::next(same)));
}

/// The polygon of GEOS. It takes ownership of its parts.
auto polygon_of(const Geos& geos, const std::vector<Point>& vertices) {
  GEOSCoordSequence* ring = geos.made(GEOSCoordSeq_create_r(geos.get(), static_cast<unsigned>(vertices.size() + 1), 2));
  for (std::size_t k = 0; k <= vertices.size(); ++k) {
    const Point& vertex = vertices[k % vertices.size()];
    GEOSCoordSeq_setXY_r(geos.get(), ring, static_cast<unsigned>(k), vertex.x, vertex.y);
  }
  GEOSGeometry* shell = geos.made(GEOSGeom_createLinearRing_r(geos.get(), ring));
  return geos.owner(geos.made(GEOSGeom_createPolygon_r(geos.get(), shell, nullptr, 0)));
}

void check_simple(const std::vector<Point>& vertices) {
  const Geos geos;
  const auto polygon = polygon_of(geos, vertices);
  char* reason = nullptr;
  GEOSGeometry* where = nullptr;
  const char valid = GEOSisValidDetail_r(geos.get(), polygon.get(), 0, &reason, &where);
  const auto place = geos.owner(where);
  const auto release = [&geos](char* text) { GEOSFree_r(geos.get(), text); };
  const std::unique_ptr<char, decltype(release)> reason_owner(reason, release);
  if (valid == 1) return;
  if (valid != 0) throw Error(ErrorKind::input, fmt::format("the outline cannot be checked: {}", geos.failure()));
  double x = 0;
  double y = 0;
  if (place && GEOSGeomGetX_r(geos.get(), place.get(), &x) == 1 && GEOSGeomGetY_r(geos.get(), place.get(), &y) == 1) {
    throw Error(ErrorKind::input, fmt::format("the outline is not simple: {} at ({}, {}): edges that meet only in "
                                              "their common ends are accepted",
                                              reason ? reason : "invalid", x, y));
  }
  throw Error(ErrorKind::input, "the outline is not simple: edges that meet only in their common ends are accepted");
}

}  // namespace

std::size_t drop_repeated(std::vector<Point>& vertices) {
  const std::size_t given = vertices.size();
  const std::size_t closing = given > 1 && vertices.front() == vertices.back() ? 1 : 0;
  const std::vector<std::size_t> kept = kept_vertices(vertices);
  for (std::size_t k = 0; k < kept.size(); ++k) vertices[k] = vertices[kept[k]];
  vertices.resize(kept.size());
  return given - kept.size() - closing;
}

Outline::Outline(std::vector<Point> vertices) : vertices_(std::move(vertices)) {
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    check_coordinate(k, 'x', vertices_[k].x);
    check_coordinate(k, 'y', vertices_[k].y);
  }
  const std::vector<std::size_t> kept = kept_vertices(vertices_);
  if (kept.size() < 3) {
    throw Error(ErrorKind::input, fmt::format("the outline has {}: at least 3 are accepted",
                                              quantity(kept.size(), "vertex", "vertices")));
  }
  check_distinct(vertices_, kept);
  dropped_ = drop_repeated(vertices_);
  check_simple(vertices_);

  // The angle at the lowest vertex of the leftmost is convex, whatever the others are.
  const auto lowest =
      static_cast<std::size_t>(std::min_element(vertices_.begin(), vertices_.end(), before) - vertices_.begin());
  counterclockwise_ = orientation(vertices_[previous(lowest)], vertices_[lowest], vertices_[next(lowest)]) > 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (turn(previous(k), k, next(k)) <= 0) strictly_convex_ = false;
  }
}

int Outline::turn(std::size_t i, std::size_t j, std::size_t k) const {
  const int side = orientation(vertices_[i], vertices_[j], vertices_[k]);
  return counterclockwise_ ? side : -side;
}

}  // namespace warpfold::polygon
