#include "ear_clipping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "warpfold/core/error.hpp"
#include "warpfold/polygon/orientation.hpp"

namespace warpfold::polygon {

namespace {

struct Box {
  double left = std::numeric_limits<double>::infinity();
  double right = -std::numeric_limits<double>::infinity();
  double bottom = std::numeric_limits<double>::infinity();
  double top = -std::numeric_limits<double>::infinity();

  void add(const Point& p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    bottom = std::min(bottom, p.y);
    top = std::max(top, p.y);
  }
};

/// The vertices that are not strictly convex, in square cells. Only such a vertex can make an ear invalid.
class BlockerGrid {
 public:
  BlockerGrid(const std::vector<Point>& vertices, const std::vector<std::uint32_t>& blockers) {
    for (const std::uint32_t v : blockers) box_.add(vertices[v]);
    side_ = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(blockers.size()))));
    cells_.resize(static_cast<std::size_t>(side_) * side_);
    for (const std::uint32_t v : blockers) cells_[cell(column(vertices[v].x), row(vertices[v].y))].push_back(v);
  }

  /// Whether `test` holds for a vertex in a cell that the box touches. Vertices for which `gone` holds are removed.
  template <class Gone, class Test>
  bool any(const Box& box, Gone gone, Test test) {
    for (int y = row(box.bottom); y <= row(box.top); ++y) {
      for (int x = column(box.left); x <= column(box.right); ++x) {
        std::vector<std::uint32_t>& cell_vertices = cells_[cell(x, y)];
        std::erase_if(cell_vertices, gone);
        if (std::any_of(cell_vertices.begin(), cell_vertices.end(), test)) return true;
      }
    }
    return false;
  }

 private:
  // Monotone in the coordinate, so that no vertex of a box is outside the cells from its one end to its other.
  [[nodiscard]] int slot(double value, double low, double high) const {
    if (!(high > low)) return 0;
    return static_cast<int>(std::clamp((value - low) / (high - low) * side_, 0.0, side_ - 1.0));
  }
  [[nodiscard]] int column(double x) const { return slot(x, box_.left, box_.right); }
  [[nodiscard]] int row(double y) const { return slot(y, box_.bottom, box_.top); }
  [[nodiscard]] std::size_t cell(int x, int y) const { return static_cast<std::size_t>(y) * side_ + x; }

  Box box_;
  int side_ = 1;
  std::vector<std::vector<std::uint32_t>> cells_;
};

/// The rest of the outline: a ring of vertices, and the triangle behind each of its edges.
class Ring {
 public:
  explicit Ring(const std::vector<Point>& vertices)
      : vertices_(vertices),
        next_(vertices.size()),
        previous_(vertices.size()),
        behind_(vertices.size(), no_triangle),
        convex_(vertices.size()) {
    const auto n = static_cast<std::uint32_t>(vertices.size());
    for (std::uint32_t v = 0; v < n; ++v) {
      next_[v] = v + 1 == n ? 0 : v + 1;
      previous_[v] = v == 0 ? n - 1 : v - 1;
    }
    for (std::uint32_t v = 0; v < n; ++v) look_at(v);
  }

  [[nodiscard]] std::uint32_t next(std::uint32_t v) const { return next_[v]; }
  [[nodiscard]] std::uint32_t previous(std::uint32_t v) const { return previous_[v]; }
  [[nodiscard]] bool cut(std::uint32_t v) const { return next_[v] == v; }
  [[nodiscard]] bool strictly_convex(std::uint32_t v) const { return convex_[v]; }

