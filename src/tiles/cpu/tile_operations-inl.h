// The operations on tiles for the instruction set being compiled. The tile_operations_<type>.cpp include it once for
// each.
#if defined(WARPFOLD_TILES_TILE_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_TILE_OPERATIONS_INL_H_
#undef WARPFOLD_TILES_TILE_OPERATIONS_INL_H_
#else
#define WARPFOLD_TILES_TILE_OPERATIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "tiles/cpu/register_product-inl.h"
#include "tiles/cpu/row_operations-inl.h"
#include "warpfold/tiles/tile_operations.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t side = tile_side;

enum class SplitKind { none, rounded, fused };

/// multiply_block with a split added to every candidate. The split's pointers point to the first row, middle and
/// column.
template <class Ops, SplitKind kind, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply_with_split(D d, T* HWY_RESTRICT c, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                                    std::size_t depth, const ProductSplit<T>& split) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  hn::Vec<D> sum[R][V];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) sum[r][v] = hn::Load(d, c + r * side + v * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < depth; ++k) {
    hn::Vec<D> from_b[V];
    hn::Vec<D> factor[V];
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) {
      from_b[v] = hn::Load(d, b + k * side + v * lanes);
      factor[v] = hn::Mul(hn::Set(d, split.middle[k]), hn::LoadU(d, split.right + v * lanes));
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto from_a = hn::Set(d, a[r * side + k]);
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        const auto parts = Ops::times(from_a, from_b[v]);
        hn::Vec<D> candidate;
        if constexpr (kind == SplitKind::fused) {
          candidate = hn::MulAdd(hn::Set(d, split.left[r]), factor[v], parts);
        } else {
          candidate = hn::Add(parts, hn::Mul(hn::Set(d, split.left[r]), factor[v]));
        }
        sum[r][v] = Ops::plus(sum[r][v], candidate);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) hn::Store(sum[r][v], d, c + r * side + v * lanes);
  }
}

/// The split for results that begin that many rows, middles and columns further on.
template <SplitKind kind, class T>
HWY_INLINE ProductSplit<T> shifted(const ProductSplit<T>& split, std::size_t i, std::size_t k, std::size_t j) {
  if constexpr (kind == SplitKind::none) return {};
  return {split.left + i, split.middle + k, split.right + j, split.fused};
}

/// R x V vectors of c, `depth` entries of the common dimension.
template <class Ops, SplitKind kind, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply(D d, T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
  if constexpr (kind == SplitKind::none) {
    multiply_block<Ops, R, V>(d, a, side, b, side, c, side, depth);
  } else {
    multiply_with_split<Ops, kind, R, V>(d, c, a, b, depth, split);
  }
}

template <class Ops, SplitKind kind, class T>
void multiply_tile(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b) {
  using B = TileBlock<T>;
  for_each_block<B::rows, B::columns>(next_a, next_b, [&](std::size_t i, std::size_t j) HWY_ATTR {
    multiply<Ops, kind, B::rows, B::vectors>(typename B::D(), c + i * side + j, a + i * side, b + j, side,
                                             shifted<kind>(split, i, 0, j));
  });
}

template <class Ops, SplitKind kind, class T>
void multiply_block(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
  constexpr int size = block_side;
  const hn::CappedTag<T, size> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int vectors = std::min(size / lanes, 4), columns = vectors * lanes;
  constexpr int rows = vectors > 2 ? 4 : 8;
  for (int i = 0; i < size; i += rows) {
    for (int j = 0; j < size; j += columns) {
      multiply<Ops, kind, rows, vectors>(d, c + i * side + j, a + i * side, b + j, depth,
                                         shifted<kind>(split, i, 0, j));
    }
  }
}

/// The blocks by which a tile closes: square, one vector a row, at least 4 x 4, in waves along the block diagonals. The
/// blocks of a wave do not depend on each other. Inside a block every entry waits for the one before it (some 12
/// cycles), so several blocks of a wave are closed interleaved to fill that time.
template <class T>
struct Block {
  using D = hn::ScalableTag<T>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int size = lanes < 4 ? 4 : lanes;
  static constexpr int vectors = size / lanes;
  static constexpr int count = static_cast<int>(side) / size;  ///< along a side of the tile

  static constexpr std::size_t at(int block_i, int block_j) { return block_i * size * side + block_j * size; }

  T* target;       ///< the block itself
  const T* left;   ///< the diagonal block in its rows
  const T* below;  ///< the diagonal block in its columns
  const T* weight;
  std::size_t i;  ///< the point of the block's first row
  std::size_t j;  ///< and of its first column
};

/// times(value(i,k), value(k,j)) and, unless null, the split of i < k < j, for the columns from j on.
template <class Ops, SplitKind kind, class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V join(D d, V from_left, V from_right, const ProductSplit<T>& split, std::size_t i, std::size_t k,
                  std::size_t j) {
  const V parts = Ops::times(from_left, from_right);
  if constexpr (kind == SplitKind::none) {
    return parts;
  } else {
    const V factor = hn::Mul(hn::Set(d, split.middle[k]), hn::LoadU(d, split.right + j));
    return hn::Add(parts, hn::Mul(hn::Set(d, split.left[i]), factor));
  }
}

