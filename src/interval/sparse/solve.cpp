#include "interval/sparse/solve.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/sparse/kernels.hpp"
#include "interval/sparse/tiling.hpp"
#include "interval/sparse/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

/// The recurrence on the visibility graph, in tiles of 8 x 8 pairs. Tiles without a pair are left out.
///
/// Tile (I,J) needs, for every K between, the product of the tiles (I,K) and (K,J) if both exist. Of that product it
/// needs only the k for which (I,K) has a pair in column k and (K,J) one in row k: the steps. During the work on row I,
/// its finished part is stored in an array by columns. So one pass over column J below (I,J) lists its steps. They are
/// applied with the 64 results in registers.
///
/// Rows and columns of tiles are cut into blocks. Block (I,J) needs the blocks (I,K) and (K,J) between that have a
/// tile. These are finished once the nearest ones on its left and below it are. In a block, rows descend and columns
/// ascend.
namespace warpfold::interval::sparse {

namespace {

using Clock = std::chrono::steady_clock;

/// Blocks along a side.
std::size_t blocks_of(std::size_t rows) {
  return std::clamp<std::size_t>(rows / tuning::block_rows, 1, tuning::max_blocks);
}

int useful_threads(std::size_t vertices, int threads) {
  return std::min(thread_count(threads), static_cast<int>(blocks_of(tile_rows(vertices))));
}

/// The tiles column by column.
struct Columns {
  std::vector<std::size_t> offsets;  ///< column J's tiles are offsets[J] .. offsets[J + 1], from above
  std::vector<std::uint32_t> rows;   ///< the tile row of each
  std::vector<std::uint32_t> tiles;  ///< the number of each
  std::vector<std::uint8_t> used;    ///< bit k: row k of the tile has a pair
};

template <class T>
class SparseSolver {
 public:
  SparseSolver(const WeightedGraph<T>& graph, T largest_total, Tiling tiling, Team& team, SolveMonitor& monitor)
      : graph_(graph),
        infinite_from_(infinite_from(largest_total)),
        tiling_(std::move(tiling)),
        values_(tiling_.tiles() * tile_size),
        kernels_(kernels<T>()),
        team_(team),
        monitor_(monitor),
        blocks_(blocks_of(tiling_.rows())) {
    list_tiles(graph_, tiling_, team_, monitor_);
    place_weights();
    list_columns();
  }

