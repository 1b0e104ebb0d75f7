#include "warpfold/knapsack/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/clock.hpp"
#include "knapsack/core.hpp"
#include "knapsack/items.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"
#include "knapsack/unbounded.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {

namespace {

using Clock = std::chrono::steady_clock;

bool known(const std::string& algorithm) {
  return algorithm.empty() || std::any_of(algorithms().begin(), algorithms().end(),
                                          [&](const AlgorithmInfo& info) { return info.name == algorithm; });
}

bool on_cuda(const std::string& algorithm) { return algorithm == "blocked" || algorithm == "p-fold"; }

/// The algorithm to start with; "" is the core with the table behind it.
std::string chosen_algorithm(const Problem& problem, const Options& options) {
  const std::string& name = options.algorithm;
  if (!known(name)) {
    std::vector<std::string> names;
    for (const AlgorithmInfo& info : algorithms()) names.push_back(info.name);
    throw Error(ErrorKind::usage,
                fmt::format("algorithm '{}' is unknown: {} are accepted", name, fmt::join(names, ", ")));
  }
  const bool unbounded = problem.kind() == Kind::unbounded;
  if (unbounded && (name == "core" || on_cuda(name))) {
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' does not solve unbounded problems: table does", name));
  }
  const bool wants_cuda = options.device.kind == Device::Kind::cuda;
  if (wants_cuda && (unbounded || (!name.empty() && !on_cuda(name)))) {
    throw Error(ErrorKind::usage, "device cuda runs 0-1 and bounded problems by blocked and p-fold only");
  }
  if (options.device.kind == Device::Kind::cpu && on_cuda(name)) {
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' runs on cuda, not on the cpu", name));
  }
  if ((wants_cuda || on_cuda(name)) && !cuda::available()) {
    throw Error(ErrorKind::device, "there is no CUDA device here, or CUDA was not compiled in");
  }
  if (name.empty() && wants_cuda) return "blocked";
  return name.empty() && unbounded ? "table" : name;
}

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

double table_seconds(const Problem& problem, std::size_t rows, int threads, bool items) {
  return table_cells(problem, rows) / (tuning::cells_per_second * threads) * (items ? 2 : 1) + 1e-5;
}

double table_bytes(const Problem& problem, const std::string& dtype) {
  return static_cast<double>(padded_cells(problem.capacity())) * static_cast<double>(width(dtype));
}

/// A GPU where it is asked for, or where one is there and the table is large enough to gain.
RowDevice row_device(const std::string& algorithm, const Problem& problem, std::size_t rows, const Options& options) {
  if (on_cuda(algorithm)) return {true, algorithm == "p-fold" ? cuda::Schedule::p_fold : cuda::Schedule::blocked};
  const bool free_choice = options.device.kind == Device::Kind::automatic && options.algorithm.empty();
  return {free_choice && table_cells(problem, rows) >= tuning::gpu_cells && cuda::available(), cuda::Schedule::blocked};
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
  PieceSolve(const Problem& problem, const Options& options, const Request& request, const std::string& dtype)
      : problem_(problem),
        options_(options),
        request_(request),
        dtype_(dtype),
        threads_(thread_count(options.threads)),
        pieces_(pieces(problem)),
        watch_(options, table_cells(problem, pieces_.size())) {}

  void run(const std::string& algorithm, Solution& solution) {
    solution.value = weightless_value(problem_);
    if (algorithm == "" || algorithm == "core") {
      if (by_core(algorithm == "core", solution)) return;
    }
    const RowDevice device = row_device(algorithm, problem_, pieces_.size(), options_);
    if (device.gpu) {
      solution.report.algorithm = algorithm == "p-fold" ? "p-fold" : "blocked";
      solution.report.device = fmt::format("cuda:{}", options_.device.index);
    }
    if (dtype_ == "i32") {
      by_table<std::int32_t>(device, solution);
    } else {
      by_table<std::int64_t>(device, solution);
    }
  }

 private:
  bool by_core(bool forced, Solution& solution) {
    const double bytes = table_bytes(problem_, dtype_);
    const bool table_possible = !forced && bytes <= static_cast<double>(options_.most_bytes) && bytes < 8e9;
    CoreBudget budget{std::numeric_limits<double>::infinity(), options_.most_bytes};
    if (table_possible) {
      const double seconds = table_seconds(problem_, pieces_.size(), threads_, request_.items);
      budget.states = std::max(seconds * tuning::core_states_per_second, 1e5);
    }
    CoreResult result = core(pieces_, problem_.capacity(), budget, watch_);
    if (!result.finished) {
      if (!table_possible) {
        throw Error(ErrorKind::memory_limit,
                    fmt::format("the core's lists need more than {} bytes", options_.most_bytes));
      }
      solution.reason = fmt::format("the core's list reached {} states and {:.3g} visits, more than the table costs",
                                    result.most_states, result.states);
      return false;
    }
    solution.value += result.value;
    solution.report.algorithm = "core";
    solution.dtype = "i64";
    solution.report.peak_bytes = result.peak_bytes;
    solution.report.threads = 1;
    solution.reason = fmt::format(
        "one capacity is wanted, and {} of {} pieces tried both ways{} settle it: {:.3g} states, a table has {:.3g} "
        "cells",
        result.enumerated, pieces_.size(), result.cardinality_bound ? ", with a bound on their number," : "",
        result.states, table_cells(problem_, pieces_.size()));
    if (request_.items) solution.copies = copies_of(problem_, pieces_, result.taken);
    return true;
  }

  template <class T>
  void by_table(RowDevice device, Solution& solution) {
    const std::int64_t capacity = problem_.capacity();
    check_bytes(options_, table_bytes(problem_, dtype_) * (request_.items ? 2 : 1));
    TableSolver<T> solver(pieces_, options_, threads_, watch_, device);
    if (request_.items) {
      const std::vector<char> taken = solver.packing(capacity);
      for (std::size_t p = 0; p < pieces_.size(); ++p) solution.value += taken[p] ? pieces_[p].value : 0;
      solution.copies = copies_of(problem_, pieces_, taken);
    } else {
      solution.value += solver.value(capacity);
    }
    if (!device.gpu) solution.report.algorithm = "table";
    solution.report.threads = solver.threads();
    solution.report.peak_bytes = solver.peak_bytes();
    solution.report.peak_device_bytes = solver.peak_device_bytes();
    if (solution.reason.empty()) solution.reason = "asked for";
  }

  const Problem& problem_;
  const Options& options_;
  const Request& request_;
  const std::string dtype_;
  const int threads_;
  const std::vector<Piece> pieces_;
  Watch watch_;
};

std::int64_t packed_weight(const Problem& problem, const std::vector<std::int64_t>& copies) {
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) weight += copies[i] * problem.items()[i].weight;
  return weight;
}

