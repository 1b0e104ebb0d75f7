#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "warpfold/polygon/chords.hpp"
#include "warpfold/polygon/outline.hpp"

/// Outlines on a small integer grid, with many collinear runs and touching chords, and an oracle in integers that
/// shares no code with the library.
namespace warpfold::polygon::test {

struct GridPoint {
  std::int64_t x = 0;
  std::int64_t y = 0;
  bool operator==(const GridPoint&) const = default;
};

using Grid = std::vector<GridPoint>;

inline int side(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  const std::int64_t twice_area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  return twice_area > 0 ? 1 : twice_area < 0 ? -1 : 0;
}

/// Whether c, on the line through a and b, is strictly between them.
inline bool strictly_between(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (c.x - a.x) * (c.x - b.x) + (c.y - a.y) * (c.y - b.y) < 0;
}

inline bool closed_segments_meet(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
  if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
  const auto on = [](const GridPoint& p, const GridPoint& q, const GridPoint& r) {
    return r == p || r == q || (side(p, q, r) == 0 && strictly_between(p, q, r));
  };
  return on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b);
}

inline bool inside_doubled(const Grid& vertices, const GridPoint& doubled) {
  bool inside = false;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const GridPoint a{2 * vertices[k].x, 2 * vertices[k].y};
    const GridPoint& next = vertices[(k + 1) % vertices.size()];
    const GridPoint b{2 * next.x, 2 * next.y};
    if ((a.y > doubled.y) == (b.y > doubled.y)) continue;
    if ((side(a, b, doubled) > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside;
}

/// Whether the open segment is in the open interior: it touches no closed edge, and its middle is inside.
inline bool oracle_is_interior(const Grid& vertices, std::size_t i, std::size_t j) {
  const GridPoint& p = vertices[i];
  const GridPoint& q = vertices[j];
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const GridPoint& a = vertices[k];
    const GridPoint& b = vertices[(k + 1) % vertices.size()];
    if (side(p, q, a) == 0 && strictly_between(p, q, a)) return false;
    if (side(a, b, p) * side(a, b, q) < 0 && side(p, q, a) * side(p, q, b) < 0) return false;
  }
  return inside_doubled(vertices, {p.x + q.x, p.y + q.y});
}

inline VisibilityGraph oracle_chords(const Grid& vertices) {
  const std::size_t n = vertices.size();
  VisibilityGraph graph{{0}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool edge = j == i + 1 || (i == 0 && j + 1 == n);
      if (edge || oracle_is_interior(vertices, i, j)) graph.ends.push_back(static_cast<std::uint32_t>(j));
    }
    graph.offsets.push_back(graph.ends.size());
  }
  return graph;
}

/// Whether the outline stays simple with p between vertices k and k+1.
inline bool fits(const Grid& vertices, std::size_t k, const GridPoint& p) {
  const std::size_t n = vertices.size();
  const GridPoint& a = vertices[k];
  const GridPoint& b = vertices[(k + 1) % n];
  for (const GridPoint& vertex : vertices) {
    if (vertex == p) return false;
  }
  if (side(a, p, b) == 0 && !strictly_between(a, b, p)) return false;
  for (std::size_t e = 0; e < n; ++e) {
    if (e == k) continue;
    const GridPoint& c = vertices[e];
    const GridPoint& d = vertices[(e + 1) % n];
    const auto spoils = [&](const GridPoint& end) {
      if (end == c || end == d) {
        const GridPoint& other = end == c ? d : c;
        return side(end, p, other) == 0 && !strictly_between(p, other, end);
      }
      return closed_segments_meet(end, p, c, d);
    };
    if (spoils(a) || spoils(b)) return false;
  }
  return true;
}

/// A random simple outline of at most n vertices on a size x size grid, with random direction and first vertex.
inline Grid random_grid_outline(std::mt19937_64& random, std::size_t n, std::int64_t size) {
  std::uniform_int_distribution<std::int64_t> coordinate(0, size - 1);
  Grid vertices;
  do {
    vertices.clear();
    for (int k = 0; k < 3; ++k) vertices.push_back({coordinate(random), coordinate(random)});
  } while (side(vertices[0], vertices[1], vertices[2]) == 0);
  for (int attempt = 0; attempt < 2000 && vertices.size() < n; ++attempt) {
    const std::size_t k = random() % vertices.size();
    const GridPoint p{coordinate(random), coordinate(random)};
    if (fits(vertices, k, p)) vertices.insert(vertices.begin() + static_cast<std::ptrdiff_t>(k) + 1, p);
  }
  std::rotate(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(random() % vertices.size()),
              vertices.end());
  if (random() % 2 == 0) std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

/// The outline, scaled by `parts`, with further vertices on its edges: at all integer places, at none, or at some.
inline Grid with_runs(std::mt19937_64& random, const Grid& vertices, std::int64_t parts) {
  Grid result;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const GridPoint& a = vertices[k];
    const GridPoint& b = vertices[(k + 1) % vertices.size()];
    result.push_back({parts * a.x, parts * a.y});
    const std::uint64_t density = random() % 3;
    for (std::int64_t t = 1; t < parts; ++t) {
      if (random() % 2 < density) result.push_back({parts * a.x + t * (b.x - a.x), parts * a.y + t * (b.y - a.y)});
    }
  }
  std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(random() % result.size()), result.end());
  return result;
}

inline Outline to_outline(const Grid& vertices, double scale = 1, double shift = 0) {
  std::vector<Point> points;
  for (const GridPoint& p : vertices) {
    points.push_back({static_cast<double>(p.x) * scale + shift, static_cast<double>(p.y) * scale + shift});
  }
  return Outline(std::move(points));
}

}  // namespace warpfold::polygon::test