/// times(best, weight); an infinite result becomes zero again.
template <class Ops, class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V close_entries(D d, V best, V weight, const Closing<T>& closing) {
  using Traits = SemiringTraits<typename Ops::Semiring>;
  const V value = Ops::times(best, weight);
  if constexpr (std::is_floating_point_v<T> || !Traits::adds) {
    return value;
  } else {
    const V infinite = hn::Set(d, closing.infinite);
    const auto finite = Traits::is_min ? hn::Lt(value, infinite) : hn::Lt(infinite, value);
    return hn::IfThenElse(finite, value, hn::Set(d, closing.zero));
  }
}

/// Copies lane k of v to all lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V broadcast_lane(D d, V v, int k) {
  const hn::RebindToSigned<D> di;
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(k))));
}

/// Finishes M independent blocks that have all candidates from other blocks. `diagonal`: blocks on the diagonal of a
/// diagonal tile, which are their own operands.
template <class Ops, SplitKind kind, int M, bool diagonal, class T>
HWY_INLINE void close_blocks(const Block<T>* blocks, const Closing<T>& closing) {
  using B = Block<T>;
  constexpr int V = B::vectors;
  const typename B::D d;
  const ProductSplit<T>& split = closing.split;
  for (int row = B::size - 1; row >= 0; --row) {
    hn::Vec<typename B::D> best[M][V];
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) best[m][v] = hn::Load(d, blocks[m].target + row * side + v * B::lanes);
    }
    if constexpr (!diagonal) {
      for (int k = row + 1; k < B::size; ++k) {
#pragma GCC unroll 16
        for (int m = 0; m < M; ++m) {
          const auto left = hn::Set(d, blocks[m].left[row * side + k]);
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            const auto right = hn::Load(d, blocks[m].target + k * side + v * B::lanes);
            best[m][v] = Ops::plus(best[m][v], join<Ops, kind>(d, left, right, split, blocks[m].i + row,
                                                               blocks[m].i + k, blocks[m].j + v * B::lanes));
          }
        }
      }
    }
#pragma GCC unroll 16
    for (int part = 0; part < V; ++part) {
      const int first = diagonal ? std::max(0, row + 1 - part * B::lanes) : 0;
      for (int lane = first; lane < B::lanes; ++lane) {
        const int k = part * B::lanes + lane;
#pragma GCC unroll 16
        for (int m = 0; m < M; ++m) {
          const auto weight = hn::Load(d, blocks[m].weight + row * side + part * B::lanes);
          const auto left = broadcast_lane(d, close_entries<Ops>(d, best[m][part], weight, closing), lane);
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            const auto right = hn::Load(d, blocks[m].below + k * side + v * B::lanes);
            best[m][v] = Ops::plus(best[m][v], join<Ops, kind>(d, left, right, split, blocks[m].i + row,
                                                               blocks[m].j + k, blocks[m].j + v * B::lanes));
          }
        }
      }
    }
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        const std::size_t offset = row * side + v * B::lanes;
        hn::Store(close_entries<Ops>(d, best[m][v], hn::Load(d, blocks[m].weight + offset), closing), d,
                  blocks[m].target + offset);
      }
    }
  }
}

template <class Ops, SplitKind kind, bool diagonal, class T>
void close_wave(const Block<T>* blocks, int count, const Closing<T>& closing) {
  if constexpr (HWY_TARGET == HWY_SCALAR) {  // several at a time would take as long to compile as all other targets
    for (int m = 0; m < count; ++m) close_blocks<Ops, kind, 1, diagonal>(blocks + m, closing);
  } else {
    for (; count >= 4; count -= 4, blocks += 4) close_blocks<Ops, kind, 4, diagonal>(blocks, closing);
    if (count >= 2) close_blocks<Ops, kind, 2, diagonal>(blocks, closing);
    if (count % 2 == 1) close_blocks<Ops, kind, 1, diagonal>(blocks + count - 1, closing);
  }
}

/// The products of `blocks` blocks of a's block row and b's block column, for one target block. i, k, j: the points at
/// their first row, middle and column.
template <class Ops, SplitKind kind, class T>
void accumulate_block(T* c, const T* a, const T* b, int blocks, const ProductSplit<T>& split, std::size_t i,
                      std::size_t k, std::size_t j) {
  using B = Block<T>;
  constexpr int rows = B::size < 8 ? B::size : 8;
  for (int row = 0; row < B::size; row += rows) {
    multiply<Ops, kind, rows, B::vectors>(typename B::D(), c + row * side, a + row * side, b,
                                          static_cast<std::size_t>(blocks) * B::size,
                                          shifted<kind>(split, i + row, k, j));
  }
}

