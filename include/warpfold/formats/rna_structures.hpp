#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/fold.hpp"

/// Texts of secondary structures, which other programs read and write.
namespace warpfold::formats {

/// A structure as a file states it.
struct RnaStructure {
  RnaRecord record;
  std::string structure;                ///< dot-bracket notation
  std::optional<rna::Energy> energy{};  ///< if the file states one
};

/// Reads the structures of a .ct, .bpseq or .db file. A .ct file may have several tables, with "ENERGY = E" in their
/// headers. A .db file has for each structure a header line with >, or none, then the sequence and the structure, with
/// its energy in brackets or none; further structures of a record are left out. Raises Error{input} that names file and
/// line: for a table that is cut short, for a partner that does not name the base as its own, for pairs that cross, for
/// an energy of more than two decimal places, and for what rna::Sequence rejects. `path` ends in the format's name.
[[nodiscard]] std::vector<RnaStructure> read_rna_structures(const std::string& path);

/// The same from text in memory.
[[nodiscard]] std::vector<RnaStructure> parse_rna_structures(const std::string& path, std::string_view content);

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
