#pragma once

#include <cstddef>
#include <string>

#include "sequence/backends.hpp"

/// Edit distances as alignments by scores (align/strips): a match scores 0, and every cost is a negative score.
namespace warpfold::sequence {

/// Insertions and deletions have to cost the same. The walk of an alignment takes the same steps: a gap of several
/// symbols costs what as many gaps of one do, so the shortest one is taken.
[[nodiscard]] Distance by_scores(const Query& query, Context& context);
[[nodiscard]] std::size_t bytes_of_scored(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_scored(const Size& size, const Options& options);
[[nodiscard]] std::string unsupported_by_scores(const Size& size);

}  // namespace warpfold::sequence
