#pragma once

#include <cstddef>
#include <string>

#include "sequence/align/backends.hpp"

/// Affine gaps in vectors of 16 bits, or of 32 where 16 do not provably hold the differences in a strip.
namespace warpfold::sequence::alignment {

/// Cuts the table into strips of rows, and these into chunks of columns. Threads take strips in a pipeline. For a
/// script, borders between strips and chunks are kept in a grid as fine as memory allows. The walk from the end runs
/// only those chunks again that it goes through. A tile of a coarse grid is solved by a grid of its own.
[[nodiscard]] Alignment by_strips(const Query& query, Context& context);
[[nodiscard]] std::size_t bytes_of_strips(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_strips(const Size& size, const Options& options);
[[nodiscard]] std::string unsupported_by_strips(const Size& size);

}  // namespace warpfold::sequence::alignment
