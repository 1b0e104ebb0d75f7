#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of a triangulation, a chain's order or a search tree, which share no code with the solvers. They check
/// whether the solution is feasible and has the cost that it states. They do not check whether it is optimal. All raise
/// Error{time_limit}, Error{cancelled} and Error{memory_limit} as the options ask.
namespace warpfold::interval {

/// The weight of chord (i,j), i < j. infinity<T> or more forbids it.
template <class T>
using ChordWeights = std::function<T(std::size_t i, std::size_t j)>;

/// Checks n-3 chords and n-2 triangles of an n-gon, in any order. The chords i < j must be distinct and must not cross.
/// The sides of the triangles i < k < j must be each chord twice and each edge once. O(n log n).
[[nodiscard]] Violation find_structure_violation(std::size_t n, std::span<const Chord> chords,
                                                 std::span<const Triangle> triangles);

/// Checks whether the weights of the chords add up to `cost` exactly. No sum overflows.
[[nodiscard]] Violation find_cost_violation(std::span<const Chord> chords, const ChordWeights<std::int64_t>& weight,
                                            std::int64_t cost);

/// Checks the same up to rounding. `unit` is the rounding unit of the solver's arithmetic; n additions each lose as
/// much.
[[nodiscard]] Violation find_cost_violation(std::span<const Chord> chords, const ChordWeights<double>& weight,
                                            double cost, double unit);

/// Checks a triangulation of a convex n-gon: no chord is forbidden, and
///
///     cost = sum of w(i,j) over its chords.
///
/// Integers must agree exactly, floating point up to rounding. Chords and triangles may be in any order. Cost: O(n log
/// n) operations, O(n) memory.
template <class T>
[[nodiscard]] Verdict verify(std::size_t n, const std::type_identity_t<ChordWeights<T>>& weight,
                             const Solution<T>& solution, const Options& options = {});

/// Checks a solution of this problem.
template <class T>
[[nodiscard]] Verdict verify(const Triangulation<T>& problem, const Solution<T>& solution, const Options& options = {});

/// Checks whether the splits are one complete order, in preorder, with cost = sum of p_i p_k p_j over the splits
/// (i,k,j), exactly. O(n).
[[nodiscard]] Verdict verify(const MatrixChain& chain, const ChainSolution& solution, const Options& options = {});

/// Checks whether the parents form one tree with the keys in order and with that root, and
///
///     cost = sum of p_k depth(k) + sum of q_g depth(g).
///
/// The root's depth is 1. A gap hangs below the deeper of the two keys beside it. Integers must agree exactly, floating
/// point up to rounding. O(n).
template <class T>
[[nodiscard]] Verdict verify(const SearchTree<T>& tree, const TreeSolution<T>& solution, const Options& options = {});

}  // namespace warpfold::interval
