#pragma once

#include <cstddef>
#include <string>

#include "sequence/warp/backends.hpp"

/// Time warping in vectors of f32 or f64. Integers are converted to the narrower one that holds every sum.
namespace warpfold::sequence::warp {

/// Cuts the table into strips of rows, and these into chunks of steps. Threads take strips in a pipeline. For a path,
/// borders between strips and chunks are kept in a grid as fine as memory allows. The walk from the end runs only those
/// chunks again that it goes through. A tile of a coarse grid is solved by a grid of its own.
template <class T>
[[nodiscard]] Warping<T> by_strips(const Query<T>& query, Context& context);
[[nodiscard]] std::size_t bytes_of_strips(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_strips(const Size& size, const Options& options);
[[nodiscard]] std::string unsupported_by_strips(const Size& size);

}  // namespace warpfold::sequence::warp