  [[nodiscard]] bool is_ear(std::uint32_t v, BlockerGrid& blockers) const {
    if (!strictly_convex(v)) return false;
    const std::uint32_t u = previous_[v];
    const std::uint32_t w = next_[v];
    Box box;
    for (const std::uint32_t corner : {u, v, w}) box.add(vertices_[corner]);
    const auto gone = [&](std::uint32_t x) { return cut(x) || strictly_convex(x); };
    const auto inside = [&](std::uint32_t x) {
      // The new side first: beyond it are nearly all vertices, also those on a line with another side.
      return x != u && x != v && x != w && orientation(vertices_[w], vertices_[u], vertices_[x]) >= 0 &&
             orientation(vertices_[u], vertices_[v], vertices_[x]) >= 0 &&
             orientation(vertices_[v], vertices_[w], vertices_[x]) >= 0;
    };
    return !blockers.any(box, gone, inside);
  }

  /// Appends the triangle at v and removes v from the ring.
  void clip(std::uint32_t v, TriangulatedOutline& result) {
    const std::uint32_t u = previous_[v];
    const std::uint32_t w = next_[v];
    const auto id = static_cast<std::uint32_t>(result.triangles.size());
    result.triangles.push_back({{u, v, w}, {no_triangle, no_triangle, no_triangle}});
    attach(id, 0, u, result);
    attach(id, 1, v, result);
    if (next_[w] == u) attach(id, 2, w, result);
    behind_[u] = id;
    next_[u] = w;
    previous_[w] = u;
    next_[v] = v;
    look_at(u);
    look_at(w);
  }

 private:
  void look_at(std::uint32_t v) {
    convex_[v] = orientation(vertices_[previous_[v]], vertices_[v], vertices_[next_[v]]) > 0;
  }

  /// Joins edge `k` of a new triangle, which runs from `start` along the ring, with the triangle behind that edge.
  void attach(std::uint32_t id, std::size_t k, std::uint32_t start, TriangulatedOutline& result) const {
    const std::uint32_t older = behind_[start];
    result.triangles[id].across[k] = older;
    if (older == no_triangle) {
      result.triangle_of_edge[start] = id;
    } else {
      result.triangles[older].across[2] = id;
    }
  }

  const std::vector<Point>& vertices_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint32_t> behind_;  ///< entry v: the triangle cut off along the edge from v to next(v)
  std::vector<bool> convex_;           ///< strictly, between its present neighbors
};

}  // namespace

TriangulatedOutline clip_ears(const std::vector<Point>& vertices) {
  const auto n = static_cast<std::uint32_t>(vertices.size());
  if (n < 3) throw Error(ErrorKind::input, "the outline is not simple: it has no area");
  Ring ring(vertices);
  std::vector<std::uint32_t> blockers;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (!ring.strictly_convex(v)) blockers.push_back(v);
  }
  BlockerGrid grid(vertices, blockers);

  TriangulatedOutline result;
  result.triangles.reserve(n - 2);
  result.triangle_of_edge.resize(n);
  // Cutting an ear can make only its two neighbors ears. They are tested again in the next round. After a round without
  // a cut, all vertices are tested. A neighbor waits for the next round, because cutting every other vertex gives
  // rounder triangles.
  std::vector<std::uint32_t> round(n), next_round;
  std::iota(round.begin(), round.end(), 0);
  std::vector<bool> waits(n);
  const auto wait = [&](std::uint32_t v) {
    if (!waits[v]) next_round.push_back(v);
    waits[v] = true;
  };
  for (bool all = true; result.triangles.size() < n - 2;) {
    const std::size_t before = result.triangles.size();
    for (const std::uint32_t v : round) {
      if (ring.cut(v) || waits[v] || result.triangles.size() == n - 2 || !ring.is_ear(v, grid)) continue;
      const std::uint32_t u = ring.previous(v), w = ring.next(v);
      ring.clip(v, result);
      wait(u);
      wait(w);
    }
    if (all && result.triangles.size() == before) {
      throw Error(ErrorKind::input, "the outline is not simple: no ear can be cut");
    }
    all = next_round.empty();
    for (std::uint32_t v = 0; all && v < n; ++v) {
      if (!ring.cut(v)) next_round.push_back(v);
    }
    round = std::exchange(next_round, {});
    for (const std::uint32_t v : round) waits[v] = false;
  }
  return result;
}

}  // namespace warpfold::polygon
