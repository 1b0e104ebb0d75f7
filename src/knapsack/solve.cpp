#include "warpfold/knapsack/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "core/choose.hpp"
#include "core/clock.hpp"
#include "knapsack/core.hpp"
#include "knapsack/items.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"
#include "knapsack/unbounded.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/tile_storage.hpp"

namespace warpfold::knapsack {

namespace {

using Clock = std::chrono::steady_clock;

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
  return items ? 2 * seconds / threads + 5 * touched + 1e-5 : seconds / threads + touched + 1e-5;
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

/// The algorithms for a problem of so many rows. `core_too`: for one capacity, and before the core has had its turn.
std::vector<Backend> backends_for(const Problem& problem, std::size_t rows, bool core_too) {
  const bool unbounded = problem.kind() == Kind::unbounded;
  std::vector<Backend> backends;
  for (const AlgorithmInfo& info : algorithms()) {
    Backend& backend = backends.emplace_back(Backend{&info, only_when_named});
    if (info.name == "core") backend.cost = 0;
    if (info.name == "table") backend.cost = 1;
    if (info.name == "blocked") backend.cost = table_cells(problem, rows) >= tuning::gpu_cells ? 0.5 : 2;
    if (info.name == "core" && !core_too) backend.refusal = "solves one capacity: table and reference solve all";
    if (unbounded && info.name != "table" && info.name != "reference") {
      backend.refusal = "does not solve unbounded problems: table does";
    }
  }
  return backends;
}

/// Where a table's algorithm runs its rows.
RowDevice row_device(const AlgorithmInfo& algorithm) {
  if (algorithm.device == "cpu") return {};
  if (!cuda::available()) throw Error(ErrorKind::device, "there is no CUDA device here, or CUDA was not compiled in");
  return {true, algorithm.name == "p-fold" ? cuda::Schedule::p_fold : cuda::Schedule::blocked};
}

/// What a table says of its run.
template <class T>
void fill_report(const TableSolver<T>& solver, const AlgorithmInfo& algorithm, const Options& options, Report& report) {
  report.device = algorithm.device == "cpu" ? "cpu" : gpu_name(options);
  report.algorithm = algorithm.name;
  report.threads = solver.threads();
  report.peak_device_bytes = solver.peak_device_bytes();
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

/// One solve of a 0-1 or bounded problem, by pieces.
class PieceSolve {
 public:
  PieceSolve(const Problem& problem, const Options& options, const Request& request, const std::string& dtype,
             std::vector<Piece> list)
      : problem_(problem),
        options_(options),
        request_(request),
        dtype_(dtype),
        threads_(thread_count(options.threads)),
        pieces_(std::move(list)),
        budget_(options),
        taken_(budget_.take(pieces_.size(), sizeof(Piece))),
        watch_(options, table_cells(problem, pieces_.size())) {}

  void run(Choice choice, Solution& solution) {
    if (algorithms()[choice.first].name == "core") {
      if (by_core(options_.algorithm == "core", solution)) return;
      choice = choose(backends_for(problem_, pieces_.size(), false), options_);
    }
    run_choice(choice, options_, solution.report, [&](std::size_t at) {
      if (dtype_ == "i32") {
        by_table<std::int32_t>(algorithms()[at], solution);
      } else {
        by_table<std::int64_t>(algorithms()[at], solution);
      }
    });
  }

 private:
  bool by_core(bool forced, Solution& solution) {
    const bool table_possible = !forced && is_table_possible(problem_, dtype_, budget_.left());
    std::optional<double> seconds;
    if (table_possible) seconds = table_seconds(problem_, pieces_, dtype_, threads_, request_.items);
    const CoreBudget budget = core_budget(seconds, budget_.left());
    CoreResult result = core(pieces_, problem_.capacity(), budget, watch_);
    if (!result.finished) {
      if (!table_possible) {
        throw Error(ErrorKind::memory_limit, fmt::format("the core's lists need more than {} bytes", budget_.left()));
      }
      solution.reason = fmt::format("the core's list reached {} states and {:.3g} visits, more than the table costs",
                                    result.most_states, result.states);
      return false;
    }
    solution.value = weightless_value(problem_) + result.value;
    solution.dtype = "i64";
    solution.report.device = "cpu";
    solution.report.algorithm = "core";
    solution.report.peak_bytes = taken_.bytes() + result.peak_bytes;
    solution.reason = fmt::format(
        "one capacity is wanted, and {} of {} pieces tried both ways{} settle it: {:.3g} states, a table has {:.3g} "
        "cells",
        result.enumerated, pieces_.size(), result.cardinality_bound ? ", with a bound on their number," : "",
        result.states, table_cells(problem_, pieces_.size()));
    if (request_.items) solution.copies = copies_of(problem_, pieces_, result.taken);
    return true;
  }

  template <class T>
  void by_table(const AlgorithmInfo& algorithm, Solution& solution) {
    const std::int64_t capacity = problem_.capacity();
    solution.value = weightless_value(problem_);
    TableSolver<T> solver(pieces_, options_, budget_, watch_, row_device(algorithm));
    if (request_.items) {
      const std::vector<char> taken = solver.packing(capacity);
      for (std::size_t p = 0; p < pieces_.size(); ++p) solution.value += taken[p] ? pieces_[p].value : 0;
      solution.copies = copies_of(problem_, pieces_, taken);
    } else {
      solution.value += solver.value(capacity);
    }
    fill_report(solver, algorithm, options_, solution.report);
    solution.report.peak_bytes = budget_.peak();
    if (solution.reason.empty()) solution.reason = "asked for";
  }

  const Problem& problem_;
  const Options& options_;
  const Request& request_;
  const std::string dtype_;
  const int threads_;
  const std::vector<Piece> pieces_;
  Budget budget_;
  Budget::Share taken_;
  Watch watch_;
};

std::int64_t packed_weight(const Problem& problem, const std::vector<std::int64_t>& copies) {
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) weight += copies[i] * problem.items()[i].weight;
  return weight;
}

void by_reference(const Problem& problem, const Options& options, const Request& request, Solution& solution) {
  const std::size_t rows = request.items ? problem.items().size() + 1 : 2;
  Budget budget(options);
  const Budget::Share taken =
      budget.take(static_cast<std::size_t>(problem.capacity()) + 1, rows * sizeof(std::int64_t));
  if (request.items) {
    solution.copies = reference::packing(problem, options);
    for (std::size_t i = 0; i < solution.copies.size(); ++i) {
      solution.value += solution.copies[i] * problem.items()[i].value;
    }
  } else {
    solution.value = reference::every_capacity(problem, options).back();
  }
  solution.report.device = "cpu";
  solution.report.algorithm = "reference";
  solution.dtype = "i64";
  solution.report.peak_bytes = budget.peak();
  solution.reason = "asked for";
}

template <class T>
std::vector<std::int64_t> every_capacity_of(const Problem& problem, const AlgorithmInfo& algorithm,
                                            const Options& options, Budget& budget, Report& report) {
  const std::size_t cells = static_cast<std::size_t>(problem.capacity()) + 1;
  const Budget::Share result_bytes = budget.take(cells, sizeof(std::int64_t));
  if (problem.kind() == Kind::unbounded) {
    Watch watch(options, table_cells(problem, problem.items().size()));
    const Budget::Share taken = budget.take(padded_cells(problem.capacity()), sizeof(T));
    const Cells<T> best = unbounded_table<T>(problem, problem.capacity(), watch);
    report.device = "cpu";
    report.algorithm = "table";
    return {best.get(), best.get() + cells};
  }
  const std::vector<Piece> list = pieces(problem);
  Watch watch(options, table_cells(problem, list.size()));
  TableSolver<T> solver(list, options, budget, watch, row_device(algorithm));
  const Cells<T> best = solver.every_capacity(problem.capacity());
  const Budget::Share kept = budget.take(padded_cells(problem.capacity()), sizeof(T));
  fill_report(solver, algorithm, options, report);
  std::vector<std::int64_t> result;
  result.reserve(cells);
  advise_huge_pages(result.data(), cells * sizeof(std::int64_t));  // C = 2,000,000: 9 ms of one thread became 3
  result.assign(best.get(), best.get() + cells);
  const std::int64_t weightless = weightless_value(problem);
  if (weightless != 0) {
    for (std::int64_t& value : result) value += weightless;
  }
  return result;
}

Needs needs_of_reference(const Problem& problem, bool items) {
  const std::size_t rows = items ? problem.items().size() + 1 : 2;
  const std::size_t cells = static_cast<std::size_t>(problem.capacity()) + 1;
  return {"reference", table_cells(problem, problem.items().size()) * tuning::reference_cell_seconds,
          cells * rows * sizeof(std::int64_t)};
}

Needs needs_of_unbounded(const Problem& problem, const std::string& dtype) {
  const UnboundedTable table = table_that_matters(problem);
  const double cells = static_cast<double>(table.capacity + 1) * static_cast<double>(table.rows);
  const std::size_t bytes = padded_cells(table.capacity) * width(dtype);
  const double touched = static_cast<double>(bytes) / tuning::bytes_touched_per_second;
  return {"table", cells / tuning::cells_per_second + touched + 1e-5, bytes};
}

template <class T>
std::size_t bytes_of_table(std::span<const Piece> list, std::int64_t capacity, int threads, bool items) {
  using Solver = TableSolver<T>;
  return items ? Solver::packing_bytes(list, capacity, threads) : Solver::row_bytes(list, capacity, threads);
}

Needs needs_of_table(const Problem& problem, std::span<const Piece> list, const AlgorithmInfo& algorithm,
                     const std::string& dtype, const Options& options, bool items) {
  const int threads = thread_count(options.threads);
  const auto bytes_of = dtype == "i32" ? bytes_of_table<std::int32_t> : bytes_of_table<std::int64_t>;
  return {
      algorithm.name, table_seconds(problem, list, dtype, threads, items),
      list.size() * sizeof(Piece) + bytes_of(list, problem.capacity(), algorithm.device == "cpu" ? threads : 1, items)};
}

const AlgorithmInfo& table_info() {
  return *std::find_if(algorithms().begin(), algorithms().end(), [](const auto& info) { return info.name == "table"; });
}

}  // namespace

const std::vector<AlgorithmInfo>& algorithms() {
  static const std::vector<AlgorithmInfo> list = {
      {"reference", "cpu", "plain loops over the whole table, one thread"},
      {"core", "cpu", "undominated states grown from the break item outwards, with upper bounds; exact"},
      {"table", "cpu", "rows in place, strips of capacities staying in cache while several items pass"},
      {"blocked", "cuda", "whole rows by all blocks, two items a pass; items by halving"},
      {"p-fold", "cuda", "the 2023 paper's p-fold pipeline over the table as one sequence"}};
  return list;
}

Solution solve(const Problem& problem, const Options& options, const Request& request) {
  const auto start = Clock::now();
  const bool unbounded = problem.kind() == Kind::unbounded;
  std::vector<Piece> list;
  if (!unbounded) list = pieces(problem);
  const Choice choice = choose(backends_for(problem, list.size(), true), options);
  Solution solution;
  solution.dtype = chosen_dtype(problem, request);
  if (algorithms()[choice.first].name == "reference") {
    by_reference(problem, options, request, solution);
  } else if (unbounded) {
    solve_unbounded(problem, options, request, solution);
  } else {
    PieceSolve solve_pieces(problem, options, request, solution.dtype, std::move(list));
    solve_pieces.run(choice, solution);
  }
  if (request.items) solution.weight = packed_weight(problem, solution.copies);
  solution.report.solve_seconds = seconds_since(start);
  return solution;
}

std::vector<std::int64_t> every_capacity(const Problem& problem, const Options& options, const Request& request,
                                         Report* report) {
  const auto start = Clock::now();
  const Choice choice = choose(backends_for(problem, problem.items().size(), false), options);
  const std::string dtype = chosen_dtype(problem, request);
  Report own;
  std::vector<std::int64_t> best;
  run_choice(choice, options, own, [&](std::size_t at) {
    const AlgorithmInfo& algorithm = algorithms()[at];
    Budget budget(options);
    if (algorithm.name == "reference") {
      const Budget::Share rows =
          budget.take(static_cast<std::size_t>(problem.capacity()) + 1, 2 * sizeof(std::int64_t));
      best = reference::every_capacity(problem, options);
      own.device = "cpu";
      own.algorithm = "reference";
    } else if (dtype == "i32") {
      best = every_capacity_of<std::int32_t>(problem, algorithm, options, budget, own);
    } else {
      best = every_capacity_of<std::int64_t>(problem, algorithm, options, budget, own);
    }
    own.peak_bytes = budget.peak();
  });
  own.solve_seconds = seconds_since(start);
  if (report) *report = own;
  return best;
}

Estimate estimate(const Problem& problem, const Options& options, const Request& request) {
  const bool unbounded = problem.kind() == Kind::unbounded;
  const std::vector<Piece> list = unbounded ? std::vector<Piece>() : pieces(problem);
  const AlgorithmInfo& algorithm = algorithms()[choose(backends_for(problem, list.size(), true), options).first];
  const std::string dtype = chosen_dtype(problem, request);
  if (algorithm.name == "reference") return {needs_of_reference(problem, request.items)};
  if (unbounded) return {needs_of_unbounded(problem, dtype)};
  if (algorithm.name != "core") return {needs_of_table(problem, list, algorithm, dtype, options, request.items)};
  const Budget budget(options);
  const bool table_possible = options.algorithm.empty() && is_table_possible(problem, dtype, budget.left());
  std::optional<Needs> table;
  if (table_possible) table = needs_of_table(problem, list, table_info(), dtype, options, request.items);
  const std::optional<double> seconds = table ? std::optional(table->seconds) : std::nullopt;
  return estimate_core(list.size(), core_budget(seconds, budget.left()), table);
}

Estimate estimate_every_capacity(const Problem& problem, const Options& options, const Request& request) {
  const AlgorithmInfo& algorithm =
      algorithms()[choose(backends_for(problem, problem.items().size(), false), options).first];
  const std::string dtype = chosen_dtype(problem, request);
  if (algorithm.name == "reference") return {needs_of_reference(problem, false)};
  Needs table = problem.kind() == Kind::unbounded
                    ? needs_of_unbounded(problem, dtype)
                    : needs_of_table(problem, pieces(problem), algorithm, dtype, options, false);
  const std::size_t result_bytes = (static_cast<std::size_t>(problem.capacity()) + 1) * sizeof(std::int64_t);
  table.seconds += static_cast<double>(result_bytes) / tuning::bytes_touched_per_second;
  table.bytes = result_bytes + std::max(table.bytes, static_cast<std::size_t>(table_bytes(problem, dtype)));
  return {table};
}

std::string check(const Problem& problem, const std::vector<std::int64_t>& copies, std::int64_t value) {
  if (copies.size() != problem.items().size()) {
    return fmt::format("{} numbers of copies for {} items", copies.size(), problem.items().size());
  }
  __int128 weight = 0;
  __int128 total = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Item& item = problem.items()[i];
    const bool limited = problem.kind() != Kind::unbounded;
    if (copies[i] < 0 || (limited && copies[i] > item.copies)) {
      return fmt::format("item {} is packed {} times, {} are there", i, copies[i], item.copies);
    }
    weight += static_cast<__int128>(copies[i]) * item.weight;
    total += static_cast<__int128>(copies[i]) * item.value;
  }
  if (weight > problem.capacity()) {
    return fmt::format("the packed weight is {}, the capacity {}",
                       weight > std::numeric_limits<std::int64_t>::max()
                           ? std::string("above 2^63")
                           : fmt::format("{}", static_cast<std::int64_t>(weight)),
                       problem.capacity());
  }
  if (total != value) {
    return fmt::format("the packed value is {}, {} is claimed", static_cast<std::int64_t>(total), value);
  }
  return "";
}

}  // namespace warpfold::knapsack
