#include "warpfold/knapsack/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/size_text.hpp"
#include "knapsack/backends.hpp"
#include "knapsack/core.hpp"
#include "knapsack/reference.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::knapsack {

namespace {

constexpr double no_table = std::numeric_limits<double>::infinity();

/// The limits of the core: no more than the table would take in that many seconds, or `no_table`.
CoreBudget core_budget(double table_seconds, std::size_t bytes) {
  return {std::max(table_seconds * tuning::core_states_per_second, tuning::core_least_states), bytes};
}

bool is_table_possible(const PackingQuery& asked, std::size_t left) {
  const double bytes = asked.table_bytes();
  return bytes <= static_cast<double>(left) && bytes < tuning::max_table_bytes;
}

std::int64_t packed_weight(const Problem& problem, const std::vector<std::int64_t>& copies) {
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) weight += copies[i] * problem.items()[i].weight;
  return weight;
}

/// Two rows of capacities; for the items one row per item.
std::size_t bytes_of_reference(const PackingQuery& asked, const Options&) {
  const std::size_t rows = asked.request.items ? asked.problem.items().size() + 1 : 2;
  return (static_cast<std::size_t>(asked.problem.capacity()) + 1) * rows * sizeof(std::int64_t);
}

Solution by_reference(const PackingQuery& asked, Context& context) {
  const Problem& problem = asked.problem;
  const std::size_t rows = asked.request.items ? problem.items().size() + 1 : 2;
  const Budget::Reservation taken =
      context.budget.reserve(static_cast<std::size_t>(problem.capacity()) + 1, rows * sizeof(std::int64_t));
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

constexpr RowsOnGpu whole_rows{cuda::zero_one_rows<std::int32_t>, cuda::zero_one_rows<std::int64_t>};

CapacityTable reference_capacities(const PackingQuery& asked, Context& context) {
  const Budget::Reservation rows =
      context.budget.reserve(static_cast<std::size_t>(asked.problem.capacity()) + 1, 2 * sizeof(std::int64_t));
  return {reference::every_capacity(asked.problem, context.options)};
}

double cost_of_gpu(const PackingQuery& asked, const Options&) { return asked.cells() >= tuning::gpu_cells ? 0.5 : 2; }
double cost_of_table(const PackingQuery&, const Options&) { return 1; }

std::string gpu_table_unsupported(const PackingQuery& asked) {
  return asked.is_unbounded() ? "does not solve unbounded problems on a GPU: device cpu is accepted" : "";
}

const AlgorithmInfo reference_info{"reference", "cpu", "plain loops over the whole table, one thread",
                                   "n C operations, 8 n C bytes"};
const AlgorithmInfo table_info{"table", "cpu",
                               "rows in place, strips of capacities staying in cache while several items pass",
                               "n C operations, C cells; up to twice for the items"};
const AlgorithmInfo gpu_table_info{"table", "cuda", "whole rows by all blocks, two items a pass; the CPU marks items",
                                   "n C operations, 2 C cells of the GPU; up to twice for the items"};

/// The core, as long as it takes less time than a table.
Solution by_core(const PackingQuery& asked, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(asked.pieces.size(), sizeof(Piece));
  const SolveMonitor monitor(context.options, asked.cells());
  const double table_seconds = context.next ? context.next().seconds : no_table;
  const CoreResult result =
      core(asked.pieces, asked.problem.capacity(), core_budget(table_seconds, context.budget.left()), monitor);
  context.report.peak_bytes = taken.bytes() + result.peak_bytes;
  if (!result.finished && context.next) {
    Context::give_up(fmt::format("the core's list reached {} states and {:.3g} visits, more than the table costs",
                                 result.max_states, result.states));
  }
  if (!result.finished) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("the core needs more than the {} that there are",
                            bytes_text(static_cast<double>(taken.bytes() + context.budget.left()))));
  }
  Solution solution;
  solution.value = asked.weightless_value() + result.value;
  solution.dtype = "i64";
  solution.reason = fmt::format(
      "one capacity is wanted, and {} of {} pieces tried both ways{} settle it: {:.3g} states, a table has {:.3g} "
      "cells",
      result.enumerated, asked.pieces.size(), result.cardinality_bound ? ", with a bound on their number," : "",
      result.states, asked.cells());
  if (asked.request.items) solution.copies = asked.copies_of(result.taken);
  return solution;
}

ResourceEstimate worst_case_of_core(const ResourceEstimate&, const PackingQuery& asked, const Options& options,
                                    const std::optional<ResourceEstimate>& next) {
  return worst_case_of_core(asked.pieces.size(), core_budget(next ? next->seconds : no_table, Budget(options).left()));
}

double reference_seconds(const PackingQuery& asked) {
  return asked.cells(asked.problem.items().size()) * tuning::reference_cell_seconds;
}

