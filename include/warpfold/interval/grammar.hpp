#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/derivation_search.hpp"
#include "warpfold/interval/detail/grammar_backends.hpp"
#include "warpfold/interval/grammar_model.hpp"

/// Solves a user's grammar on the CPU. grammar_model.hpp describes how to write one.
namespace warpfold::interval {

/// Solves a grammar for n >= 2 points on the CPU and returns its tables. `plus` sees its candidates in the same order
/// for every number of threads: a product's from the middle outwards, a stencil's by a and then b.
///
/// Raises:
/// * Error{input} for fewer than 2 points, and for 2^32 points or more;
/// * Error{overflow} or Error{input} for values outside the range in recurrence_model.hpp;
/// * Error{infeasible} if the whole has no value and the semiring's zero() is infinite;
/// * Error{device} for a GPU (grammar.cuh solves there);
/// * Error{usage} for an algorithm other than "tiled", and for terms that break a rule of grammar_model.hpp;
/// * Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
///
/// Cost: see grammar_model.hpp. Memory: the tables, and a tile for each product and tile that is being filled.
template <class G>
[[nodiscard]] Outcome<GrammarTables<G>> solve_grammar(const G& grammar, std::size_t points,
                                                      const Options& options = {}) {
  const detail::GrammarProblem<G> problem{grammar, points};
  auto outcome = solve_by(detail::grammar_backends<G>(), problem, problem, options);
  if constexpr (SemiringTraits<typename G::Semiring>::has_infinite_zero) {
    detail::check_feasible<typename G::Semiring>(points, outcome.solution.value());
  }
  return outcome;
}

/// Estimates solve_grammar. The rate is measured on the first points. Raises what solve_grammar raises for the options,
/// and for those points.
template <class G>
[[nodiscard]] Estimate estimate_grammar(const G& grammar, std::size_t points, const Options& options = {}) {
  detail::check_points(points, IntervalTable<GrammarValue<G>>::max_points);
  return estimate_by(detail::grammar_backends<G>(), {grammar, points}, options);
}

/// Solves many grammars: grammars[t] for points[t] points, each by one thread, and returns their tables in that order.
/// Raises what solve_grammar raises, except Error{infeasible}. Raises Error{usage} if the two lists differ in length.
template <class G>
[[nodiscard]] Outcome<std::vector<GrammarTables<G>>> solve_grammars(std::span<const G> grammars,
                                                                    std::span<const std::size_t> points,
                                                                    const Options& options = {}) {
  if (grammars.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(grammars.size()) + " grammars have " + std::to_string(points.size()) +
                                      " numbers of points: as many are accepted");
  }
  const detail::GrammarBatch<G> batch{grammars, points};
  return solve_by(detail::grammar_batch_backends<G>(), batch, batch, options);
}

/// The same for a vector.
template <class G>
[[nodiscard]] Outcome<std::vector<GrammarTables<G>>> solve_grammars(const std::vector<G>& grammars,
                                                                    std::span<const std::size_t> points,
                                                                    const Options& options = {}) {
  return solve_grammars(std::span<const G>(grammars), points, options);
}

namespace detail {

/// Raises Error{infeasible} if T(table,i,j) has no value.
template <class G, class Tables>
void check_has_derivation(const Tables& tables, unsigned table, std::size_t i, std::size_t j) {
  const bool is_prefix = table >= table_count<G> && i == 0;
  if ((i >= j && !is_prefix) || Stored<typename G::Semiring>::is_zero(stored_value(tables, table, i, j))) {
    throw Error(ErrorKind::infeasible, place_in_table(table, i, j) + " has no value, and so no derivation");
  }
}

/// The derivation of T(table,i,j) from tables that have a `stored_value`: see below.
template <class G, class Tables>
std::vector<Step> derive(const G& grammar, const Tables& tables, unsigned table, std::size_t i, std::size_t j,
                         const Options& options) {
  using S = typename G::Semiring;
  static_assert(SemiringTraits<S>::is_selective, "a derivation belongs to a semiring that chooses one of its terms");
  check_has_derivation<G>(tables, table, i, j);
  const SolveMonitor monitor(options, 0);
  std::vector<Step> steps;
  expand(open_interval(table, i, j), [&](const OpenInterval& at) {
    monitor.check();
    const auto found = TermSearch<G, Tables>(grammar, tables, at.table, at.i, at.j)();
    steps.push_back(found.step);
    return found;
  });
  return steps;
}

}  // namespace detail

/// The derivation of T(table,i,j): the terms that give it its value, found by computing terms again. Each step is
/// before the steps inside it, the left before the right.
///
/// Ties: the first term in `terms`; of a product the smallest k; of a stencil the smallest a, then the smallest b; of a
/// prefix sum the smallest i.
///
/// For selective semirings. Raises Error{infeasible} if there is no value, Error{time_limit} and Error{cancelled} as
/// the options ask. Cost: at most j - i steps of O(j - i) for each product.
template <class G>
[[nodiscard]] std::vector<Step> derivation(const G& grammar, const GrammarTables<G>& tables, unsigned table,
                                           std::size_t i, std::size_t j, const Options& options = {}) {
  return detail::derive(grammar, tables, table, i, j, options);
}

/// The derivation of the whole: of T(start, 0, points()-1).
template <class G>
[[nodiscard]] std::vector<Step> derivation(const G& grammar, const GrammarTables<G>& tables,
                                           const Options& options = {}) {
  return derivation(grammar, tables, detail::start_of<G>(), 0, tables.points() - 1, options);
}

}  // namespace warpfold::interval
