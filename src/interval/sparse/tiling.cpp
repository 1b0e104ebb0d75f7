#include "interval/sparse/tiling.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "interval/sparse/tuning.hpp"

namespace warpfold::interval::sparse {

namespace {

/// A set of numbers below a bound.
class Set {
 public:
  explicit Set(std::size_t bound) : words_((bound + 63) / 64) {}

  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  [[nodiscard]] bool has(std::size_t number) const { return words_[number / 64] >> number % 64 & 1; }
  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    for (const std::uint64_t word : words_) size += static_cast<std::size_t>(std::popcount(word));
    return size;
  }
  /// Calls body(number) for each, in ascending order.
  template <class Body>
  void for_each(const Body& body) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        body(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Calls body(column) for the tile columns of i's larger ends.
template <class Body>
void for_each_column(const VisibilityGraph& graph, std::size_t i, const Body& body) {
  std::size_t last = graph.size();
  for (const std::uint32_t j : graph.after(i)) {
    if (j / tile_side == last) continue;
    last = j / tile_side;
    body(last);
  }
}

/// Finds the columns of one row's tiles.
void find_columns(const VisibilityGraph& graph, std::size_t row, Set& columns) {
  columns.clear();
  columns.add(row);
  const std::size_t end = std::min(graph.size(), (row + 1) * tile_side);
  for (std::size_t i = row * tile_side; i < end; ++i) {
    for_each_column(graph, i, [&](std::size_t column) { columns.add(column); });
  }
}

/// Calls body(row, the columns of its tiles) for every row.
template <class Body>
void for_each_row(const VisibilityGraph& graph, Team& team, const SolveMonitor& monitor, const Body& body) {
  const std::size_t rows = tile_rows(graph.size());
  std::vector<Set> columns(static_cast<std::size_t>(team.size()), Set(rows));
  team.parallel_for(rows, [&](std::size_t row, int member) {
    monitor.check();
    Set& own = columns[static_cast<std::size_t>(member)];
    find_columns(graph, row, own);
    body(row, own);
  });
}

/// Counts, over the tiles of one row, each k below it that the row and the tile's column have in common.
std::size_t steps_of_row(const VisibilityGraph& graph, std::size_t row) {
  Set columns(tile_rows(graph.size()));
  find_columns(graph, row, columns);
  Set seen(graph.size());
  const std::size_t end = std::min(graph.size(), (row + 1) * tile_side);
  for (std::size_t i = row * tile_side; i < end; ++i) {
    for (const std::uint32_t k : graph.after(i)) seen.add(k);
  }
  std::size_t steps = 0;
  seen.for_each([&](std::size_t k) {
    if (k < end) return;
    for_each_column(graph, k, [&](std::size_t column) { steps += column > k / tile_side && columns.has(column); });
  });
  return steps;
}

}  // namespace

Tiling count_tiles(const VisibilityGraph& graph, Team& team, const SolveMonitor& monitor) {
  Tiling tiling;
  tiling.offsets.resize(tile_rows(graph.size()) + 1);
  for_each_row(graph, team, monitor,
               [&](std::size_t row, const Set& columns) { tiling.offsets[row + 1] = columns.size(); });
  std::partial_sum(tiling.offsets.begin(), tiling.offsets.end(), tiling.offsets.begin());
  return tiling;
}

void list_tiles(const VisibilityGraph& graph, Tiling& tiling, Team& team, const SolveMonitor& monitor) {
  tiling.columns.resize(tiling.tiles());
  for_each_row(graph, team, monitor, [&](std::size_t row, const Set& columns) {
    std::size_t next = tiling.offsets[row];
    columns.for_each([&](std::size_t column) { tiling.columns[next++] = static_cast<std::uint32_t>(column); });
  });
}

double expected_steps(const VisibilityGraph& graph, Team& team, const SolveMonitor& monitor) {
  const std::size_t rows = tile_rows(graph.size());
  const std::size_t samples = std::min(rows, tuning::sampled_rows);
  std::vector<std::size_t> steps(samples);
  team.parallel_for(samples, [&](std::size_t sample, int) {
    monitor.check();
    steps[sample] = steps_of_row(graph, (2 * sample + 1) * rows / (2 * samples));
  });
  const auto counted = static_cast<double>(std::accumulate(steps.begin(), steps.end(), std::size_t{0}));
  return counted * static_cast<double>(rows) / static_cast<double>(samples);
}

}  // namespace warpfold::interval::sparse
