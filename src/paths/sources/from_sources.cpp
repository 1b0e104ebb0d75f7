#include "warpfold/paths/from_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"
#include "paths/sources/dense.hpp"
#include "paths/sources/search.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::paths {

namespace {

template <class T>
std::size_t result_bytes(const SourcesProblem<T>& problem) {
  return problem.count * problem.graph.vertices() * (sizeof(T) + sizeof(std::uint32_t));
}

template <class T, Search search>
std::size_t bytes_of_search(const SourcesProblem<T>& problem, const Options& options) {
  return result_bytes(problem) + search_bytes(search, problem, options);
}

template <class T, Search search>
PathsFrom<T> by_search(const SourcesProblem<T>& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(bytes_of_search<T, search>(problem, context.options));
  const std::size_t n = problem.graph.vertices();
  PathsFrom<T> paths{{problem.sources.begin(), problem.sources.end()},
                     Matrix<T>(problem.count, n),
                     Matrix<std::uint32_t>(problem.count, n)};
  search_rows(search, problem, context, paths.lengths.view(), paths.predecessors.view());
  return paths;
}

template <class T>
std::size_t dense_bytes(const SourcesProblem<T>& problem, const Options& options) {
  return result_bytes(problem) + bytes_of_dense(problem.graph, with_any_algorithm(options), problem.request);
}

/// Solves all pairs and selects the sources' paths.
template <class T>
PathsFrom<T> dense(const SourcesProblem<T>& problem, Context& context) {
  static_cast<void>(context.budget.reserve(dense_bytes(problem, context.options)));  // before the memory is touched
  const Budget::Reservation taken = context.budget.reserve(result_bytes(problem));
  const auto [all, report] = solve_dense(problem.graph, with_any_algorithm(context.options), problem.request, context);
  add_part(context.report, report);
  return from_sources(all, {problem.sources.begin(), problem.sources.end()}, problem.request);
}

template <class T, Search search>
auto backend_of() {
  return search_backend<search>(bytes_of_search<T, search>, by_search<T, search>);
}

template <class T>
const std::vector<Backend<SourcesProblem<T>, SourcesProblem<T>, PathsFrom<T>>>& backends() {
  using P = SourcesProblem<T>;
  static const std::vector<Backend<P, P, PathsFrom<T>>> list = {
      backend_of<T, Search::dijkstra>(),
      backend_of<T, Search::bellman_ford>(),
      backend_of<T, Search::johnson>(),
      {.info = {"all-pairs", "cpu", "all pairs of vertices, of which the sources' are taken",
                "n^3 operations, 3 n^2 values"},
       // They reject cycles that no source reaches, so the searches go first if there may be one.
       .cost =
           [](const P& problem, const Options& options) {
             return problem.improves ? std::numeric_limits<double>::max() : dense_seconds(problem, options);
           },
       .bytes = dense_bytes<T>,
       .run = dense<T>,
       .estimate = estimate_of_dense<PathsFrom<T>, T>}};
  return list;
}

/// Adds to the tree of predecessors the end of a path, from the last vertex on that is in the tree.
void graft(const std::vector<std::uint32_t>& path, std::uint32_t* predecessors) {
  if (path.empty()) return;
  predecessors[path[0]] = path[0];
  for (std::size_t at = path.size() - 1; predecessors[path[at]] == no_vertex; --at)
    predecessors[path[at]] = path[at - 1];
}

/// All vertices, in an order in which a vertex comes after those on its path. If lengths are not added, or sums are
/// rounded, a part of a best path need not be a best path. So the best come first, and for sums those next to 0.
template <class T>
std::vector<std::uint32_t> order_of_grafting(const T* lengths, std::size_t n, Semiring semiring) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (std::is_integral_v<T> && semiring.adds()) return order;
  minplus::with_choosing_tag<T>(semiring, [&]<class Tag>(Tag) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (semiring.adds()) return std::abs(static_cast<double>(lengths[a])) < std::abs(static_cast<double>(lengths[b]));
      return is_better<Tag>(lengths[a], lengths[b]);
    });
  });
  return order;
}