  void fill() {
    std::vector<Member> members(static_cast<std::size_t>(team_.size()), Member(tiling_.rows()));
    std::atomic<double> steps = 0;
    const std::vector<Block> blocks = blocks_in_order();
    team_.run_tasks(order_of(blocks), [&](std::size_t task, int member) {
      steps += fill_block(blocks[task], members[static_cast<std::size_t>(member)]);
      monitor_.check();
      if (member == 0) monitor_.advance(steps.exchange(0) * tile_size);
    });
    monitor_.advance(std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] Solution<T> trace() const {
    const auto last = static_cast<std::uint32_t>(graph_.size() - 1);
    Solution<T> solution;
    solution.cost = value(0, last);
    check_feasible(solution.cost);
    std::vector<Chord> open{{0, last}};
    while (!open.empty()) {
      const Chord chord = open.back();
      open.pop_back();
      if (chord.j == chord.i + 1) continue;
      monitor_.check();
      if (!graph_.is_edge(chord.i, chord.j)) solution.chords.push_back(chord);
      const std::uint32_t k = split(chord.i, chord.j);
      solution.triangles.push_back({chord.i, k, chord.j});
      open.push_back({k, chord.j});
      open.push_back({chord.i, k});
    }
    std::sort(solution.chords.begin(), solution.chords.end());
    return solution;
  }

 private:
  struct Block {
    std::size_t row;
    std::size_t column;
  };

  /// The working memory of a member of the team. The finished part of the present row is stored by columns; the rest is
  /// unused.
  struct Member {
    explicit Member(std::size_t rows)
        : tiles(rows), used(rows), shared(rows), steps(tuning::steps_at_once + tile_side) {}

    std::vector<std::uint32_t> tiles;   ///< the numbers of those tiles
    std::vector<std::uint8_t> used;     ///< bit k: column k of the tile has a pair
    std::vector<std::uint32_t> shared;  ///< the tiles of a column that have a k in common with the row's
    std::vector<Step<T>> steps;
  };

  [[nodiscard]] T* tile(std::size_t number) { return values_.data() + number * tile_size; }
  [[nodiscard]] const T* tile(std::size_t number) const { return values_.data() + number * tile_size; }

  /// Sets the tiles' values: weights, and infinity for a missing pair.
  void place_weights() {
    columns_used_.resize(tiling_.tiles());
    rows_used_.resize(tiling_.tiles());
    std::vector<std::vector<std::uint32_t>> tile_at(static_cast<std::size_t>(team_.size()),
                                                    std::vector<std::uint32_t>(tiling_.rows()));
    team_.parallel_for(tiling_.rows(), [&](std::size_t row, int member) {
      monitor_.check();
      place_row(row, tile_at[static_cast<std::size_t>(member)].data());
    });
  }

  void place_row(std::size_t row, std::uint32_t* tile_at) {
    const std::size_t first = tiling_.offsets[row];
    const std::size_t last = tiling_.offsets[row + 1];
    std::fill(tile(first), tile(last), infinity<T>);
    for (std::size_t t = first; t < last; ++t) tile_at[tiling_.columns[t]] = static_cast<std::uint32_t>(t);
    const std::size_t end = std::min(graph_.size(), (row + 1) * tile_side);
    for (std::size_t i = row * tile_side; i < end; ++i) {
      for (std::size_t e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
        const std::size_t j = graph_.ends[e];
        const std::uint32_t t = tile_at[j / tile_side];
        tile(t)[i % tile_side * tile_side + j % tile_side] = graph_.weights[e];
        columns_used_[t] |= static_cast<std::uint8_t>(1u << j % tile_side);
        rows_used_[t] |= static_cast<std::uint8_t>(1u << i % tile_side);
      }
    }
  }

  void list_columns() {
    columns_.offsets.resize(tiling_.rows() + 1);
    for (const std::uint32_t column : tiling_.columns) ++columns_.offsets[column + 1];
    std::partial_sum(columns_.offsets.begin(), columns_.offsets.end(), columns_.offsets.begin());
    columns_.rows.resize(tiling_.tiles());
    columns_.tiles.resize(tiling_.tiles());
    columns_.used.resize(tiling_.tiles());
    column_next_.assign(columns_.offsets.begin(), columns_.offsets.end() - 1);
    for (std::uint32_t row = 0; row < tiling_.rows(); ++row) {
      for (std::size_t t = tiling_.offsets[row]; t < tiling_.offsets[row + 1]; ++t) {
        const std::size_t at = column_next_[tiling_.columns[t]]++;  // to its end, in all
        columns_.rows[at] = row;
        columns_.tiles[at] = static_cast<std::uint32_t>(t);
        columns_.used[at] = rows_used_[t];
      }
    }
    row_next_.assign(tiling_.offsets.begin(), tiling_.offsets.end() - 1);
  }

  [[nodiscard]] std::size_t block_begin(std::size_t block) const { return block * tiling_.rows() / blocks_; }

  /// The blocks that have a tile, by diagonals, so that a block comes after those that it waits for.
  [[nodiscard]] std::vector<Block> blocks_in_order() const {
    std::vector<Block> blocks;
    std::vector<std::size_t> block_at(tiling_.rows());
    for (std::size_t b = 0; b < blocks_; ++b) {
      for (std::size_t row = block_begin(b); row < block_begin(b + 1); ++row) block_at[row] = b;
    }
    for (std::size_t row = 0; row < blocks_; ++row) {
      std::vector<bool> there(blocks_);
      const std::size_t end = tiling_.offsets[block_begin(row + 1)];
      for (std::size_t t = tiling_.offsets[block_begin(row)]; t < end; ++t) there[block_at[tiling_.columns[t]]] = true;
      for (std::size_t column = row; column < blocks_; ++column) {
        if (there[column]) blocks.push_back({row, column});
      }
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const Block& a, const Block& b) { return a.column - a.row < b.column - b.row; });
    return blocks;
  }

