#include "warpfold/polygon/chords.hpp"

#include <algorithm>

#include "ear_clipping.hpp"
#include "warpfold/core/team.hpp"
#include "warpfold/polygon/orientation.hpp"

namespace warpfold::polygon {

namespace {

std::vector<Point> counterclockwise_vertices(const Outline& outline) {
  std::vector<Point> vertices = outline.vertices();
  if (!outline.counterclockwise()) {
    for (Point& vertex : vertices) vertex.x = -vertex.x;  // the mirror image sees the same pairs
  }
  return vertices;
}

/// Lists what one vertex sees. Around a vertex of a simple polygon, what it sees comes in the order of the outline, so
/// that a walk from right to left that ends at the first smaller number yields the larger ends in order.
class Walker {
 public:
  Walker(const std::vector<Point>& vertices, const TriangulatedOutline& triangulated)
      : vertices_(vertices), triangulated_(triangulated) {}

  /// Appends the vertices above `from` that it sees.
  void walk(std::uint32_t from, std::vector<std::uint32_t>& seen) {
    for (std::uint32_t t = triangulated_.triangle_of_edge[from]; t != no_triangle;) {
      const Triangle& triangle = triangulated_.triangles[t];
      const std::size_t slot = slot_of(triangle, from);
      const std::uint32_t right = triangle.corner[(slot + 1) % 3];
      const std::uint32_t left = triangle.corner[(slot + 2) % 3];
      if (right < from) return;
      seen.push_back(right);
      if (!look_through(from, {triangle.across[(slot + 1) % 3], right, left, right, left}, seen)) return;
      t = triangle.across[(slot + 2) % 3];
      if (t == no_triangle && left > from) seen.push_back(left);
    }
  }

 private:
  /// The edge from `start` (right) to `end` (left), seen between the rays through `right` and `left`, and the triangle
  /// behind it. Or, where start == end, a vertex whose turn to be listed has come.
  struct Window {
    std::uint32_t triangle;
    std::uint32_t start;
    std::uint32_t end;
    std::uint32_t right;
    std::uint32_t left;
  };

  static std::size_t slot_of(const Triangle& triangle, std::uint32_t vertex) {
    return triangle.corner[0] == vertex ? 0 : triangle.corner[1] == vertex ? 1 : 2;
  }

  /// False once the numbers fall below `from`.
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
      if (window.triangle == no_triangle) continue;
      const Triangle& triangle = triangulated_.triangles[window.triangle];
      const std::size_t slot = slot_of(triangle, window.end);
      const std::uint32_t apex = triangle.corner[(slot + 2) % 3];
      const bool left_of_right = orientation(vertices_[from], vertices_[window.right], vertices_[apex]) > 0;
      const bool right_of_left = orientation(vertices_[from], vertices_[window.left], vertices_[apex]) < 0;
      // On a ray itself the vertex that made the ray hides the apex.
      const bool apex_seen = left_of_right && right_of_left;
      if (right_of_left || !left_of_right) {
        windows_.push_back(
            {triangle.across[(slot + 2) % 3], apex, window.end, apex_seen ? apex : window.right, window.left});
      }
      if (apex_seen) windows_.push_back({no_triangle, apex, apex, apex, apex});
      if (left_of_right) {
        windows_.push_back(
            {triangle.across[(slot + 1) % 3], window.start, apex, window.right, apex_seen ? apex : window.left});
      }
    }
    return true;
  }

  const std::vector<Point>& vertices_;
  const TriangulatedOutline& triangulated_;
  std::vector<Window> windows_;
};

/// The parts become one list, each given back once it is copied: memory is touched, and taken, as the list fills.
VisibilityGraph joined(std::vector<std::size_t> offsets, std::vector<std::vector<std::uint32_t>>& parts,
                       std::vector<Budget::Share>& taken, Budget& budget) {
  VisibilityGraph graph{std::move(offsets), {}};
  for (std::size_t i = 1; i < graph.offsets.size(); ++i) graph.offsets[i] += graph.offsets[i - 1];
  graph.ends.reserve(graph.offsets.back());
  Budget::Share all = budget.take(0);
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
  const Watch watch(options, 0);
  const std::vector<Point> vertices = counterclockwise_vertices(outline);
  const TriangulatedOutline triangulated = clip_ears(vertices);
  watch.check();

  const std::size_t n = outline.size();
  std::vector<std::size_t> offsets(n + 1);
  std::vector<std::vector<std::uint32_t>> parts((n + vertices_per_part - 1) / vertices_per_part);
  Budget budget(options);
  std::vector<Budget::Share> taken(parts.size());
  Team team(static_cast<int>(std::min<std::size_t>(thread_count(options.threads), parts.size())));
  std::vector<Walker> walkers(static_cast<std::size_t>(team.size()), Walker(vertices, triangulated));
  team.loop(parts.size(), [&](std::size_t part, int member) {
    const std::size_t end = std::min(n, (part + 1) * vertices_per_part);
    for (std::size_t v = part * vertices_per_part; v < end; ++v) {
      watch.check();
      const std::size_t before = parts[part].size();
      walkers[static_cast<std::size_t>(member)].walk(static_cast<std::uint32_t>(v), parts[part]);
      offsets[v + 1] = parts[part].size() - before;
    }
    taken[part] = budget.take(parts[part].capacity(), sizeof(std::uint32_t));
  });
  return joined(std::move(offsets), parts, taken, budget);
}

}  // namespace warpfold::polygon
