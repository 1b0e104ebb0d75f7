#pragma once

#include <cstddef>

#include "warpfold/tiles/row_operations.hpp"

namespace warpfold::tiles {

/// Vector code for (+,*) on tiles of doubles, with the machine's best instruction set. A sum takes its terms in the
/// order of the common dimension. Each term is fused: it is rounded once, when it is added. Every instruction set gives
/// the same bits; those without a fused operation call a function for each term. Tiles are row-major, contiguous and
/// aligned to 64 bytes; rows are a tile side apart.
struct SumOperations {
  /// The largest of some values and the least positive one; 0 and infinity if there is none.
  struct Range {
    double largest, least;
  };

  /// c += a b for whole tiles. Prefetches the two tiles that the next call reads.
  void (*product)(double* c, const double* a, const double* b, const double* next_a, const double* next_b);
  RowOperations<double> rows;
  /// target = source * first * second for whole tiles. They may be the same.
  void (*scale)(double* target, const double* source, double first, double second);
  /// The range of a tile's values.
  Range (*range)(const double* values);
};

/// The operations for the processor's best instruction set, or for the forced one.
[[nodiscard]] SumOperations sum_operations();

}  // namespace warpfold::tiles
