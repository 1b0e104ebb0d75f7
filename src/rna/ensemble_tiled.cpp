#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/ensemble_backends.hpp"
#include "rna/exterior_sums.hpp"
#include "rna/sum_grammar.hpp"
#include "warpfold/interval/marginals.hpp"
#include "warpfold/interval/sample.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::rna {

using interval::GrammarTables;
using interval::detail::GrammarProblem;

namespace {

/// A structure that is drawn from the sums.
template <class G, class Exterior>
std::string sample(const G& grammar, const GrammarTables<G>& tables, const Exterior& exterior, std::uint64_t seed,
                   std::uint64_t number) {
  std::string structure(tables.points() - 1, '.');
  interval::SeededRandom random(seed, number);
  for (const auto& [i, j] : exterior.sample(random)) {
    for (const auto& step : interval::sample_derivation(grammar, tables, G::helix, i, j, random)) {
      if (step.table != G::paired && step.table != G::helix) continue;
      structure[step.i] = '(';
      structure[step.j - 1] = ')';
    }
  }
  return structure;
}

/// The tables that marginals do not read: they are no operands of the product. Their memory is used again.
template <class G>
constexpr std::array<unsigned, 2> unread = {G::single, G::branches};

template <class G>
Ensemble solve(const G& grammar, const EnsembleProblem& problem, Context& context) {
  const EnsembleRequest& wanted = problem.wanted;
  const LoopWeights& weights = grammar.loops;
  Ensemble found;
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  auto tables = interval::detail::solve_grammar_tiled<G>({grammar, problem.points}, context);
  const auto paired = [&](std::size_t i, std::size_t j) { return tables.value(G::helix, i, j); };
  ExteriorSums exterior(weights, paired);
  found.energy = -weights.energies().kt() * exterior.whole().ln();
  found.samples.resize(wanted.samples);
  Team team(context.report.threads);
  const SolveMonitor monitor(context.options, 0);
  team.parallel_for(wanted.samples, [&](std::size_t t, int) {
    monitor.check();
    found.samples[t] = sample(grammar, tables, exterior, wanted.seed, t);
  });
  if (wanted.pairs) {
    exterior.look_back();
    const auto seed = [&](unsigned table, std::size_t i, std::size_t j) {
      return table == G::helix ? exterior.seed(i, j) : Scaled();
    };
    constexpr std::array<unsigned, 2> pairs = {G::helix, G::paired};
    std::vector<TileStorage<double>> spare;
    for (const unsigned table : unread<G>) spare.push_back(tables.take_storage(table));
    const auto marginals = interval::detail::seeded_marginals(
        grammar, tables, std::span(pairs).first(G::helix == G::paired ? 1 : 2), seed, context, std::move(spare));
    list_pairs(found, problem.points - 1, wanted.threshold,
               [&](std::size_t i, std::size_t j) { return marginals.value(i, j + 1); });
  }
  return found;
}

template <class G>
std::size_t bytes_of_sums(const G& grammar, const EnsembleProblem& problem, const Options& options) {
  const auto seed = [](unsigned, std::size_t, std::size_t) { return Scaled(); };
  using Outside = interval::detail::OutsideSolver<G, decltype(seed)>;
  const std::size_t tables = GrammarTables<G>::bytes(problem.points);
  const std::size_t inside = interval::detail::grammar_bytes(GrammarProblem<G>{grammar, problem.points}, options);
  // Where bases have to pair, each loop is a term. Otherwise the small ones are, of three unpaired bases a side at
  // most.
  const std::size_t reach = problem.fold.request.constraint.empty() ? 4 : max_loop + 1;
  const std::size_t outside =
      problem.wanted.pairs ? tables + Outside::bytes(problem.points, unread<G>.size(), reach) : 0;
  return std::max(inside, outside) + problem.wanted.samples * problem.points;
}

}  // namespace

std::size_t ensemble_tiled_bytes(const EnsembleProblem& problem, const Options& options) {
  const Sequence none("");
  const LoopEnergies energies(none, problem.fold.parameters, problem.fold.request_for(0));
  const LoopWeights weights(energies);
  if (problem.fold.request.lone_pairs) return bytes_of_sums(SumGrammar<true>{weights}, problem, options);
  return bytes_of_sums(SumGrammar<false>{weights}, problem, options);
}

Ensemble ensemble_tiled(const EnsembleProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  const LoopEnergies energies(sequence, problem.fold.parameters, problem.fold.request_for(sequence.size()));
  const LoopWeights weights(energies);
  if (sequence.size() < 2) {
    Ensemble alone = ensemble_by_reference(problem, context);
    alone.samples.assign(problem.wanted.samples, std::string(sequence.size(), '.'));
    return alone;
  }
  try {
    if (problem.fold.request.lone_pairs) return solve(SumGrammar<true>{weights}, problem, context);
    return solve(SumGrammar<false>{weights}, problem, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    throw Error(ErrorKind::input,
                fmt::format("the weights of structures at {} degrees Celsius leave the range ({}): higher temperatures "
                            "are accepted",
                            problem.fold.request.temperature, error.what()));
  }
}

}  // namespace warpfold::rna
