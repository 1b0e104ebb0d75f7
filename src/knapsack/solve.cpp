#include "warpfold/knapsack/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "knapsack/backends.hpp"
#include "knapsack/core.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/tuning.hpp"
#include "knapsack/unbounded.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/devices.hpp"

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

std::size_t width(const std::string& dtype) { return dtype == "i32" ? 4 : 8; }

double table_cells(const Problem& problem, std::size_t rows) {
  return static_cast<double>(rows) * (static_cast<double>(problem.capacity()) + 1);
}

double table_bytes(const Problem& problem, const std::string& dtype) {
  return static_cast<double>(padded_cells(problem.capacity())) * static_cast<double>(width(dtype));
}

/// Of the 0-1 rows of these pieces; for the items halving takes twice as many, and two tables at each of some levels.
double table_seconds(const Problem& problem, std::span<const Piece> list, const std::string& dtype, int threads,
                     bool items) {
  const std::int64_t most_shared = tuning::l2_bytes / 2 / static_cast<std::int64_t>(width(dtype));
  const auto heavy = static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [&](const Piece& piece) { return piece.weight > most_shared; }));
  const double seconds = table_cells(problem, list.size() - heavy) / tuning::cells_per_second +
                         table_cells(problem, heavy) / tuning::heavy_cells_per_second;
  const double touched = table_bytes(problem, dtype) / tuning::bytes_touched_per_second;
  return (items ? 2 * seconds / threads + 5 * touched : seconds / threads + touched) + tuning::start_seconds;
}

/// What the core may spend: no more than the table would, where a table is possible.
CoreBudget core_budget(const std::optional<double>& table_seconds, std::size_t bytes) {
  if (!table_seconds) return {std::numeric_limits<double>::infinity(), bytes};
  return {std::max(*table_seconds * tuning::core_states_per_second, 1e5), bytes};
}

bool is_table_possible(const Problem& problem, const std::string& dtype, std::size_t left) {
  const double bytes = table_bytes(problem, dtype);
  return bytes <= static_cast<double>(left) && bytes < 8e9;
}

/// Takes the pieces marked, and whatever weighs nothing.
std::vector<std::int64_t> copies_of(const Problem& problem, const std::vector<Piece>& pieces,
                                    const std::vector<char>& taken) {
  std::vector<std::int64_t> copies(problem.items().size(), 0);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Item& item = problem.items()[i];
    if (item.weight == 0 && item.value > 0) copies[i] = problem.most_copies(i);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (taken[p]) copies[pieces[p].source] += pieces[p].count;
  }
  return copies;
}

std::int64_t weightless_value(const Problem& problem) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    if (problem.items()[i].weight == 0) value += problem.items()[i].value * problem.most_copies(i);
  }
  return value;
}

/// Returns run(zero) for a zero of the tables' type.
template <class Run>
auto with_cells(const Asked& asked, const Run& run) {
  return asked.dtype == "i32" ? run(std::int32_t{0}) : run(std::int64_t{0});
}

std::int64_t packed_weight(const Problem& problem, const std::vector<std::int64_t>& copies) {
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) weight += copies[i] * problem.items()[i].weight;
  return weight;
}

/// Two rows of capacities; for the items one an item.
std::size_t bytes_of_reference(const Asked& asked, const Options&) {
  const std::size_t rows = asked.request.items ? asked.problem.items().size() + 1 : 2;
  return (static_cast<std::size_t>(asked.problem.capacity()) + 1) * rows * sizeof(std::int64_t);
}

Solution by_reference(const Asked& asked, Context& context) {
  const Problem& problem = asked.problem;
  const std::size_t rows = asked.request.items ? problem.items().size() + 1 : 2;
  const Budget::Share taken =
      context.budget.take(static_cast<std::size_t>(problem.capacity()) + 1, rows * sizeof(std::int64_t));
  Solution solution;
  solution.dtype = "i64";
  solution.reason = "asked for";
  if (!asked.request.items) {
    solution.value = reference::every_capacity(problem, context.options).back();
    return solution;
  }
  solution.copies = reference::packing(problem, context.options);
  for (std::size_t i = 0; i < solution.copies.size(); ++i) {
    solution.value += solution.copies[i] * problem.items()[i].value;
  }
  return solution;
}

template <class T>
cuda::RowsFunction<T> of_type(const RowsOnGpu& rows) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return rows.narrow;
  } else {
    return rows.wide;
  }
}

/// What a table says of its run.
template <class T>
void fill_report(const TableSolver<T>& solver, Report& report) {
  report.threads = solver.threads();
  report.peak_device_bytes = solver.peak_device_bytes();
}

