#pragma once

#include <string>

#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/align.hpp"

/// Alignments as text for other programs. A is the reference (target), B the query: a deletion is a symbol of A alone.
namespace warpfold::formats {

/// What an alignment is of. The sequences are text, bytes or FASTA.
struct AlignedPair {
  const SymbolSequence& a;
  const SymbolSequence& b;
  std::string name_a, name_b;  ///< one word each
  const sequence::Alignment& alignment;
};

/// Returns both gapped rows of the aligned parts as FASTA, with the names and the parts, counted from 1, in the
/// headers.
[[nodiscard]] std::string gapped_fasta(const AlignedPair& pair);
/// Returns a SAM file of one record: what B has outside of the alignment is clipped softly.
[[nodiscard]] std::string sam(const AlignedPair& pair);
/// Returns a line of PAF with the tags AS (score), NM (edits) and cg (CIGAR).
[[nodiscard]] std::string paf(const AlignedPair& pair);

}  // namespace warpfold::formats
