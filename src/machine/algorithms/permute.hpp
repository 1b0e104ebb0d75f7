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

/// The lists that `permutation_of` and `words_of` read.
[[nodiscard]] std::vector<List> permute_lists();

}  // namespace warpfold::machine
