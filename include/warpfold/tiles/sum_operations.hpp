#pragma once

#include <cstddef>

namespace warpfold::tiles {

/// Vector code for (+,*) on tiles of doubles, with the machine's best instruction set. A sum takes its terms in the
/// order of the common dimension, each rounded product rounded once more when it is added: every instruction set gives
/// the same bits. Tiles are row-major, contiguous and aligned to 64 bytes; rows are a tile side apart.
struct SumOperations {
  /// c += a b for whole tiles. Prefetches the two tiles that the next call reads.
  void (*product)(double* c, const double* a, const double* b, const double* next_a, const double* next_b);
  /// c += transpose(a) b for whole tiles.
  void (*transposed_product)(double* c, const double* a, const double* b);
  /// c += a b for one block of c: the first `depth` entries of a block row of a and of a block column of b.
  void (*block_product)(double* c, const double* a, const double* b, std::size_t depth);
  /// c += transpose(a) b for one block of c: the first `depth` entries of a block column of a and of a block column of
  /// b.
  void (*transposed_block_product)(double* c, const double* a, const double* b, std::size_t depth);
  /// sums[j] += sum over b < count of weights[b] * source[j - b], for `columns` columns, a multiple of block_side.
  /// Nothing has to be aligned.
  void (*convolve)(double* sums, const double* source, const double* weights, std::size_t count, std::size_t columns);
};

/// The operations for the processor's best instruction set, or for the forced one.
[[nodiscard]] SumOperations sum_operations();

}  // namespace warpfold::tiles
