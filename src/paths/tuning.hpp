#pragma once

#include <cstddef>

namespace warpfold::paths {

/// Vertices of what an estimate solves to tell the rate; the reference is a hundred times slower.
inline constexpr std::size_t probe_vertices = 768;
inline constexpr std::size_t reference_probe_vertices = 160;

}  // namespace warpfold::paths
