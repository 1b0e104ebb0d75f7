#include "warpfold/polygon/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "equivalence/polygon/random_outline.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/polygon/solve.hpp"
#include "warpfold/polygon/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::Chord;
using polygon::Outline;
using polygon::Triangulation;
using polygon::VisibilityGraph;
using polygon::Weight;
using polygon::test::Grid;
using polygon::test::GridPoint;
using Points = std::vector<Point>;

/// Vertices around the origin, at different distances unless it is convex.
Points drawn_star(Bytes& bytes, std::size_t n, bool convex) {
  Points points;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    const double distance = convex ? 1000 : static_cast<double>(1 + bytes.below(1000)) / 7;
    points.push_back({distance * std::cos(angle), distance * std::sin(angle)});
  }
  return points;
}

/// Integer points on a parabola.
Grid drawn_parabola(Bytes& bytes, std::size_t n) {
  Grid grid;
  std::int64_t x = bytes.between(-20, 0);
  for (std::size_t k = 0; k < n; ++k, x += bytes.between(1, 3)) grid.push_back({x, x * x});
  return grid;
}

/// Random points of a small grid, which mostly form no outline.
Grid drawn_scribble(Bytes& bytes) {
  Grid grid(2 + bytes.below(7));
  for (GridPoint& point : grid) point = {bytes.between(0, 4), bytes.between(0, 4)};
  return grid;
}

Grid drawn_grid(Bytes& bytes, std::size_t n) {
  std::mt19937_64 random(bytes.below(std::uint64_t{1} << 40));
  const Grid grid = polygon::test::random_grid_outline(random, n, bytes.pick<std::int64_t>({3, 6, 30, 1000}));
  return bytes.one_in(2) ? polygon::test::with_runs(random, grid, bytes.between(2, 4)) : grid;
}

/// Integer points with many collinear runs and touching chords, or any points.
struct Drawn {
  Points points;
  bool is_integer = true;

  explicit Drawn(Bytes& bytes) {
    const std::size_t n = 3 + std::min<std::size_t>(bytes.size(100), 70);
    const std::uint64_t shape = bytes.below(8);
    is_integer = shape > 1;
    if (!is_integer) {
      points = drawn_star(bytes, n, shape == 0);
      return;
    }
    const Grid grid = shape == 2   ? drawn_parabola(bytes, n)
                      : shape == 3 ? drawn_scribble(bytes)
                                   : drawn_grid(bytes, std::min<std::size_t>(n, 40));
    for (const GridPoint& p : grid) points.push_back({static_cast<double>(p.x), static_cast<double>(p.y)});
  }
};

Points moved(Points points, double scale, double x, double y) {
  for (Point& p : points) p = {scale * p.x + x, scale * p.y + y};
  return points;
}

template <class Values>
Values turned(Values values, std::size_t turn) {
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(turn), values.end());
  return values;
}

/// "refused", or the pairs of vertices that see each other.
std::string graph_or_refusal(const Points& points) {
  try {
    const VisibilityGraph graph = interior_chords(Outline(points));
    return bits(graph.offsets, graph.ends);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return "refused";
  }
}

/// Shifts, scales and reverses the points.
void expect_same_graph(Bytes& bytes, const std::string& text, const Drawn& drawn) {
  const std::string expected = graph_or_refusal(drawn.points);
  const double scale = std::ldexp(1.0, static_cast<int>(bytes.between(-300, 300)));
  expect_same(expected, graph_or_refusal(moved(drawn.points, scale, 0, 0)), fmt::format("{}, {} times", text, scale));
  if (drawn.is_integer) {
    const auto x = static_cast<double>(bytes.between(-1000, 1000)), y = static_cast<double>(bytes.between(-1000, 1000));
    expect_same(expected, graph_or_refusal(moved(drawn.points, 1, x, y)), fmt::format("{} by ({}, {})", text, x, y));
  }
  Points mirrored = drawn.points;
  for (Point& p : mirrored) p.x = -p.x;
  expect_same(expected, graph_or_refusal(mirrored), text + ", mirrored");
  const Points reversed(drawn.points.rbegin(), drawn.points.rend());
  expect((expected == "refused") == (graph_or_refusal(reversed) == "refused"), text + ", reversed");
}

/// The weight of a chord, by its vertices' numbers in the outline that was drawn. Some are forbidden.
template <class T>
using Weights = Matrix<T>;

template <class T>
Weights<T> drawn_weights(Bytes& bytes, const Numbers& numbers, std::size_t n) {
  const auto most = static_cast<T>(std::numeric_limits<T>::max() / 4 / static_cast<T>(n));
  Weights<T> weights = numbers.matrix<T>(bytes, n, n, most, infinity<T>);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) weights(i, j) = weights(j, i);
  }
  return weights;
}

template <class T>
Triangulation<T> stated_by(const Points& points, const Weights<T>& weights) {
  const VisibilityGraph graph = interior_chords(Outline(points));
  return {graph, polygon::chord_weights<T>(graph, [&](std::size_t i, std::size_t j) { return weights(i, j); })};
}

template <class T>
std::string text_of(const interval::Solution<T>& solution) {
  return bits(solution.cost, solution.triangles, solution.chords);
}

template <class T>
std::string cost_of(const Points& points, const Weights<T>& weights) {
  return answer([&] { return bits(solve(stated_by(points, weights)).solution.cost); });
}

