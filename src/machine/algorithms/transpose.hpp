#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// What the transposes share.
namespace warpfold::machine {

/// The side of an array of n = side * side words. Raises Error{usage} for any other n.
[[nodiscard]] std::uint32_t side_of(const RunRequest& request);

/// What a run left in `a`, which held `words`.
[[nodiscard]] RunResult transpose_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                                         const std::vector<Value>& words, std::uint64_t side);

/// 2012, section IV, "Transpose by the rotating technique": transposes each of the array's matrices of `side` x `side`
/// words, side a multiple of the width, with width words of local memory a thread. A subroutine of other programs.
[[nodiscard]] Program rotating_transpose(Thread pe, Array<Value> a, std::uint32_t width, std::uint64_t side);

}  // namespace warpfold::machine
