#pragma once

#include <span>
#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::interval {

/// Solves many triangulations of any sizes at once. Solutions are in the order of the problems, with the bits and the
/// structure that solve() gives. The report covers the whole batch.
///
/// A polygon whose forbidden chords leave no triangulation has cost infinity<T> and no triangles. The others are
/// solved.
///
/// On the CPU each polygon is solved by one thread, matrices with equal numbers of vertices up to 128 several at a
/// time. On a GPU all are solved in one launch or two; it takes matrices only. Memory besides the callers' weights: on
/// the CPU that of as many polygons as there are threads, and if there is enough, n*(n+1) vectors a thread for those
/// that are solved together. On a GPU cuda::Plan::workspace_bytes, and all weights once on the host and once on the
/// device.
///
/// Options::algorithm may be "tiled" or empty. Raises Error{usage} for another one, and Error{device},
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} as Options says. After an error there are no solutions.
template <class T>
[[nodiscard]] Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>> problems,
                                                            const Options& options = {});

}  // namespace warpfold::interval
