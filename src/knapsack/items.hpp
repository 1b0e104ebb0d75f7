#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "knapsack/cells.hpp"
#include "knapsack/table.hpp"
#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// 0-1 pieces over tables of T. Rows go by ascending weight, light ones sharing a strip of a cache.
template <class T>
class TableSolver {
 public:
  /// Rows without decisions run by `gpu_rows`; null: on the CPU, as all others.
  TableSolver(std::span<const Piece> pieces, Context& context, SolveMonitor& monitor,
              cuda::RowsFunction<T> gpu_rows = nullptr);

  [[nodiscard]] std::int64_t value(std::int64_t capacity);
  [[nodiscard]] Cells<T> every_capacity(std::int64_t capacity);

  /// Which pieces a best packing takes. By decision bits where they are few: then it is the packing that leaves out the
  /// heaviest piece if a best one does (of equal weights the last), then the next, and so on. Else by halving: the best
  /// values of both halves of the pieces for every capacity, the best way to share the capacity between them (the least
  /// for the first half), and each half by itself (the idea of D. Hirschberg 1975). Half of n C cells are left at every
  /// level: n C + n C / 2 + .. <= 2 n C. Both depend on the values of the cells and on the memory that is left, and on
  /// nothing else: the packing is the same for any rows.
  [[nodiscard]] std::vector<char> packing(std::int64_t capacity);

  /// The most that `value` or `every_capacity` takes, and `packing`.
  [[nodiscard]] static std::size_t row_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads);
  [[nodiscard]] static std::size_t packing_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads);

 private:
  using List = std::vector<std::uint32_t>;  ///< pieces by ascending weight

  void pack(List list, std::int64_t capacity, std::vector<char>& taken);
  void pack_by_decisions(const List& list, std::int64_t capacity, std::vector<char>& taken);
  void run(const List& list, std::int64_t capacity, bool one_capacity, T* best, const Decisions& decisions);

  std::span<const Piece> pieces_;
  Context& context_;  ///< whose report takes up the most threads of any table
  SolveMonitor& monitor_;
  cuda::RowsFunction<T> gpu_rows_;
  List sorted_;
};

}  // namespace warpfold::knapsack
