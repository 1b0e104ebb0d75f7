#include "cpu.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <type_traits>

#include "run/clock.hpp"
#include "run/probe.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/team.hpp"

/// The recurrence on the visibility graph.
///
/// Every pair (i,j) is held twice: in row i, ascending in j, and in column j, ascending in i. While row i is worked on,
/// its finished values also stand in a dense array, so that the candidates of (i,j) are one pass over column j from its
/// first entry above i: one sequential read, one read from the dense array (n values, which stay in the cache), one
/// addition and one minimum each. A vertex k that i does not see has infinity there.
///
/// Rows and columns are cut into blocks. Block (I,J) needs the blocks (I,K) and (K,J) between, which are finished once
/// its neighbours (I,J-1) and (I+1,J) are; within a block rows descend and columns ascend.
namespace warpfold::polygon::cpu {

namespace {

using Clock = std::chrono::steady_clock;

/// Blocks along a side.
std::size_t blocks_of(std::size_t vertices) { return std::clamp<std::size_t>(vertices / 256, 1, 64); }

int useful_threads(std::size_t vertices, const Options& options) {
  return std::min(thread_count(options.threads), static_cast<int>(blocks_of(vertices)));
}

/// The graph by larger ends, with room for the values.
template <class T>
struct Columns {
  std::vector<std::size_t> offsets;   ///< column j's entries are offsets[j] .. offsets[j + 1]
  std::vector<std::uint32_t> starts;  ///< the smaller ends, ascending in a column
  std::vector<T> values;
};

std::vector<std::size_t> column_offsets(const VisibilityGraph& graph) {
  std::vector<std::size_t> offsets(graph.size() + 1);
  for (const std::uint32_t j : graph.ends) ++offsets[j + 1];
  for (std::size_t j = 0; j < graph.size(); ++j) offsets[j + 1] += offsets[j];
  return offsets;
}

template <class T>
Columns<T> make_columns(const VisibilityGraph& graph) {
  Columns<T> columns{column_offsets(graph), std::vector<std::uint32_t>(graph.ends.size()),
                     std::vector<T>(graph.ends.size())};
  std::vector<std::size_t> next(columns.offsets.begin(), columns.offsets.end() - 1);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (const std::uint32_t j : graph.after(i)) columns.starts[next[j]++] = i;
  }
  return columns;
}

/// The least dense[starts[p]] + values[p]. Four running minima hide the latency of one; minima are exact in any order.
template <class T>
T least_candidate(const std::uint32_t* starts, const T* values, std::size_t count, const T* dense) {
  T best[4] = {infinity<T>, infinity<T>, infinity<T>, infinity<T>};
  std::size_t p = 0;
  for (; p + 4 <= count; p += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      best[lane] = std::min<T>(best[lane], dense[starts[p + lane]] + values[p + lane]);
    }
  }
  for (; p < count; ++p) best[0] = std::min<T>(best[0], dense[starts[p]] + values[p]);
  return std::min(std::min(best[0], best[1]), std::min(best[2], best[3]));
}

template <class T>
class Solver {
 public:
  explicit Solver(const Triangulation<T>& problem)
      : problem_(problem),
        graph_(problem.graph()),
        values_(problem.weights()),
        columns_(make_columns<T>(graph_)),
        row_next_(graph_.offsets.begin(), graph_.offsets.end() - 1),
        column_next_(columns_.offsets.begin() + 1, columns_.offsets.end()),
        blocks_(blocks_of(graph_.size())) {}

  /// Returns how many threads ran.
  int fill(const Options& options, Watch& watch) {
    Team team(useful_threads(graph_.size(), options));
    std::vector<std::vector<T>> dense(static_cast<std::size_t>(team.size()),
                                      std::vector<T>(graph_.size(), infinity<T>));
    std::atomic<double> candidates = 0;
    const std::vector<Block> blocks = blocks_in_order();
    team.run_tasks(order_of(blocks), [&](std::size_t task, int member) {
      const auto [row, column] = blocks[task];
      candidates += fill_block(row, column, dense[static_cast<std::size_t>(member)].data(), watch);
      watch.check();
      if (member == 0) watch.advance(candidates.exchange(0));
    });
    watch.advance(candidates);
    return team.size();
  }

