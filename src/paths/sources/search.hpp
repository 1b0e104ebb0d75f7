#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "paths/tuning.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/team.hpp"

/// Searches in sparse graphs, from each of some sources.
namespace warpfold::paths {

/// A problem with that many sources. An estimate knows only their number.
template <class T>
struct SourcesProblem {
  const SparseGraph<T>& graph;
  std::span<const std::uint32_t> sources;
  std::size_t count;
  Request request;
  bool improves;         ///< whether an edge alone does
  bool has_all = false;  ///< whether every vertex is a source
};

/// How a search finds the best paths from a source.
///
/// * dijkstra: the best open vertex becomes final, and its edges improve others. No edge alone may improve.
/// * bellman_ford: open vertices wait in a queue. After every n improvements the predecessors are searched for a cycle,
/// which
///   is one that improves without end.
/// * johnson: a search by a queue from all vertices at once gives potentials. Then each search takes the vertices in
/// the order
///   of length - potential, and each of them once. For semirings whose times adds.
enum class Search { dijkstra, bellman_ford, johnson };

[[nodiscard]] AlgorithmInfo info_of(Search search);

/// Why a search does not solve a problem, or "".
template <class T>
[[nodiscard]] std::string unsupported_reason(Search search, const SourcesProblem<T>& problem) {
  if (search == Search::dijkstra && problem.improves) {
    return "does not solve graphs in which an edge improves by itself (a length below 0, in max-plus above 0)";
  }
  const bool adds = problem.request.semiring.adds();
  return search == Search::johnson && !adds ? "does not solve semirings whose times does not add" : "";
}

/// Checks the graph and the request, and finds out whether an edge improves. Raises what `all_pairs` raises.
template <class T>
[[nodiscard]] SourcesProblem<T> checked_problem(const SparseGraph<T>& graph, std::span<const std::uint32_t> sources,
                                                std::size_t count, const Options& options, const Request& request);

/// Fills in a row of lengths and a row of predecessors for each source. Without predecessors, `predecessors.data` is
/// null. Raises Error{infeasible} that names a cycle that improves without end, if a source reaches it or is every
/// vertex.
template <class T>
void search_rows(Search search, const SourcesProblem<T>& problem, Context& context, MatrixView<T> lengths,
                 MatrixView<std::uint32_t> predecessors);

/// The threads that share the sources.
template <class T>
[[nodiscard]] int threads_of(const SourcesProblem<T>& problem, const Options& options) {
  const auto threads = static_cast<std::size_t>(thread_count(options.threads));
  return static_cast<int>(std::clamp<std::size_t>(problem.count, 1, threads));
}

/// The bytes of `search_rows` besides its rows.
template <class T>
[[nodiscard]] std::size_t search_bytes(Search search, const SourcesProblem<T>& problem, const Options& options);

/// The operations of `search_rows`. Those of a queue are what road networks take.
template <class T>
[[nodiscard]] double search_steps(Search search, const SourcesProblem<T>& problem);

/// The seconds of `search_rows`.
template <class T>
[[nodiscard]] double search_seconds(Search search, const SourcesProblem<T>& problem, const Options& options) {
  return dijkstra_seconds_a_step * search_steps(search, problem) / threads_of(problem, options);
}

/// A backend that searches from each source, and what it takes and does besides `search_rows`.
template <Search search, class T, class Solution>
[[nodiscard]] Backend<SourcesProblem<T>, SourcesProblem<T>, Solution> search_backend(
    std::size_t (*bytes)(const SourcesProblem<T>&, const Options&),
    Solution (*run)(const SourcesProblem<T>&, Context&)) {
  using P = SourcesProblem<T>;
  return {.info = info_of(search),
          .cost = [](const P& problem, const Options& options) { return search_seconds(search, problem, options); },
          .bytes = bytes,
          .run = run,
          .unsupported_reason = [](const P& problem) { return unsupported_reason(search, problem); },
          .operations = [](const P& problem) { return search_steps(search, problem); }};
}

}  // namespace warpfold::paths
