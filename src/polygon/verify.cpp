#include "warpfold/polygon/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace warpfold::polygon {

namespace {

using interval::Chord;
using interval::Triangle;

bool is_edge(std::size_t n, const Chord& chord) { return chord.j == chord.i + 1 || (chord.i == 0 && chord.j + 1 == n); }

Flaw flaw_of_range(std::size_t n, std::span<const Chord> chords) {
  if (chords.size() != n - 3) return fmt::format("there are {} chords, not n - 3 = {}", chords.size(), n - 3);
  for (const Chord& chord : chords) {
    if (chord.i >= chord.j || chord.j >= n) return fmt::format("[{}, {}] is no chord i < j < {}", chord.i, chord.j, n);
    if (is_edge(n, chord)) return fmt::format("[{}, {}] is an edge of the polygon", chord.i, chord.j);
  }
  return std::nullopt;
}

/// Chords that do not cross nest like parentheses.
Flaw flaw_of_nesting(std::vector<Chord> chords) {
  std::sort(chords.begin(), chords.end(),
            [](const Chord& a, const Chord& b) { return a.i != b.i ? a.i < b.i : a.j > b.j; });
  const auto twin = std::adjacent_find(chords.begin(), chords.end());
  if (twin != chords.end()) return fmt::format("chord [{}, {}] stands there twice", twin->i, twin->j);
  std::vector<Chord> open;
  for (const Chord& chord : chords) {
    while (!open.empty() && open.back().j <= chord.i) open.pop_back();
    if (!open.empty() && open.back().j < chord.j) {
      return fmt::format("chords [{}, {}] and [{}, {}] cross", open.back().i, open.back().j, chord.i, chord.j);
    }
    open.push_back(chord);
  }
  return std::nullopt;
}

Flaw flaw_of_sides(std::size_t n, std::span<const Chord> chords, std::span<const Triangle> triangles) {
  if (triangles.size() != n - 2) return fmt::format("there are {} triangles, not n - 2 = {}", triangles.size(), n - 2);
  std::map<Chord, int> missing;  // how many more triangles have to have this side
  for (const Chord& chord : chords) missing[chord] = 2;
  for (std::uint32_t v = 0; v + 1 < n; ++v) missing[{v, v + 1}] = 1;
  missing[{0, static_cast<std::uint32_t>(n - 1)}] = 1;
  for (const auto& [i, k, j] : triangles) {
    if (i >= k || k >= j || j >= n) return fmt::format("[{}, {}, {}] is no triangle i < k < j < {}", i, k, j, n);
    for (const Chord& side : {Chord{i, k}, Chord{k, j}, Chord{i, j}}) {
      const auto found = missing.find(side);
      if (found == missing.end()) {
        return fmt::format("triangle [{}, {}, {}] has side [{}, {}], which is no chord", i, k, j, side.i, side.j);
      }
      if (--found->second < 0) {
        return fmt::format("triangle [{}, {}, {}] is one too many at [{}, {}]", i, k, j, side.i, side.j);
      }
    }
  }
  return std::nullopt;  // n - 2 triangles have as many sides as were to be matched: none is left over
}

}  // namespace

Flaw flaw_of_structure(std::size_t n, std::span<const Chord> chords, std::span<const Triangle> triangles) {
  if (n < 3) return fmt::format("n is {}: a polygon has 3 vertices or more", n);
  if (const Flaw flaw = flaw_of_range(n, chords)) return flaw;
  if (const Flaw flaw = flaw_of_nesting({chords.begin(), chords.end()})) return flaw;
  return flaw_of_sides(n, chords, triangles);
}

Flaw flaw_of_triangles(const Outline& outline, std::span<const Triangle> triangles) {
  for (const auto& [i, k, j] : triangles) {
    if (outline.turn(i, k, j) <= 0) {
      return fmt::format("triangle [{}, {}, {}] does not lie in the interior of the outline", i, k, j);
    }
  }
  return std::nullopt;
}

Flaw flaw_of_cost(std::span<const Chord> chords, const std::function<std::int64_t(std::size_t, std::size_t)>& weight,
                  std::int64_t cost) {
  std::int64_t sum = 0;
  for (const Chord& chord : chords) {
    if (__builtin_add_overflow(sum, weight(chord.i, chord.j), &sum)) return "the weights' sum exceeds 64 bits";
  }
  if (sum == cost) return std::nullopt;
  return fmt::format("the weights of the chords add up to {}, the cost is {}", sum, cost);
}

Flaw flaw_of_cost(std::span<const Chord> chords, const std::function<double(std::size_t, std::size_t)>& weight,
                  double cost, double unit) {
  long double sum = 0;
  long double magnitude = 0;
  for (const Chord& chord : chords) {
    sum += weight(chord.i, chord.j);
    magnitude += std::abs(weight(chord.i, chord.j));
  }
  // Each chord's weight is rounded once, and then once in each of the at most 2n sums it becomes a part of.
  const long double slack = 2 * (static_cast<long double>(chords.size()) + 1) * unit * magnitude;
  if (std::abs(sum - cost) <= slack) return std::nullopt;
  return fmt::format("the weights of the chords add up to {}, the cost is {}", static_cast<double>(sum), cost);
}

}  // namespace warpfold::polygon
