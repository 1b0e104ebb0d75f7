#pragma once

#include <string>

#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/fold.hpp"

/// Texts of secondary structures for other programs.
namespace warpfold::formats {

/// A connectivity table (.ct): a header with length, energy in kcal/mol and name, then for each base its number,
/// letter, neighbors, partner (0: none) and number.
[[nodiscard]] std::string ct_text(const RnaRecord& record, const rna::Folding& folding);

/// The same pairs as .bpseq: for each base its number, letter and partner (0: none).
[[nodiscard]] std::string bpseq_text(const RnaRecord& record, const rna::Folding& folding);

/// A drawing (.svg) of a structure. Each loop is a regular polygon whose sides are backbone bonds and pairs, all of
/// length 1; stacks are squares, the exterior loop is a polygon too. Loops may overlap. Letters stand at the bases of
/// up to 1000.
[[nodiscard]] std::string structure_drawing(const RnaRecord& record, const rna::Folding& folding);

}  // namespace warpfold::formats
