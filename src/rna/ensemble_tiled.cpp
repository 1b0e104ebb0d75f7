#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <type_traits>
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

/// The tables, by threads of the CPU.
struct OnCpu {
  template <class G>
  static GrammarTables<G> tables(const G& grammar, const EnsembleProblem& problem, Context& context) {
    return interval::detail::solve_grammar_tiled<G>({grammar, problem.points}, context);
  }
};

/// The tables from a GPU.
struct OnGpu {
  template <bool lone_pairs>
  static GrammarTables<SumGrammar<lone_pairs>> tables(const SumGrammar<lone_pairs>& grammar,
                                                      const EnsembleProblem& problem, Context& context) {
    context.report.threads = interval::detail::threads_for(problem.points, context.options);
    return cuda::sum_tables<lone_pairs>(grammar.loops, problem.points, context);
  }
};

/// -kT ln Z, and 0 rather than -0 for Z = 1.
double energy_of(const LoopWeights& weights, const Scaled& whole) { return 0 - weights.energies().kt() * whole.ln(); }

/// The tables that marginals do not read: they are no operands of the product. Their memory is used again.
template <class G>
constexpr std::array<unsigned, 2> unread = {G::single, G::branches};

template <class Where, class G>
Ensemble solve(const G& grammar, const EnsembleProblem& problem, Context& context) {
  const EnsembleRequest& wanted = problem.wanted;
  const LoopWeights& weights = grammar.loops;
  Ensemble found;
  const Budget::Reservation held = context.budget.reserve(GrammarTables<G>::bytes(problem.points));
  auto tables = Where::tables(grammar, problem, context);
  const auto paired = [&](std::size_t i, std::size_t j) { return tables.value(G::helix, i, j); };
  ExteriorSums exterior(weights, paired);
  found.energy = energy_of(weights, exterior.whole());
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

template <class Where, class G>
std::size_t bytes_of_sums(const G& grammar, const EnsembleProblem& problem, const Options& options) {
  const auto seed = [](unsigned, std::size_t, std::size_t) { return Scaled(); };
  using Outside = interval::detail::OutsideSolver<G, decltype(seed)>;
  const std::size_t tables = GrammarTables<G>::bytes(problem.points);
  const std::size_t inside = std::is_same_v<Where, OnGpu>
                                 ? tables
                                 : interval::detail::grammar_bytes(GrammarProblem<G>{grammar, problem.points}, options);
  // Where bases have to pair, each loop is a term. Otherwise the small ones are, of three unpaired bases a side at
  // most.
  const std::size_t reach = problem.fold.request.constraint.empty() ? 4 : max_loop + 1;
  const std::size_t outside =
      problem.wanted.pairs ? tables + Outside::bytes(problem.points, unread<G>.size(), reach) : 0;
  return std::max(inside, outside) + problem.wanted.samples * problem.points;
}

/// Calls visit with the grammar of a sequence, or of its beginning.
template <class Visit>
auto with_sum_grammar(const EnsembleProblem& problem, const Sequence& sequence, const Visit& visit) {
  const LoopEnergies energies(sequence, problem.fold.parameters, problem.fold.request_for(sequence.size()));
  const LoopWeights weights(energies);
  if (problem.fold.request.lone_pairs) return visit(SumGrammar<true>{weights});
  return visit(SumGrammar<false>{weights});
}

template <class Where>
Ensemble ensemble_by(const EnsembleProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.fold.sequence.letters()).substr(0, problem.points - 1));
  if (sequence.size() < 2) {
    Ensemble alone = ensemble_by_reference(problem, context);
    alone.samples.assign(problem.wanted.samples, std::string(sequence.size(), '.'));
    return alone;
  }
  try {
    return with_sum_grammar(problem, sequence, [&]<bool lone_pairs>(const SumGrammar<lone_pairs>& grammar) {
      if (std::is_same_v<Where, OnGpu> && problem.is_only_energy()) {
        const Scaled whole = cuda::sum_of_all<lone_pairs>(grammar.loops, problem.points, context);
        if (whole.is_zero()) reject_constraint();
        return Ensemble{.energy = energy_of(grammar.loops, whole)};
      }
      return solve<Where>(grammar, problem, context);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::overflow) throw;
    throw Error(ErrorKind::input,
                fmt::format("the weights of structures at {} degrees Celsius leave the range ({}): higher temperatures "
                            "are accepted",
                            problem.fold.request.temperature, error.what()));
  }
}

template <class Where>
std::size_t bytes_by(const EnsembleProblem& problem, const Options& options) {
  return with_sum_grammar(problem, Sequence(""),
                          [&]<class G>(const G& grammar) { return bytes_of_sums<Where>(grammar, problem, options); });
}

}  // namespace

std::size_t ensemble_tiled_bytes(const EnsembleProblem& problem, const Options& options) {
  return bytes_by<OnCpu>(problem, options);
}
Ensemble ensemble_tiled(const EnsembleProblem& problem, Context& context) {
  return ensemble_by<OnCpu>(problem, context);
}

std::size_t ensemble_on_gpu_bytes(const EnsembleProblem& problem, const Options& options) {
  if (problem.is_only_energy()) return 0;
  return bytes_by<OnGpu>(problem, options);
}
std::size_t ensemble_device_bytes(const EnsembleProblem& problem, const Options&) {
  return with_sum_grammar(problem, Sequence(""), [&]<bool lone_pairs>(const SumGrammar<lone_pairs>& grammar) {
    return cuda::bytes_of_sum_tables<lone_pairs>(problem.points, grammar.loops.energies().kt());
  });
}
Ensemble ensemble_on_gpu(const EnsembleProblem& problem, Context& context) {
  context.take_device_memory(ensemble_device_bytes(problem, context.options));
  return ensemble_by<OnGpu>(problem, context);
}

}  // namespace warpfold::rna
