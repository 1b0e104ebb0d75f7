#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/outside_solver.hpp"
#include "warpfold/interval/detail/prefix_outside.hpp"
#include "warpfold/interval/grammar.hpp"

/// The parts of a sum in which an interval takes part (inside-outside), for grammars over ScaledSum.
namespace warpfold::interval {

/// The marginals of a table: marginal(i,j) = T(table,i,j) * dZ/dT(table,i,j) / Z, where Z is the value of the whole. If
/// values are weights of derivations, it is the probability that a derivation contains the interval in this table.
///
/// Equal bits for every number of threads and every instruction set.
///
/// Raises Error{infeasible} if Z is 0, Error{usage} for a term that reads more than 63 points inside its interval on a
/// side, Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
///
/// Cost: n^3/3 operations for each product. Memory: n*n/2 values for each product and for the result.
template <class G>
[[nodiscard]] Outcome<IntervalTable<double>> marginals(const G& grammar, const GrammarTables<G>& tables, unsigned table,
                                                       const Options& options = {});

/// The marginals of a prefix table by its points: F(prefix,j) * dZ/dF(prefix,j) / Z, the probability that a derivation
/// has point j in this table. Raises what `marginals` raises, and Error{usage} for a prefix table that the grammar does
/// not have.
///
/// Cost: n*n/2 operations for each prefix sum.
template <class G>
[[nodiscard]] Outcome<std::vector<double>> prefix_marginals(const G& grammar, const GrammarTables<G>& tables,
                                                            unsigned prefix, const Options& options = {});

namespace detail {

[[noreturn]] inline void reject_no_derivation() {
  throw Error(ErrorKind::infeasible, "the sum over all derivations is 0: it has no marginals");
}

/// For each list of tables the sum of their marginals, or of their outside values as they are stored, with a derivative
/// of ln Z by each value: Scaled seed(table, i, j). For sums of which a grammar is a part. `spare`: memory of tables
/// for as many points, which is used before any other. `reach`: the most points that a term's interval leaves out on a
/// side, for the memory.
template <class G, class Seed>
std::vector<IntervalTable<double>> seeded_marginals(const G& grammar, const GrammarTables<G>& tables,
                                                    std::span<const std::vector<unsigned>> wanted, const Seed& seed,
                                                    Context& context, std::vector<TileStorage<double>> spare = {},
                                                    OutsideResult result = OutsideResult::marginals,
                                                    std::size_t reach = OutsideWindow::rim) {
  using Solver = OutsideSolver<G, Seed>;
  const Budget::Reservation taken =
      context.budget.reserve(Solver::bytes(tables.points(), wanted.size(), spare.size(), reach));
  const auto start = std::chrono::steady_clock::now();
  SolveMonitor monitor(context.options, Solver::operations(tables.points()));
  const int threads = threads_for(tables.points(), context.options);
  auto found = Solver(grammar, tables, wanted, seed, std::move(spare), result).solve(threads, monitor);
  context.report.threads = std::max(context.report.threads, threads);
  context.report.solve_seconds += seconds_since(start);
  return found;
}

/// The derivatives by prefix tables. Raises Error{infeasible} if the whole is 0.
template <class G>
PrefixOutside<G> outside_of_prefixes(const G& grammar, const GrammarTables<G>& tables, Context& context) {
  const Scaled whole = tables.value();
  if (whole.is_zero()) reject_no_derivation();
  PrefixOutside<G> outside(grammar, tables);
  if constexpr (has_prefixes<G>) {
    Team team(threads_for(tables.points(), context.options));
    outside.solve(Scaled(1) / whole, team, SolveMonitor(context.options, 0));
  }
  return outside;
}

/// The derivative of ln Z by T(table,i,j), apart from the terms of tables: Scaled seed(table, i, j).
template <class G>
auto seed_of(const GrammarTables<G>& tables, const PrefixOutside<G>& outside) {
  return [&tables, &outside, seed = Scaled(1) / tables.value()](unsigned table, std::size_t i, std::size_t j) {
    const bool is_whole = table == start_of<G>() && i == 0 && j + 1 == tables.points();
    return is_whole ? seed : outside.by_table(table, i, j);
  };
}

}  // namespace detail

template <class G>
Outcome<IntervalTable<double>> marginals(const G& grammar, const GrammarTables<G>& tables, unsigned table,
                                         const Options& options) {
  Report report{.device = "cpu", .algorithm = "tiled"};
  Context context(options, report);
  const Budget::Reservation taken = context.budget.reserve(detail::PrefixOutside<G>::bytes(tables.points()));
  const auto prefixes = detail::outside_of_prefixes(grammar, tables, context);
  const std::vector<unsigned> wanted = {table};
  auto found = detail::seeded_marginals(grammar, tables, {&wanted, 1}, detail::seed_of(tables, prefixes), context);
  report.peak_bytes = context.budget.peak();
  return {std::move(found[0]), std::move(report)};
}

template <class G>
Outcome<std::vector<double>> prefix_marginals(const G& grammar, const GrammarTables<G>& tables, unsigned prefix,
                                              const Options& options) {
  detail::check_number("prefix table", prefix, prefix_count<G>);
  Report report{.device = "cpu", .algorithm = "tiled"};
  Context context(options, report);
  const Budget::Reservation taken = context.budget.reserve(detail::PrefixOutside<G>::bytes(tables.points()));
  const auto start = std::chrono::steady_clock::now();
  const auto outside = detail::outside_of_prefixes(grammar, tables, context);
  std::vector<double> found;
  for (std::size_t j = 0; j < tables.points(); ++j) {
    found.push_back((outside.by_prefix(prefix, j) * tables.prefix_value(prefix, j)).times_power_of_two(0));
  }
  report.threads = detail::threads_for(tables.points(), options);
  report.solve_seconds = seconds_since(start);
  report.peak_bytes = context.budget.peak();
  return {std::move(found), std::move(report)};
}

}  // namespace warpfold::interval
