#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpfold/rna/sequence.hpp"

namespace warpfold::formats {

/// A sequence of a file, with the first word of its header.
struct RnaRecord {
  std::string name;
  rna::Sequence sequence;
};

/// Reads RNA sequences from a FASTA file, or from a text file with a sequence on each line.
///
/// Blank lines, lines that begin with ';', and blanks at the ends of lines are ignored. In FASTA, a sequence may have
/// several lines. Raises Error{input} with file, line and position for any other letter than A, C, G, U, T and N, and
/// for an empty sequence, a name that comes twice, or a file without a sequence.
[[nodiscard]] std::vector<RnaRecord> read_rna_sequences(const std::string& path);
/// Reads from the content of a file. `path` is for messages.
[[nodiscard]] std::vector<RnaRecord> parse_rna_sequences(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
