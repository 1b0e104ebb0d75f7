// Nussinov's base pairing: the most pairs of an RNA sequence that do not cross, each around at least three bases.
// FASTA on standard input, dot-bracket notation on standard output.
#include <iostream>
#include <stdexcept>
#include <string>

#include "warpfold/interval/recurrence.hpp"

// Point i stands before base i: interval (i,j) is the bases i .. j-1.
struct Nussinov {
  using Semiring = warpfold::MaxPlus<std::int32_t>;
  std::string bases;

  bool pair(char a, char b) const { return std::string("AU UA CG GC GU UG").find({a, b}) != std::string::npos; }
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t close(std::size_t i, std::size_t j, std::int32_t best, std::int32_t inner) const {
    return j - i > 4 && pair(bases[i], bases[j - 1]) ? std::max(best, Semiring::times(inner, 1)) : best;
  }
};

int main() try {
  Nussinov rna;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line[0] != '>') rna.bases += line;
  }
  if (const auto wrong = rna.bases.find_first_not_of("ACGU"); wrong != std::string::npos) {
    throw std::runtime_error("base " + std::to_string(wrong + 1) + " is '" + rna.bases[wrong] +
                             "': A, C, G, U are accepted");
  }
  const auto [table, report] = warpfold::interval::solve_recurrence(rna, rna.bases.size() + 1);
  std::string brackets(rna.bases.size(), '.');
  for (const auto& split : warpfold::interval::structure(rna, table)) {
    if (split.k == split.i) brackets[split.i] = '(', brackets[split.j - 1] = ')';
  }
  std::cout << rna.bases << '\n' << brackets << '\n';
} catch (const std::exception& error) {
  std::cerr << "nussinov: error: " << error.what() << '\n';
  return 3;
}
