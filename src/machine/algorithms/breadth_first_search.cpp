#include <fmt/format.h>

#include <algorithm>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

constexpr Value unreached = -1;

/// A graph in which `degree` edges leave each of n vertices. The e-th edges of all vertices are adjacent, so that
/// neighboring threads read neighboring words.
struct Graph {
  std::uint64_t n, degree;
  std::vector<Value> targets;
};

/// The arrays of the program: the distances under two names, and a word per level that says whether it reached any
/// vertex.
struct Search {
  std::uint64_t degree;
  Array<Value> targets, distance, distance_there, reached;
};

/// Follows the edges of vertex v to the next level. Concurrent writes of one distance are equal.
Program follow_edges(Search of, std::uint64_t v, Value level, bool* reached) {
  const std::uint64_t n = of.distance.size();
  for (std::uint64_t e = 0; e < of.degree; ++e) {
    const auto target = static_cast<std::uint64_t>(co_await of.targets.read(e * n + v));
    const Value distance = co_await of.distance_there.read(target);
    if (distance == unreached) {
      *reached = true;
      co_await of.distance_there.write(target, level + 1);
    } else {
      co_await skip();
    }
  }
}

/// Proceeds level by level. Threads whose vertex is on another level wait for their warp.
Program search_levels(Thread pe, Search of) {
  for (Value level = 0;; ++level) {
    bool reached = false;
    for (std::uint64_t v = pe.id; v < of.distance.size(); v += pe.count) {
      const Value distance = co_await of.distance.read(v);
      if (distance == level) {
        co_await follow_edges(of, v, level, &reached);
      } else {
        for (std::uint64_t access = 0; access < 3 * of.degree; ++access) co_await skip();
      }
    }
    co_await barrier();
    if (reached) co_await of.reached.write(static_cast<std::uint64_t>(level), 1);
    co_await barrier();
    const Value goes_on = co_await of.reached.read(static_cast<std::uint64_t>(level));
    if (goes_on == 0) co_return;
  }
}

std::vector<Value> plain_search(const Graph& graph) {
  std::vector<Value> distance(graph.n, unreached);
  std::vector<std::uint64_t> queue = {0};
  distance[0] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint64_t v = queue[head];
    for (std::uint64_t e = 0; e < graph.degree; ++e) {
      const auto target = static_cast<std::uint64_t>(graph.targets[e * graph.n + v]);
      if (distance[target] != unreached) continue;
      distance[target] = distance[v] + 1;
      queue.push_back(target);
    }
  }
  return distance;
}

/// Returns the list "targets", or random ones.
Graph graph_of(const RunRequest& request) {
  const std::uint64_t n = request.n;
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  accept_n(request, n >= 1 && n <= most, "1 to 2^31 vertices");
  if (const auto* given = request.list("targets")) {
    accept_parameter("the number of targets", given->size(), !given->empty() && given->size() % n == 0,
                     fmt::format("a multiple of n = {}", n).c_str());
    const auto wrong = std::ranges::find_if(*given, [&](Value target) { return target >= static_cast<Value>(n); });
    if (wrong == given->end()) return {n, given->size() / n, *given};
    throw Error(ErrorKind::input,
                fmt::format("entry {} of targets is {}: 0 to {} is accepted", wrong - given->begin(), *wrong, n - 1));
  }
  const std::uint64_t degree = request.parameter("degree", 4);
  accept_parameter("degree", degree, degree >= 1 && degree <= most / n, "1 to 2^31/n edges a vertex");
  return {n, degree, random_values(request, n * degree, request.seed, n)};
}

RunResult run_breadth_first_search(const RunRequest& request) {
  const Graph graph = graph_of(request);
  const auto [n, degree, targets] = graph;
  const std::vector<Value> expected = plain_search(graph);
  std::vector<Value> start(n, unreached);
  start[0] = 0;
  Simulation simulation(request.machine, request.threads, request.options);
  const auto distance = simulation.array("distance", start);
  const Search search{degree, simulation.array("targets", targets), distance,
                      simulation.named(distance, "distance[target]"), simulation.array<Value>("reached", n)};
  simulation.run([&](Thread pe) { return search_levels(pe, search); });
  std::uint64_t reached = 0;
  Value depth = 0;
  for (const Value d : expected) {
    reached += d != unreached;
    depth = std::max(depth, d);
  }
  const auto found = simulation.values(distance);
  RunResult result = result_of(request, simulation, found == expected, 2 * (reached - 1));
  result.inputs["targets"] = targets;
  result.outputs["distance"] = found;
  const auto levels = static_cast<std::uint64_t>(depth) + 1;
  result.bound = formulas::search_bound(request.machine, request.threads, n, degree, levels);
  result.bound_text = "D ((n + p)/w + k (n/p + 1) l) + k n, k edges a vertex, D levels";
  return result;
}

}  // namespace

Algorithm breadth_first_search() {
  return {"breadth-first-search",
          "The distances from vertex 0 in a random directed graph of n vertices, level by level, a thread a vertex.",
          "the PRAM's algorithm of textbooks; future work of Memory machines 2012, section VII",
          run_breadth_first_search,
          flat_machines(),
          false,
          {{"degree", "edges that leave a vertex (default 4)"}},
          {{"targets",
            "where the first edges of all vertices lead, then the second ones, and so on",
            0,
            (Value{1} << 31) - 1,
            "as many as n divides",
            nullptr,
            {"degree"}}}};
}

}  // namespace warpfold::machine
