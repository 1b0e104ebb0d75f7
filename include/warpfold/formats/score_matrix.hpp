#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/align.hpp"

/// Score matrices for alignments.
namespace warpfold::formats {

/// Returns the names of the matrices that come with the library: BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90,
/// PAM30, PAM70 and PAM250, as the National Center for Biotechnology Information gives them.
[[nodiscard]] std::vector<std::string> score_matrix_names();

/// Returns a matrix that comes with the library, or else reads a file, plain or gzip.
[[nodiscard]] sequence::ScoreMatrix read_score_matrix(const std::string& name_or_path);

/// Reads a matrix: a line of the symbols of B, then for each symbol of A a line of the symbol and its integer scores.
/// Both lists have the same symbols, in any order. Lines that begin with '#' and blank lines are ignored. A matrix need
/// not be symmetric. Raises Error{input} that names the file, the line and what is accepted.
[[nodiscard]] sequence::ScoreMatrix parse_score_matrix(const std::string& path, std::string_view content);

/// Scores two sequences of text, bytes or FASTA. With `ignore_case` the letters a to z become capitals first. Raises
/// what ScoredPair raises.
[[nodiscard]] sequence::ScoredPair scored(const SymbolSequence& a, const SymbolSequence& b,
                                          const sequence::ScoreMatrix& matrix, bool ignore_case = false);

}  // namespace warpfold::formats
