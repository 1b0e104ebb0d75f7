// Base pairing of an RNA sequence in which neighboring pairs stack (stacking.cpp), on a GPU. A FASTA record on standard
// input, dot-bracket notation on standard output.
#include <iostream>
#include <span>
#include <string>

#include "warpfold/interval/grammar.cuh"

using warpfold::interval::Product;

struct Stacking {
  using Semiring = warpfold::MaxPlus<std::int32_t>;
  enum Table : unsigned { pairs, all, tables };
  static constexpr Product products[] = {{.left = all, .right = pairs}};
  std::span<const char> bases;

  constexpr bool has(std::size_t i, std::size_t j, char a, char b) const {
    return (bases[i] == a && bases[j] == b) || (bases[i] == b && bases[j] == a);
  }
  constexpr bool may_pair(std::size_t i, std::size_t j) const {
    return j - i > 4 && (has(i, j - 1, 'A', 'U') || has(i, j - 1, 'C', 'G') || has(i, j - 1, 'G', 'U'));
  }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    const std::int32_t pair = may_pair(i, j) ? 1 : Semiring::zero();
    add(pairs, pair, 2, add.inside(pairs, 1, 1));
    add(pairs, pair, add.inside(all, 1, 1));
    add(all, j == i + 1 ? 0 : Semiring::zero());
    add(all, add.here(pairs));
    add(all, add.inside(all, 0, 1));
    add(all, add.product(0));
  }
};

int main() try {
  namespace gpu = warpfold::interval::cuda;
  std::string bases;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line[0] != '>') bases += line;
  }
  const gpu::Array<char> on_device(bases);
  const auto tables = gpu::solve_grammar(Stacking{on_device.span()}, bases.size() + 1).solution;
  std::string brackets(bases.size(), '.');
  for (const auto& step : gpu::derivation(Stacking{bases}, tables, Stacking::all, 0, bases.size())) {
    if (step.table == Stacking::pairs) brackets[step.i] = '(', brackets[step.j - 1] = ')';
  }
  std::cout << bases << '\n' << brackets << ' ' << tables.value() << '\n';
} catch (const warpfold::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
