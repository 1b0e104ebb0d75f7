#include "warpfold/polygon/chords.hpp"

#include <algorithm>
#include <ranges>

#include "ear_clipping.hpp"
#include "warpfold/polygon/orientation.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::polygon {

namespace {

std::vector<Point> counterclockwise_vertices(const Outline& outline) {
  std::vector<Point> vertices = outline.vertices();
  if (!outline.counterclockwise()) {
    for (Point& vertex : vertices) vertex.x = -vertex.x;  // the mirror image sees the same pairs
  }
  return vertices;
}

/// The outline's corners, triangulated. A vertex between two corners is on a straight edge and hides nothing, so a long
/// run of such vertices costs no triangles.
struct Corners {
  std::vector<Triangle> triangles;              ///< of the corners, by their numbers in the outline
  std::vector<std::uint32_t> before;            ///< entry v: the corner at v, or the last one before it
  std::vector<std::uint32_t> triangle_of_edge;  ///< entry v: the one at the edge from that corner to the next
};

Corners triangulated_corners(const std::vector<Point>& vertices) {
  const auto n = static_cast<std::uint32_t>(vertices.size());
  std::vector<std::uint32_t> corners;
  std::vector<Point> places;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (orientation(vertices[(v + n - 1) % n], vertices[v], vertices[(v + 1) % n]) == 0) continue;
    corners.push_back(v);
    places.push_back(vertices[v]);
  }
  TriangulatedOutline outline = clip_ears(places);
  for (Triangle& triangle : outline.triangles) {
    for (std::uint32_t& corner : triangle.corner) corner = corners[corner];
  }
  Corners result{std::move(outline.triangles), std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
  for (std::size_t k = 0; k < corners.size(); ++k) {
    for (std::uint32_t v = corners[k]; v != corners[(k + 1) % corners.size()]; v = (v + 1) % n) {
      result.before[v] = corners[k];
      result.triangle_of_edge[v] = outline.triangle_of_edge[k];
    }
  }
  return result;
}

/// Lists what one vertex sees. Around a vertex of a simple polygon, this comes in the order of the outline. So a walk
/// from right to left that ends at the first smaller number yields the larger ends in order.
class Walker {
 public:
  Walker(const std::vector<Point>& vertices, const Corners& corners) : vertices_(vertices), corners_(corners) {}

  /// Appends the vertices above `from` that it sees.
  void walk(std::uint32_t from, std::vector<std::uint32_t>& seen) {
    const auto last = static_cast<std::uint32_t>(vertices_.size() - 1);
    if (from < last) seen.push_back(from + 1);
    const bool is_corner = corners_.before[from] == from;
    const bool all = is_corner ? look_from_corner(from, seen) : look_from_edge(from, seen);
    if (all && from == 0) seen.push_back(last);
  }

 private:
  /// The edge from `start` (right) to `end` (left), seen between the rays through `right` and `left`, and the triangle
  /// behind it. If start == end, a corner that is to be listed next.
  struct Window {
    std::uint32_t triangle;
    std::uint32_t start;
    std::uint32_t end;
    std::uint32_t right;
    std::uint32_t left;
  };

  static Window across(std::uint32_t triangle, std::uint32_t right, std::uint32_t left) {
    return {triangle, right, left, right, left};
  }
  static Window corner(std::uint32_t vertex) { return across(no_triangle, vertex, vertex); }

  static std::size_t slot_of(const Triangle& triangle, std::uint32_t vertex) {
    return triangle.corner[0] == vertex ? 0 : triangle.corner[1] == vertex ? 1 : 2;
  }

  // These return false once the numbers fall below `from`.

  bool look_from_corner(std::uint32_t from, std::vector<std::uint32_t>& seen) {
    for (std::uint32_t t = corners_.triangle_of_edge[from]; t != no_triangle;) {
      const Triangle& triangle = corners_.triangles[t];
      const std::size_t slot = slot_of(triangle, from);
      const std::uint32_t right = triangle.corner[(slot + 1) % 3], left = triangle.corner[(slot + 2) % 3];
      if (!look_through(from, across(triangle.across[(slot + 1) % 3], right, left), seen)) return false;
      t = triangle.across[(slot + 2) % 3];
      if (t != no_triangle && !look_through(from, corner(left), seen)) return false;
    }
    return true;
  }

  /// Starts from a vertex on the edge between two corners: goes through the other two edges of its triangle.
  bool look_from_edge(std::uint32_t from, std::vector<std::uint32_t>& seen) {
    const Triangle& triangle = corners_.triangles[corners_.triangle_of_edge[from]];
    const std::size_t slot = slot_of(triangle, corners_.before[from]);
    const std::uint32_t left = triangle.corner[slot], right = triangle.corner[(slot + 1) % 3];
    const std::uint32_t apex = triangle.corner[(slot + 2) % 3];
    return look_through(from, across(triangle.across[(slot + 1) % 3], right, apex), seen) &&
           look_through(from, corner(apex), seen) &&
           look_through(from, across(triangle.across[(slot + 2) % 3], apex, left), seen);
  }

