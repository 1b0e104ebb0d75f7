#pragma once

#include <string>

#include "result.hpp"
#include "sequence_input.hpp"
#include "warpfold/sequence/lcs.hpp"

/// What `lcs` and `diff` print.
namespace warpfold::app {

void estimate_subsequence(const std::string& command, const SequenceOptions& options, const SequencePair& pair,
                          const Options& limits, const Stopwatch& total);

/// The keys of a result.
[[nodiscard]] Json subsequence_json(const std::string& command, const SequenceOptions& options,
                                    const SequencePair& pair, const sequence::Subsequence& found, const Report& report,
                                    double read_seconds, const Stopwatch& total);

}  // namespace warpfold::app
