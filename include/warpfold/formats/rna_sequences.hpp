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
  std::string error = {};  ///< why the sequence is empty, with file and line, if faulty records are kept
};

/// What happens to a record with a fault: it ends the reading with an error, or keeps its place with that error.
enum class FaultyRecords { reject, keep };

/// Reads RNA sequences from a FASTA file, or from a text file with a sequence on each line.
///
/// Blank lines, lines that begin with ';', and blanks at the ends of lines are ignored. In FASTA, a sequence may have
/// several lines, and records may have the same name. Raises Error{input} with file, line and position for any other
/// letter than A, C, G, U, T and N, and for an empty sequence or a file without a sequence.
[[nodiscard]] std::vector<RnaRecord> read_rna_sequences(const std::string& path,
                                                        FaultyRecords faulty = FaultyRecords::reject);
/// Reads from the content of a file. `path` is for messages.
[[nodiscard]] std::vector<RnaRecord> parse_rna_sequences(const std::string& path, std::string_view content,
                                                         FaultyRecords faulty = FaultyRecords::reject);

}  // namespace warpfold::formats