  /// The order of the blocks: each waits for the nearest ones on its left and below it.
  [[nodiscard]] TaskGraph order_of(const std::vector<Block>& blocks) const {
    TaskGraph graph{std::vector<std::uint32_t>(blocks.size()), std::vector<std::vector<std::uint32_t>>(blocks.size())};
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> left(blocks_, none), below(blocks_, none);
    for (std::uint32_t task = 0; task < blocks.size(); ++task) {
      const auto [row, column] = blocks[task];
      for (std::uint32_t* before : {&left[row], &below[column]}) {
        if (*before != none) {
          ++graph.waits_for[task];
          graph.followers[*before].push_back(task);
        }
        *before = task;
      }
    }
    return graph;
  }

  /// Finishes the tiles of one block and returns its number of steps.
  double fill_block(const Block& block, Member& member) {
    const std::size_t column_end = block_begin(block.column + 1);
    double steps = 0;
    for (std::size_t row = block_begin(block.row + 1); row-- > block_begin(block.row);) {
      if (monitor_.stopped()) break;
      std::size_t& next = row_next_[row];
      const std::size_t end = tiling_.offsets[row + 1];
      if (next == end || tiling_.columns[next] >= column_end) continue;
      for (std::size_t t = tiling_.offsets[row]; t < next; ++t) show(t, member);
      for (; next < end && tiling_.columns[next] < column_end; ++next) {
        steps += fill_tile(row, next, member);
        show(next, member);
      }
      for (std::size_t t = tiling_.offsets[row]; t < next; ++t) member.used[tiling_.columns[t]] = 0;
    }
    return steps;
  }

  void show(std::size_t t, Member& member) const {
    member.tiles[tiling_.columns[t]] = static_cast<std::uint32_t>(t);
    member.used[tiling_.columns[t]] = columns_used_[t];
  }

  double fill_tile(std::size_t row, std::size_t t, Member& member) {
    const std::size_t column = tiling_.columns[t];
    alignas(64) T best[tile_size];
    std::fill(best, best + tile_size, infinity<T>);
    const double steps = accumulate_between(column, member, best);
    // The outline's edges have no k between.
    if (row == column) {
      for (std::size_t r = 0; r + 1 < tile_side; ++r) best[r * tile_side + r + 1] = 0;
    } else if (row + 1 == column) {
      best[(tile_side - 1) * tile_side] = 0;
    }
    kernels_.close(row == column ? nullptr : tile(tiling_.offsets[row]), tile(tiling_.offsets[column]), infinite_from_,
                   best, tile(t));
    --column_next_[column];
    return steps;
  }

  /// Applies all k in tile rows below the present one that are finished in `column`, except its own. Returns their
  /// number.
  double accumulate_between(std::size_t column, Member& member, T* best) {
    const std::size_t shared = list_shared(column, member);
    Step<T>* const steps = member.steps.data();
    std::size_t count = 0;
    double all = 0;
    for (std::size_t s = 0; s < shared; ++s) {
      const std::size_t at = member.shared[s];
      const std::size_t row = columns_.rows[at];
      const T* const left = tile(member.tiles[row]);
      const T* const right = tile(columns_.tiles[at]);
      for (std::size_t line = 0; line < tile_size; line += 64 / sizeof(T)) __builtin_prefetch(left + line);
      for (auto used = static_cast<unsigned>(member.used[row] & columns_.used[at]); used != 0; used &= used - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(used));
        steps[count++] = {left + k, right + k * tile_side};
        __builtin_prefetch(right + k * tile_side);
      }
      if (count < tuning::steps_at_once) continue;
      kernels_.accumulate(steps, count, best);
      all += static_cast<double>(count);
      count = 0;
    }
    kernels_.accumulate(steps, count, best);
    return all + static_cast<double>(count);
  }

