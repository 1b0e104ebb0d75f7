#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpfold/rna/parameters.hpp"
#include "warpfold/rna/sequence.hpp"

/// Probing data of RNA (SHAPE): how reactive each base is.
namespace warpfold::formats {

/// How a reactivity becomes an energy in kcal/mol (Deigan et al., PNAS 106, 2009): slope ln(reactivity + 1) +
/// intercept.
struct Probing {
  double slope = 1.8, intercept = -0.6;
};

/// Reads reactivities: a line for each base, with its position from 1, its letter or not, and the reactivity. Returns
/// for each base of the sequence the energy of a stack that it is in, in 0.01 kcal/mol; 0 for a base without a line,
/// and for a reactivity below 0. Raises Error{input} that names file and line: for positions outside the sequence and
/// those that come again, for a letter that is not the sequence's, for what is no number, and for energies beyond 100
/// kcal/mol. Raises Error{input} for a file without a position.
[[nodiscard]] std::vector<rna::Energy> read_stack_energies(const std::string& path, const rna::Sequence& sequence,
                                                           const Probing& probing = {});

/// The same from text in memory.
[[nodiscard]] std::vector<rna::Energy> parse_stack_energies(const std::string& path, std::string_view content,
                                                            const rna::Sequence& sequence, const Probing& probing = {});

}  // namespace warpfold::formats
