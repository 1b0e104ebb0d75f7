#pragma once

#include "sequence/backends.hpp"

/// The dense kernel over all strips of A: slices/kernel.hpp says how a strip works.
namespace warpfold::sequence {

[[nodiscard]] Distance by_slices(const Query& query, Context& context);

/// The same in the band of diagonals that a script of the distance can reach. A narrow band shows a bound first.
[[nodiscard]] Distance by_band(const Query& query, Context& context);
[[nodiscard]] double seconds_of_band(const Size& size, const Options& options);

[[nodiscard]] std::size_t threads_of_slices(double cells, const Options& options);
[[nodiscard]] std::size_t bytes_of_slices(const Size& size, const Options& options);
[[nodiscard]] double seconds_of_slices(const Size& size, const Options& options);

}  // namespace warpfold::sequence
