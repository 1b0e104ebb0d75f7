#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rna/backends.hpp"
#include "rna/circular.hpp"
#include "rna/exterior.hpp"
#include "rna/folding_grammar.hpp"
#include "rna/folding_rows.hpp"
#include "warpfold/interval/grammar.hpp"

namespace warpfold::rna {

using interval::GrammarTables;

namespace {

/// The bytes of the lists for vector code.
std::size_t bytes_of_rows(const FoldProblem& problem) {
  return FoldingRows::supports(problem.request) ? FoldingRows::bytes(problem.sequence, problem.points - 1) : 0;
}

Sequence beginning(const Sequence& sequence, std::size_t bases) {
  return Sequence(std::string_view(sequence.letters()).substr(0, bases));
}

}  // namespace

std::size_t tiled_bytes(const FoldProblem& problem, const Options& options) {
  const std::size_t of_tables = problem.request.lone_pairs
                                    ? interval::detail::bytes_for_points<RowFolding<true>>(problem.points, options)
                                    : interval::detail::bytes_for_points<RowFolding<false>>(problem.points, options);
  return of_tables + bytes_of_rows(problem);
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

/// The least energies of pairs, for the exterior loop.
struct PairedTable {
  const interval::IntervalTable<Energy>& table;
  const FoldingRows* rows;

  [[nodiscard]] Energy operator()(std::size_t i, std::size_t j) const { return std::min(table.value(i, j), no_loop); }
  bool add_pairs(std::size_t i, std::vector<Energy>& least) const {
    if (rows == nullptr) return false;
    constexpr std::size_t side = interval::IntervalTable<Energy>::side;
    const std::size_t end = least.size() - 1;
    for (std::size_t j = i + 1; j < end;) {
      const std::size_t next = std::min(end, (j / side + 1) * side);
      const Energy* values = table.tile(i / side, j / side) + i % side * side + j % side;
      rows->kernels().add_pairs(least[i], values, rows->exterior(i, j), next - j, least.data() + j);
      j = next;
    }
    return true;
  }
};

template <class G>
Folding fold_by(const G& grammar, std::size_t points, Context& context) {
  const auto tables = fill(grammar, points, context);
  const PairedTable paired{tables.table(G::helix), grammar.rows};
  const Exterior exterior(grammar.energies, paired);
  Folding folding{exterior.energy(), std::string(points - 1, '.')};
  for (const auto& [i, j] : exterior.pairs()) mark(grammar, tables, G::helix, i, j, context.options, folding);
  return folding;
}

template <class G>
Folding fold_circular(const G& grammar, const LoopThroughEnds<LoopEnergies>& loops, std::size_t points,
                      Context& context) {
  const auto tables = fill(grammar, points, context);
  const LeastEnergies<G, G::stems> values{tables};
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
  const LoopEnergies energies = problem.energies_of(sequence);
  if (sequence.size() < 2) return fold_by_reference(problem, context);
  const Budget::Reservation of_rows = context.budget.reserve(bytes_of_rows(problem));
  const std::unique_ptr<FoldingRows> rows =
      FoldingRows::supports(problem.request) ? FoldingRows::of(energies) : nullptr;
  if (problem.request.circular) {
    const WrittenTwice twice(sequence, problem.parameters, problem.request_for(sequence.size()));
    const LoopThroughEnds<LoopEnergies> loops(energies, twice.energies());
    return fold_circular(RowFolding<true>{{energies}, rows.get()}, loops, problem.points, context);
  }
  if (problem.request.lone_pairs) return fold_by(RowFolding<true>{{energies}, rows.get()}, problem.points, context);
  return fold_by(RowFolding<false>{{energies}, rows.get()}, problem.points, context);
}

}  // namespace warpfold::rna
