#pragma once

#include "machine/algorithms/common.hpp"

/// What the matrix products share.
namespace warpfold::machine {

/// Two matrices of n x n integers, row by row, and their product by the definition.
struct MatrixPair {
  std::vector<Value> a, b;

  [[nodiscard]] std::vector<Value> product(std::uint64_t n) const;
};

/// The lists "a" and "b", or random ones. Raises Error{usage} unless n is 1 to 65535.
[[nodiscard]] MatrixPair matrices_of(const RunRequest& request);
[[nodiscard]] std::vector<List> matrix_lists();

/// 2 n n words are read and n n written by any program.
[[nodiscard]] std::uint64_t matrix_words(const RunRequest& request);

}  // namespace warpfold::machine
