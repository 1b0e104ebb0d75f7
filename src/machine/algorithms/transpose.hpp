#pragma once

#include <cstdint>
#include <vector>

#include "machine/algorithms/common.hpp"

/// What the transposes share.
namespace warpfold::machine {

/// The side of an array of n = side * side words. Raises Error{usage} for any other n.
[[nodiscard]] std::uint32_t side_of(const RunRequest& request);

[[nodiscard]] std::vector<Value> transposed(const std::vector<Value>& words, std::uint64_t side);

/// What a run left in `a`, which held `words`.
[[nodiscard]] RunResult transpose_result(const RunRequest& request, Simulation& simulation, Array<Value> a,
                                         const std::vector<Value>& words, std::uint64_t side);

/// A matrix of side x side words as tiles of width x width, w dividing the side, and a tile in every shared memory
/// whose rows are `pitch` words apart.
struct SquareTiles {
  std::uint64_t width, side, pitch;
  Array<Value> tile;
};
[[nodiscard]] SquareTiles square_tiles(Simulation& simulation, std::uint64_t width, std::uint64_t side,
                                       std::uint64_t padding);

/// to = from transposed, both in global memory, which is accessed along rows alone. Without bank conflicts where width
/// and pitch have no common factor. A subroutine: multiprocessors without a tile meet the others at its barriers.
[[nodiscard]] Program transpose_by_tiles(Thread t, SquareTiles tiles, Array<Value> from, Array<Value> to);

/// 2012, section IV, "Transpose by the rotating technique": transposes each of the array's matrices of `side` x `side`
/// words, side a multiple of the width, with width words of local memory a thread. A subroutine of other programs.
[[nodiscard]] Program rotating_transpose(Thread pe, Array<Value> a, std::uint32_t width, std::uint64_t side);

}  // namespace warpfold::machine
