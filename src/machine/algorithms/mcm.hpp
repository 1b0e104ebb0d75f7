#pragma once

#include "machine/algorithms/common.hpp"

/// Helpers of the algorithms for matrix chains.
namespace warpfold::machine {

/// A chain of n matrices, the i-th of dims[i] rows and dims[i+1] columns. Its table of costs is in the paper's linear
/// order: diagonal after diagonal, rows ascending, all counted from 0.
struct Chain {
  std::uint64_t n = 0;
  std::vector<Value> dims;

  [[nodiscard]] std::uint64_t size() const { return n * (n + 1) / 2; }
  [[nodiscard]] std::uint64_t start(std::uint64_t diagonal) const {
    return diagonal * n - diagonal * (diagonal - 1) / 2;
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t row, std::uint64_t column) const { return start(column - row) + row; }
  /// Returns what the term that splits (row, column) before `split` adds to its operands (row, split-1) and (split,
  /// column).
  [[nodiscard]] Value weight(std::uint64_t row, std::uint64_t split, std::uint64_t column) const {
    return dims[row] * dims[split] * dims[column + 1];
  }
};

/// The j-th term of an element, j = 0 .. diagonal - 1: its operands, and what it adds to them.
struct ChainTerm {
  std::uint64_t left = 0, right = 0;
  Value weight = 0;
};
[[nodiscard]] inline ChainTerm term_of(const Chain& chain, std::uint64_t row, std::uint64_t diagonal, std::uint64_t j) {
  const std::uint64_t split = row + 1 + j, column = row + diagonal;
  return {chain.at(row, split - 1), chain.at(split, column), chain.weight(row, split, column)};
}

/// One thread takes all terms of an element, with 2 reads each, and writes the element.
[[nodiscard]] Program compute_element(Array<Value> st, const Chain* chain, std::uint64_t row, std::uint64_t diagonal);

/// Returns the list "dimensions", or random ones from 1 to 100. Raises Error{usage} unless n is 2 to 16384.
[[nodiscard]] Chain chain_of(const RunRequest& request);

/// Returns the report, whether `table` is correct, and the papers' counts. `memory_steps` and `active` are as in
/// `sdp_result`.
[[nodiscard]] RunResult chain_result(const RunRequest& request, const Simulation& simulation, const Chain& chain,
                                     const std::vector<Value>& table, std::uint64_t memory_steps, std::uint64_t active);

/// Describes an algorithm for matrix chains, which takes the list "dimensions".
[[nodiscard]] Algorithm chain_algorithm(std::string_view name, std::string_view description, std::string_view source,
                                        RunResult (*run)(const RunRequest&), bool has_printed_form = false);

}  // namespace warpfold::machine