void by_reference(const Problem& problem, const Options& options, const Request& request, Solution& solution) {
  const double cells = static_cast<double>(problem.capacity()) + 1;
  const double rows = request.items ? static_cast<double>(problem.items().size()) + 1 : 2;
  check_bytes(options, cells * rows * sizeof(std::int64_t));
  if (request.items) {
    solution.copies = reference::packing(problem, options);
    for (std::size_t i = 0; i < solution.copies.size(); ++i) {
      solution.value += solution.copies[i] * problem.items()[i].value;
    }
  } else {
    solution.value = reference::every_capacity(problem, options).back();
  }
  solution.report.algorithm = "reference";
  solution.dtype = "i64";
  solution.report.peak_bytes = static_cast<std::size_t>(cells * rows * sizeof(std::int64_t));
  solution.reason = "asked for";
}

template <class T>
std::vector<std::int64_t> every_capacity_of(const Problem& problem, const Options& options, int threads,
                                            Report& report) {
  const std::size_t cells = static_cast<std::size_t>(problem.capacity()) + 1;
  std::vector<std::int64_t> result;
  if (problem.kind() == Kind::unbounded) {
    Watch watch(options, table_cells(problem, problem.items().size()));
    const Cells<T> best = unbounded_table<T>(problem, problem.capacity(), watch);
    report.peak_bytes = cells * sizeof(T);
    result.assign(best.get(), best.get() + cells);
    return result;
  }
  const std::vector<Piece> list = pieces(problem);
  Watch watch(options, table_cells(problem, list.size()));
  const RowDevice device =
      row_device(report.algorithm == "table" ? "" : report.algorithm, problem, list.size(), options);
  if (device.gpu) {
    report.algorithm = device.schedule == cuda::Schedule::p_fold ? "p-fold" : "blocked";
    report.device = fmt::format("cuda:{}", options.device.index);
  }
  TableSolver<T> solver(list, options, threads, watch, device);
  const Cells<T> best = solver.every_capacity(problem.capacity());
  report.peak_bytes = solver.peak_bytes();
  report.peak_device_bytes = solver.peak_device_bytes();
  report.threads = solver.threads();
  result.assign(best.get(), best.get() + cells);
  const std::int64_t weightless = weightless_value(problem);
  for (std::int64_t& value : result) value += weightless;
  return result;
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
  const std::string algorithm = chosen_algorithm(problem, options);
  Solution solution;
  solution.dtype = chosen_dtype(problem, request);
  solution.report.device = "cpu";
  if (algorithm == "reference") {
    by_reference(problem, options, request, solution);
  } else if (problem.kind() == Kind::unbounded) {
    solve_unbounded(problem, options, request, solution);
  } else {
    PieceSolve(problem, options, request, solution.dtype).run(algorithm, solution);
  }
  if (request.items) solution.weight = packed_weight(problem, solution.copies);
  solution.report.solve_seconds = seconds_since(start);
  return solution;
}

