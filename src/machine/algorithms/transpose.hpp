#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// Helpers of the transposes.
namespace warpfold::machine {

/// Returns the side of an array of n = side * side words. Raises Error{usage} for any other n.
[[nodiscard]] std::uint32_t side_of(const RunRequest& request);

[[nodiscard]] std::vector<Value> transposed(const std::vector<Value>& words, std::uint64_t side);

/// Returns the result of a run that left `a`, which held `words`.
[[nodiscard]] RunResult transpose_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                                         const std::vector<Value>& words, std::uint64_t side);

/// A matrix of side x side words as tiles of width x width, where width divides the side. Every shared memory has one
/// tile, whose rows are `pitch` words apart.
struct SquareTiles {
  std::uint64_t width, side, pitch;
  Array<Value> tile;
};
[[nodiscard]] SquareTiles square_tiles(Simulation& simulation, std::uint64_t width, std::uint64_t side,
                                       std::uint64_t padding);

/// to = from transposed. Both are in global memory, which is accessed along rows only. There are no bank conflicts if
/// width and pitch have no common factor. It is a subroutine: multiprocessors without a tile meet the others at its
/// barriers.
[[nodiscard]] Program transpose_by_tiles(Thread t, SquareTiles tiles, Array<Value> from, Array<Value> to);

/// "Transpose by the rotating technique", 2012, section IV: transposes each of the array's matrices of `side` x `side`
/// words. The side is a multiple of the width, and each thread has `width` words of local memory. It is a subroutine of
/// other programs.
[[nodiscard]] Program rotating_transpose(Thread pe, Array<Value> a, std::uint32_t width, std::uint64_t side);

}  // namespace warpfold::machine
