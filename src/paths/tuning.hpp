#pragma once

#include <cstddef>

namespace warpfold::paths {

/// Vertices of what an estimate solves to tell the rate; the reference is a hundred times slower.
inline constexpr std::size_t probe_vertices = 768;
inline constexpr std::size_t reference_probe_vertices = 160;
inline constexpr std::size_t cuda_probe_vertices = 4096;

/// From how many vertices on a GPU beats the CPU, matrices on the host both times.
inline constexpr std::size_t cuda_gains_from = 1024;

/// Rows of the edges, and of the answer, that go to and from a GPU at a time.
inline constexpr std::size_t strip_bytes = std::size_t{1} << 28;

}  // namespace warpfold::paths
