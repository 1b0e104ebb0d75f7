#include <string>

#include "rna/backends.hpp"
#include "rna/circular.hpp"
#include "rna/exterior.hpp"
#include "rna/folding_grammar.hpp"
#include "warpfold/interval/grammar.hpp"

namespace warpfold::rna {

using interval::GrammarTables;
using interval::detail::GrammarProblem;

namespace {

Sequence beginning(const Sequence& sequence, std::size_t bases) {
  return Sequence(std::string_view(sequence.letters()).substr(0, bases));
}

}  // namespace

std::size_t tiled_bytes(const FoldProblem& problem, const Options& options) {
  const Sequence none("");
  const LoopEnergies energies(none, problem.parameters, problem.request_for(0));
  const auto bytes = [&](const auto& grammar) {
    return interval::detail::grammar_bytes(
        GrammarProblem<std::remove_cvref_t<decltype(grammar)>>{grammar, problem.points}, options);
  };
  return problem.request.lone_pairs ? bytes(FoldingGrammar<true>{energies}) : bytes(FoldingGrammar<false>{energies});
}

namespace {

/// Marks the pairs of the derivation of an interval.
template <class G>
void mark(const G& grammar, const GrammarTables<G>& tables, unsigned table, std::size_t i, std::size_t j,
          const Options& options, Folding& folding) {
  for (const auto& step : derivation(grammar, tables, table, i, j, options)) {
    if (step.table != G::paired && step.table != G::helix) continue;
    folding.structure[step.i] = '(';
    folding.structure[step.j - 1] = ')';
  }
}

/// The tables of a folding. A checkpointer tells it from others by its energies and its tables.
template <class G>
GrammarTables<G> fill(const G& grammar, std::size_t points, Context& context) {
  const auto describe = [&](std::size_t i, std::vector<std::byte>& bytes) {
    if (i == 0) bytes.push_back(static_cast<std::byte>(G::tables));
    grammar.energies.describe(i, bytes);
  };
  return interval::detail::solve_grammar_tiled<G>({grammar, points}, context, describe);
}

template <class G>
Folding fold_by(const G& grammar, std::size_t points, Context& context) {
  const auto tables = fill(grammar, points, context);
  const auto paired = [&](std::size_t i, std::size_t j) { return std::min(tables.value(G::helix, i, j), no_loop); };
  const Exterior exterior(grammar.energies, paired);
  Folding folding{exterior.energy(), std::string(points - 1, '.')};
  for (const auto& [i, j] : exterior.pairs()) mark(grammar, tables, G::helix, i, j, context.options, folding);
  return folding;
}

/// What the loop through the ends of a circular sequence reads.
template <class G>
struct CircularTables {
  const GrammarTables<G>& tables;

  [[nodiscard]] Energy helix(std::size_t i, std::size_t j) const {
    return std::min(tables.value(G::helix, i, j), no_loop);
  }
  [[nodiscard]] Energy branches(std::size_t i, std::size_t j) const {
    return std::min(tables.value(G::branches, i, j), no_loop);
  }
  [[nodiscard]] Energy stems(std::size_t i, std::size_t j) const {
    return std::min(tables.value(G::stems, i, j), no_loop);
  }
};

template <class G>
Folding fold_circular(const G& grammar, const LoopThroughEnds<LoopEnergies>& loops, std::size_t points,
                      Context& context) {
  const auto tables = fill(grammar, points, context);
  const CircularTables<G> values{tables};
  const CircularExterior exterior(loops, values, points - 1);
  const auto& [pairs, count, split] = exterior.loop();
  Folding folding{exterior.energy(), std::string(points - 1, '.')};
  for (std::size_t t = 0; t < count; ++t) {
    mark(grammar, tables, G::helix, pairs[t].i, pairs[t].j, context.options, folding);
  }
  if (split > 0) {
    mark(grammar, tables, G::branches, 0, split, context.options, folding);
    mark(grammar, tables, G::stems, split, points - 1, context.options, folding);
  }
  return folding;
}

}  // namespace

Folding fold_tiled(const FoldProblem& problem, Context& context) {
  const Sequence sequence = beginning(problem.sequence, problem.points - 1);
  const LoopEnergies energies(sequence, problem.parameters, problem.request_for(sequence.size()));
  if (sequence.size() < 2) return fold_by_reference(problem, context);
  if (problem.request.circular) {
    const WrittenTwice twice(sequence, problem.parameters, problem.request_for(sequence.size()));
    const LoopThroughEnds<LoopEnergies> loops(energies, twice.energies());
    return fold_circular(FoldingGrammar<true>{energies}, loops, problem.points, context);
  }
  if (problem.request.lone_pairs) return fold_by(FoldingGrammar<true>{energies}, problem.points, context);
  return fold_by(FoldingGrammar<false>{energies}, problem.points, context);
}

}  // namespace warpfold::rna
