#pragma once

#include "machine/algorithms/common.hpp"

/// Helpers of the matrix products.
namespace warpfold::machine {

/// Two matrices of n x n integers, row by row, and their product by the definition.
struct MatrixPair {
  std::vector<Value> a, b;

  [[nodiscard]] std::vector<Value> product(std::uint64_t n) const;
};

/// Returns the lists "a" and "b", or random ones. Raises Error{usage} unless n is 1 to 65535.
[[nodiscard]] MatrixPair matrices_of(const RunRequest& request);
[[nodiscard]] std::vector<List> matrix_lists();

/// Sets the lower bound: any program reads 2 n n words and writes n n.
[[nodiscard]] std::uint64_t matrix_words(const RunRequest& request);

}  // namespace warpfold::machine
