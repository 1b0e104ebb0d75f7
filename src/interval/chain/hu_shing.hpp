#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::interval {

/// The splits of an optimal order, in no particular order. O(n log n) time, O(n) memory. At least three dimensions.
/// `monitor` is asked every few thousand of them.
[[nodiscard]] std::vector<Split> hu_shing(const std::vector<std::int64_t>& dimensions, const SolveMonitor& monitor);

/// What it holds at most for so many dimensions, the splits included.
[[nodiscard]] std::size_t hu_shing_bytes(std::size_t dimensions);

}  // namespace warpfold::interval