template <class T>
std::size_t bytes_of_rows(const Asked& asked, int threads, bool items) {
  using Solver = TableSolver<T>;
  return items ? Solver::packing_bytes(asked.pieces, asked.problem.capacity(), threads)
               : Solver::row_bytes(asked.pieces, asked.problem.capacity(), threads);
}

std::size_t bytes_of_table(const Asked& asked, int threads) {
  if (asked.is_unbounded()) return padded_cells(table_that_matters(asked.problem).capacity) * width(asked.dtype);
  const auto of_rows = asked.dtype == "i32" ? bytes_of_rows<std::int32_t> : bytes_of_rows<std::int64_t>;
  return asked.pieces.size() * sizeof(Piece) + of_rows(asked, threads, asked.request.items);
}

std::size_t bytes_on_cpu(const Asked& asked, const Options&) { return bytes_of_table(asked, asked.threads); }

/// The result, and the table that it is copied from or what the rows hold.
std::size_t with_result(const Asked& asked, std::size_t bytes) {
  const std::size_t result_bytes = (static_cast<std::size_t>(asked.problem.capacity()) + 1) * sizeof(std::int64_t);
  return result_bytes + std::max(bytes, static_cast<std::size_t>(table_bytes(asked.problem, asked.dtype)));
}

template <class T>
CapacityTable capacities(const Asked& asked, const RowsOnGpu& gpu, Context& context) {
  const std::size_t cells = static_cast<std::size_t>(asked.problem.capacity()) + 1;
  const Budget::Share result_bytes = context.budget.take(cells, sizeof(std::int64_t));
  if (asked.is_unbounded()) {
    Watch watch(context.options, table_cells(asked.problem, asked.problem.items().size()));
    const Budget::Share taken = context.budget.take(padded_cells(asked.problem.capacity()), sizeof(T));
    const Cells<T> best = unbounded_table<T>(asked.problem, asked.problem.capacity(), watch);
    return {{best.get(), best.get() + cells}};
  }
  Watch watch(context.options, asked.cells());
  TableSolver<T> solver(asked.pieces, context.options, context.budget, watch, of_type<T>(gpu));
  const Cells<T> best = solver.every_capacity(asked.problem.capacity());
  const Budget::Share kept = context.budget.take(padded_cells(asked.problem.capacity()), sizeof(T));
  fill_report(solver, context.report);
  CapacityTable table;
  table.values.reserve(cells);
  advise_huge_pages(table.values.data(), cells * sizeof(std::int64_t));  // C = 2,000,000: 9 ms of one thread became 3
  table.values.assign(best.get(), best.get() + cells);
  const std::int64_t weightless = weightless_value(asked.problem);
  if (weightless == 0) return table;
  for (std::int64_t& value : table.values) value += weightless;
  return table;
}

}  // namespace

Asked::Asked(const Problem& of, const Request& with, const Options& options)
    : problem(of),
      request(with),
      dtype(chosen_dtype(of, with)),
      pieces(of.kind() == Kind::unbounded ? std::vector<Piece>() : knapsack::pieces(of)),
      threads(thread_count(options.threads)) {}

double Asked::cells() const { return table_cells(problem, pieces.size()); }
double Asked::seconds() const { return table_seconds(problem, pieces, dtype, threads, request.items); }

Solution by_rows(const Asked& asked, const RowsOnGpu& gpu, Context& context) {
  const Problem& problem = asked.problem;
  Solution solution;
  solution.value = weightless_value(problem);
  solution.dtype = asked.dtype;
  solution.reason = "asked for";
  const Budget::Share taken = context.budget.take(asked.pieces.size(), sizeof(Piece));
  // Halving for the items takes up to twice a table's cells; those that it spares are done at the end.
  const double most_cells = (asked.request.items ? 2 : 1) * asked.cells();
  Watch watch(context.options, most_cells);
  with_cells(asked, [&](auto zero) {
    using T = decltype(zero);
    TableSolver<T> solver(asked.pieces, context.options, context.budget, watch, of_type<T>(gpu));
    if (asked.request.items) {
      const std::vector<char> packed = solver.packing(problem.capacity());
      for (std::size_t p = 0; p < asked.pieces.size(); ++p) solution.value += packed[p] ? asked.pieces[p].value : 0;
      solution.copies = copies_of(problem, asked.pieces, packed);
    } else {
      solution.value += solver.value(problem.capacity());
    }
    fill_report(solver, context.report);
  });
  watch.advance(most_cells);
  return solution;
}

CapacityTable capacities_by_rows(const Asked& asked, const RowsOnGpu& rows, Context& context) {
  return with_cells(asked, [&](auto zero) { return capacities<decltype(zero)>(asked, rows, context); });
}

