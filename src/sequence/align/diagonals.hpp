#pragma once

#include "sequence/align/backends.hpp"

namespace warpfold::sequence::alignment {

/// Solves global alignments of similar sequences by furthest-reaching points.
[[nodiscard]] Alignment by_diagonals(const Query& query, Context& context);

[[nodiscard]] double cost_of_diagonals(const Size& size, const Options& options);
/// The same, if all cells by a GPU are next.
[[nodiscard]] double cost_of_diagonals_before_gpu(const Size& size, const Options& options);
[[nodiscard]] std::size_t bytes_of_diagonals(const Size& size, const Options& options);
[[nodiscard]] ResourceEstimate worst_case_of_diagonals(const ResourceEstimate& expected, const Size& size,
                                                       const Options& options,
                                                       const std::optional<ResourceEstimate>& next);
[[nodiscard]] std::string unsupported_by_diagonals(const Size& size);
[[nodiscard]] std::string unsupported_by_diagonals_before_gpu(const Size& size);

}  // namespace warpfold::sequence::alignment
