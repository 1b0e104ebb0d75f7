#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::paths {

namespace {

/// Bellman and Ford's rounds from all vertices at once. As soon as the parents form a cycle, it is one that improves.
/// Returns nothing if rounding hides it.
template <class Tag, class T = typename Tag::Value>
std::vector<std::size_t> improving_cycle(const MatrixView<const T>& edges, const SolveMonitor& monitor) {
  const std::size_t n = edges.rows;
  std::vector<T> length(n, Tag::one());
  std::vector<std::size_t> parent(n, n);
  for (std::size_t round = 0; round <= n; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      monitor.check();
      for (std::size_t j = 0; j < n; ++j) {
        const T longer = Tag::times(length[i], edges(i, j));
        if (!is_better<Tag>(longer, length[j])) continue;
        length[j] = longer;
        parent[j] = i;
      }
    }
    if (auto cycle = cycle_of(parent); !cycle.empty()) return cycle;
  }
  return {};
}

const char* improving(const Request& request) { return request.semiring.is_min() ? "negative" : "positive"; }

}  // namespace

std::vector<std::size_t> cycle_of(const std::vector<std::size_t>& parent) {
  const std::size_t none = parent.size();
  std::vector<std::size_t> seen_from(parent.size(), none);
  for (std::size_t start = 0; start < parent.size(); ++start) {
    std::size_t v = start;
    for (; v != none && seen_from[v] == none; v = parent[v]) seen_from[v] = start;
    if (v == none || seen_from[v] != start) continue;
    std::vector<std::size_t> cycle{v};
    for (std::size_t u = parent[v]; u != v; u = parent[u]) cycle.push_back(u);
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

template <class T>
void reject_cycle(const Graph<T>& graph, std::size_t vertex, const SolveMonitor& monitor) {
  const Request& request = graph.request;
  const std::vector<std::size_t> cycle = minplus::with_choosing_tag<T>(
      request.semiring, [&](auto tag) { return improving_cycle<decltype(tag)>(graph.edges, monitor); });
  if (cycle.empty()) {
    throw Error(ErrorKind::infeasible,
                fmt::format("a cycle through vertex {} has a {} length once it is rounded: there are no best paths",
                            name_of(request.name, vertex), improving(request)));
  }
  reject_cycle(cycle, request);
}

void reject_cycle(const std::vector<std::size_t>& cycle, const Request& request) {
  constexpr std::size_t max_shown = 60;
  std::vector<std::string> shown;
  for (std::size_t at = 0; at < std::min(cycle.size(), max_shown); ++at)
    shown.push_back(name_of(request.name, cycle[at]));
  shown.push_back(cycle.size() > max_shown ? fmt::format("{} more", cycle.size() - max_shown) : shown.front());
  throw Error(ErrorKind::infeasible, fmt::format("the cycle {} has a {} length: there are no best paths",
                                                 fmt::join(shown, " -> "), improving(request)));
}

#define WARPFOLD_INSTANTIATE(T) template void reject_cycle(const Graph<T>&, std::size_t, const SolveMonitor&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
