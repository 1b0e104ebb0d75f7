#pragma once

#include <cstdint>

#include "papers/traced.hpp"

/// The 8-gon that two of the papers draw, its triangulation and its parse tree. The papers show its weights only in a
/// picture. We chose weights with the printed optimum, 6.
namespace warpfold::papers {

inline constexpr std::uint64_t polygon_corners = 8;

/// A run of "dp-opt" or "umm-opt" on the 8-gon.
[[nodiscard]] TracedRun on_polygon(const char* algorithm);

/// The polygon with its vertices, chords and weights, the chosen chords strong.
[[nodiscard]] Part triangulation_part();
/// The parse tree of the triangulation, drawn over it and below it.
[[nodiscard]] Part parse_tree_part();
/// The polygon v_(i-1) .. v_j, cut off by a chord, with the triangle of v_(i-1), v_k and v_j; i = 2, k = 4, j = 6.
[[nodiscard]] Part cut_part();
/// The weights and the table M of the polygon.
[[nodiscard]] Part weights_part();
/// The operands of one element of M in DP-OPT: the pairs of its terms.
[[nodiscard]] Part operands_part();

}  // namespace warpfold::papers
