#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::interval {

/// The splits of an optimal order, in no particular order. Needs at least three dimensions. Checks `monitor` every few
/// thousand of them. O(n log n) time, O(n) memory.
[[nodiscard]] std::vector<Split> hu_shing(const std::vector<std::int64_t>& dimensions, const SolveMonitor& monitor);

/// The most bytes that it holds for so many dimensions, including the splits.
[[nodiscard]] std::size_t hu_shing_bytes(std::size_t dimensions);

}  // namespace warpfold::interval
