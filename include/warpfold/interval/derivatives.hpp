#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/weight_derivatives.hpp"
#include "warpfold/interval/marginals.hpp"

/// The derivatives of the logarithm of a grammar's sum (ScaledSum) by its weights: the gradient for learning them.
namespace warpfold::interval {

/// The derivatives of ln Z by numbers of the caller, where Z is the value of the whole: one result for each list of
/// numbers, of the same length. A number takes part wherever the grammar uses it as a Weight (grammar_model.hpp): in a
/// term, or as the result of loop, inner or join. A Weight of a number that is in no list is a constant, and so is what
/// the grammar uses without Weight.
///
///     weight * derivative = how often a derivation uses the weight, on average
///
/// A number of 0 has a derivative, too: that of what it would let in.
///
/// Equal bits for every number of threads and every instruction set.
///
/// Raises what `marginals` raises, and Error{overflow} for a derivative beyond the range of double.
///
/// Cost: that of the marginals; n^3/6 operations more for each product in a term with a Weight; n*n/2 times
/// (deep+1)(deep+2)/2 more for each stencil in such a term, and again if loop or inner returns one. Memory: n*n/2
/// values for each table and for each product.
template <class G>
[[nodiscard]] Outcome<std::vector<std::vector<double>>> weight_derivatives(
    const G& grammar, const GrammarTables<G>& tables, std::span<const std::span<const double>> numbers,
    const Options& options = {});

namespace detail {

/// The outside values of every table.
template <class G>
std::vector<IntervalTable<double>> all_outside_values(const G& grammar, const GrammarTables<G>& tables,
                                                      const PrefixOutside<G>& prefixes, Context& context) {
  std::vector<std::vector<unsigned>> each_table;
  for (unsigned t = 0; t < table_count<G>; ++t) each_table.push_back({t});
  return seeded_marginals(grammar, tables, each_table, seed_of(tables, prefixes), context, {},
                          OutsideResult::outside_values);
}

/// Adds the derivatives by the terms of tables: the diagonals of tiles, and the tiles of each in their order.
template <class G>
void add_tile_derivatives(const G& grammar, const GrammarTables<G>& tables,
                          std::span<const IntervalTable<double>> outside, Team& team, const SolveMonitor& monitor,
                          Derivatives& sums) {
  std::vector<StencilWeights<G>> weights;
  for (std::size_t s = 0; s < stencils_of<G>().size(); ++s) {
    weights.emplace_back(grammar, s, static_cast<std::ptrdiff_t>(stencil_stride<G>(s)));
  }
  std::vector<std::unique_ptr<TileDerivatives<G>>> of_thread(static_cast<std::size_t>(team.size()));
  const std::size_t along = IntervalTable<double>::tiles(tables.points());
  for (std::size_t distance = 0; distance < along; ++distance) {
    std::vector<DerivativeParts> parts(along - distance);
    team.parallel_for(parts.size(), [&](std::size_t i, int thread) {
      monitor.check();
      auto& own = of_thread[static_cast<std::size_t>(thread)];
      if (!own) own = std::make_unique<TileDerivatives<G>>(grammar, tables, weights, outside);
      parts[i] = own->of_tile(i, i + distance);
    });
    for (const DerivativeParts& one : parts) sums.add(one);
  }
}

/// The most bytes that the parts of prefix tables' derivatives take, of as many blocks of points as there are threads.
template <class G>
[[nodiscard]] std::size_t bytes_of_prefix_parts(std::size_t points, int threads) {
  if constexpr (!has_prefixes<G>) return 0;
  return static_cast<std::size_t>(threads) * tiles::tile_side * points * (prefix_sums_of<G>().size() + 1) *
         sizeof(DerivativeParts::Part);
}

/// Adds the derivatives by the terms of prefix tables, by blocks of points: as many at a time as there are threads.
template <class G>
void add_prefix_derivatives(const G& grammar, const GrammarTables<G>& tables, const PrefixOutside<G>& outside,
                            Team& team, const SolveMonitor& monitor, Derivatives& sums) {
  constexpr std::size_t side = tiles::tile_side;
  const std::size_t n = tables.points(), blocks = (n + side - 1) / side;
  const auto at_a_time = static_cast<std::size_t>(team.size());
  for (std::size_t first = 0; first < blocks; first += at_a_time) {
    std::vector<DerivativeParts> parts(std::min(at_a_time, blocks - first));
    team.parallel_for(parts.size(), [&](std::size_t t, int) {
      const std::size_t block = first + t;
      for (std::size_t j = block * side; j < std::min(n, (block + 1) * side); ++j) {
        monitor.check();
        PrefixDerivatives<G> terms(grammar, tables, outside, j, parts[t]);
        grammar.prefix_terms(j, terms);
        terms.add_joins();
      }
      parts[t].combine();
    });
    for (const DerivativeParts& one : parts) sums.add(one);
  }
}

}  // namespace detail

template <class G>
Outcome<std::vector<std::vector<double>>> weight_derivatives(const G& grammar, const GrammarTables<G>& tables,
                                                             std::span<const std::span<const double>> numbers,
                                                             const Options& options) {
  Report report{.device = "cpu", .algorithm = "tiled"};
  Context context(options, report);
  const std::size_t n = tables.points();
  const Budget::Reservation of_prefixes = context.budget.reserve(detail::PrefixOutside<G>::bytes(n));
  const auto prefixes = detail::outside_of_prefixes(grammar, tables, context);
  const auto outside = detail::all_outside_values(grammar, tables, prefixes, context);
  const auto start = std::chrono::steady_clock::now();
  const Budget::Reservation of_tables =
      context.budget.reserve(table_count<G> * held_bytes_of_tiles(IntervalTable<double>::bytes(n)));
  Team team(detail::threads_for(n, options));
  const Budget::Reservation of_parts = context.budget.reserve(detail::bytes_of_prefix_parts<G>(n, team.size()));
  const SolveMonitor monitor(options, 0);
  detail::Derivatives sums(numbers);
  detail::add_tile_derivatives<G>(grammar, tables, outside, team, monitor, sums);
  if constexpr (has_prefixes<G>) {
    detail::add_prefix_derivatives(grammar, tables, prefixes, team, monitor, sums);
  }
  report.solve_seconds += seconds_since(start);
  report.peak_bytes = context.budget.peak();
  return {sums.take(), std::move(report)};
}

/// The same for one list.
template <class G>
[[nodiscard]] Outcome<std::vector<double>> weight_derivatives(const G& grammar, const GrammarTables<G>& tables,
                                                              const std::vector<double>& numbers,
                                                              const Options& options = {}) {
  const std::span<const double> one = numbers;
  auto [found, report] = weight_derivatives(grammar, tables, std::span(&one, 1), options);
  return {std::move(found[0]), std::move(report)};
}

}  // namespace warpfold::interval
