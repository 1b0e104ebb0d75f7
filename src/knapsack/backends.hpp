#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "knapsack/items.hpp"
#include "warpfold/knapsack/solve.hpp"

/// What the backends of solve.cpp, and those that others add, are made of.
namespace warpfold::knapsack {

/// A problem with what is asked about it, and its 0-1 pieces.
struct Asked {
  /// Raises Error{usage} for a dtype that is unknown or too narrow.
  Asked(const Problem& of, const Request& with, const Options& options);

  const Problem& problem;
  const Request& request;
  std::string dtype;
  std::vector<Piece> pieces;
  int threads;

  [[nodiscard]] bool is_unbounded() const { return problem.kind() == Kind::unbounded; }
  [[nodiscard]] double cells() const;
  /// Of a table on the CPU.
  [[nodiscard]] double seconds() const;
};

/// What fills rows on a GPU, for tables of either type; none: the CPU.
struct RowsOnGpu {
  cuda::RowsFunction<std::int32_t> narrow = nullptr;
  cuda::RowsFunction<std::int64_t> wide = nullptr;
};

/// 0-1 rows over one table, and halving for the items.
[[nodiscard]] Solution by_rows(const Asked& asked, const RowsOnGpu& rows, Context& context);
[[nodiscard]] std::size_t bytes_on_gpu(const Asked& asked, const Options& options);

[[nodiscard]] CapacityTable capacities_by_rows(const Asked& asked, const RowsOnGpu& rows, Context& context);
[[nodiscard]] std::size_t capacity_bytes_on_gpu(const Asked& asked, const Options& options);

[[nodiscard]] std::string unbounded_refusal(const Asked& asked);
[[nodiscard]] inline double named_only(const Asked&, const Options&) { return only_when_named; }

}  // namespace warpfold::knapsack
