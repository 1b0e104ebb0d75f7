#include "warpfold/mpi/paths.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/number_types.hpp"
#include "mpi/steps.hpp"
#include "paths/checks.hpp"
#include "paths/dense/part.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::mpi {

namespace {

using paths::AllPairs;
using paths::Graph;
using paths::TileRange;

/// The algorithm that ranks run. Raises what `choose` raises.
const AlgorithmInfo& algorithm_for(const Options& options) {
  static const AlgorithmInfo blocked{"blocked", "cpu", "paths' blocked, each rank a block of tiles", "n^3 operations"};
  const Candidate only{.info = &blocked, .unsupported_reason = options.checkpointer ? "keeps no checkpoint" : ""};
  static_cast<void>(choose({&only, 1}, options));
  return blocked;
}

template <class U>
void broadcast(U* values, std::size_t tiles, int from, const Communicator& ranks) {
  const MatrixView<U> rows{values, tiles, paths::tile_size, paths::tile_size};
  MPI_Bcast(values, static_cast<int>(tiles), RowType(rows).get(), from, ranks.get());
}

/// A rank's part of the table, and its work in the rounds.
template <class Tag, class T = typename Tag::Value>
class BlockedRank {
 public:
  BlockedRank(const Graph<T>& graph, const Grid& grid, Context& context)
      : graph_(graph),
        grid_(grid),
        tiles_(paths::tiles_for(graph.vertices())),
        rows_{range_of(tiles_, grid.rows(), grid.column().rank())},
        columns_{range_of(tiles_, grid.columns(), grid.row().rank())},
        taken_(context.budget.reserve(bytes(graph, rows_, columns_))),
        team_(std::min(thread_count(context.options.threads), static_cast<int>(tiles_))),
        monitor_(context.options, graph.operations()),
        part_(graph, rows_, columns_, monitor_),
        steps_(grid.all()) {
    context.report.threads = team_.size();
    const std::size_t n = graph.vertices(), indices = graph.request.successors ? n : 0;
    paths_ = {Matrix<T>(n, n), Matrix<std::uint32_t>(indices, indices)};
  }

  AllPairs<T> solve() {
    steps_.attempt([&] { each(rows_.size(), [&](std::size_t i) { part_.pack(rows_.first + i); }); });
    for (std::size_t pivot = 0; pivot < tiles_; ++pivot) {
      steps_.ask();
      if (steps_.any_stopped()) break;
      take_turns(pivot);
      steps_.attempt([&] {
        each(part_.product_turns(), [&](std::size_t turn) { part_.multiply(pivot, turn); });
        if (part_.is_search_due(pivot)) each(part_.search_turns(), [&](std::size_t turn) { part_.search(turn); });
        monitor_.advance(graph_.operations() / static_cast<double>(tiles_));
      });
    }
    if (const std::size_t vertex = largest(grid_.all(), on_cycle_)) paths::reject_cycle(graph_, vertex - 1, monitor_);
    steps_.attempt([&] { each(rows_.size(), [&](std::size_t i) { part_.unpack(rows_.first + i, paths_); }); });
    steps_.raise();
    share();
    return std::move(paths_);
  }

 private:
  static TileRange range_of(std::size_t tiles, int parts, int at) {
    const Range part = part_of(tiles, parts, at);
    return {part.first, part.end};
  }
  /// The bytes of the part and of the returned table.
  static std::size_t bytes(const Graph<T>& graph, const TileRange& rows, const TileRange& columns) {
    const std::size_t n = graph.vertices(), indices = graph.request.successors ? sizeof(std::uint32_t) : 0;
    return paths::TableBlock<Tag>::bytes(n, rows, columns, graph.request.successors) + n * n * (sizeof(T) + indices);
  }

  template <class Action>
  void each(std::size_t count, const Action& action) {
    team_.parallel_for(count, [&](std::size_t index, int) { action(index); });
  }

