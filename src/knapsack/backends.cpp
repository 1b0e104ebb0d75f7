#include "knapsack/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "knapsack/tuning.hpp"
#include "knapsack/unbounded.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/tile_storage.hpp"

namespace warpfold::knapsack {

namespace {

std::string chosen_dtype(const Problem& problem, const Request& request) {
  if (request.dtype != "" && request.dtype != "i32" && request.dtype != "i64") {
    throw Error(ErrorKind::usage, fmt::format("dtype '{}': i32 or i64 is accepted", request.dtype));
  }
  const bool narrow = problem.largest_total() < std::numeric_limits<std::int32_t>::max();
  if (request.dtype == "i32" && !narrow) {
    throw Error(ErrorKind::usage,
                fmt::format("dtype i32: the total may reach {}: i64 is accepted", problem.largest_total()));
  }
  return request.dtype.empty() ? (narrow ? "i32" : "i64") : request.dtype;
}

}  // namespace

PackingQuery::PackingQuery(const Problem& of, const Request& with, const Options& options)
    : problem(of),
      request(with),
      dtype(chosen_dtype(of, with)),
      pieces(of.kind() == Kind::unbounded ? std::vector<Piece>() : knapsack::pieces(of)),
      threads(thread_count(options.threads)) {}

std::size_t PackingQuery::cell_bytes() const { return dtype == "i32" ? sizeof(std::int32_t) : sizeof(std::int64_t); }

double PackingQuery::cells(std::size_t rows) const {
  return static_cast<double>(rows) * (static_cast<double>(problem.capacity()) + 1);
}

double PackingQuery::table_bytes() const {
  return static_cast<double>(padded_cells(problem.capacity())) * static_cast<double>(cell_bytes());
}

double PackingQuery::seconds() const {
  if (is_unbounded()) {
    const UnboundedTable table = aperiodic_prefix(problem);
    const double cells = static_cast<double>(table.capacity + 1) * static_cast<double>(table.rows);
    const auto bytes = static_cast<double>(padded_cells(table.capacity) * cell_bytes());
    return cells / tuning::cells_per_second + bytes / tuning::bytes_touched_per_second + tuning::start_seconds;
  }
  const std::int64_t max_shared = tuning::l2_bytes / 2 / static_cast<std::int64_t>(cell_bytes());
  const auto heavy = static_cast<std::size_t>(
      std::count_if(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.weight > max_shared; }));
  const double rows =
      cells(pieces.size() - heavy) / tuning::cells_per_second + cells(heavy) / tuning::heavy_cells_per_second;
  const double touched = table_bytes() / tuning::bytes_touched_per_second;
  // For the items, halves take twice as many rows, and two tables at each of some levels; parts take less.
  return (request.items ? 2 * rows / threads + 5 * touched : rows / threads + touched) + tuning::start_seconds;
}

double PackingQuery::seconds_on_gpu() const {
  const double rows = cells() / tuning::gpu_cells_per_second;
  const double passes = static_cast<double>(pieces.size()) * tuning::gpu_item_seconds;
  return request.items ? 2 * (rows + passes) : rows + passes;  // halving, as on the CPU
}

double PackingQuery::seconds_of_result() const {
  const double bytes = (static_cast<double>(problem.capacity()) + 1) * sizeof(std::int64_t);
  return bytes / tuning::bytes_touched_per_second;
}

std::vector<std::int64_t> PackingQuery::copies_of(const std::vector<char>& taken) const {
  std::vector<std::int64_t> copies(problem.items().size(), 0);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Item& item = problem.items()[i];
    if (item.weight == 0 && item.value > 0) copies[i] = problem.max_copies(i);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (taken[p]) copies[pieces[p].source] += pieces[p].count;
  }
  return copies;
}

std::int64_t PackingQuery::weightless_value() const {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    if (problem.items()[i].weight == 0) value += problem.items()[i].value * problem.max_copies(i);
  }
  return value;
}

namespace {

/// Returns run(zero) for a zero of the tables' type.
template <class Run>
auto with_cells(const PackingQuery& asked, const Run& run) {
  return asked.dtype == "i32" ? run(std::int32_t{0}) : run(std::int64_t{0});
}

template <class T>
cuda::RowsFunction<T> of_type(const RowsOnGpu& rows) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return rows.narrow;
  } else {
    return rows.wide;
  }
}

template <class T>
std::size_t bytes_of_rows(const PackingQuery& asked, int threads, std::size_t left) {
  using Solver = TableSolver<T>;
  return asked.request.items ? Solver::packing_bytes(asked.pieces, asked.problem.capacity(), threads, left)
                             : Solver::row_bytes(asked.pieces, asked.problem.capacity(), threads);
}

