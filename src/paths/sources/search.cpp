#include "paths/sources/search.hpp"

#include <cmath>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"

namespace warpfold::paths {

namespace {

constexpr std::size_t vertices_between_checks = 1024;

/// The parents of the vertices, as `cycle_of` takes them. That of a source is none unless its path was improved.
std::vector<std::size_t> parents_of(const std::uint32_t* predecessors, std::size_t n, std::uint32_t source) {
  std::vector<std::size_t> parents(n, n);
  for (std::size_t v = 0; v < n; ++v) {
    if (predecessors[v] != no_vertex && !(v == source && predecessors[v] == source)) parents[v] = predecessors[v];
  }
  return parents;
}

/// Looks for a cycle of parents after every n improvements, so that looking takes no more time than improving.
class CycleWatch {
 public:
  CycleWatch(std::size_t n, const Request& request) : n_(n), left_(n), request_(request) {}

  /// Raises Error{infeasible} that names a cycle. parents() returns the parents of all vertices.
  template <class Parents>
  void count_improvement(const Parents& parents) {
    if (--left_ > 0) return;
    left_ = n_;
    if (const auto cycle = cycle_of(parents()); !cycle.empty()) reject_cycle(cycle, request_);
  }

 private:
  std::size_t n_;
  std::size_t left_;
  const Request& request_;
};

/// A queue that holds each vertex at most once.
class VertexQueue {
 public:
  explicit VertexQueue(std::size_t n) : ring_(n), is_open_(n) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  void push(std::uint32_t vertex) {
    if (std::exchange(is_open_[vertex], true)) return;
    ring_[(first_ + size_++) % ring_.size()] = vertex;
  }
  std::uint32_t pop() {
    const std::uint32_t vertex = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    --size_;
    is_open_[vertex] = false;
    return vertex;
  }