/// The backends for one capacity.
const std::vector<PackingBackend>& solvers() {
  using B = PackingBackend;
  static const std::vector<B> list = [] {
    std::vector<B> all = {
        {.info = reference_info,
         .bytes = bytes_of_reference,
         .run = by_reference,
         .explicit_only = true,
         .seconds = [](const B&, const PackingQuery& asked, const Options&) { return reference_seconds(asked); }},
        {.info = {"core", "cpu", "undominated states grown from the break item outwards, with upper bounds; exact",
                  "as the items ask"},
         .bytes = [](const PackingQuery& asked, const Options&) { return min_core_bytes(asked.pieces.size()); },
         .run = by_core,
         .unsupported_reason = unbounded_unsupported,
         .seconds = [](const B&, const PackingQuery& asked,
                       const Options&) { return min_core_seconds(asked.pieces.size()); },
         .worst_case = worst_case_of_core,
         .hands_on_to = table_info.name,
         .may_hand_on = is_table_possible},
        {.info = table_info,
         .cost = cost_of_table,
         .bytes = bytes_on_cpu,
         .run = by_table,
         .seconds = [](const B&, const PackingQuery& asked, const Options&) { return asked.seconds(); }}};
    if (has_cuda()) {
      all.push_back(
          {.info = gpu_table_info,
           .cost = cost_of_gpu,
           .bytes = bytes_on_gpu,
           .run = [](const PackingQuery& asked, Context& context) { return by_rows(asked, whole_rows, context); },
           .unsupported_reason = gpu_table_unsupported,
           .device_bytes = device_bytes,
           .seconds = [](const B&, const PackingQuery& asked, const Options&) { return asked.seconds_on_gpu(); }});
    }
    return all;
  }();
  return list;
}

const std::vector<CapacityBackend>& capacity_solvers() {
  using B = CapacityBackend;
  static const std::vector<B> list = [] {
    std::vector<B> all = {
        {.info = reference_info,
         .bytes =
             [](const PackingQuery& asked, const Options&) {
               return (static_cast<std::size_t>(asked.problem.capacity()) + 1) * 2 * sizeof(std::int64_t);
             },
         .run = reference_capacities,
         .explicit_only = true,
         .seconds = [](const B&, const PackingQuery& asked, const Options&) { return reference_seconds(asked); }},
        {.info = table_info,
         .cost = cost_of_table,
         .bytes = capacity_bytes_on_cpu,
         .run = [](const PackingQuery& asked, Context& context) { return capacities_by_rows(asked, {}, context); },
         .seconds = [](const B&, const PackingQuery& asked,
                       const Options&) { return asked.seconds() + asked.seconds_of_result(); }},
        {.info = {"core", "cpu", ""}, .unsupported_reason = [](const PackingQuery&) -> std::string {
           return "solves one capacity: table and reference solve all";
         }}};
    if (has_cuda()) {
      all.push_back({.info = gpu_table_info,
                     .cost = cost_of_gpu,
                     .bytes = capacity_bytes_on_gpu,
                     .run = [](const PackingQuery& asked,
                               Context& context) { return capacities_by_rows(asked, whole_rows, context); },
                     .unsupported_reason = gpu_table_unsupported,
                     .device_bytes = device_bytes,
                     .seconds = [](const B&, const PackingQuery& asked,
                                   const Options&) { return asked.seconds_on_gpu() + asked.seconds_of_result(); }});
    }
    return all;
  }();
  return list;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() { return infos(solvers()); }

Outcome<Solution> solve(const Problem& problem, const Options& options, const Request& request,
                        ExtraBackends<PackingBackend> extra_backends) {
  const PackingQuery asked(problem, request, options);
  auto outcome = solve_by(std::span(solvers()), asked, asked, options, extra_backends);
  if (request.items) outcome.solution.weight = packed_weight(problem, outcome.solution.copies);
  return outcome;
}

Outcome<CapacityTable> every_capacity(const Problem& problem, const Options& options, const Request& request,
                                      ExtraBackends<CapacityBackend> extra_backends) {
  const PackingQuery asked(problem, request, options);
  return solve_by(std::span(capacity_solvers()), asked, asked, options, extra_backends);
}

Estimate estimate(const Problem& problem, const Options& options, const Request& request,
                  ExtraBackends<PackingBackend> extra_backends) {
  const PackingQuery asked(problem, request, options);
  return estimate_by(std::span(solvers()), asked, options, extra_backends);
}

Estimate estimate_every_capacity(const Problem& problem, const Options& options, const Request& request,
                                 ExtraBackends<CapacityBackend> extra_backends) {
  Request values = request;
  values.items = false;
  const PackingQuery asked(problem, values, options);
  return estimate_by(std::span(capacity_solvers()), asked, options, extra_backends);
}

}  // namespace warpfold::knapsack