  [[nodiscard]] interval::Solution<T> trace() const {
    const auto last = static_cast<std::uint32_t>(graph_.size() - 1);
    interval::Solution<T> solution;
    solution.cost = value(0, last);
    if (solution.cost >= lowest_infinity()) {
      throw Error(ErrorKind::infeasible, "the forbidden chords leave no triangulation");
    }
    std::vector<interval::Chord> open{{0, last}};
    while (!open.empty()) {
      const interval::Chord chord = open.back();
      open.pop_back();
      if (chord.j == chord.i + 1) continue;
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

  /// By diagonals, so that those that others wait for come first.
  [[nodiscard]] std::vector<Block> blocks_in_order() const {
    std::vector<Block> blocks;
    for (std::size_t distance = 0; distance < blocks_; ++distance) {
      for (std::size_t row = 0; row < blocks_ - distance; ++row) blocks.push_back({row, row + distance});
    }
    return blocks;
  }

  /// Block (I,J) waits for (I,J-1) and (I+1,J).
  [[nodiscard]] TaskGraph order_of(const std::vector<Block>& blocks) const {
    TaskGraph graph{std::vector<std::uint32_t>(blocks.size()), std::vector<std::vector<std::uint32_t>>(blocks.size())};
    std::vector<std::uint32_t> task_of(blocks_ * blocks_);
    for (std::uint32_t task = 0; task < blocks.size(); ++task) {
      const auto [row, column] = blocks[task];
      task_of[row * blocks_ + column] = task;
      if (row == column) continue;
      graph.waits_for[task] = 2;
      graph.followers[task_of[row * blocks_ + column - 1]].push_back(task);
      graph.followers[task_of[(row + 1) * blocks_ + column]].push_back(task);
    }
    return graph;
  }

  [[nodiscard]] std::size_t block_begin(std::size_t block) const { return block * graph_.size() / blocks_; }

  /// Sums from here on contain an infinity.
  [[nodiscard]] T lowest_infinity() const {
    return std::is_integral_v<T> ? infinity<T> - problem_.largest_total() : infinity<T>;
  }

  [[nodiscard]] T closed(T best, T weight) const {
    return best >= lowest_infinity() || weight >= infinity<T> ? infinity<T> : static_cast<T>(best + weight);
  }

  /// Finishes the values of one block and returns how many candidates it looked at. `dense` is all infinity, before and
  /// after.
  double fill_block(std::size_t row_block, std::size_t column_block, T* dense, const Watch& watch) {
    const std::size_t column_end = block_begin(column_block + 1);
    double candidates = 0;
    for (std::size_t i = block_begin(row_block + 1); i-- > block_begin(row_block);) {
      if (watch.stopped()) break;
      const std::size_t begin = graph_.offsets[i];
      const std::size_t end = graph_.offsets[i + 1];
      std::size_t e = row_next_[i];
      if (e == end || graph_.ends[e] >= column_end) continue;
      for (std::size_t known = begin; known < e; ++known) dense[graph_.ends[known]] = values_[known];
      for (; e < end && graph_.ends[e] < column_end; ++e) {
        const std::uint32_t j = graph_.ends[e];
        std::size_t& next = column_next_[j];
        const std::size_t count = columns_.offsets[j + 1] - next;
        if (j > i + 1) {
          values_[e] =
              closed(least_candidate(&columns_.starts[next], &columns_.values[next], count, dense), values_[e]);
        }
        columns_.values[--next] = values_[e];
        dense[j] = values_[e];
        candidates += static_cast<double>(count);
      }
      row_next_[i] = e;
      for (std::size_t known = begin; known < e; ++known) dense[graph_.ends[known]] = infinity<T>;
    }
    return candidates;
  }

  [[nodiscard]] T value(std::uint32_t i, std::uint32_t j) const {
    const auto row = graph_.after(i);
    return values_[graph_.offsets[i] +
                   static_cast<std::size_t>(std::lower_bound(row.begin(), row.end(), j) - row.begin())];
  }

  /// The smallest k that attains value(i,j): the common neighbours of i and j between them, again.
  [[nodiscard]] std::uint32_t split(std::uint32_t i, std::uint32_t j) const {
    std::size_t e = graph_.offsets[i];
    std::size_t p = static_cast<std::size_t>(
        std::upper_bound(columns_.starts.begin() + static_cast<std::ptrdiff_t>(columns_.offsets[j]),
                         columns_.starts.begin() + static_cast<std::ptrdiff_t>(columns_.offsets[j + 1]), i) -
        columns_.starts.begin());
    T best = infinity<T>;
    std::uint32_t k = 0;
    while (p < columns_.offsets[j + 1] && graph_.ends[e] < j) {
      if (graph_.ends[e] < columns_.starts[p]) {
        ++e;
      } else if (graph_.ends[e] > columns_.starts[p]) {
        ++p;
      } else {
        const T candidate = values_[e++] + columns_.values[p];
        if (candidate < best) {
          best = candidate;
          k = columns_.starts[p];
        }
        ++p;
      }
    }
    return k;
  }

  const Triangulation<T>& problem_;
  const VisibilityGraph& graph_;
  std::vector<T> values_;  ///< by rows; a weight until its pair's turn comes
  Columns<T> columns_;
  std::vector<std::size_t> row_next_;     ///< the first unfinished entry of a row
  std::vector<std::size_t> column_next_;  ///< the first finished entry of a column
  std::size_t blocks_;
};

}  // namespace

namespace {

/// The operations and bytes of a solve.
template <class T>
Estimate needs_of(const Triangulation<T>& problem, const Options& options) {
  const VisibilityGraph& graph = problem.graph();
  const std::size_t n = graph.size();
  Estimate result;
  result.algorithm = "sparse";
  const std::vector<std::size_t> offsets = column_offsets(graph);
  for (std::size_t j = 0; j < n; ++j) {
    const auto height = static_cast<double>(offsets[j + 1] - offsets[j]);
    result.operations += height * (height - 1) / 2;
  }
  const auto threads = static_cast<std::size_t>(useful_threads(n, options));
  result.bytes =
      graph.ends.size() * (2 * sizeof(T) + sizeof(std::uint32_t)) + n * (4 * sizeof(std::size_t) + threads * sizeof(T));
  return result;
}

/// Every vertex sees every other one, and all chords weigh the same.
template <class T>
Triangulation<T> complete_problem(std::size_t n) {
  VisibilityGraph graph{{0}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) graph.ends.push_back(static_cast<std::uint32_t>(j));
    graph.offsets.push_back(graph.ends.size());
  }
  std::vector<T> weights(graph.ends.size(), T{1});
  return Triangulation<T>(std::move(graph), std::move(weights));
}

}  // namespace

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options) {
  constexpr std::size_t enough = 300;  // vertices
  const Triangulation<T> small = complete_problem<T>(std::min(enough, problem.vertices()));
  const Options probe = probe_options(options, false);
  const double seconds = probe_seconds(probe, [&] { static_cast<void>(cpu::solve(small, probe)); });
  const double rate = needs_of(small, probe).operations / seconds;
  Estimate expected = needs_of(problem, options);
  expected.seconds = expected.operations / rate;
  return expected;
}

template <class T>
Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem, const Options& options) {
  const Estimate expected = needs_of(problem, options);
  Budget budget(options);
  const Budget::Share taken = budget.take(expected.bytes);
  Outcome<interval::Solution<T>> result;
  result.report.device = "cpu";
  result.report.algorithm = "sparse";
  result.report.peak_bytes = budget.peak();

  const auto start = Clock::now();
  Watch watch(options, expected.operations);
  watch.check();
  Solver<T> solver(problem);
  result.report.threads = solver.fill(options, watch);
  result.report.solve_seconds = seconds_since(start);
  result.solution = solver.trace();
  result.report.traceback_seconds = seconds_since(start) - result.report.solve_seconds;
  return result;
}

#define WARPFOLD_INSTANTIATE(T)                                        \
  template Estimate estimate(const Triangulation<T>&, const Options&); \
  template Outcome<interval::Solution<T>> solve(const Triangulation<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon::cpu
