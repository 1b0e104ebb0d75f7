#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "knapsack/items.hpp"
#include "warpfold/knapsack/solve.hpp"

/// The parts of which the backends of solve.cpp, and added ones, are made.
namespace warpfold::knapsack {

/// A problem with its request, and its 0-1 pieces.
struct PackingQuery {
  /// Raises Error{usage} for a dtype that is unknown or too narrow.
  PackingQuery(const Problem& of, const Request& with, const Options& options);

  const Problem& problem;
  const Request& request;
  std::string dtype;
  std::vector<Piece> pieces;
  int threads;

  [[nodiscard]] bool is_unbounded() const { return problem.kind() == Kind::unbounded; }
  [[nodiscard]] std::size_t cell_bytes() const;
  [[nodiscard]] double table_bytes() const;  ///< the bytes of one row of capacities
  [[nodiscard]] double cells(std::size_t rows) const;
  [[nodiscard]] double cells() const { return cells(pieces.size()); }
  [[nodiscard]] double seconds() const;            ///< of a table on the CPU
  [[nodiscard]] double seconds_on_gpu() const;     ///< the seconds of 0-1 rows
  [[nodiscard]] double seconds_of_result() const;  ///< for every capacity, besides the table's: touching its memory

  /// The solution that takes the marked pieces, and everything that weighs nothing.
  [[nodiscard]] std::vector<std::int64_t> copies_of(const std::vector<char>& taken) const;
  [[nodiscard]] std::int64_t weightless_value() const;
};

/// The functions that fill rows on a GPU, for tables of either type. None: the CPU fills them.
struct RowsOnGpu {
  cuda::RowsFunction<std::int32_t> narrow = nullptr;
  cuda::RowsFunction<std::int64_t> wide = nullptr;
};

/// 0-1 rows over one table, and halving for the items.
[[nodiscard]] Solution by_rows(const PackingQuery& asked, const RowsOnGpu& rows, Context& context);
/// The same on the CPU, and the table of an unbounded problem.
[[nodiscard]] Solution by_table(const PackingQuery& asked, Context& context);
[[nodiscard]] std::size_t bytes_on_cpu(const PackingQuery& asked, const Options& options);
[[nodiscard]] std::size_t bytes_on_gpu(const PackingQuery& asked, const Options& options);  ///< bytes of host memory
[[nodiscard]] std::size_t device_bytes(const PackingQuery& asked,
                                       const Options& options);  ///< see `whole_rows` in solve.cpp

[[nodiscard]] CapacityTable capacities_by_rows(const PackingQuery& asked, const RowsOnGpu& rows, Context& context);
[[nodiscard]] std::size_t capacity_bytes_on_cpu(const PackingQuery& asked, const Options& options);
[[nodiscard]] std::size_t capacity_bytes_on_gpu(const PackingQuery& asked, const Options& options);

[[nodiscard]] std::string unbounded_unsupported(const PackingQuery& asked);

}  // namespace warpfold::knapsack
