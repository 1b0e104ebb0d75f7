#pragma once

#include <cstddef>

#include "sequence/backends.hpp"

/// Slices on a GPU (gpu/kernel.cuh): one pair, by all cells. Scripts: gpu/traceback.hpp.
namespace warpfold::sequence::cuda {

/// The most bits of a symbol.
inline constexpr int max_planes = 16;

[[nodiscard]] Distance by_slices(const Query& query, Context& context);
/// With a given number of rows in a stripe, one of `rows_of_kernels`.
[[nodiscard]] Distance by_slices(const Query& query, Context& context, unsigned rows);
[[nodiscard]] std::size_t device_bytes(const Size& size, const Options& options);
[[nodiscard]] std::size_t host_bytes(const Size& size, const Options& options);
[[nodiscard]] double seconds(const Size& size, const Options& options);

}  // namespace warpfold::sequence::cuda