std::size_t bytes_on_gpu(const Asked& asked, const Options&) { return bytes_of_table(asked, 1); }

std::size_t capacity_bytes_on_gpu(const Asked& asked, const Options& options) {
  return with_result(asked, bytes_on_gpu(asked, options));
}

std::string unbounded_refusal(const Asked& asked) {
  return asked.is_unbounded() ? "does not solve unbounded problems: table does" : "";
}

namespace {

Solution by_table(const Asked& asked, Context& context) {
  if (!asked.is_unbounded()) return by_rows(asked, {}, context);
  Solution solution = with_cells(
      asked, [&](auto zero) { return solve_unbounded<decltype(zero)>(asked.problem, asked.request, context); });
  solution.dtype = asked.dtype;
  return solution;
}

constexpr RowsOnGpu whole_rows{cuda::zero_one_rows<std::int32_t>, cuda::zero_one_rows<std::int64_t>};

Solution by_gpu_table(const Asked& asked, Context& context) { return by_rows(asked, whole_rows, context); }

CapacityTable reference_capacities(const Asked& asked, Context& context) {
  const Budget::Share rows =
      context.budget.take(static_cast<std::size_t>(asked.problem.capacity()) + 1, 2 * sizeof(std::int64_t));
  return {reference::every_capacity(asked.problem, context.options)};
}

double cost_of_gpu(const Asked& asked, const Options&) { return asked.cells() >= tuning::gpu_cells ? 0.5 : 2; }
double cost_of_table(const Asked&, const Options&) { return 1; }

const AlgorithmInfo reference_info{"reference", "cpu", "plain loops over the whole table, one thread",
                                   "n C operations, 8 n C bytes"};
const AlgorithmInfo table_info{"table", "cpu",
                               "rows in place, strips of capacities staying in cache while several items pass",
                               "n C operations, C cells; twice for the items"};
const AlgorithmInfo blocked_info{"blocked", "cuda", "whole rows by all blocks, two items a pass; items by halving",
                                 "n C operations, 2 C cells of the GPU; twice for the items"};
/// For one capacity, where the core does not settle it.
const std::vector<PackingBackend>& table_solvers() {
  static const std::vector<PackingBackend> list = [] {
    std::vector<PackingBackend> all = {{reference_info, named_only, bytes_of_reference, by_reference},
                                       {table_info, cost_of_table, bytes_on_cpu, by_table}};
    if (has_cuda()) all.push_back({blocked_info, cost_of_gpu, bytes_on_gpu, by_gpu_table, unbounded_refusal});
    return all;
  }();
  return list;
}

/// The core, and where it costs more than a table, that one.
Solution by_core(const Asked& asked, Context& context) {
  const Problem& problem = asked.problem;
  const bool forced = context.options.algorithm == "core";
  CoreResult result;
  {
    const Budget::Share taken = context.budget.take(asked.pieces.size(), sizeof(Piece));
    const Watch watch(context.options, asked.cells());
    const bool table_possible = !forced && is_table_possible(problem, asked.dtype, context.budget.left());
    const auto seconds = table_possible ? std::optional(asked.seconds()) : std::nullopt;
    result = core(asked.pieces, problem.capacity(), core_budget(seconds, context.budget.left()), watch);
    context.report.peak_bytes = taken.bytes() + result.peak_bytes;
    if (!result.finished && !table_possible) {
      throw Error(ErrorKind::memory_limit,
                  fmt::format("the core's lists need more than {} bytes", context.budget.left()));
    }
  }
  if (!result.finished) {
    auto outcome = solve_by(std::span(table_solvers()), asked, asked, context.options);
    outcome.report.peak_bytes = std::max(outcome.report.peak_bytes, context.report.peak_bytes);
    context.report = outcome.report;
    outcome.solution.reason =
        fmt::format("the core's list reached {} states and {:.3g} visits, more than the table costs",
                    result.most_states, result.states);
    return std::move(outcome.solution);
  }
  Solution solution;
  solution.value = weightless_value(problem) + result.value;
  solution.dtype = "i64";
  solution.reason = fmt::format(
      "one capacity is wanted, and {} of {} pieces tried both ways{} settle it: {:.3g} states, a table has {:.3g} "
      "cells",
      result.enumerated, asked.pieces.size(), result.cardinality_bound ? ", with a bound on their number," : "",
      result.states, asked.cells());
  if (asked.request.items) solution.copies = copies_of(problem, asked.pieces, result.taken);
  return solution;
}

/// For one capacity.
const std::vector<PackingBackend>& solvers() {
  static const std::vector<PackingBackend> list = [] {
    std::vector<PackingBackend> all = table_solvers();
    all.insert(all.begin() + 1,
               {{"core", "cpu", "undominated states grown from the break item outwards, with upper bounds; exact",
                 "as the items ask"},
                [](const Asked&, const Options&) { return 0.0; },
                nullptr,
                by_core,
                unbounded_refusal});
    return all;
  }();
  return list;
}

const std::vector<CapacityBackend>& capacity_solvers() {
  static const std::vector<CapacityBackend> list = [] {
    std::vector<CapacityBackend> all = {
        {reference_info, named_only,
         [](const Asked& asked, const Options&) {
           return (static_cast<std::size_t>(asked.problem.capacity()) + 1) * 2 * sizeof(std::int64_t);
         },
         reference_capacities},
        {table_info, cost_of_table,
         [](const Asked& asked, const Options& options) { return with_result(asked, bytes_on_cpu(asked, options)); },
         [](const Asked& asked, Context& context) { return capacities_by_rows(asked, {}, context); }},
        {{"core", "cpu", "", ""}, named_only, nullptr, nullptr, [](const Asked&) -> std::string {
           return "solves one capacity: table and reference solve all";
         }}};
    if (has_cuda()) {
      all.push_back(
          {blocked_info, cost_of_gpu, capacity_bytes_on_gpu,
           [](const Asked& asked, Context& context) { return capacities_by_rows(asked, whole_rows, context); },
           unbounded_refusal});
    }
    return all;
  }();
  return list;
}

/// Of a table, or the reference.
double seconds_of(const std::string& algorithm, const Asked& asked) {
  const Problem& problem = asked.problem;
  if (algorithm == "reference") return table_cells(problem, problem.items().size()) * tuning::reference_cell_seconds;
  if (!asked.is_unbounded()) return asked.seconds();
  const UnboundedTable table = table_that_matters(problem);
  const double cells = static_cast<double>(table.capacity + 1) * static_cast<double>(table.rows);
  const double bytes = static_cast<double>(padded_cells(table.capacity) * width(asked.dtype));
  return cells / tuning::cells_per_second + bytes / tuning::bytes_touched_per_second + tuning::start_seconds;
}

template <class AnyBackend>
Needs needs_with_seconds(const AnyBackend& backend, const Asked& asked, const Options& options) {
  Needs needs = needs_of(backend, asked, options);
  needs.seconds = seconds_of(needs.algorithm, asked);
  return needs;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() { return infos(solvers()); }

Outcome<Solution> solve(const Problem& problem, const Options& options, const Request& request,
                        Additional<PackingBackend> more) {
  const Asked asked(problem, request, options);
  auto outcome = solve_by(solvers(), more, asked, asked, options);
  if (request.items) outcome.solution.weight = packed_weight(problem, outcome.solution.copies);
  return outcome;
}

Outcome<CapacityTable> every_capacity(const Problem& problem, const Options& options, const Request& request,
                                      Additional<CapacityBackend> more) {
  const Asked asked(problem, request, options);
  return solve_by(capacity_solvers(), more, asked, asked, options);
}

Estimate estimate(const Problem& problem, const Options& options, const Request& request,
                  Additional<PackingBackend> more) {
  const Asked asked(problem, request, options);
  const auto all = with_more(solvers(), more);
  const PackingBackend& backend = backend_for(std::span(all), asked, options);
  if (backend.info.name != "core") return {needs_with_seconds(backend, asked, options)};
  const Budget budget(options);
  const bool table_possible = options.algorithm.empty() && is_table_possible(problem, asked.dtype, budget.left());
  std::optional<Needs> table;
  if (table_possible) table = needs_with_seconds(table_solvers()[1], asked, options);
  const std::optional<double> seconds = table ? std::optional(table->seconds) : std::nullopt;
  return estimate_core(asked.pieces.size(), core_budget(seconds, budget.left()), table);
}

Estimate estimate_every_capacity(const Problem& problem, const Options& options, const Request& request,
                                 Additional<CapacityBackend> more) {
  Request values = request;
  values.items = false;
  const Asked asked(problem, values, options);
  const auto all = with_more(capacity_solvers(), more);
  const CapacityBackend& backend = backend_for(std::span(all), asked, options);
  Estimate expected{needs_with_seconds(backend, asked, options)};
  if (backend.info.name == "reference") return expected;
  const double result_bytes = (static_cast<double>(problem.capacity()) + 1) * sizeof(std::int64_t);
  expected.seconds += result_bytes / tuning::bytes_touched_per_second;
  return expected;
}

}  // namespace warpfold::knapsack
