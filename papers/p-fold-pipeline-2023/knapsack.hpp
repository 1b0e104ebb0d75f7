#pragma once

#include <vector>

#include "knapsack/backends.hpp"

/// The knapsack table of Matsumae, "Accelerating Dynamic Programming by P-Fold Pipeline Implementation on GPU" (2023),
/// section 4.3: one sequence under the p-fold pipeline of Fig. 6, with two terms per element and p = floor((C + 1 +
/// w_min) / 2) (rows 3 and 5 of docs/explanation/errata.md). It serves for comparison; the solver is "table".
namespace warpfold::papers::p_fold_2023 {

inline constexpr std::int64_t ring_rows = 5;  ///< the rows of the table that are on the GPU at a time

/// knapsack/table.hpp's functions.
template <class T>
void zero_one_rows(const knapsack::Table<T>& table, T* best, Context& context, SolveMonitor& monitor);
[[nodiscard]] inline std::size_t device_bytes(std::int64_t capacity, std::size_t cell_bytes) {
  return ring_rows * (static_cast<std::size_t>(capacity) + 1) * cell_bytes;
}

/// "p-fold", a backend for knapsack::solve and every_capacity. Empty in a build without CUDA.
[[nodiscard]] std::vector<knapsack::PackingBackend> packing_backends();
[[nodiscard]] std::vector<knapsack::CapacityBackend> capacity_backends();

}  // namespace warpfold::papers::p_fold_2023
