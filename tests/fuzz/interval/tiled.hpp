#pragma once

#include "fuzz/alike.hpp"
#include "warpfold/interval/recurrence.hpp"

namespace warpfold::fuzz {

template <class T>
std::vector<T> values_of(const interval::IntervalTable<T>& table) {
  std::vector<T> values;
  for (std::size_t i = 0; i < table.points(); ++i) {
    for (std::size_t j = i; j < table.points(); ++j) values.push_back(table.value(i, j));
  }
  return values;
}

/// The values of a table that is filled in groups of `group` x `group` tiles.
template <class R>
std::string filled(const R& recurrence, std::size_t points, std::size_t group, int threads) {
  using Solver = interval::detail::TiledSolver<R>;
  const Options options;
  SolveMonitor monitor(options, Solver::operations(points));
  Solver solver(recurrence, points);
  tiles::TileScheduler(interval::IntervalTable<interval::ValueOf<R>>::tiles(points), 1, group)
      .run(threads, monitor, solver);
  return bits(values_of(solver.table()));
}

/// Groups of every size must fill the same table, for a recurrence that rejects nothing.
template <class R>
void expect_groups_alike(const std::string& problem, const R& recurrence, std::size_t points) {
  if (!takes_every_variant(problem)) return;
  const std::string expected = filled(recurrence, points, 1, 1);
  for (const std::size_t group : {1, 2, 3, 4}) {
    for (const int threads : all_threads) {
      expect_same(expected, filled(recurrence, points, group, threads),
                  fmt::format("{} in groups of {}, {} threads", problem, group, threads));
    }
  }
}

}  // namespace warpfold::fuzz
