#pragma once

#include <cstddef>

#include "sequence/backends.hpp"

/// The recurrence row by row, for any costs and for transpositions.
namespace warpfold::sequence {

/// Takes n m steps and three rows. A script takes at most twice to three times the steps, in as many rows as the memory
/// for scripts has: some rows are kept, and those between are computed again for the walk.
[[nodiscard]] Distance by_rows(const Query& query, Context& context);
[[nodiscard]] std::size_t bytes_of_rows(const Size& size, const Options& options);

}  // namespace warpfold::sequence
