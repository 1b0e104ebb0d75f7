#pragma once

#include <cstdint>

#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

/// Checks of a distance or a score, and its script. They share no code with the solvers.
namespace warpfold::sequence {

/// Checks that a script turns A into B, that it costs the stated distance, and with `optimal` that no script costs
/// less and that the script has the fewest or the most columns if the rule for ties says so. A bound that the distance
/// exceeds is checked with `optimal` only.
///
/// The optimum is computed anew: unit costs 64 cells at a time by a word with an adder, others by the rows of the
/// recurrence. Cost: O(n + m), with `optimal` n m / 64 or n m steps, and 8 bytes a symbol. Raises what
/// edit_distance raises for costs, and Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the
/// options.
[[nodiscard]] Verdict verify(const Coded& pair, const Distance& solution, const Request& request = {},
                             bool optimal = false, const Options& options = {});
/// The same for a longest common subsequence. `matches`, deletions and insertions are accepted.
[[nodiscard]] Verdict verify(const Coded& pair, const Subsequence& solution, const Request& request = {},
                             bool optimal = false, const Options& options = {});

/// Checks that an alignment begins and ends where its request allows, that its script goes over the symbols between,
/// that it has the stated score. With `optimal` also that no alignment has a larger one, and that none with this score
/// has fewer or more columns if the rule for ties says so. Without a script only the optimum can be checked. The
/// optimum is computed anew by the rows of the recurrence.
[[nodiscard]] Verdict verify(const ScoredPair& pair, const Alignment& solution, const AlignmentRequest& request = {},
                             bool optimal = false, const Options& options = {});

/// Returns the score that `verify` computes anew.
[[nodiscard]] std::int64_t verified_score(const ScoredPair& pair, const AlignmentRequest& request = {},
                                          const Options& options = {});

/// Returns the edit distance that `verify` computes anew, without regard to Request::max_distance.
[[nodiscard]] std::int64_t verified_distance(const Coded& pair, const Request& request = {},
                                             const Options& options = {});
/// Returns the insert/delete distance n + m - 2 length of a longest common subsequence, which `verify` computes anew.
[[nodiscard]] std::int64_t verified_lcs_distance(const Coded& pair, const Options& options = {});

}  // namespace warpfold::sequence
