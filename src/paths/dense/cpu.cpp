#include <algorithm>
#include <atomic>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/dense/part.hpp"
#include "warpfold/run/team.hpp"

/// The table as one part, whose turns the threads share.
namespace warpfold::paths::cpu {

namespace {

template <class Tag, class T = typename Tag::Value>
class BlockedSolver {
 public:
  BlockedSolver(const Graph<T>& graph, Context& context)
      : graph_(graph),
        tiles_(tiles_for(graph.vertices())),
        taken_(context.budget.reserve(bytes(graph.vertices(), graph.request.successors))),
        team_(std::min(thread_count(context.options.threads), static_cast<int>(tiles_))),
        monitor_(context.options, graph.operations()),
        part_(graph, {0, tiles_}, {0, tiles_}, monitor_) {
    context.report.threads = team_.size();
  }

  /// The bytes of the tiles and of the result.
  static std::size_t bytes(std::size_t n, bool successors) {
    const TileRange all{0, tiles_for(n)};
    return TableBlock<Tag>::bytes(all, all, successors) +
           n * n * (sizeof(T) + (successors ? sizeof(std::uint32_t) : 0));
  }

  AllPairs<T> solve() {
    team_.parallel_for(tiles_, [&](std::size_t i, int) { part_.pack(i); });
    const double operations_a_round = graph_.operations() / static_cast<double>(tiles_);
    team_.run([&](int member) {
      for (std::size_t pivot = 0; pivot < tiles_; ++pivot) {
        if (member == 0) close(pivot);
        team_.barrier();
        for (std::size_t turn; (turn = next_panel_++) < part_.panel_turns(pivot);) part_.advance(pivot, turn);
        team_.barrier();
        if (member == 0) next_panel_ = 0;
        for (std::size_t turn; (turn = next_stretch_++) < part_.product_turns();) part_.multiply(pivot, turn);
        team_.barrier();
        if (member == 0) next_stretch_ = 0, monitor_.advance(operations_a_round);
      }
    });
    const std::size_t n = graph_.vertices(), indices = graph_.request.successors ? n : 0;
    AllPairs<T> paths{Matrix<T>(n, n), Matrix<std::uint32_t>(indices, indices)};
    team_.parallel_for(tiles_, [&](std::size_t i, int) { part_.unpack(i, paths); });
    return paths;
  }

 private:
  void close(std::size_t pivot) {
    const std::uint32_t vertex = part_.close(pivot);
    if (vertex != no_vertex) reject_cycle(graph_, vertex, monitor_);
  }

  const Graph<T>& graph_;
  std::size_t tiles_;  ///< along a side
  Budget::Reservation taken_;
  Team team_;
  SolveMonitor monitor_;
  TableBlock<Tag> part_;
  std::atomic<std::size_t> next_panel_ = 0;
  std::atomic<std::size_t> next_stretch_ = 0;
};

}  // namespace

template <class T>
std::size_t bytes_needed(const Graph<T>& graph, const Options&) {
  return BlockedSolver<MinPlus<T>>::bytes(graph.vertices(), graph.request.successors);
}

template <class T>
AllPairs<T> all_pairs(const Graph<T>& graph, Context& context) {
  return minplus::with_choosing_tag<T>(graph.request.semiring,
                                       [&](auto tag) { return BlockedSolver<decltype(tag)>(graph, context).solve(); });
}

#define WARPFOLD_INSTANTIATE(T)                              \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&); \
  template std::size_t bytes_needed(const Graph<T>&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cpu