  /// Has no branch, because it is hard to predict where a tile has a k in common with the row.
  std::size_t list_shared(std::size_t column, Member& member) const {
    std::size_t shared = 0;
    for (std::size_t at = column_next_[column]; at + 1 < columns_.offsets[column + 1]; ++at) {
      member.shared[shared] = static_cast<std::uint32_t>(at);
      shared += (member.used[columns_.rows[at]] & columns_.used[at]) != 0;
    }
    return shared;
  }

  /// The number of tile (row,column).
  [[nodiscard]] std::size_t tile_number(std::size_t row, std::size_t column) const {
    const auto begin = tiling_.columns.begin();
    const auto first = begin + static_cast<std::ptrdiff_t>(tiling_.offsets[row]);
    const auto last = begin + static_cast<std::ptrdiff_t>(tiling_.offsets[row + 1]);
    return static_cast<std::size_t>(std::lower_bound(first, last, column) - begin);
  }

  [[nodiscard]] T value(std::uint32_t i, std::uint32_t j) const {
    return tile(tile_number(i / tile_side, j / tile_side))[i % tile_side * tile_side + j % tile_side];
  }

  /// The smallest k that attains value(i,j), among all that row i's and column j's tiles have in common.
  [[nodiscard]] std::uint32_t split(std::uint32_t i, std::uint32_t j) const {
    const std::size_t column = j / tile_side;
    const auto rows = columns_.rows.begin();
    std::size_t t = tiling_.offsets[i / tile_side];
    auto at = static_cast<std::size_t>(
        std::lower_bound(rows + static_cast<std::ptrdiff_t>(columns_.offsets[column]),
                         rows + static_cast<std::ptrdiff_t>(columns_.offsets[column + 1]), i / tile_side) -
        rows);
    T best = infinity<T>;
    std::uint32_t split = 0;
    while (at < columns_.offsets[column + 1]) {
      const std::uint32_t row = columns_.rows[at];
      if (tiling_.columns[t] == row) {
        const T* left = tile(t) + i % tile_side * tile_side;
        const T* right = tile(columns_.tiles[at]) + j % tile_side;
        for (std::uint32_t k = 0; k < tile_side; ++k) {
          const T candidate = static_cast<T>(left[k] + right[k * tile_side]);
          if (candidate >= best) continue;
          best = candidate;
          split = row * std::uint32_t{tile_side} + k;
        }
      }
      if (tiling_.columns[t] < row) {
        ++t;
      } else {
        ++at;
      }
    }
    return split;
  }

  const WeightedGraph<T>& graph_;
  const T infinite_from_;  ///< sums from here on contain an infinity
  Tiling tiling_;
  TileStorage<T> values_;  ///< a weight until its pair's turn comes
  const Kernels<T> kernels_;
  Team& team_;
  SolveMonitor& monitor_;
  std::size_t blocks_;
  std::vector<std::uint8_t> columns_used_, rows_used_;  ///< of each tile: bit k: it has a pair in column, row k
  Columns columns_;
  std::vector<std::size_t> row_next_;     ///< the first unfinished tile of a row
  std::vector<std::size_t> column_next_;  ///< the first finished one of a column, in columns_
};

template <class T>
Work work_of(const VisibilityGraph& graph, const Tiling& tiling, Team& team, const SolveMonitor& monitor) {
  constexpr std::size_t tile_bytes = 3 * sizeof(std::uint32_t) + 3;
  constexpr std::size_t row_bytes = 4 * sizeof(std::size_t);
  constexpr std::size_t member_bytes = 2 * sizeof(std::uint32_t) + 1;  // for each tile row
  constexpr std::size_t block_bytes = 120;
  const double products = expected_steps(graph, team, monitor);
  const std::size_t blocks = blocks_of(tiling.rows());
  const std::size_t values = tiling.tiles() * tile_size * sizeof(T);
  Work work;
  work.operations = static_cast<double>(tile_size) * products;
  work.steps = products + tuning::steps_per_tile * static_cast<double>(tiling.tiles()) +
               tuning::steps_per_pair * static_cast<double>(graph.ends.size());
  work.bytes = bytes_in_pages(values) + tiling.tiles() * tile_bytes +
               tiling.rows() * (row_bytes + static_cast<std::size_t>(team.size()) * member_bytes) +
               std::min(tiling.tiles(), blocks * (blocks + 1) / 2) * block_bytes;
  work.threads = team.size();
  return work;
}

/// A graph in which every vertex sees every other one.
VisibilityGraph complete_graph(std::size_t vertices) {
  VisibilityGraph graph{{0}, {}};
  graph.offsets.reserve(vertices + 1);
  graph.ends.reserve(vertices * (vertices - 1) / 2);
  for (std::size_t i = 0; i < vertices; ++i) {
    for (std::size_t j = i + 1; j < vertices; ++j) graph.ends.push_back(static_cast<std::uint32_t>(j));
    graph.offsets.push_back(graph.ends.size());
  }
  return graph;
}

/// The bytes of that graph and its weights.
template <class T>
std::size_t bytes_of_complete(std::size_t vertices) {
  return vertices * (vertices - 1) / 2 * (sizeof(std::uint32_t) + sizeof(T)) + (vertices + 1) * sizeof(std::size_t);
}

}  // namespace

