#include "warpfold/paths/k_shortest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "core/number_types.hpp"
#include "paths/checks.hpp"
#include "paths/sources/reversed.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::paths {

namespace {

/// By length, then by the number of edges, then by the vertices.
struct ComesFirst {
  template <class T>
  bool operator()(const RankedPath<T>& a, const RankedPath<T>& b) const {
    return std::tuple(a.length, a.vertices.size()) != std::tuple(b.length, b.vertices.size())
               ? std::tuple(a.length, a.vertices.size()) < std::tuple(b.length, b.vertices.size())
               : a.vertices < b.vertices;
  }
};

/// A length and a number of edges. Both are minimized, the length first.
template <class T>
struct Distance {
  T length = infinity<T>;
  std::uint32_t edges = 0;

  auto operator<=>(const Distance&) const = default;
  [[nodiscard]] Distance after(T edge) const { return {static_cast<T>(length + edge), edges + 1}; }
};

/// A problem that has been checked.
template <class T>
struct YenProblem {
  const SparseGraph<T>& graph;
  std::uint32_t from, to;
  std::size_t k;
};

/// Yen's algorithm. Each new path leaves a known one at one of its vertices, the spur.
template <class T>
class Yen {
 public:
  Yen(const YenProblem<T>& problem, const SolveMonitor& monitor)
      : problem_(problem),
        reversed_(reversed(problem.graph)),
        monitor_(monitor),
        is_taken_(problem.graph.vertices()),
        to_target_(problem.graph.vertices()) {}

  std::vector<RankedPath<T>> paths() {
    std::vector<RankedPath<T>> found;
    branch({}, 0, found);
    while (found.size() < problem_.k && !candidates_.empty()) {
      const Candidate best = *candidates_.begin();
      candidates_.erase(candidates_.begin());
      found.push_back(best.path);
      if (found.size() < problem_.k) branch_from_all(best, found);
    }
    return found;
  }

 private:
  struct Candidate {
    RankedPath<T> path;
    std::size_t spur;  ///< the position of the vertex at which it left the path before

    bool operator<(const Candidate& other) const { return ComesFirst()(path, other.path); }
  };

  /// Adds the candidates that leave a new path. Those that leave it before its spur are known.
  void branch_from_all(const Candidate& best, const std::vector<RankedPath<T>>& found) {
    const std::vector<std::uint32_t>& vertices = best.path.vertices;
    for (std::size_t spur = best.spur; spur + 1 < vertices.size(); ++spur) {
      branch({vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(spur)}, vertices[spur], found);
    }
  }

  /// Adds the best path that begins with these vertices and the spur, and then goes on like no path that was found.
  void branch(std::vector<std::uint32_t> root, std::uint32_t spur, const std::vector<RankedPath<T>>& found) {
    if (found.empty()) spur = problem_.from;
    const std::size_t at = root.size();
    root.push_back(spur);
    std::vector<std::uint32_t> rejected;
    for (const RankedPath<T>& path : found) {
      const bool begins =
          path.vertices.size() > root.size() && std::equal(root.begin(), root.end(), path.vertices.begin());
      if (begins) rejected.push_back(path.vertices[root.size()]);
    }
    for (const std::uint32_t vertex : root) is_taken_[vertex] = true;
    if (spur != problem_.to) measure();
    if (extend(root, rejected)) candidates_.insert({{length_of(root), root}, at});
    std::fill(is_taken_.begin(), is_taken_.end(), false);
  }

  /// Fills in the distances to the target from the vertices that are not taken, by Dijkstra's algorithm.
  void measure() {
    using Reached = std::pair<Distance<T>, std::uint32_t>;
    std::fill(to_target_.begin(), to_target_.end(), Distance<T>{});
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    to_target_[problem_.to] = {T{0}, 0};
    open.push({to_target_[problem_.to], problem_.to});
    PeriodicCheck ticker(monitor_, 1024);
    while (!open.empty()) {
      ticker.tick();
      const auto [distance, vertex] = open.top();
      open.pop();
      if (distance != to_target_[vertex]) continue;
      for (const auto& [before, edge] : reversed_.from(vertex)) {
        const Distance<T> longer = distance.after(edge);
        if (edge == infinity<T> || is_taken_[before] || longer >= to_target_[before]) continue;
        to_target_[before] = longer;
        open.push({longer, before});
      }
    }
  }

