#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// What the permutations share.
namespace warpfold::machine {

/// The permutation asked for, or a random one of n words. Raises Error{input} where the given one is none.
[[nodiscard]] std::vector<std::uint32_t> permutation_of(const RunRequest& request);

/// What a run left in `a`, which held `words`.
[[nodiscard]] RunResult permute_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                                       const std::vector<Value>& words, const std::vector<std::uint32_t>& permutation);

/// The lists that `permutation_of` and `words_of` read.
[[nodiscard]] std::vector<List> permute_lists();

}  // namespace warpfold::machine