/// One more than a graph needs: while it is made, entry i + 1 is where the next edge of vertex i goes.
std::size_t offset_count(std::size_t vertices) {
  check_vertices(vertices);
  return vertices + 2;
}

}  // namespace

template <class T>
SparseGraph<T>::SparseGraph(std::size_t vertices, std::span<const Edge<T>> edges)
    : offsets_(offset_count(vertices)), ends_(edges.size()) {
  for (const auto& [from, to, length] : edges) {
    if (from >= vertices || to >= vertices) {
      throw Error(ErrorKind::usage,
                  fmt::format("an edge leads from {} to {}: vertices below {} are accepted", from, to, vertices));
    }
    ++offsets_[from + 2];
  }
  for (std::size_t i = 1; i < vertices; ++i) offsets_[i + 1] += offsets_[i];
  for (const auto& [from, to, length] : edges) ends_[offsets_[from + 1]++] = {to, length};
  offsets_.pop_back();
}

template <class T>
std::size_t SparseGraph<T>::bytes(std::size_t vertices, std::size_t edges) {
  return bytes_of(offset_count(vertices), sizeof(std::size_t)) + bytes_of(edges, sizeof(End));
}

template <class T>
std::vector<std::uint32_t> PathsFrom<T>::path(std::size_t s, std::size_t to) const {
  if (s >= predecessors.rows() || to >= predecessors.columns()) {
    throw Error(ErrorKind::usage, fmt::format("source {} and vertex {}: {} sources and {} vertices are there", s, to,
                                              predecessors.rows(), predecessors.columns()));
  }
  if (predecessors(s, to) == no_vertex) return {};
  const auto before = [&](std::uint32_t vertex) { return predecessors(s, vertex); };
  std::vector<std::uint32_t> vertices =
      walk(static_cast<std::uint32_t>(to), sources[s], predecessors.columns(), before, [&] {
        throw Error(ErrorKind::infeasible,
                    fmt::format("the predecessors from {} to {} do not begin there", sources[s], to));
      });
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

template <class T>
Outcome<PathsFrom<T>> from_sources(const SparseGraph<T>& graph, std::vector<std::uint32_t> sources,
                                   const Options& options, const Request& request) {
  check_are_vertices("source", sources, graph.vertices());
  const SourcesProblem<T> problem = checked_problem<T>(graph, sources, sources.size(), options, request);
  return solve_by(std::span(backends<T>()), problem, problem, options);
}

template <class T>
PathsFrom<T> from_sources(const AllPairs<T>& all, std::vector<std::uint32_t> sources, const Request& request) {
  check_tables(all);
  const std::size_t n = all.lengths.rows();
  check_are_vertices("source", sources, n);
  const std::size_t count = sources.size();
  PathsFrom<T> paths{std::move(sources), Matrix<T>(count, n), Matrix<std::uint32_t>(count, n, no_vertex)};
  for (std::size_t s = 0; s < count; ++s) {
    std::copy_n(all.lengths.view().row(paths.sources[s]), n, paths.lengths.view().row(s));
    for (const std::uint32_t j : order_of_grafting(all.lengths.view().row(paths.sources[s]), n, request.semiring)) {
      graft(all.path(paths.sources[s], j, request.name), paths.predecessors.view().row(s));
    }
  }
  return paths;
}

template <class T>
Estimate estimate_from_sources(const SparseGraph<T>& graph, std::size_t sources, const Options& options,
                               const Request& request) {
  const SourcesProblem<T> problem = checked_problem<T>(graph, {}, sources, options, request);
  return estimate_by(std::span(backends<T>()), problem, options);
}

std::vector<AlgorithmInfo> algorithms_from_sources() { return infos(backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                                  \
  template class SparseGraph<T>;                                                                                 \
  template struct PathsFrom<T>;                                                                                  \
  template Outcome<PathsFrom<T>> from_sources(const SparseGraph<T>&, std::vector<std::uint32_t>, const Options&, \
                                              const Request&);                                                   \
  template PathsFrom<T> from_sources(const AllPairs<T>&, std::vector<std::uint32_t>, const Request&);            \
  template Estimate estimate_from_sources(const SparseGraph<T>&, std::size_t, const Options&, const Request&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