  /// Takes the round's turns in the pivot's rows and columns. Afterwards every rank that multiplies them has the
  /// result.
  void take_turns(std::size_t pivot) {
    const int row = owner_of(pivot, tiles_, grid_.rows()), column = owner_of(pivot, tiles_, grid_.columns());
    const bool in_row = grid_.column().rank() == row, in_column = grid_.row().rank() == column;
    if (in_row && in_column) steps_.attempt([&] { close(pivot); });
    if (in_row) send_columns(pivot, pivot, 1, column);
    if (in_column) broadcast(part_.kept_rows(pivot, pivot), 1, row, grid_.column());
    part_.keep_diagonal(pivot);
    steps_.attempt([&] { each(part_.panel_turns(pivot), [&](std::size_t turn) { part_.advance(pivot, turn); }); });
    send_columns(pivot, rows_.first, rows_.size(), column);
    broadcast(part_.kept_rows(pivot, columns_.first), columns_.size(), row, grid_.column());
    part_.keep_received(pivot);
  }

  void close(std::size_t pivot) {
    const std::uint32_t vertex = part_.close(pivot);
    if (vertex == paths::no_vertex) return;
    on_cycle_ = std::size_t{vertex} + 1;
    steps_.stop();
  }

  /// Sends the column of each of the pivot's turns in these rows of tiles.
  void send_columns(std::size_t pivot, std::size_t first, std::size_t tiles, int from) {
    broadcast(part_.kept_columns(pivot, first), tiles, from, grid_.row());
    if (graph_.request.successors) broadcast(part_.kept_successors(pivot, first), tiles, from, grid_.row());
  }

  void share() {
    const std::size_t n = graph_.vertices();
    const auto vertices = [&](const Range& tiles) {
      return Range{std::min(tiles.first * paths::tile_side, n), std::min(tiles.end * paths::tile_side, n)};
    };
    const auto block_of = [&](int rank) {
      const Block tiles = grid_.block_of(rank, tiles_, tiles_);
      return Block{vertices(tiles.rows), vertices(tiles.columns)};
    };
    share_blocks(grid_.all(), paths_.lengths.view(), block_of);
    if (graph_.request.successors) share_blocks(grid_.all(), paths_.successors.view(), block_of);
  }

  const Graph<T>& graph_;
  const Grid& grid_;
  std::size_t tiles_;  ///< along a side of the table
  TileRange rows_, columns_;
  Budget::Reservation taken_;
  Team team_;
  SolveMonitor monitor_;
  paths::TableBlock<Tag> part_;
  Steps steps_;
  AllPairs<T> paths_;
  std::size_t on_cycle_ = 0;  ///< a vertex that this rank has found there, counted from 1; 0: none
};

}  // namespace

template <class T>
Outcome<AllPairs<T>> all_pairs(MatrixView<const T> edges, MPI_Comm comm, const Options& options,
                               const paths::Request& request) {
  const auto start = std::chrono::steady_clock::now();
  const Grid grid(comm);
  const Graph<T> graph{edges, request};
  Report report;
  Context context(options, report);
  together(grid.all(), [&] {
    const AlgorithmInfo& info = algorithm_for(options);
    report.device = info.device;
    report.algorithm = info.name;
    paths::check_graph(edges, options, request);
  });
  if (edges.rows == 0) return {{}, std::move(report)};
  AllPairs<T> found = minplus::with_choosing_tag<T>(request.semiring, [&]<class Tag>(Tag) {
    std::optional<BlockedRank<Tag>> solver;
    together(grid.all(), [&] { solver.emplace(graph, grid, context); });
    return solver->solve();
  });
  report.solve_seconds = seconds_since(start);
  report.peak_bytes = largest(grid.all(), context.budget.peak());
  return {std::move(found), std::move(report)};
}

#define WARPFOLD_INSTANTIATE(T) \
  template Outcome<AllPairs<T>> all_pairs(MatrixView<const T>, MPI_Comm, const Options&, const paths::Request&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::mpi
