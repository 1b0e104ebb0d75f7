// The matrix chain as a recurrence: the tiled dynamic program, in any number type.
#include "interval/chain/chain_dp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/exact_type.hpp"
#include "core/number_types.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::interval {

namespace {

/// Whether every number of the recurrence surely fits.
template <class T>
bool fits(const MatrixChain& chain) {
  if constexpr (std::is_integral_v<T>) {
    const Wide largest = *std::ranges::max_element(chain.dimensions());
    const Wide accepted = detail::Stored<MinPlus<T>>::largest;
    return largest * largest <= accepted && largest * largest * largest <= accepted && chain.worst_cost() <= accepted;
  }
  return true;
}

}  // namespace

template <class T>
std::string misfit(const MatrixChain& chain) {
  return fits<T>(chain) ? "" : fmt::format("cost may not fit {}: hu-shing counts in 128 bits", dtype_name<T>());
}

template <class T>
ChainRecurrence<T> recurrence_of(const MatrixChain& chain) {
  if (!fits<T>(chain)) throw Error(ErrorKind::overflow, "the chain's " + misfit<T>(chain));
  const auto& p = chain.dimensions();
  ChainRecurrence<T> recurrence{std::vector<T>(p.size()), adds_exactly<T>(chain.worst_cost())};
  std::ranges::transform(p, recurrence.p.begin(), [](std::int64_t x) { return static_cast<T>(x); });
  return recurrence;
}

template <class T>
ChainSolution solution_of(const MatrixChain& chain, std::vector<Split> splits) {
  ChainSolution solution{0, std::move(splits), dtype_name<T>(), adds_exactly<T>(chain.worst_cost())};
  const auto& p = chain.dimensions();
  for (const auto& [i, k, j] : solution.splits) solution.cost += Wide{p[i]} * p[k] * p[j];
  return solution;
}

namespace {

/// The smallest splits of tile (tile_i, tile_j), searched again: k descends, 64 columns at a time.
template <class T>
void search_tile(const ChainRecurrence<T>& chain, const IntervalTable<T>& table, std::size_t tile_i, std::size_t tile_j,
                 ChainTables<T>& tables) {
  constexpr std::size_t side = IntervalTable<T>::side;
  const std::size_t points = table.points();
  const std::size_t first_j = tile_j * side;
  const std::size_t columns = std::min(side, points - first_j);
  for (std::size_t i = tile_i * side; i < std::min((tile_i + 1) * side, points); ++i) {
    std::array<std::size_t, side> split{};
    const T* target = table.tile(tile_i, tile_j) + i % side * side;
    for (std::size_t k = std::min((tile_j + 1) * side, points); k-- > i + 1;) {
      const T left = table.value(i, k);
      const T* below = table.tile(k / side, tile_j) + k % side * side;
      for (std::size_t column = 0; column < columns; ++column) {
        const T product = chain.p[i] * static_cast<T>(chain.p[k] * chain.p[first_j + column]);
        const T candidate = static_cast<T>(static_cast<T>(left + below[column]) + product);
        split[column] = candidate == target[column] ? k : split[column];
      }
    }
    for (std::size_t j = std::max(i + 1, first_j); j < first_j + columns; ++j) {
      tables.costs[i * tables.matrices + j - 1] = target[j - first_j];
      if (j > i + 1) tables.splits[i * tables.matrices + j - 1] = static_cast<std::int64_t>(split[j - first_j] - 1);
    }
  }
}

/// A table and its memory.
template <class T>
struct HeldTable {
  Budget::Reservation taken;
  IntervalTable<T> table;
};

template <class T>
HeldTable<T> fill_table(const ChainRecurrence<T>& chain, bool on_gpu, Context& context) {
  const std::size_t points = chain.p.size();
  Budget::Reservation taken = detail::take_table<ChainRecurrence<T>>(points, context);
  if (!on_gpu) return {std::move(taken), detail::fill_table(chain, points, context)};
  IntervalTable<T> table = cuda::solve_chain(std::span<const T>(chain.p), chain.fused, context);
  context.report.algorithm = "dp";
  return {std::move(taken), std::move(table)};
}

/// The bytes of both tables that are returned.
template <class T>
constexpr std::size_t bytes_an_entry = sizeof(T) + sizeof(std::int64_t);

template <class T>
std::size_t table_bytes(const MatrixChain& chain, const Options&) {
  return IntervalTable<T>::bytes(chain.size() + 1);
}

template <class T>
std::size_t tables_bytes(const MatrixChain& chain, const Options& options) {
  return table_bytes<T>(chain, options) + chain.size() * chain.size() * bytes_an_entry<T>;
}

template <class T>
ChainTables<T> fill_tables(const MatrixChain& chain, bool on_gpu, Context& context) {
  const std::size_t n = chain.size();
  const ChainRecurrence<T> recurrence = recurrence_of<T>(chain);
  const Budget::Reservation own = context.budget.reserve(n * n, bytes_an_entry<T>);
  const auto [taken, table] = fill_table(recurrence, on_gpu, context);
  const auto start = std::chrono::steady_clock::now();
  ChainTables<T> tables{n, std::vector<T>(n * n), std::vector<std::int64_t>(n * n),
                        solution_of<T>(chain, structure(recurrence, table, context.options))};
  const std::size_t tiles = IntervalTable<T>::tiles(n + 1);
  SolveMonitor monitor(context.options, 0);
  Team(thread_count(context.options.threads)).parallel_for(tiles * tiles, [&, &table = table](std::size_t tile, int) {
    monitor.check();
    if (tile / tiles <= tile % tiles) search_tile(recurrence, table, tile / tiles, tile % tiles, tables);
  });
  context.report.traceback_seconds = seconds_since(start);
  return tables;
}

/// The dynamic program, for a solution and for tables.
template <class T>
const std::vector<ChainBackend<ChainSolution>>& solution_backends() {
  static const auto list = dp_backends<ChainSolution>(
      table_bytes<T>, cuda::chain_device_bytes<T>,
      [](const MatrixChain& chain, Context& context) { return chain_by_dp<T>(chain, false, context); },
      [](const MatrixChain& chain, Context& context) { return chain_by_dp<T>(chain, true, context); });
  return list;
}

template <class T>
const std::vector<ChainBackend<ChainTables<T>>>& tables_backends() {
  static const auto list = dp_backends<ChainTables<T>>(
      tables_bytes<T>, cuda::chain_device_bytes<T>,
      [](const MatrixChain& chain, Context& context) { return fill_tables<T>(chain, false, context); },
      [](const MatrixChain& chain, Context& context) { return fill_tables<T>(chain, true, context); });
  return list;
}

}  // namespace

