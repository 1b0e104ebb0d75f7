#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "papers/registry.hpp"

/// Formulas of the paper that are wrong as printed, in the printed and in the corrected form.
namespace warpfold::papers::gpu_polygon_2013 {

enum class Form { printed, corrected };

/// M(1, n-1) by the recurrence of section 2. Printed: M(i,j) = 0 for j - i <= 1. Corrected: only M(i,i) = 0, so
/// M(i,i+1) = w(i-1,i+1) as in the paper's Stage 1. `weights` is n x n.
[[nodiscard]] std::int64_t cost(const std::vector<std::int64_t>& weights, std::size_t n, Form form);

/// Section 4.2: the row of M(i,j), i <= j, in the sliding arrangement. Printed: i - j + n. Corrected: j - i.
[[nodiscard]] constexpr std::size_t sliding_row(std::size_t n, std::size_t i, std::size_t j, Form form) {
  return form == Form::printed ? n + i - j : j - i;
}

/// Section 4.1: the minimum of p sums by t threads. Thread i takes the sums j + t + i (printed) or j * t + i
/// (corrected) for 0 <= j < p / t. p is a multiple of t. Indices after the last sum are skipped.
[[nodiscard]] std::int64_t block_minimum(const std::vector<std::int64_t>& sums, std::size_t t, Form form);

[[nodiscard]] Table table(const RunOptions& options);

}  // namespace warpfold::papers::gpu_polygon_2013
