#pragma once

#include <cstddef>
#include <string>

#include "sequence/align/backends.hpp"
#include "sequence/align/strips/layout.hpp"

/// Affine gaps in vectors of 16 bits, or of 32 where 16 do not provably hold the differences in a strip.
namespace warpfold::sequence::alignment {

/// Cuts the table into strips of rows, and these into chunks of columns. Threads take strips in a pipeline. For a
/// script, borders between strips and chunks are kept in a grid as fine as memory allows. The walk from the end runs
/// only those chunks again that it goes through. A tile of a coarse grid is solved by a grid of its own.
[[nodiscard]] Alignment by_strips(const Query& query, Context& context);
[[nodiscard]] std::size_t bytes_of_strips(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_strips(const Size& size, const Options& options);
[[nodiscard]] std::string unsupported_by_strips(const Size& size);

/// The same in the band of diagonals that alignments of a score can reach, for all of both sequences. A first narrow
/// band shows such a score. If the band takes most cells, all are computed.
[[nodiscard]] Alignment by_band(const Query& query, Context& context);
/// In a given band, which has all alignments of the largest score. Its layout has to exist.
[[nodiscard]] Alignment by_band(const Query& query, Context& context, const strips::Diagonals& band);
[[nodiscard]] std::size_t bytes_of_band(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_band(const Size& size, const Options& options);
[[nodiscard]] std::string unsupported_by_band(const Size& size);

/// No alignment of a larger score, or of this one, comes to other diagonals. Linear or affine gaps.
[[nodiscard]] strips::Diagonals diagonals_of_score(const Size& size, std::int64_t score);

}  // namespace warpfold::sequence::alignment
