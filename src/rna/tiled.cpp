#include <string>

#include "rna/backends.hpp"
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
  const LoopEnergies energies(none, problem.parameters, problem.request);
  return interval::detail::grammar_bytes(GrammarProblem<FoldingGrammar>{FoldingGrammar{energies}, problem.points},
                                         options);
}

Folding fold_tiled(const FoldProblem& problem, Context& context) {
  const Sequence sequence = beginning(problem.sequence, problem.points - 1);
  const LoopEnergies energies(sequence, problem.parameters, problem.request);
  if (sequence.size() < 2) return {0, std::string(sequence.size(), '.')};
  const FoldingGrammar grammar{energies};
  const auto tables = interval::detail::solve_grammar_tiled<FoldingGrammar>({grammar, problem.points}, context);
  const auto paired = [&](std::size_t i, std::size_t j) {
    return std::min(tables.value(FoldingGrammar::paired, i, j), no_loop);
  };
  const Exterior exterior(energies, paired);
  Folding folding{exterior.energy(), std::string(sequence.size(), '.')};
  for (const auto& [i, j] : exterior.pairs()) {
    for (const auto& step : derivation(grammar, tables, FoldingGrammar::paired, i, j, context.options)) {
      if (step.table != FoldingGrammar::paired) continue;
      folding.structure[step.i] = '(';
      folding.structure[step.j - 1] = ')';
    }
  }
  return folding;
}

}  // namespace warpfold::rna
