#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// What the permutations share.
namespace warpfold::machine {

/// The permutation asked for, or a random one of n words. Raises Error{input} where the given one is none, and
/// Error{usage} where n is not its length.
[[nodiscard]] std::vector<std::uint32_t> permutation_of(const RunRequest& request);

/// values[i] at permutation[i].
[[nodiscard]] std::vector<Value> permuted(const std::vector<Value>& values,
                                          const std::vector<std::uint32_t>& permutation);

/// How many words a permutation moves.
[[nodiscard]] std::uint64_t moved(const std::vector<std::uint32_t>& permutation);

}  // namespace warpfold::machine
