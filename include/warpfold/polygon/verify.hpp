#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/polygon/outline.hpp"

/// Checks of somebody's triangulation that share no code with the solvers. Each returns the first thing wrong in one
/// line, nothing where all is well.
namespace warpfold::polygon {

using Flaw = std::optional<std::string>;

/// Whether these are n-3 distinct chords i < j of an n-gon that do not cross, and n-2 triangles i < k < j whose sides
/// are these chords, each twice, and the edges, each once. In any order. O(n log n).
[[nodiscard]] Flaw flaw_of_structure(std::size_t n, std::span<const interval::Chord> chords,
                                     std::span<const interval::Triangle> triangles);

/// Whether these triangles, whose structure has no flaw, lie in the outline without overlap and fill it: whether each
/// turns the way the outline does. Exact, O(n).
///
/// That is enough: glued along their sides the triangles are a disc whose boundary is the outline. Where all keep their
/// orientation, as many of them cover a point as the outline winds around it: one in the interior, none outside. So
/// every chord is interior; one through another vertex would cover points outside, beside that vertex.
[[nodiscard]] Flaw flaw_of_triangles(const Outline& outline, std::span<const interval::Triangle> triangles);

/// Whether the weights of the chords add up to `cost` exactly. No sum overflows.
[[nodiscard]] Flaw flaw_of_cost(std::span<const interval::Chord> chords,
                                const std::function<std::int64_t(std::size_t, std::size_t)>& weight, std::int64_t cost);

/// The same up to rounding: `unit` is the rounding unit of the solver's arithmetic, and n additions each lose that
/// much.
[[nodiscard]] Flaw flaw_of_cost(std::span<const interval::Chord> chords,
                                const std::function<double(std::size_t, std::size_t)>& weight, double cost,
                                double unit);

}  // namespace warpfold::polygon
