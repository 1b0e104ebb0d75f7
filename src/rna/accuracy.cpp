#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/rna/ensemble.hpp"

namespace warpfold::rna {

namespace {

/// The expected accuracy inside each interval. Point i stands before base i.
///
///     pair    base i pairs with base j-1
///     all     any structure
struct AccuracyGrammar {
  using Semiring = MaxPlus<double>;
  enum Table : unsigned { pair, all, tables };
  static constexpr interval::Product products[] = {{.left = all, .right = pair}};

  const std::vector<double>& unpaired;
  std::vector<std::vector<PairProbability>> by_last;  ///< the pairs worth more than their bases unpaired, by the last
  double weight;

  [[nodiscard]] double value_of(std::size_t i, std::size_t j) const {
    for (const PairProbability& found : by_last[j]) {
      if (found.i == i) return weight * found.probability;
    }
    return Semiring::zero();
  }

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const double value = value_of(i, j - 1);
    add(pair, j == i + 2 ? value : Semiring::zero());
    add(pair, value, add.inside(all, 1, 1));
    add(all, j == i + 1 ? unpaired[i] : Semiring::zero());
    add(all, unpaired[j - 1], add.inside(all, 0, 1));
    add(all, add.here(pair));
    add(all, add.product(0));
  }
};

}  // namespace

AccurateStructure most_accurate(const Ensemble& ensemble, double gamma, const Options& options) {
  if (!(gamma > 0 && gamma <= max_gamma)) {
    throw Error(ErrorKind::usage,
                fmt::format("gamma is {}: a number above 0, up to {}, is accepted", gamma, max_gamma));
  }
  const std::vector<double>& unpaired = ensemble.unpaired;
  AccurateStructure found{0, std::string(unpaired.size(), '.')};
  if (unpaired.empty()) return found;
  AccuracyGrammar grammar{unpaired, std::vector<std::vector<PairProbability>>(unpaired.size()), 2 * gamma};
  for (const PairProbability& pair : ensemble.pairs) {
    if (2 * gamma * pair.probability > unpaired[pair.i] + unpaired[pair.j]) grammar.by_last[pair.j].push_back(pair);
  }
  const auto tables = interval::solve_grammar(grammar, unpaired.size() + 1, options).solution;
  found.accuracy = tables.value();
  for (const auto& step : interval::derivation(grammar, tables, options)) {
    if (step.table != AccuracyGrammar::pair) continue;
    found.structure[step.i] = '(';
    found.structure[step.j - 1] = ')';
  }
  return found;
}

}  // namespace warpfold::rna
