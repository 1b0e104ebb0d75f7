#include <fmt/format.h>

#include <algorithm>
#include <string>

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

using Tables = GrammarTables<SumGrammar>;

/// A structure that is drawn from the sums.
template <class Exterior>
std::string sample(const SumGrammar& grammar, const Tables& tables, const Exterior& exterior, std::uint64_t seed,
                   std::uint64_t number) {
  std::string structure(tables.points() - 1, '.');
  interval::SeededRandom random(seed, number);
  for (const auto& [i, j] : exterior.sample(random)) {
    for (const auto& step : interval::sample_derivation(grammar, tables, SumGrammar::paired, i, j, random)) {
      if (step.table != SumGrammar::paired) continue;
      structure[step.i] = '(';
      structure[step.j - 1] = ')';
    }
  }
  return structure;
}

Ensemble solve(const EnsembleProblem& problem, const Sequence& sequence, Context& context) {
  const LoopEnergies energies(sequence, problem.fold.parameters, problem.fold.request);
  const LoopWeights weights(energies);
  const SumGrammar grammar{weights};
  const EnsembleRequest& wanted = problem.wanted;
  Ensemble found;
  const Budget::Reservation held = context.budget.reserve(Tables::bytes(problem.points));
  const auto tables = interval::detail::solve_grammar_tiled<SumGrammar>({grammar, problem.points}, context);
  const auto paired = [&](std::size_t i, std::size_t j) { return tables.value(SumGrammar::paired, i, j); };
  ExteriorSums exterior(weights, paired);
  found.energy = -energies.kt() * exterior.whole().ln();
  if (wanted.pairs) {
    exterior.look_back();
    const auto seed = [&](unsigned table, std::size_t i, std::size_t j) {
      return table == SumGrammar::paired ? exterior.seed(i, j) : Scaled();
    };
    const auto marginals = interval::detail::seeded_marginals(grammar, tables, SumGrammar::paired, seed, context);
    list_pairs(found, sequence.size(), wanted.threshold,
               [&](std::size_t i, std::size_t j) { return marginals.value(i, j + 1); });
  }
  found.samples.resize(wanted.samples);
  Team team(context.report.threads);
  const SolveMonitor monitor(context.options, 0);
  team.parallel_for(wanted.samples, [&](std::size_t t, int) {
    monitor.check();
    found.samples[t] = sample(grammar, tables, exterior, wanted.seed, t);
  });
  return found;
}

}  // namespace

std::size_t ensemble_tiled_bytes(const EnsembleProblem& problem, const Options& options) {
  const Sequence none("");
  const LoopEnergies energies(none, problem.fold.parameters, problem.fold.request);
  const LoopWeights weights(energies);
  const GrammarProblem<SumGrammar> sums{SumGrammar{weights}, problem.points};
  const auto seed = [](unsigned, std::size_t, std::size_t) { return Scaled(); };
  using Outside = interval::detail::OutsideSolver<SumGrammar, decltype(seed)>;
  return interval::detail::grammar_bytes(sums, options) + (problem.wanted.pairs ? Outside::bytes(problem.points) : 0) +
         problem.wanted.samples * problem.points;
}

Ensemble ensemble_tiled(const EnsembleProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  if (sequence.size() < 2) {
    const LoopEnergies checked(sequence, problem.fold.parameters, problem.fold.request);
    Ensemble alone;
    if (problem.wanted.pairs) list_pairs(alone, sequence.size(), 1, [](std::size_t, std::size_t) { return 0.0; });
    alone.samples.assign(problem.wanted.samples, std::string(sequence.size(), '.'));
    return alone;
  }
  try {
    return solve(problem, sequence, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    throw Error(ErrorKind::input,
                fmt::format("the weights of structures at {} degrees Celsius leave the range ({}): higher temperatures "
                            "are accepted",
                            problem.fold.request.temperature, error.what()));
  }
}

}  // namespace warpfold::rna
