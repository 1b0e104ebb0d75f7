#include "core/number_types.hpp"
#include "paths/backends.hpp"

/// The three loops, as written in the recurrence.
namespace warpfold::paths::reference {

namespace {

template <class Tag, class T = typename Tag::Value>
AllPairs<T> solve(const Graph<T>& graph, SolveMonitor& monitor) {
  const std::size_t n = graph.vertices();
  const bool successors = graph.request.successors;
  AllPairs<T> paths{Matrix<T>(n, n), Matrix<std::uint32_t>(successors ? n : 0, successors ? n : 0)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      paths.lengths(i, j) = first_length<Tag>(graph.edges, i, j);
      if (successors) paths.successors(i, j) = first_successor<Tag>(graph.edges, i, j);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (is_better<Tag>(paths.lengths(k, k), Tag::one())) reject_cycle(graph, k, monitor);
    for (std::size_t i = 0; i < n; ++i) {
      monitor.check();
      if (i == k) continue;  // it changes nothing, as times(one(), x) = x
      for (std::size_t j = 0; j < n; ++j) {
        const T length = Tag::times(paths.lengths(i, k), paths.lengths(k, j));
        if (!is_better<Tag>(length, paths.lengths(i, j))) continue;
        paths.lengths(i, j) = length;
        if (successors) paths.successors(i, j) = paths.successors(i, k);
      }
    }
    monitor.advance(static_cast<double>(n) * static_cast<double>(n));
  }
  return paths;
}

}  // namespace

template <class T>
std::size_t bytes_needed(const Graph<T>& graph, const Options&) {
  const std::size_t n = graph.vertices();
  return n * n * (sizeof(T) + (graph.request.successors ? sizeof(std::uint32_t) : 0));
}

template <class T>
AllPairs<T> all_pairs(const Graph<T>& graph, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(bytes_needed(graph, context.options));
  SolveMonitor monitor(context.options, graph.operations());
  return minplus::with_choosing_tag<T>(graph.request.semiring,
                                       [&](auto tag) { return solve<decltype(tag)>(graph, monitor); });
}

#define WARPFOLD_INSTANTIATE(T)                              \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&); \
  template std::size_t bytes_needed(const Graph<T>&, const Options&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::reference
