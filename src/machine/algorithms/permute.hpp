#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// Helpers of the permutations.
namespace warpfold::machine {

/// Returns the given permutation, or a random one of n words. Raises Error{input} if the given list is not a
/// permutation.
[[nodiscard]] std::vector<std::uint32_t> permutation_of(const RunRequest& request);

/// Returns the result of a run that left `a`, which held `words`.
[[nodiscard]] RunResult permute_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                                       const std::vector<Value>& words, const std::vector<std::uint32_t>& permutation);

/// "Row-wise permutation algorithm", 2012, section VI: moves the word at each place to its destination in the same row
/// of w words. All threads of a row are in one warp. It is a subroutine of other programs.
[[nodiscard]] Program move_within_rows(Thread pe, Array<Value> a, const std::vector<std::uint32_t>* destination);

/// The lists that `permutation_of` and `words_of` read. `meaning` is that of the permutation's entries.
[[nodiscard]] std::vector<List> permute_lists(const char* meaning = "where the word at each place goes");

}  // namespace warpfold::machine
