#pragma once

#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/estimate.hpp"

namespace warpfold::interval {

/// An algorithm for triangulations on one device.
template <class T>
using TriangulationBackend = Backend<TriangulationSize, Triangulation<T>, Solution<T>>;

/// Solves the triangulation
///
///     value(i,j) = min over i<k<j of value(i,k) + value(k,j), + w(i,j)
///
/// and returns its cost and structure.
///
/// Every algorithm, device, instruction set and thread count gives the same bits. Ties go to the smallest k. Minima are
/// exact in any order, and a candidate is rounded once: fl(value(i,k) + value(k,j)).
///
/// Cost: n(n-1)(n-2)/6 additions with a minimum, and at most n*n/2 more for the structure. "tiled" holds at most 0.6
/// n*n values from n = 512 on, besides the caller's weights. A visibility graph takes n*n more for its weights.
///
/// Raises:
/// * Error{infeasible} if the forbidden chords leave no triangulation;
/// * Error{usage} for an algorithm that is not listed for the device;
/// * Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} as Options says.
///
/// Notes:
/// * "sparse" is the default for a visibility graph with fewer than all pairs. It works on the tiles of 8 x 8 pairs of
///   vertices in which any see each other. A triple is a vertex k, a group of eight before it and one after it, such
///   that k sees some vertex of each and the groups see each other. Each triple takes 64 additions and minima. Memory:
///   64 values and some 15 bytes a tile.
/// * With a WeightFormula, "tiled" computes the weights where it needs them and stores none.
/// * Several GPUs share the table's tiles if copies of it do not fit.
/// * On a GPU, the report's `threads` copy the weights, and `prepare_seconds` includes that copy. `solve_seconds` is
///   the device's own time, or with an Options::checkpointer the host's.
template <class T>
[[nodiscard]] Outcome<Solution<T>> solve(const Triangulation<T>& problem, const Options& options = {},
                                         ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// Raises what `solve` raises for these options and any problem of that size.
template <class T>
void check_options(const TriangulationSize& size, const Options& options,
                   ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// Estimates `solve` for a matrix of that many vertices. Raises what `solve` raises for the options, and Error{input}
/// for 2^32 vertices or more. The rate is measured by solving a small problem.
template <class T>
[[nodiscard]] Estimate estimate(std::size_t vertices, const Options& options = {},
                                ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// Estimates `solve` for a problem.
template <class T>
[[nodiscard]] Estimate estimate(const Triangulation<T>& problem, const Options& options = {},
                                ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// The algorithms of this build, which Options::algorithm can name.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::interval