  /// Goes on from the last vertex of a path to the target, by a vertex that is not rejected. Of equally good ones the
  /// smallest is next. Returns whether there is a path.
  bool extend(std::vector<std::uint32_t>& path, const std::vector<std::uint32_t>& rejected) {
    while (path.back() != problem_.to) {
      std::pair<Distance<T>, std::uint32_t> next{{}, no_vertex};
      const bool may_reject = is_taken_[path.back()];
      for (const auto& [to, edge] : problem_.graph.from(path.back())) {
        if (edge == infinity<T> || is_taken_[to] || to_target_[to].length == infinity<T>) continue;
        if (may_reject && std::find(rejected.begin(), rejected.end(), to) != rejected.end()) continue;
        next = std::min(next, {to_target_[to].after(edge), to});
      }
      if (next.second == no_vertex) return false;
      path.push_back(next.second);
    }
    return true;
  }

  [[nodiscard]] T length_of(const std::vector<std::uint32_t>& path) const {
    T length = 0;
    for (std::size_t at = 0; at + 1 < path.size(); ++at) {
      T shortest = infinity<T>;
      for (const auto& [to, edge] : problem_.graph.from(path[at])) {
        if (to == path[at + 1]) shortest = std::min(shortest, static_cast<T>(edge + T{0}));  // no -0.0
      }
      length = static_cast<T>(length + shortest);
    }
    return length;
  }

  const YenProblem<T>& problem_;
  SparseGraph<T> reversed_;
  const SolveMonitor& monitor_;
  std::vector<char> is_taken_;  ///< by the path up to its spur
  std::vector<Distance<T>> to_target_;
  std::set<Candidate> candidates_;
};

template <class T>
std::size_t yen_bytes(const YenProblem<T>& problem, const Options&) {
  const std::size_t n = problem.graph.vertices(), edges = problem.graph.edges();
  return edges * (sizeof(Edge<T>) + 2 * sizeof(Distance<T>)) + n * (sizeof(Distance<T>) + 2 * sizeof(std::size_t));
}

template <class T>
std::vector<RankedPath<T>> by_yen(const YenProblem<T>& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(yen_bytes(problem, context.options));
  const SolveMonitor monitor(context.options, 0);
  context.report.threads = 1;
  return Yen<T>(problem, monitor).paths();
}

template <class T>
const auto& backends() {
  using P = YenProblem<T>;
  static const std::vector<Backend<P, P, std::vector<RankedPath<T>>>> list = {
      {.info = {"yen", "cpu", "each path leaves one before at a vertex, by Dijkstra's algorithm; one thread",
                "edges + n log2(n) operations for each vertex of each path"},
       .bytes = yen_bytes<T>,
       .run = by_yen<T>}};
  return list;
}

template <class T>
void check_not_negative(const SparseGraph<T>& graph, const Request& request) {
  for (std::size_t i = 0; i < graph.vertices(); ++i) {
    for (const auto& [to, length] : graph.from(i)) {
      if (length >= T{0}) continue;
      throw Error(ErrorKind::input, fmt::format("the length from {} to {} is {}: 0 or more is accepted for k paths",
                                                name_of(request.name, i), name_of(request.name, to), length));
    }
  }
}

}  // namespace

template <class T>
Outcome<std::vector<RankedPath<T>>> k_shortest_paths(const SparseGraph<T>& graph, std::uint32_t from, std::uint32_t to,
                                                     std::size_t k, const Options& options, const Request& request) {
  if (request.semiring.kind != Semiring::min_plus) {
    throw Error(ErrorKind::usage, fmt::format("{} has no k paths: min-plus is accepted", to_string(request.semiring)));
  }
  if (k == 0) throw Error(ErrorKind::usage, "k is 0: 1 or more is accepted");
  const std::array<std::uint32_t, 2> ends = {from, to};
  check_are_vertices("vertex", ends, graph.vertices());
  check_graph(graph, options, request);
  check_not_negative(graph, request);
  const YenProblem<T> problem{graph, from, to, k};
  return solve_by(std::span(backends<T>()), problem, problem, options);
}

std::vector<AlgorithmInfo> algorithms_of_k_shortest_paths() { return infos(backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                                      \
  template Outcome<std::vector<RankedPath<T>>> k_shortest_paths(const SparseGraph<T>&, std::uint32_t, std::uint32_t, \
                                                                std::size_t, const Options&, const Request&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
