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

/// Checks of somebody's triangulation, order or tree that share no code with the solvers: whether it is one, and costs
/// what it says. Whether another one costs less they do not ask. All raise Error{time_limit}, Error{cancelled} and
/// Error{memory_limit} as the options ask.
namespace warpfold::interval {

/// What a chord (i,j), i < j, weighs; infinity<T> or more forbids it.
template <class T>
using ChordWeights = std::function<T(std::size_t i, std::size_t j)>;

/// Whether these are n-3 distinct chords i < j of an n-gon that do not cross, and n-2 triangles i < k < j whose sides
/// are these chords, each twice, and the edges, each once. In any order. O(n log n).
[[nodiscard]] Flaw flaw_of_structure(std::size_t n, std::span<const Chord> chords, std::span<const Triangle> triangles);

/// Whether the weights of the chords add up to `cost` exactly. No sum overflows.
[[nodiscard]] Flaw flaw_of_cost(std::span<const Chord> chords, const ChordWeights<std::int64_t>& weight,
                                std::int64_t cost);

/// The same up to rounding: `unit` is the rounding unit of the solver's arithmetic, and n additions each lose that
/// much.
[[nodiscard]] Flaw flaw_of_cost(std::span<const Chord> chords, const ChordWeights<double>& weight, double cost,
                                double unit);

/// Whether it is a triangulation of a convex n-gon by chords that are not forbidden, and
///
///     cost = sum of w(i,j) over its chords,
///
/// exactly for integers, up to rounding else. In any order. O(n log n) operations, O(n) memory.
template <class T>
[[nodiscard]] Verdict verify(std::size_t n, const std::type_identity_t<ChordWeights<T>>& weight,
                             const Solution<T>& solution, const Options& options = {});

/// The same of a problem.
template <class T>
[[nodiscard]] Verdict verify(const Triangulation<T>& problem, const Solution<T>& solution, const Options& options = {});

/// Whether the splits are one complete order, in preorder, and cost = sum of p_i p_k p_j over the splits (i,k,j),
/// exactly. O(n).
[[nodiscard]] Verdict verify(const MatrixChain& chain, const ChainSolution& solution, const Options& options = {});

/// Whether the parents are those of one tree that has the keys in order, with that root, and
///
///     cost = sum of p_k depth(k) + sum of q_g depth(g),
///
/// where the root's depth is 1, and a gap hangs below the deeper of the two keys beside it: exactly for integers,
/// up to rounding else. O(n).
template <class T>
[[nodiscard]] Verdict verify(const SearchTree<T>& tree, const TreeSolution<T>& solution, const Options& options = {});

}  // namespace warpfold::interval
