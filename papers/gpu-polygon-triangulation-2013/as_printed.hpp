#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "papers/registry.hpp"

/// Where the printed formulas do not hold, in both forms.
namespace warpfold::papers::gpu_polygon_2013 {

enum class Form { printed, corrected };

/// M(1, n-1) by section 2's recurrence. Printed: M(i,j) = 0 for j - i <= 1. Corrected: M(i,i) = 0 alone, so that
/// M(i,i+1) = w(i-1,i+1), as the paper's own Stage 1 has it. `weights` is n x n.
[[nodiscard]] std::int64_t cost(const std::vector<std::int64_t>& weights, std::size_t n, Form form);

/// Section 4.2, the row of M(i,j), i <= j, in the sliding arrangement. Printed: i - j + n; corrected: j - i.
[[nodiscard]] constexpr std::size_t sliding_row(std::size_t n, std::size_t i, std::size_t j, Form form) {
  return form == Form::printed ? n + i - j : j - i;
}

/// Section 4.1, the least of the sums by t threads, of which thread i takes sums j + t + i (printed) or j * t + i
/// (corrected) for 0 <= j < p / t. The number p of sums is a multiple of t; indices behind the last sum are skipped.
[[nodiscard]] std::int64_t block_minimum(const std::vector<std::int64_t>& sums, std::size_t t, Form form);

[[nodiscard]] Table table(const RunOptions& options);

}  // namespace warpfold::papers::gpu_polygon_2013
