#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpfold/rna/fold.hpp"

namespace warpfold::formats {

/// Reads energies of pairs: a line for each pair, with the positions of its bases from 1 and the energy in kcal/mol
/// that it adds to a structure. Lines that begin with # are left out. Raises Error{input} that names file and line: for
/// positions outside 1 .. bases, a second position that is not the larger one, a pair that comes again, what is no
/// number, and energies beyond 100 kcal/mol.
[[nodiscard]] std::vector<rna::PairEnergy> read_pair_energies(const std::string& path, std::size_t bases);

/// The same from text in memory.
[[nodiscard]] std::vector<rna::PairEnergy> parse_pair_energies(const std::string& path, std::string_view content,
                                                               std::size_t bases);

}  // namespace warpfold::formats