template <class T>
Work work_of(const TriangulationSize& size, const Options& options) {
  const SolveMonitor monitor(options, 0);
  Team team(useful_threads(size.vertices, options.threads));
  if (size.graph) return work_of<T>(*size.graph, count_tiles(*size.graph, team, monitor), team, monitor);
  const VisibilityGraph complete = complete_graph(size.vertices);
  Work work = work_of<T>(complete, count_tiles(complete, team, monitor), team, monitor);
  work.bytes += bytes_of_complete<T>(size.vertices);
  return work;
}

template <class T>
Triangulation<T> complete_problem(std::size_t vertices) {
  VisibilityGraph graph = complete_graph(vertices);
  std::vector<T> weights(graph.ends.size(), T{1});
  return {std::move(graph), std::move(weights)};
}

namespace {

template <class T>
Solution<T> solve_graph(const Triangulation<T>& problem, Context& context) {
  const auto start = Clock::now();
  const WeightedGraph<T>& graph = *problem.graph();
  const SolveMonitor unlimited(context.options, 0);
  Team team(useful_threads(problem.vertices(), context.options.threads));
  Tiling tiling = count_tiles(graph, team, unlimited);
  const Work expected = work_of<T>(graph, tiling, team, unlimited);
  const Budget::Reservation taken = context.budget.reserve(expected.bytes);
  Report& report = context.report;
  report.threads = team.size();

  SolveMonitor monitor(context.options, expected.operations);
  SparseSolver<T> solver(graph, problem.largest_total(), std::move(tiling), team, monitor);
  report.prepare_seconds += seconds_since(start);
  const auto filling = Clock::now();
  solver.fill();
  report.solve_seconds = seconds_since(filling);
  const auto tracing = Clock::now();
  Solution<T> solution = solver.trace();
  report.traceback_seconds = seconds_since(tracing);
  return solution;
}

}  // namespace

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  if (problem.graph()) return solve_graph(problem, context);
  const auto start = Clock::now();
  const Budget::Reservation taken = context.budget.reserve(bytes_of_complete<T>(problem.vertices()));
  VisibilityGraph graph = complete_graph(problem.vertices());
  std::vector<T> weights = chord_weights<T>(graph, [&](std::size_t i, std::size_t j) { return problem.weight(i, j); });
  const Triangulation<T> stated(std::move(graph), std::move(weights));
  context.report.prepare_seconds = seconds_since(start);
  return solve_graph(stated, context);
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template Work work_of<T>(const TriangulationSize&, const Options&); \
  template Triangulation<T> complete_problem(std::size_t);            \
  template Solution<T> solve(const Triangulation<T>&, Context&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::sparse
