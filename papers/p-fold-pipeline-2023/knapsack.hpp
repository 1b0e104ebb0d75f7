#pragma once

#include <vector>

#include "knapsack/backends.hpp"

/// The knapsack table of Matsumae, "Accelerating Dynamic Programming by P-Fold Pipeline Implementation on GPU" (2023),
/// section 4.3, as one sequence under the p-fold pipeline of its Fig. 6: two terms an element, p = floor((C + 1 +
/// w_min) / 2) (docs/explanation/errata.md, rows 3 and 5). It is here to be measured; "table" is the solver.
namespace warpfold::papers::p_fold_2023 {

inline constexpr std::int64_t ring_rows = 5;  ///< of the table, which the GPU holds at a time

/// knapsack/table.hpp's functions.
template <class T>
void zero_one_rows(const knapsack::Table<T>& table, T* best, Context& context, SolveMonitor& monitor);
[[nodiscard]] inline std::size_t device_bytes(std::int64_t capacity, std::size_t cell_bytes) {
  return ring_rows * (static_cast<std::size_t>(capacity) + 1) * cell_bytes;
}

/// "p-fold", for knapsack::solve and every_capacity. None in a build without CUDA.
[[nodiscard]] std::vector<knapsack::PackingBackend> packing_backends();
[[nodiscard]] std::vector<knapsack::CapacityBackend> capacity_backends();

}  // namespace warpfold::papers::p_fold_2023