std::size_t bytes_of_table(const PackingQuery& asked, const Options& options, int threads) {
  if (asked.is_unbounded()) return padded_cells(aperiodic_prefix(asked.problem).capacity) * asked.cell_bytes();
  const auto of_rows = asked.dtype == "i32" ? bytes_of_rows<std::int32_t> : bytes_of_rows<std::int64_t>;
  const std::size_t of_pieces = asked.pieces.size() * sizeof(Piece), left = Budget(options).left();
  return of_pieces + of_rows(asked, threads, left - std::min(left, of_pieces));
}

/// The bytes of the rows, or later of the result and the table that it is copied from.
std::size_t with_result(const PackingQuery& asked, std::size_t bytes) {
  const std::size_t result_bytes = (static_cast<std::size_t>(asked.problem.capacity()) + 1) * sizeof(std::int64_t);
  return std::max(bytes, result_bytes + static_cast<std::size_t>(asked.table_bytes()));
}

template <class T>
CapacityTable capacities(const PackingQuery& asked, const RowsOnGpu& gpu, Context& context) {
  const std::size_t cells = static_cast<std::size_t>(asked.problem.capacity()) + 1;
  if (asked.is_unbounded()) {
    SolveMonitor monitor(context.options, asked.cells(asked.problem.items().size()));
    const Budget::Reservation taken = context.budget.reserve(padded_cells(asked.problem.capacity()), sizeof(T));
    const Cells<T> best = unbounded_table<T>(asked.problem, asked.problem.capacity(), monitor);
    const Budget::Reservation result = context.budget.reserve(cells, sizeof(std::int64_t));
    return {{best.get(), best.get() + cells}};
  }
  SolveMonitor monitor(context.options, asked.cells());
  TableSolver<T> solver(asked.pieces, context, monitor, of_type<T>(gpu));
  const Cells<T> best = solver.every_capacity(asked.problem.capacity());
  const Budget::Reservation kept = context.budget.reserve(padded_cells(asked.problem.capacity()), sizeof(T));
  const Budget::Reservation result = context.budget.reserve(cells, sizeof(std::int64_t));
  CapacityTable table;
  table.values.reserve(cells);
  advise_huge_pages(table.values.data(), cells * sizeof(std::int64_t));  // C = 2,000,000: 9 ms of one thread became 3
  table.values.assign(best.get(), best.get() + cells);
  const std::int64_t weightless = asked.weightless_value();
  if (weightless == 0) return table;
  for (std::int64_t& value : table.values) value += weightless;
  return table;
}

}  // namespace

Solution by_rows(const PackingQuery& asked, const RowsOnGpu& gpu, Context& context) {
  const Problem& problem = asked.problem;
  Solution solution;
  solution.value = asked.weightless_value();
  solution.dtype = asked.dtype;
  solution.reason = context.gave_up.empty() ? "asked for" : context.gave_up;
  const Budget::Reservation taken = context.budget.reserve(asked.pieces.size(), sizeof(Piece));
  // For the items, halving takes up to twice a table's cells.
  const double max_cells = (asked.request.items ? 2 : 1) * asked.cells();
  SolveMonitor monitor(context.options, max_cells);
  with_cells(asked, [&](auto zero) {
    using T = decltype(zero);
    TableSolver<T> solver(asked.pieces, context, monitor, of_type<T>(gpu));
    if (asked.request.items) {
      const std::vector<char> packed = solver.packing(problem.capacity());
      for (std::size_t p = 0; p < asked.pieces.size(); ++p) solution.value += packed[p] ? asked.pieces[p].value : 0;
      solution.copies = asked.copies_of(packed);
    } else {
      solution.value += solver.value(problem.capacity());
    }
  });
  return solution;
}

CapacityTable capacities_by_rows(const PackingQuery& asked, const RowsOnGpu& rows, Context& context) {
  return with_cells(asked, [&](auto zero) { return capacities<decltype(zero)>(asked, rows, context); });
}

std::size_t bytes_on_cpu(const PackingQuery& asked, const Options& options) {
  return bytes_of_table(asked, options, asked.threads);
}
std::size_t bytes_on_gpu(const PackingQuery& asked, const Options& options) {
  return bytes_of_table(asked, options, 1);
}

std::size_t device_bytes(const PackingQuery& asked, const Options&) {
  return cuda::device_bytes(asked.problem.capacity(), asked.cell_bytes());
}

std::size_t capacity_bytes_on_cpu(const PackingQuery& asked, const Options& options) {
  return with_result(asked, bytes_on_cpu(asked, options));
}
std::size_t capacity_bytes_on_gpu(const PackingQuery& asked, const Options& options) {
  return with_result(asked, bytes_on_gpu(asked, options));
}

std::string unbounded_unsupported(const PackingQuery& asked) {
  return asked.is_unbounded() ? "does not solve unbounded problems: table does" : "";
}

Solution by_table(const PackingQuery& asked, Context& context) {
  if (!asked.is_unbounded()) return by_rows(asked, {}, context);
  Solution solution = with_cells(
      asked, [&](auto zero) { return solve_unbounded<decltype(zero)>(asked.problem, asked.request, context); });
  solution.dtype = asked.dtype;
  return solution;
}

}  // namespace warpfold::knapsack
