#pragma once

#include <vector>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/estimate.hpp"

namespace warpfold::interval {

/// An algorithm for triangulations.
template <class T>
using TriangulationBackend = Backend<TriangulationSize, Triangulation<T>, Solution<T>>;

/// Solves the triangulation, structure included. Every algorithm, device, instruction set and thread count gives the
/// same bits: minima are exact in any order, a candidate is fl(value(i,k) + value(k,j)), and ties go to the smallest k.
///
/// Time: n(n-1)(n-2)/6 additions with a minimum, and at most n*n/2 more for the structure. Memory besides the caller's
/// weights: at most 0.6 n*n values for "tiled" from n = 512 on, and n*n for the weights of a visibility graph.
///
/// By default a visibility graph with fewer than all pairs goes to "sparse", which works on the tiles of 8 x 8 pairs of
/// vertices in which any see each other. Time: 64 additions and minima for every vertex k and two groups of eight, one
/// before and one after it, of which k sees somebody and which see each other. Memory besides the problem: 64 values
/// and some 15 bytes a tile.
///
/// By a WeightFormula "tiled" computes the weights where it needs them, so that nobody holds them; several GPUs share
/// the table's tiles where copies of it do not fit.
/// On a GPU the weights go there and back by several threads: the report's `threads`; `solve_seconds` is the device's
/// own time, with an Options::checkpointer the host's, `prepare_seconds` holds the way there. Raises Error{infeasible}
/// when the forbidden chords leave no triangulation, Error{usage} for an algorithm that is not listed for the device,
/// Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} as Options says.
template <class T>
[[nodiscard]] Outcome<Solution<T>> solve(const Triangulation<T>& problem, const Options& options = {},
                                         ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// Raises what `solve` raises for the algorithm and the device of the options, for any problem of that size.
template <class T>
void check_options(const TriangulationSize& size, const Options& options,
                   ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// What `solve` would take for a matrix of so many vertices; raises what it raises for the options, and Error{input}
/// for 2^32 vertices or more. The rate is that of a small problem, which is solved for it.
template <class T>
[[nodiscard]] Estimate estimate(std::size_t vertices, const Options& options = {},
                                ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// The same for a problem.
template <class T>
[[nodiscard]] Estimate estimate(const Triangulation<T>& problem, const Options& options = {},
                                ExtraBackends<TriangulationBackend<T>> extra_backends = {});

/// The algorithms of this build, to be forced by Options::algorithm.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::interval
