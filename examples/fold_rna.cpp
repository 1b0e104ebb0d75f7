// The structure of least free energy of an RNA sequence, and its most probable pair. FASTA on standard input.
#include <algorithm>
#include <iostream>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/rna/fold.hpp"

int main() try {
  namespace rna = warpfold::rna;
  const rna::Parameters energies = rna::rules_1998();  // or formats::energy_parameters("turner2004.par")
  for (const auto& [name, sequence, error] : warpfold::formats::read_rna_sequences("-")) {
    const rna::Folding folding = rna::fold(sequence, energies).solution;
    const rna::Ensemble ensemble = rna::ensemble(sequence, energies).solution;
    std::cout << name << '\n' << folding.structure << ' ' << folding.energy << " in 0.01 kcal/mol\n";
    const auto pair = std::ranges::max_element(ensemble.pairs, {}, &rna::PairProbability::probability);
    if (pair == ensemble.pairs.end()) continue;
    std::cout << "bases " << pair->i << " and " << pair->j << ": " << pair->probability << '\n';
  }
} catch (const warpfold::Error& error) {
  std::cerr << "fold_rna: error: " << error.what() << '\n';
  return warpfold::exit_code(error.kind());
}
