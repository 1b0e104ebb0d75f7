#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "knapsack/cells.hpp"
#include "knapsack/table.hpp"
#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// 0-1 pieces over tables of T. Rows go by ascending weight. Light ones share a strip of a cache.
template <class T>
class TableSolver {
 public:
  /// `gpu_rows` fills rows without decisions. Null: the CPU fills them, as it fills all others.
  TableSolver(std::span<const Piece> pieces, Context& context, SolveMonitor& monitor,
              cuda::RowsFunction<T> gpu_rows = nullptr);

  [[nodiscard]] std::int64_t value(std::int64_t capacity);
  [[nodiscard]] Cells<T> every_capacity(std::int64_t capacity);

  /// Returns which pieces a best packing takes, the same for any rows. It depends only on the pieces, the capacity and
  /// the memory that is left.
  ///
  /// Few decision bits are kept, and those of light pieces come part by part (`PartsPacker`). The packing then leaves
  /// out the heaviest piece if a best one does (of equal weights the last), then the next, and so on.
  ///
  /// The bits of heavy pieces take whole rows in each part, too. So their packing halves instead (the idea of D.
  /// Hirschberg 1975). It computes the best values of both halves of the pieces for every capacity, and the best way to
  /// share the capacity between them (the smallest for the first half). It then solves each half by itself. Each level
  /// has half of the cells of the one before: n C + n C / 2 + .. <= 2 n C.
  [[nodiscard]] std::vector<char> packing(std::int64_t capacity);

  /// The largest number of bytes that `value` or `every_capacity` takes, and `packing` if `left` bytes are left.
  [[nodiscard]] static std::size_t row_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads);
  [[nodiscard]] static std::size_t packing_bytes(std::span<const Piece> pieces, std::int64_t capacity, int threads,
                                                 std::size_t left);

 private:
  using List = std::vector<std::uint32_t>;  ///< pieces by ascending weight

  void pack(List list, std::int64_t capacity, std::vector<char>& taken);
  void pack_parts(const List& list, std::int64_t capacity, std::size_t max_marked, std::vector<char>& taken);
  /// `gpu_rows` null: on the CPU, as all rows with decisions.
  void run(Table<T> table, T* best, const Decisions& decisions, cuda::RowsFunction<T> gpu_rows);
  /// The rows of the pieces up to the first one that is too heavy.
  [[nodiscard]] std::vector<Row<T>> rows_of(const List& list, std::int64_t capacity) const;

  std::span<const Piece> pieces_;
  Context& context_;  ///< whose report takes up the most threads of any table
  SolveMonitor& monitor_;
  cuda::RowsFunction<T> gpu_rows_;
  List sorted_;
};

}  // namespace warpfold::knapsack
