#pragma once

#include <span>
#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::interval {

/// Solves many triangulations, of any sizes, at once; solutions stand in the order of the problems, the report is of
/// all of them together. On the CPU each by one thread, on a GPU all in one launch or two. Each solution has the bits
/// and the structure that solve() gives. Where forbidden chords leave a polygon no triangulation its cost is
/// infinity<T> and it has no triangles; the others are solved all the same.
///
/// Memory besides the callers' weights: on the CPU that of as many polygons as there are threads; on a GPU
/// cuda::Plan::workspace_bytes, and all weights once on the host and once on the device.
/// Options::algorithm: "tiled", or empty. A GPU takes matrices alone, and solves all there. Raises Error{usage} for
/// another algorithm, Error{device}, Error{time_limit},
/// Error{memory_limit} and Error{cancelled} as Options says; then none is solved.
template <class T>
[[nodiscard]] Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>> problems,
                                                            const Options& options = {});

}  // namespace warpfold::interval
