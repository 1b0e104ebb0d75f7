#pragma once

#include <string>

#include "result.hpp"
#include "sequence_input.hpp"
#include "warpfold/sequence/align.hpp"

/// The scores, costs and ends of `align`, for the command and for `verify`.
namespace warpfold::app {

/// How an alignment is scored, as it is typed and printed.
struct Scoring {
  std::string matrix;  ///< a name or a file; empty: match and mismatch
  std::int64_t match = 1, mismatch = -1;
  std::vector<std::int64_t> gap;  ///< EXTEND, or OPEN,EXTEND, or two pieces; empty: the default
  std::string mode = "global";
  std::vector<std::string> free_ends;  ///< names of `free_end_names`, in place of a mode
};

/// Scores the pair's symbols. Raises Error{usage} for a matrix and symbols that are no characters. Adds a note for a
/// matrix that is not symmetric.
[[nodiscard]] sequence::ScoredPair scored_pair(const SequencePair& pair, const SequenceInput& input,
                                               const Scoring& scoring);

/// The costs, or the default: 0,1 without a matrix, otherwise 11,1. Raises Error{usage} for another number of costs
/// than 1, 2 or 4.
[[nodiscard]] sequence::GapCosts gap_costs(const Scoring& scoring);

/// The free ends of a mode, or those that are listed. Raises Error{usage} for an unknown name.
[[nodiscard]] sequence::FreeEnds free_ends_of(const Scoring& scoring);

[[nodiscard]] const std::vector<std::string>& alignment_modes();

/// The keys that say how the alignment was scored. `scoring_of` reads them again.
void add_scoring_keys(Json& object, const Scoring& scoring);
[[nodiscard]] Scoring scoring_of(const Json& solution);

}  // namespace warpfold::app