template <class T>
ChainSolution chain_by_dp(const MatrixChain& chain, bool on_gpu, Context& context) {
  const ChainRecurrence<T> recurrence = recurrence_of<T>(chain);
  const auto [taken, table] = fill_table(recurrence, on_gpu, context);
  const auto start = std::chrono::steady_clock::now();
  ChainSolution solution = solution_of<T>(chain, structure(recurrence, table, context.options));
  context.report.traceback_seconds = seconds_since(start);
  return solution;
}

template <class T>
Outcome<ChainSolution> solve_by_dp(const MatrixChain& chain, const Options& options) {
  return solve_by(std::span(solution_backends<T>()), chain, chain, options);
}

template <class T>
Outcome<ChainTables<T>> chain_tables(const MatrixChain& chain, const Options& options) {
  return solve_by(std::span(tables_backends<T>()), chain, chain, options);
}

template <class T>
Estimate estimate_dp(const MatrixChain& chain, bool tables, const Options& options) {
  static_cast<void>(recurrence_of<T>(chain));  // raises the same errors as the solve
  return tables ? estimate_by(std::span(tables_backends<T>()), chain, options)
                : estimate_by(std::span(solution_backends<T>()), chain, options);
}

std::string_view chain_dp_dtype(const MatrixChain& chain) {
  return first_type(IntegerTypes(), [&]<class T>(T) { return fits<T>(chain); });
}

#define WARPFOLD_INSTANTIATE(T)                                                       \
  template std::string misfit<T>(const MatrixChain&);                                 \
  template ChainRecurrence<T> recurrence_of(const MatrixChain&);                      \
  template ChainSolution solution_of<T>(const MatrixChain&, std::vector<Split>);      \
  template ChainSolution chain_by_dp<T>(const MatrixChain&, bool, Context&);          \
  template Outcome<ChainSolution> solve_by_dp<T>(const MatrixChain&, const Options&); \
  template Estimate estimate_dp<T>(const MatrixChain&, bool, const Options&);         \
  template Outcome<ChainTables<T>> chain_tables<T>(const MatrixChain&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