 private:
  std::vector<std::uint32_t> ring_;
  std::vector<char> is_open_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// Bellman and Ford's recurrence: D(v) = plus(D(v), times(D(u), edge(u,v))), for the open vertices u in the order in
/// which they were improved. `lengths` are those of the starts, which are open. parents[v] is n, or the vertex before
/// v.
template <class Tag, class T = typename Tag::Value>
void search_by_queue(const SparseGraph<T>& graph, VertexQueue& open, T* lengths, std::vector<std::size_t>& parents,
                     const Request& request, const SolveMonitor& monitor) {
  PeriodicCheck ticker(monitor, vertices_between_checks);
  CycleWatch watch(graph.vertices(), request);
  while (!open.empty()) {
    ticker.tick();
    const std::uint32_t vertex = open.pop();
    for (const auto& [to, edge] : graph.from(vertex)) {
      const T longer = Tag::times(lengths[vertex], static_cast<T>(edge + T{0}));  // no -0.0
      if (!is_better<Tag>(longer, lengths[to])) continue;
      lengths[to] = longer;
      parents[to] = vertex;
      open.push(to);
      watch.count_improvement([&]() -> const std::vector<std::size_t>& { return parents; });
    }
  }
  if (const auto cycle = cycle_of(parents); !cycle.empty()) reject_cycle(cycle, request);
}

template <class Tag, class T = typename Tag::Value>
void bellman_ford(const SparseGraph<T>& graph, std::uint32_t source, T* lengths, std::uint32_t* predecessors,
                  const Request& request, const SolveMonitor& monitor) {
  const std::size_t n = graph.vertices();
  VertexQueue open(n);
  std::vector<std::size_t> parents(n, n);
  lengths[source] = Tag::one();
  open.push(source);
  search_by_queue<Tag>(graph, open, lengths, parents, request, monitor);
  for (std::size_t v = 0; v < n; ++v) {
    predecessors[v] = parents[v] == n ? no_vertex : static_cast<std::uint32_t>(parents[v]);
  }
  predecessors[source] = source;
}

/// The best length to each vertex from any, the empty path included. Then length(u,v) + potential(u) - potential(v)
/// does not improve for any edge.
template <class Tag, class T = typename Tag::Value>
std::vector<T> potentials_of(const SparseGraph<T>& graph, const Request& request, const SolveMonitor& monitor) {
  const std::size_t n = graph.vertices();
  VertexQueue open(n);
  for (std::uint32_t v = 0; v < n; ++v) open.push(v);
  std::vector<std::size_t> parents(n, n);
  std::vector<T> potentials(n, Tag::one());
  search_by_queue<Tag>(graph, open, potentials.data(), parents, request, monitor);
  return potentials;
}

/// A vertex that was reached, and the key by which it is taken.
template <class T>
struct Reached {
  T key;
  std::uint32_t vertex;
};

/// The best open vertex becomes final, and its edges improve others. When a vertex is improved, its old entry stays in
/// the heap and is skipped later. With potentials, rounded lengths may improve a vertex that was taken, which is then
/// taken again.
template <class Tag, class T = typename Tag::Value>
void search_by_heap(const SparseGraph<T>& graph, std::uint32_t source, const std::vector<T>& potentials, T* lengths,
                    std::uint32_t* predecessors, const Request& request, const SolveMonitor& monitor) {
  const auto comes_later = [](const Reached<T>& a, const Reached<T>& b) { return is_better<Tag>(b.key, a.key); };
  const auto key = [&](std::uint32_t vertex) {
    return potentials.empty() ? lengths[vertex] : static_cast<T>(lengths[vertex] - potentials[vertex]);
  };
  std::vector<Reached<T>> room;
  room.reserve(graph.edges() + 1);
  std::priority_queue open(comes_later, std::move(room));
  PeriodicCheck ticker(monitor, vertices_between_checks);
  CycleWatch watch(graph.vertices(), request);
  lengths[source] = Tag::one();
  predecessors[source] = source;
  open.push({key(source), source});
  while (!open.empty()) {
    ticker.tick();
    const auto [best, vertex] = open.top();
    open.pop();
    if (best != key(vertex)) continue;
    for (const auto& [to, edge] : graph.from(vertex)) {
      const T longer = Tag::times(lengths[vertex], static_cast<T>(edge + T{0}));  // no -0.0
      if (!is_better<Tag>(longer, lengths[to])) continue;
      lengths[to] = longer;
      predecessors[to] = vertex;
      open.push({key(to), to});
      if (!potentials.empty()) {
        watch.count_improvement([&] { return parents_of(predecessors, graph.vertices(), source); });
      }
    }
  }
}

/// The potentials of Johnson's searches, or nothing if a cycle improves that no source may reach.
template <class Tag, class T = typename Tag::Value>
std::optional<std::vector<T>> potentials_if_any(const SourcesProblem<T>& problem, const SolveMonitor& monitor) try {
  return potentials_of<Tag>(problem.graph, problem.request, monitor);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::infeasible || problem.has_all) throw;
  return std::nullopt;
}

}  // namespace

AlgorithmInfo info_of(Search search) {
  switch (search) {
    case Search::dijkstra:
      return {"dijkstra", "cpu",
              "from each source by a heap of the vertices that are still open, sources shared by all threads",
              "edges + n log2(n) operations a source"};
    case Search::bellman_ford:
      return {"bellman-ford", "cpu", "from each source by a queue of the vertices that were improved; any lengths",
              "n edges operations a source at most, mostly some edges"};
    case Search::johnson:
      break;
  }
  return {"johnson", "cpu", "by potentials that bellman-ford finds once, then as dijkstra; any lengths",
          "edges + n log2(n) operations a source, and bellman-ford's once"};
}

template <class T>
SourcesProblem<T> checked_problem(const SparseGraph<T>& graph, std::span<const std::uint32_t> sources,
                                  std::size_t count, const Options& options, const Request& request) {
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

template <class T>
void search_rows(Search search, const SourcesProblem<T>& problem, Context& context, MatrixView<T> lengths,
                 MatrixView<std::uint32_t> predecessors) {
  const std::size_t n = problem.graph.vertices();
  const SolveMonitor monitor(context.options, 0);
  Team team(threads_of(problem, context.options));
  context.report.threads = team.size();
  minplus::with_choosing_tag<T>(problem.request.semiring, [&]<class Tag>(Tag) {
    std::vector<T> potentials;
    if (search == Search::johnson) {
      auto found = potentials_if_any<Tag>(problem, monitor);
      if (!found) return search_rows(Search::bellman_ford, problem, context, lengths, predecessors);
      potentials = std::move(*found);
    }
    team.parallel_for(problem.count, [&](std::size_t s, int) {
      std::vector<std::uint32_t> unkept(predecessors.data ? 0 : n);
      std::uint32_t* const before = predecessors.data ? predecessors.row(s) : unkept.data();
      T* const row = lengths.row(s);
      std::fill_n(row, n, Tag::zero());
      std::fill_n(before, n, no_vertex);
      if (search == Search::bellman_ford) {
        bellman_ford<Tag>(problem.graph, problem.sources[s], row, before, problem.request, monitor);
      } else {
        search_by_heap<Tag>(problem.graph, problem.sources[s], potentials, row, before, problem.request, monitor);
      }
    });
  });
}

template <class T>
std::size_t search_bytes(Search search, const SourcesProblem<T>& problem, const Options& options) {
  const auto threads = static_cast<std::size_t>(threads_of(problem, options));
  const std::size_t n = problem.graph.vertices();
  constexpr std::size_t of_queue =
      sizeof(std::uint32_t) + sizeof(char) + 3 * sizeof(std::size_t);  // with the search for a cycle
  if (search == Search::bellman_ford) return threads * n * (of_queue + sizeof(std::uint32_t));
  const std::size_t heap = (problem.graph.edges() + 1) * sizeof(Reached<T>) + n * sizeof(std::uint32_t);
  return threads * heap + (search == Search::johnson ? n * (sizeof(T) + of_queue) : 0);
}

template <class T>
double search_steps(Search search, const SourcesProblem<T>& problem) {
  const auto n = static_cast<double>(problem.graph.vertices());
  const auto edges = static_cast<double>(problem.graph.edges());
  const auto count = static_cast<double>(problem.count);
  const double by_queue = queue_passes * (edges + n);
  if (search == Search::bellman_ford) return count * by_queue;
  return count * (edges + n * std::log2(n + 1)) + (search == Search::johnson ? by_queue : 0);
}

#define WARPFOLD_INSTANTIATE(T)                                                                                    \
  template SourcesProblem<T> checked_problem(const SparseGraph<T>&, std::span<const std::uint32_t>, std::size_t,   \
                                             const Options&, const Request&);                                      \
  template void search_rows(Search, const SourcesProblem<T>&, Context&, MatrixView<T>, MatrixView<std::uint32_t>); \
  template std::size_t search_bytes(Search, const SourcesProblem<T>&, const Options&);                             \
  template double search_steps(Search, const SourcesProblem<T>&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
