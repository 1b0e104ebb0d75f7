#include "warpfold/paths/from_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"
#include "paths/tuning.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::paths {

namespace {

/// A problem with that many sources. An estimate knows only their number.
template <class T>
struct Problem {
  const SparseGraph<T>& graph;
  std::span<const std::uint32_t> sources;
  std::size_t count;
  Request request;
  bool improves;  ///< whether an edge alone does

  [[nodiscard]] std::size_t result_bytes() const {
    return count * graph.vertices() * (sizeof(T) + sizeof(std::uint32_t));
  }
};

/// A vertex, and the length of a path that reaches it.
template <class T>
struct Reached {
  T length;
  std::uint32_t vertex;
};

/// Dijkstra's algorithm: the best open vertex becomes final, and its edges improve others. When a vertex is improved,
/// its old entry stays in the queue and is skipped later.
template <class Tag, class T = typename Tag::Value>
void search(const SparseGraph<T>& graph, std::uint32_t source, T* lengths, std::uint32_t* predecessors,
            const SolveMonitor& monitor) {
  constexpr std::size_t vertices_between_checks = 1024;
  const auto comes_later = [](const Reached<T>& a, const Reached<T>& b) { return is_better<Tag>(b.length, a.length); };
  std::vector<Reached<T>> room;
  room.reserve(graph.edges() + 1);
  room.push_back({Tag::one(), source});
  std::priority_queue open(comes_later, std::move(room));
  PeriodicCheck ticker(monitor, vertices_between_checks);
  lengths[source] = Tag::one();
  predecessors[source] = source;
  while (!open.empty()) {
    ticker.tick();
    const auto [length, vertex] = open.top();
    open.pop();
    if (length != lengths[vertex]) continue;
    for (const auto& [to, edge] : graph.from(vertex)) {
      const T longer = Tag::times(length, static_cast<T>(edge + T{0}));  // no -0.0
      if (!is_better<Tag>(longer, lengths[to])) continue;
      lengths[to] = longer;
      predecessors[to] = vertex;
      open.push({longer, to});
    }
  }
}

template <class T>
double steps(const Problem<T>& problem) {
  const auto n = static_cast<double>(problem.graph.vertices());
  return static_cast<double>(problem.count) * (static_cast<double>(problem.graph.edges()) + n * std::log2(n + 1));
}

template <class T>
int threads_of(const Problem<T>& problem, const Options& options) {
  const auto threads = static_cast<std::size_t>(thread_count(options.threads));
  return static_cast<int>(std::clamp<std::size_t>(problem.count, 1, threads));
}

template <class T>
std::size_t dijkstra_bytes(const Problem<T>& problem, const Options& options) {
  const auto threads = static_cast<std::size_t>(threads_of(problem, options));
  return problem.result_bytes() + threads * (problem.graph.edges() + 1) * sizeof(Reached<T>);
}

template <class T>
PathsFrom<T> dijkstra(const Problem<T>& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(dijkstra_bytes(problem, context.options));
  const std::size_t n = problem.graph.vertices();
  PathsFrom<T> paths{{problem.sources.begin(), problem.sources.end()},
                     Matrix<T>(problem.count, n, problem.request.semiring.template zero<T>()),
                     Matrix<std::uint32_t>(problem.count, n, no_vertex)};
  const SolveMonitor monitor(context.options, 0);
  Team team(threads_of(problem, context.options));
  context.report.threads = team.size();
  minplus::with_choosing_tag<T>(problem.request.semiring, [&](auto tag) {
    team.parallel_for(problem.count, [&](std::size_t s, int) {
      search<decltype(tag)>(problem.graph, problem.sources[s], paths.lengths.view().row(s),
                            paths.predecessors.view().row(s), monitor);
    });
  });
  return paths;
}

/// Options for a solve of all pairs, whose algorithms have other names.
Options with_any_algorithm(Options options) {
  options.algorithm.clear();
  return options;
}

template <class T>
std::size_t dense_bytes(const Problem<T>& problem, const Options& options) {
  const std::size_t n = problem.graph.vertices();
  const Graph<T> graph{{nullptr, n, n, n}, problem.request};
  return problem.result_bytes() + bytes_of(n * n, sizeof(T)) + bytes_of_all_pairs(graph, with_any_algorithm(options));
}

/// Solves all pairs and selects the sources' paths.
template <class T>
PathsFrom<T> dense(const Problem<T>& problem, Context& context) {
  const std::size_t n = problem.graph.vertices();
  const Budget::Reservation taken = context.budget.reserve(problem.result_bytes() + bytes_of(n * n, sizeof(T)));
  const auto start = std::chrono::steady_clock::now();
  Matrix<T> edges(n, n, problem.request.semiring.template zero<T>());
  minplus::with_choosing_tag<T>(problem.request.semiring, [&](auto tag) {
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto& [j, length] : problem.graph.from(i)) edges(i, j) = tag.plus(edges(i, j), length);
    }
  });
  context.report.prepare_seconds = seconds_since(start);
  const auto [all, report] = all_pairs(edges, with_any_algorithm(context.options), problem.request);
  add_part(context.report, report);
  return from_sources(all, {problem.sources.begin(), problem.sources.end()}, problem.request);
}

