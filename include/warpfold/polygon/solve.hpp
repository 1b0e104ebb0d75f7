#pragma once

#include <vector>

#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::polygon {

/// Solves the triangulation, structure included. Every algorithm and thread count gives the same bits, and ties go to
/// the smallest k.
///
/// By default complete problems (strictly convex outlines) go to the dense solver of `interval`, others to "sparse".
/// "sparse" works on the tiles of 8 x 8 pairs of vertices in which any see each other. Time: 64 additions and minima
/// for every vertex k and two groups of eight, one before and one after it, of which k sees somebody and which see each
/// other. Memory besides the problem: 64 values and some 15 bytes a tile.
/// Raises Error{infeasible} when the forbidden chords leave no triangulation, Error{usage} for an algorithm that is not
/// listed for the device, Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} as Options says.
/// `more`: as interval::solve takes them.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem, const Options& options = {},
                                                   Additional<interval::TriangulationBackend<T>> more = {});

/// The same for a strictly convex outline whose chords weigh what the formula says: by interval's "tiled", which
/// computes the weights where it needs them, so that nobody holds them. Several GPUs share the table's tiles where
/// copies of it do not fit. Takes an Options::keeper. Raises Error{input} for an outline that is not strictly convex
/// and, as `verify` does, where a whole-number T does not hold a weight exactly, below 2^53; Error{overflow} as
/// interval::Triangulation does.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const Outline& outline, Weight weight, const Options& options = {});

/// What that would take.
template <class T>
[[nodiscard]] Estimate estimate(const Outline& outline, Weight weight, const Options& options = {});

/// The algorithms that Options::algorithm may name here besides those of `interval::algorithms()`: "sparse".
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

/// What `solve` would take; raises what it raises for the options. The rate is that of a small problem, which is solved
/// for it.
template <class T>
[[nodiscard]] Estimate estimate(const Triangulation<T>& problem, const Options& options = {},
                                Additional<interval::TriangulationBackend<T>> more = {});

namespace reference {

/// The recurrence as it stands, O(n^3) time and n*n values.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem);

}  // namespace reference

}  // namespace warpfold::polygon