/// The outline whose vertex i was vertex(i).
template <class T, class Vertex>
std::string cost_renamed(const Points& points, const Weights<T>& weights, const Vertex& vertex) {
  Points other;
  Weights<T> of_other = weights;
  for (std::size_t i = 0; i < points.size(); ++i) {
    other.push_back(points[vertex(i)]);
    for (std::size_t j = 0; j < points.size(); ++j) of_other(i, j) = weights(vertex(i), vertex(j));
  }
  return cost_of(other, of_other);
}

/// A solution must be valid, and invalid after one chord is changed.
template <class T>
void expect_verdicts(Bytes& bytes, const std::string& text, const Outline& outline, const Weights<T>& weights,
                     interval::Solution<T> solution) {
  const auto weight = [&](std::size_t i, std::size_t j) { return weights(i, j); };
  expect(polygon::verify<T>(outline, weight, solution), text);
  if (solution.chords.empty()) return;
  Chord& changed = solution.chords[bytes.below(solution.chords.size())];
  const Chord former = changed;
  changed.i = static_cast<std::uint32_t>(bytes.below(outline.size() - 1));
  changed.j = changed.i + 1 + static_cast<std::uint32_t>(bytes.below(outline.size() - 1 - changed.i));
  const bool is_valid = !polygon::verify<T>(outline, weight, solution).violation;
  expect(is_valid == (changed == former), fmt::format("{}: chord [{}, {}]", text, changed.i, changed.j));
}

/// A convex outline, whose weights are computed where they are used.
template <class T>
void expect_formula_alike(const std::string& text, const Outline& outline, Weight weight) {
  const VisibilityGraph graph = interior_chords(outline);
  const auto weigh = [&](std::size_t i, std::size_t j) {
    return static_cast<T>(polygon::chord_weight(weight, outline[i], outline[j]));
  };
  const auto solved = [&](const Options& options) {
    return text_of(solve(polygon::triangulation_of<T>(outline, weight), options).solution);
  };
  expect_alike(text + " by a formula", answer([&] {
                 const Triangulation<T> problem(graph, polygon::chord_weights<T>(graph, weigh));
                 return text_of(polygon::reference::solve(problem).solution);
               }),
               {"tiled", "sparse"}, solved);
}

template <class T>
void expect_triangulated(Bytes& bytes, const std::string& text, const Points& points, const Outline& outline) {
  const Numbers numbers(bytes);
  const Weights<T> weights = drawn_weights<T>(bytes, numbers, points.size());
  const Triangulation<T> problem = stated([&] { return stated_by(points, weights); });
  std::vector<std::string> algorithms = names_on_cpu(interval::algorithms());
  algorithms.emplace_back();
  const std::string expected = answer([&] { return text_of(polygon::reference::solve(problem).solution); });
  const auto solved = [&](const Options& options) { return text_of(solve(problem, options).solution); };
  const bool refused = expected.starts_with("error ");
  expect_alike(text, answer([&] { return solved(by("sparse")); }), algorithms, solved);
  if (!refused) {
    expect_same(expected, solved(by("sparse")), text + " against the reference");
    expect_verdicts(bytes, text, outline, weights, solve(problem).solution);
  }
  if (!std::is_integral_v<T> && !numbers.are_small()) return;
  const std::size_t n = points.size(), turn = bytes.below(n);
  const std::string cost = cost_of(points, weights);
  expect_same(cost, cost_renamed(points, weights, [&](std::size_t i) { return (i + turn) % n; }), text + ", turned");
  expect_same(cost, cost_renamed(points, weights, [&](std::size_t i) { return n - 1 - i; }), text + ", reversed");
}

/// A convex outline with random weights or, for fractions, with a formula.
template <class T>
void triangulate_large(Bytes& bytes) {
  const Points points = drawn_star(bytes, bytes.large_size(), true);
  const std::string text = fmt::format("convex outline of {} vertices, {}", points.size(), dtype_name<T>());
  if (!std::is_integral_v<T> && bytes.one_in(2)) {
    const Outline outline(points);
    const Weight weight = bytes.pick({Weight::length, Weight::squared});
    return expect_large_alike(text + " by a formula", "tiled", [&](const Options& options) {
      return text_of(solve(polygon::triangulation_of<T>(outline, weight), options).solution);
    });
  }
  const Triangulation<T> problem =
      stated([&] { return stated_by(points, drawn_weights<T>(bytes, Numbers(bytes), points.size())); });
  expect_large_alike(text, "tiled", [&](const Options& options) { return text_of(solve(problem, options).solution); });
}

template <class T>
void triangulate(Bytes& bytes) {
  if (is_large(bytes)) return triangulate_large<T>(bytes);
  const Drawn drawn(bytes);
  const std::string text = fmt::format("outline of {} vertices, {}", drawn.points.size(), dtype_name<T>());
  expect_same_graph(bytes, text, drawn);
  const Outline outline = stated([&] { return Outline(drawn.points); });
  const Points& points = outline.vertices();
  const VisibilityGraph seen = polygon::reference::interior_chords(outline);
  expect_runs_alike(text + ", seen", bits(seen.offsets, seen.ends), {""}, [&](const Options& options) {
    const VisibilityGraph graph = interior_chords(outline, options);
    return bits(graph.offsets, graph.ends);
  });
  expect_triangulated<T>(bytes, text, points, outline);
  // Integers do not hold lengths, and four bytes do not hold squares.
  const bool holds_squares = !std::is_integral_v<T> || (sizeof(T) == 8 && drawn.is_integer);
  if (!outline.strictly_convex() || !holds_squares) return;
  const bool squared = std::is_integral_v<T> || bytes.one_in(2);
  expect_formula_alike<T>(text, outline, squared ? Weight::squared : Weight::length);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { triangulate<T>(bytes); });
}