template <class Ops, SplitKind kind, class T>
void close_diagonal(T* c, const Closing<T>& closing) {
  using B = Block<T>;
  std::array<B, B::count> wave;
  for (int distance = 0; distance < B::count; ++distance) {
    const int count = B::count - distance;
    for (int i = 0; i < count; ++i) {
      const int j = i + distance;
      const std::size_t point_i = closing.first_i + i * B::size;
      const std::size_t point_j = closing.first_j + j * B::size;
      if (distance > 1) {
        accumulate_block<Ops, kind>(c + B::at(i, j), c + B::at(i, i + 1), c + B::at(i + 1, j), distance - 1,
                                    closing.split, point_i, point_i + B::size, point_j);
      }
      wave[i] = {c + B::at(i, j), c + B::at(i, i), c + B::at(j, j), closing.weight + B::at(i, j), point_i, point_j};
    }
    if (distance == 0) {
      close_wave<Ops, kind, true>(wave.data(), count, closing);
    } else {
      close_wave<Ops, kind, false>(wave.data(), count, closing);
    }
  }
}

template <class Ops, SplitKind kind, class T>
void close(T* c, const T* left, const T* below, const Closing<T>& closing) {
  using B = Block<T>;
  constexpr int last = B::count - 1;
  std::array<B, B::count> wave;
  for (int step = 0; step <= 2 * last; ++step) {
    int count = 0;
    for (int j = std::max(0, step - last); j <= std::min(step, last); ++j) {
      const int i = last - (step - j);
      const std::size_t point_i = closing.first_i + i * B::size;
      const std::size_t point_j = closing.first_j + j * B::size;
      if (i < last) {
        accumulate_block<Ops, kind>(c + B::at(i, j), left + B::at(i, i + 1), c + B::at(i + 1, j), last - i,
                                    closing.split, point_i, point_i + B::size, point_j);
      }
      if (j > 0) {
        accumulate_block<Ops, kind>(c + B::at(i, j), c + B::at(i, 0), below + B::at(0, j), j, closing.split, point_i,
                                    closing.first_j, point_j);
      }
      wave[count++] = {c + B::at(i, j), left + B::at(i, i), below + B::at(j, j), closing.weight + B::at(i, j), point_i,
                       point_j};
    }
    close_wave<Ops, kind, false>(wave.data(), count, closing);
  }
}

/// A semiring whose times is a sum, with or without a split. Closing rounds twice even if the split may be fused: the
/// result is the same, and it needs no code of its own.
template <class Ops, class T>
struct SumOperations {
  static void product(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b) {
    if (!split.left) return multiply_tile<Ops, SplitKind::none>(c, a, b, {}, next_a, next_b);
    if constexpr (std::is_floating_point_v<T>) {
      if (split.fused) return multiply_tile<Ops, SplitKind::fused>(c, a, b, split, next_a, next_b);
    }
    multiply_tile<Ops, SplitKind::rounded>(c, a, b, split, next_a, next_b);
  }
  static void block_product(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
    if (!split.left) return multiply_block<Ops, SplitKind::none>(c, a, b, depth, {});
    multiply_block<Ops, SplitKind::rounded>(c, a, b, depth, split);
  }
  static void close_diagonal(T* c, const Closing<T>& closing) {
    if (!closing.split.left) return HWY_NAMESPACE::close_diagonal<Ops, SplitKind::none>(c, closing);
    HWY_NAMESPACE::close_diagonal<Ops, SplitKind::rounded>(c, closing);
  }
  static void close(T* c, const T* left, const T* below, const Closing<T>& closing) {
    if (!closing.split.left) return HWY_NAMESPACE::close<Ops, SplitKind::none>(c, left, below, closing);
    HWY_NAMESPACE::close<Ops, SplitKind::rounded>(c, left, below, closing);
  }
};

/// Any other semiring, which has no split.
template <class Ops, class T>
struct PlainOperations {
  static void product(T* c, const T* a, const T* b, const ProductSplit<T>&, const T* next_a, const T* next_b) {
    multiply_tile<Ops, SplitKind::none>(c, a, b, {}, next_a, next_b);
  }
  static void block_product(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>&) {
    multiply_block<Ops, SplitKind::none>(c, a, b, depth, {});
  }
  static void close_diagonal(T* c, const Closing<T>& closing) {
    HWY_NAMESPACE::close_diagonal<Ops, SplitKind::none>(c, closing);
  }
  static void close(T* c, const T* left, const T* below, const Closing<T>& closing) {
    HWY_NAMESPACE::close<Ops, SplitKind::none>(c, left, below, closing);
  }
};

template <class Semiring, class T = typename Semiring::Value>
TileOperations<T> operations_of() {
  using Ops = VectorOps<Semiring>;
  using Operations = std::conditional_t<SemiringTraits<Semiring>::adds, SumOperations<Ops, T>, PlainOperations<Ops, T>>;
  return {Operations::product, Operations::block_product, row_operations_of<Ops, T>(), Operations::close_diagonal,
          Operations::close};
}

template <class T, class... Semirings>
TileOperationSet<T> operations_of_all(TagList<Semirings...> /*tags*/) {
  return {{operations_of<Semirings>()...}};
}

template <class T>
TileOperationSet<T> operation_set() {
  return operations_of_all<T>(ChoosingTags<T>());
}

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
