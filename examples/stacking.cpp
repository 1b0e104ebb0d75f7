// Base pairing of an RNA sequence in which neighboring pairs stack: a pair scores 1, a pair directly inside another 2
// more, and each encloses at least three bases. FASTA on standard input, dot-bracket notation on standard output.
#include <iostream>
#include <string>

#include "warpfold/interval/grammar.hpp"

using warpfold::interval::Product;

// Point i stands before base i: interval (i,j) is the bases i .. j-1.
struct Stacking {
  using Semiring = warpfold::MaxPlus<std::int32_t>;
  enum Table : unsigned { pairs, all, tables };
  static constexpr Product products[] = {{.left = all, .right = pairs}};
  std::string bases;

  bool may_pair(std::size_t i, std::size_t j) const {
    return j - i > 4 && std::string("AU UA CG GC GU UG").find({bases[i], bases[j - 1]}) != std::string::npos;
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const std::int32_t pair = may_pair(i, j) ? 1 : Semiring::zero();
    add(pairs, pair, 2, add.inside(pairs, 1, 1));  // stacks on the pair (i+1, j-1)
    add(pairs, pair, add.inside(all, 1, 1));
    add(all, j == i + 1 ? 0 : Semiring::zero());  // one base alone
    add(all, add.here(pairs));
    add(all, add.inside(all, 0, 1));  // the last base is unpaired
    add(all, add.product(0));         // the last base pairs with one in the middle
  }
};

int main() {
  Stacking rna;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line[0] != '>') rna.bases += line;
  }
  const auto tables = warpfold::interval::solve_grammar(rna, rna.bases.size() + 1).solution;
  std::string brackets(rna.bases.size(), '.');
  for (const auto& step : warpfold::interval::derivation(rna, tables)) {
    if (step.table == rna.pairs) brackets[step.i] = '(', brackets[step.j - 1] = ')';
  }
  std::cout << rna.bases << '\n' << brackets << ' ' << tables.value() << '\n';
}