std::vector<std::int64_t> every_capacity(const Problem& problem, const Options& options, const Request& request,
                                         Report* report) {
  const auto start = Clock::now();
  const std::string algorithm = chosen_algorithm(problem, options);
  if (algorithm == "core") {
    throw Error(ErrorKind::usage, "algorithm 'core' solves one capacity: table and reference solve all");
  }
  const std::string dtype = chosen_dtype(problem, request);
  Report own;
  own.device = "cpu";
  own.algorithm = algorithm.empty() ? "table" : algorithm;
  check_bytes(options, table_bytes(problem, dtype) + 8 * (static_cast<double>(problem.capacity()) + 1));
  const int threads = thread_count(options.threads);
  std::vector<std::int64_t> best;
  if (own.algorithm == "reference") {
    best = reference::every_capacity(problem, options);
    own.peak_bytes = 2 * best.size() * sizeof(std::int64_t);
  } else if (dtype == "i32") {
    best = every_capacity_of<std::int32_t>(problem, options, threads, own);
  } else {
    best = every_capacity_of<std::int64_t>(problem, options, threads, own);
  }
  own.solve_seconds = seconds_since(start);
  if (report) *report = own;
  return best;
}

Estimate estimate(const Problem& problem, const Options& options, const Request& request) {
  const std::string algorithm = chosen_algorithm(problem, options);
  const std::string dtype = chosen_dtype(problem, request);
  const bool unbounded = problem.kind() == Kind::unbounded;
  const std::size_t rows = unbounded ? problem.items().size() : pieces(problem).size();
  const int threads = unbounded ? 1 : thread_count(options.threads);
  const double seconds = table_seconds(problem, rows, threads, request.items);
  const auto bytes = static_cast<std::size_t>(table_bytes(problem, dtype));
  if (algorithm == "reference") return {algorithm, table_cells(problem, rows) * 2e-9, 16 * bytes / width(dtype)};
  if (!algorithm.empty() && algorithm != "core") return {algorithm, seconds, request.items ? 2 * bytes : bytes};
  const std::size_t list_bytes = rows * 64 + (std::size_t{1} << 20);
  return {"core", std::min(1e-7 * static_cast<double>(rows) + 1e-3, seconds + 1e-3), list_bytes};
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
