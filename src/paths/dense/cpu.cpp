#include <algorithm>
#include <atomic>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/dense/part.hpp"
#include "warpfold/run/team.hpp"

/// The table as one part, whose turns the threads share. While they apply a round to the table, they also close the
/// next round's rows and columns: a round that began with a tile that one thread closes alone would leave the others
/// waiting. On two busy cores that took f32 at n = 2048 from 1.0 times a product to 1.5.
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
        part_(graph, {0, tiles_}, {0, tiles_}, monitor_, 2) {
    context.report.threads = team_.size();
  }

  /// The bytes of the tiles and of the result.
  static std::size_t bytes(std::size_t n, bool successors) {
    const TileRange all{0, tiles_for(n)};
    return TableBlock<Tag>::bytes(n, all, all, successors, 2) +
           n * n * (sizeof(T) + (successors ? sizeof(std::uint32_t) : 0));
  }

  AllPairs<T> solve() {
    team_.parallel_for(tiles_, [&](std::size_t i, int) { part_.pack(i); });
    const double operations_a_round = graph_.operations() / static_cast<double>(tiles_);
    team_.run([&](int member) {
      if (member == 0) close(0);
      team_.barrier();
      for (std::size_t turn; (turn = next_[1]++) < panels();) part_.advance(0, turn);
      team_.barrier();
      for (std::size_t pivot = 0; pivot < tiles_; ++pivot) {
        std::atomic<std::size_t>& next = next_[pivot % 2];
        if (member == 0) next_[(pivot + 1) % 2] = 0;
        for (std::size_t turn; (turn = next++) < turns();) take(pivot, turn);
        team_.barrier();
        if (part_.is_search_due(pivot)) {
          for (std::size_t turn; (turn = next_search_++) < part_.search_turns();) part_.search(turn);
          team_.barrier();
          if (member == 0) next_search_ = 0;
        }
        if (member == 0) monitor_.advance(operations_a_round);
      }
    });
    const std::size_t n = graph_.vertices(), indices = graph_.request.successors ? n : 0;
    AllPairs<T> paths{Matrix<T>(n, n), Matrix<std::uint32_t>(indices, indices)};
    team_.parallel_for(tiles_, [&](std::size_t i, int) { part_.unpack(i, paths); });
    return paths;
  }

 private:
  /// A round's turns are, in this order: the next round's diagonal tile, its panels' products, as many stretches as
  /// there are threads (while one of them closes that tile), its panels, and the other stretches.
  [[nodiscard]] std::size_t panels() const { return 2 * (tiles_ - 1); }
  [[nodiscard]] std::size_t turns() const { return 1 + 2 * panels() + part_.product_turns(); }

  void take(std::size_t pivot, std::size_t turn) {
    const std::size_t next = pivot + 1, early = std::min<std::size_t>(team_.size(), part_.product_turns());
    if (turn < 1 + panels()) return prepare(pivot, turn);
    turn -= 1 + panels();
    if (turn < early) return part_.multiply(pivot, turn, next);
    turn -= early;
    if (turn >= panels()) return part_.multiply(pivot, turn - panels() + early, next);
    if (next == tiles_) return;
    team_.wait(closed_, next);
    team_.wait(multiplied_, next * panels());
    part_.advance(next, turn);
  }

  /// Applies the pivot's round to a tile of the next one's rows and columns.
  void prepare(std::size_t pivot, std::size_t turn) {
    const std::size_t next = pivot + 1;
    if (next == tiles_) return;
    if (turn == 0) {
      part_.multiply_diagonal(pivot, next);
      close(next);
      closed_ = next;
    } else {
      part_.multiply_panel(pivot, next, turn - 1);
      ++multiplied_;
    }
  }

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
  std::atomic<std::size_t> next_[2] = {};     ///< turns of this round and of the next
  std::atomic<std::size_t> next_search_ = 0;  ///< blocks of a search
  std::atomic<std::size_t> closed_ = 0;       ///< the last pivot whose diagonal tile is closed
  std::atomic<std::size_t> multiplied_ = 0;   ///< products of panels, in all rounds
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
