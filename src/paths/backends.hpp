#pragma once

#include <cstdint>

#include "minplus/packing.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::paths {

/// A graph that has been checked.
template <class T>
struct Graph {
  MatrixView<const T> edges;
  Request request;

  [[nodiscard]] std::size_t vertices() const { return edges.rows; }
  [[nodiscard]] double operations() const {
    const auto n = static_cast<double>(vertices());
    return n * n * n;
  }
};

/// Returns the vertices from `first` to `last`, each by next(the one before). Calls refuse(), which raises, if they do
/// not lead to `last`.
template <class Next, class Refuse>
[[nodiscard]] std::vector<std::uint32_t> walk(std::uint32_t first, std::uint32_t last, std::size_t vertices,
                                              const Next& next, const Refuse& refuse) {
  std::vector<std::uint32_t> path{first};
  while (path.back() != last) {
    const std::uint32_t vertex = next(path.back());
    if (vertex >= vertices || path.size() == vertices) refuse();
    path.push_back(vertex);
  }
  return path;
}

/// D(i,j) before the first turn. Turn k is the update of all entries with intermediate vertex k.
template <class Tag, class T = typename Tag::Value>
[[nodiscard]] constexpr T first_length(T edge, bool is_loop) {
  const T length = Tag::is_zero(edge) ? Tag::zero() : static_cast<T>(edge + T{0});  // no -0.0
  return is_loop ? Tag::plus(Tag::one(), length) : length;
}
template <class Tag, class T = typename Tag::Value>
[[nodiscard]] T first_length(const MatrixView<const T>& edges, std::size_t i, std::size_t j) {
  return first_length<Tag>(edges(i, j), i == j);
}

/// The vertex after i before the first turn.
template <class Tag, class T = typename Tag::Value>
[[nodiscard]] constexpr std::uint32_t first_successor(T edge, std::size_t i, std::size_t j) {
  return i == j || !Tag::is_zero(edge) ? static_cast<std::uint32_t>(j) : no_vertex;
}
template <class Tag, class T = typename Tag::Value>
[[nodiscard]] std::uint32_t first_successor(const MatrixView<const T>& edges, std::size_t i, std::size_t j) {
  return first_successor<Tag>(edges(i, j), i, j);
}

/// Whether a is strictly better than b.
template <class Tag>
[[nodiscard]] bool is_better(typename Tag::Value a, typename Tag::Value b) {
  return Tag::plus(a, b) != b;
}

/// Returns the cycle of parents from its smallest vertex on, if there is one. parent[v] is the vertex before v, or the
/// number of vertices.
[[nodiscard]] std::vector<std::size_t> cycle_of(const std::vector<std::size_t>& parent);

/// Raises Error{infeasible} that names a cycle through which paths improve without end. It passes through `vertex`,
/// unless another is found sooner. Raises what the monitor raises.
template <class T>
[[noreturn]] void reject_cycle(const Graph<T>& graph, std::size_t vertex, const SolveMonitor& monitor);

/// As above, for this cycle, from one of its vertices on.
[[noreturn]] void reject_cycle(const std::vector<std::size_t>& cycle, const Request& request);

/// The bytes of the backend that would run.
template <class T>
[[nodiscard]] std::size_t bytes_of_all_pairs(const Graph<T>& graph, const Options& options);

namespace reference {
template <class T>
[[nodiscard]] AllPairs<T> all_pairs(const Graph<T>& graph, Context& context);
template <class T>
[[nodiscard]] std::size_t bytes_needed(const Graph<T>& graph, const Options& options);
}  // namespace reference

namespace cpu {
template <class T>
[[nodiscard]] AllPairs<T> all_pairs(const Graph<T>& graph, Context& context);
template <class T>
[[nodiscard]] std::size_t bytes_needed(const Graph<T>& graph, const Options& options);
}  // namespace cpu

namespace bitset {
[[nodiscard]] AllPairs<std::uint8_t> all_pairs(const Graph<std::uint8_t>& graph, Context& context);
[[nodiscard]] std::size_t bytes_needed(const Graph<std::uint8_t>& graph, const Options& options);
}  // namespace bitset

namespace cuda {
template <class T>
[[nodiscard]] AllPairs<T> all_pairs(const Graph<T>& graph, Context& context);
template <class T>
[[nodiscard]] std::size_t bytes_needed(const Graph<T>& graph, const Options& options);
/// The bytes on the GPU. Raises Error{device} if there is none.
template <class T>
[[nodiscard]] std::size_t device_bytes(const Graph<T>& graph, const Options& options);
}  // namespace cuda

}  // namespace warpfold::paths
