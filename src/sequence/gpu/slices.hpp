#pragma once

#include <cstddef>

#include "sequence/backends.hpp"

/// Slices on a GPU (gpu/kernel.cuh): the score of one pair, by all cells.
namespace warpfold::sequence::cuda {

/// The most bits of a symbol.
inline constexpr int max_planes = 16;

[[nodiscard]] Distance by_slices(const Query& query, Context& context);
/// With a given number of rows in a stripe: 1, 2, 4, or 8 or 16 for up to 8 bits a symbol.
[[nodiscard]] Distance by_slices(const Query& query, Context& context, unsigned rows);
[[nodiscard]] std::size_t device_bytes(const Size& size, const Options& options);
[[nodiscard]] double seconds(const Size& size, const Options& options);

}  // namespace warpfold::sequence::cuda