  bool look_through(std::uint32_t from, const Window& first, std::vector<std::uint32_t>& seen) {
    windows_.assign(1, first);
    while (!windows_.empty()) {
      const Window window = windows_.back();
      windows_.pop_back();
      if (window.start < from) return false;
      if (window.start == window.end) {
        seen.push_back(window.start);
        continue;
      }
      if (window.triangle == no_triangle) {
        list_between_corners(from, window, seen);
        continue;
      }
      const Triangle& triangle = corners_.triangles[window.triangle];
      const std::size_t slot = slot_of(triangle, window.end);
      const std::uint32_t apex = triangle.corner[(slot + 2) % 3];
      const bool left_of_right = side(from, window.right, apex) > 0;
      const bool right_of_left = side(from, window.left, apex) < 0;
      // On a ray itself, the vertex that made the ray hides the apex.
      const bool apex_seen = left_of_right && right_of_left;
      if (right_of_left || !left_of_right) {
        windows_.push_back(
            {triangle.across[(slot + 2) % 3], apex, window.end, apex_seen ? apex : window.right, window.left});
      }
      if (apex_seen) windows_.push_back(corner(apex));
      if (left_of_right) {
        windows_.push_back(
            {triangle.across[(slot + 1) % 3], window.start, apex, window.right, apex_seen ? apex : window.left});
      }
    }
    return true;
  }

  /// Appends the vertices on the outline's edge from start to end that are between the rays, except those below `from`.
  /// If the edge passes the last vertex, it goes on at 0.
  void list_between_corners(std::uint32_t from, const Window& window, std::vector<std::uint32_t>& seen) const {
    const auto n = static_cast<std::uint32_t>(vertices_.size());
    const auto numbers = std::views::iota(window.start + 1, window.end > window.start ? window.end : n);
    const auto right_of_window = [&](std::uint32_t v) { return side(from, window.right, v) <= 0; };
    const auto right_of_left = [&](std::uint32_t v) { return side(from, window.left, v) < 0; };
    const auto first = std::ranges::partition_point(numbers, right_of_window);
    const auto last = std::ranges::partition_point(first, numbers.end(), right_of_left);
    seen.insert(seen.end(), first, last);
  }

  [[nodiscard]] int side(std::uint32_t from, std::uint32_t through, std::uint32_t v) const {
    return orientation(vertices_[from], vertices_[through], vertices_[v]);
  }

  const std::vector<Point>& vertices_;
  const Corners& corners_;
  std::vector<Window> windows_;
};

/// Joins the parts into one list. Each part is freed after its copy, so memory is touched, and used, as the list fills.
VisibilityGraph joined(std::vector<std::size_t> offsets, std::vector<std::vector<std::uint32_t>>& parts,
                       std::vector<Budget::Reservation>& taken, Budget& budget) {
  VisibilityGraph graph{std::move(offsets), {}};
  for (std::size_t i = 1; i < graph.offsets.size(); ++i) graph.offsets[i] += graph.offsets[i - 1];
  graph.ends.reserve(graph.offsets.back());
  Budget::Reservation all = budget.reserve(0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    all.resize(all.bytes() + parts[part].size() * sizeof(std::uint32_t));
    graph.ends.insert(graph.ends.end(), parts[part].begin(), parts[part].end());
    std::vector<std::uint32_t>().swap(parts[part]);
    taken[part] = {};
  }
  return graph;
}

}  // namespace

VisibilityGraph interior_chords(const Outline& outline, const Options& options) {
  constexpr std::size_t vertices_per_part = 64;
  const SolveMonitor monitor(options, 0);
  const std::vector<Point> vertices = counterclockwise_vertices(outline);
  const Corners corners = triangulated_corners(vertices);
  monitor.check();

  const std::size_t n = outline.size();
  std::vector<std::size_t> offsets(n + 1);
  std::vector<std::vector<std::uint32_t>> parts((n + vertices_per_part - 1) / vertices_per_part);
  Budget budget(options);
  std::vector<Budget::Reservation> taken(parts.size());
  Team team(static_cast<int>(std::min<std::size_t>(thread_count(options.threads), parts.size())));
  team.parallel_for(parts.size(), [&](std::size_t part, int) {
    // Both belong to the member until the part is done. Neighbors in one list would share cache lines as they grow.
    Walker walker(vertices, corners);
    std::vector<std::uint32_t> seen;
    const std::size_t end = std::min(n, (part + 1) * vertices_per_part);
    for (std::size_t v = part * vertices_per_part; v < end; ++v) {
      monitor.check();
      const std::size_t before = seen.size();
      walker.walk(static_cast<std::uint32_t>(v), seen);
      offsets[v + 1] = seen.size() - before;
    }
    taken[part] = budget.reserve(seen.capacity(), sizeof(std::uint32_t));
    parts[part] = std::move(seen);
  });
  return joined(std::move(offsets), parts, taken, budget);
}

}  // namespace warpfold::polygon
