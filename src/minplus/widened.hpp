#pragma once

#include <cstdint>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/matrix.hpp"

namespace warpfold::minplus {

/// A matrix of 16 bits widened to 32, which hold the sums of its walks.
inline Matrix<std::int32_t> widened(MatrixView<const std::int16_t> matrix) {
  Matrix<std::int32_t> wide(matrix.rows, matrix.columns);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) wide(i, j) = with_infinities<std::int32_t>(matrix(i, j));
  }
  return wide;
}

}  // namespace warpfold::minplus