template <class T>
const std::vector<Backend<Problem<T>, Problem<T>, PathsFrom<T>>>& backends() {
  using P = Problem<T>;
  static const std::vector<Backend<P, P, PathsFrom<T>>> list = {
      {.info = {"dijkstra", "cpu",
                "from each source by a heap of the vertices that are still open, sources shared by all threads",
                "edges + n log2(n) operations a source"},
       .cost =
           [](const P& problem, const Options& options) {
             return dijkstra_seconds_a_step * steps(problem) / threads_of(problem, options);
           },
       .bytes = dijkstra_bytes<T>,
       .run = dijkstra<T>,
       .unsupported_reason = [](const P& problem) -> std::string {
         return problem.improves ? "does not solve graphs in which an edge improves by itself (a length below 0, in "
                                   "max-plus above 0)"
                                 : "";
       },
       .operations = [](const P& problem) { return steps(problem); }},
      {.info = {"all-pairs", "cpu", "all pairs of vertices, of which the sources' are taken",
                "n^3 operations, 3 n^2 values"},
       .cost =
           [](const P& problem, const Options& options) {
             const double n = static_cast<double>(problem.graph.vertices());
             return all_pairs_seconds_a_step * n * n * n / thread_count(options.threads);
           },
       .bytes = dense_bytes<T>,
       .run = dense<T>}};
  return list;
}

template <class T>
Problem<T> checked_problem(const SparseGraph<T>& graph, std::span<const std::uint32_t> sources, std::size_t count,
                           const Options& options, const Request& request) {
  check_graph(graph, options, request);
  const SolveMonitor monitor(options, 0);
  bool improves = false;
  minplus::with_choosing_tag<T>(request.semiring, [&](auto tag) {
    for (std::size_t i = 0; i < graph.vertices() && !improves; ++i) {
      monitor.check();
      for (const auto& end : graph.from(i)) improves = improves || is_better<decltype(tag)>(end.length, tag.one());
    }
  });
  return {graph, sources, count, request, improves};
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

std::size_t offset_count(std::size_t vertices) {
  check_vertices(vertices);
  return vertices + 1;
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
    ++offsets_[from + 1];
  }
  for (std::size_t i = 0; i < vertices; ++i) offsets_[i + 1] += offsets_[i];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& [from, to, length] : edges) ends_[next[from]++] = {to, length};
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
  const Problem<T> problem = checked_problem(graph, sources, sources.size(), options, request);
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
  const Problem<T> problem = checked_problem(graph, {}, sources, options, request);
  const auto& chosen = backend_for(std::span(backends<T>()), problem, options);
  if (chosen.run == dense<T>) {
    Estimate expected = estimate<T>(graph.vertices(), with_any_algorithm(options), request);
    expected.bytes = chosen.bytes(problem, options);
    return expected;
  }
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
