// The three operations on tiles for the instruction set that is being compiled. cpu.cpp includes it once for each.
#if defined(WARPFOLD_INTERVAL_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_INTERVAL_CPU_INL_H_
#undef WARPFOLD_INTERVAL_CPU_INL_H_
#else
#define WARPFOLD_INTERVAL_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "interval/tile_operations.hpp"
#include "minplus/kernel-inl.h"
#include "warpfold/core/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace mp = warpfold::minplus::HWY_NAMESPACE;

constexpr std::size_t side = cpu_tile_side;

/// A tile closes by square blocks of one vector a row, at least 4 x 4, in waves along the block diagonals: the blocks
/// of a wave do not depend on each other. Inside a block every entry waits for the one before it (some 12 cycles), so
/// the blocks of a wave are closed side by side to fill that time.
template <class T>
struct Block {
  using D = hn::ScalableTag<T>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int size = lanes < 4 ? 4 : lanes;
  static constexpr int vectors = size / lanes;
  static constexpr int count = static_cast<int>(side) / size;  ///< along a side of the tile

  static constexpr std::size_t at(int block_i, int block_j) { return block_i * size * side + block_j * size; }

  T* target;       ///< the block
  const T* left;   ///< the diagonal block in its rows
  const T* below;  ///< the diagonal block in its columns
  const T* weight;
};

/// The best candidate plus the weight, and what is infinite is infinity again (see close.hpp).
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V close_entries(D d, V best, V weight, T infinite) {
  if constexpr (std::is_floating_point_v<T>) {
    return hn::Add(best, weight);
  } else {
    const V infinities = hn::Set(d, infinity<T>);
    const V value = hn::Add(hn::Min(best, infinities), weight);
    return hn::IfThenElse(hn::Lt(value, hn::Set(d, infinite)), value, infinities);
  }
}

/// All lanes are lane k of v.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V broadcast_lane(D d, V v, int k) {
  const hn::RebindToSigned<D> di;
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(k))));
}

/// Finishes M independent blocks whose candidates from other blocks have been taken. `diagonal`: blocks on the diagonal
/// of a diagonal tile, which are their own operands.
template <int M, bool diagonal, class T>
HWY_INLINE void close_blocks(const Block<T>* blocks, T infinite) {
  using B = Block<T>;
  constexpr int V = B::vectors;
  const typename B::D d;
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
            best[m][v] = hn::Min(best[m][v], hn::Add(left, right));
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
          const auto left = broadcast_lane(d, close_entries(d, best[m][part], weight, infinite), lane);
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            const auto right = hn::Load(d, blocks[m].below + k * side + v * B::lanes);
            best[m][v] = hn::Min(best[m][v], hn::Add(left, right));
          }
        }
      }
    }
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        const std::size_t offset = row * side + v * B::lanes;
        hn::Store(close_entries(d, best[m][v], hn::Load(d, blocks[m].weight + offset), infinite), d,
                  blocks[m].target + offset);
      }
    }
  }
}

template <bool diagonal, class T>
HWY_INLINE void close_wave(const Block<T>* blocks, int count, T infinite) {
  for (; count >= 4; count -= 4, blocks += 4) close_blocks<4, diagonal>(blocks, infinite);
  if (count >= 2) close_blocks<2, diagonal>(blocks, infinite);
  if (count % 2 == 1) close_blocks<1, diagonal>(blocks + count - 1, infinite);
}

/// c = min(c, a (x) b) for one block of c, a block row of a and a block column of b.
template <class T>
HWY_INLINE void accumulate_block(T* c, const T* a, const T* b, int blocks) {
  using B = Block<T>;
  constexpr int rows = B::size < 8 ? B::size : 8;
  for (int row = 0; row < B::size; row += rows) {
    mp::multiply_block<mp::MinPlusOps, rows, B::vectors>(typename B::D(), a + row * side, side, b, side, c + row * side,
                                                         side, static_cast<std::size_t>(blocks) * B::size);
  }
}

template <class T>
void close_diagonal(T* c, const T* weight, T infinite) {
  using B = Block<T>;
  std::array<B, B::count> wave;
  for (int distance = 0; distance < B::count; ++distance) {
    const int count = B::count - distance;
    for (int i = 0; i < count; ++i) {
      const int j = i + distance;
      if (distance > 1) accumulate_block(c + B::at(i, j), c + B::at(i, i + 1), c + B::at(i + 1, j), distance - 1);
      wave[i] = {c + B::at(i, j), c + B::at(i, i), c + B::at(j, j), weight + B::at(i, j)};
    }
    if (distance == 0) {
      close_wave<true>(wave.data(), count, infinite);
    } else {
      close_wave<false>(wave.data(), count, infinite);
    }
  }
}

template <class T>
void close(T* c, const T* left, const T* below, const T* weight, T infinite) {
  using B = Block<T>;
  constexpr int last = B::count - 1;
  std::array<B, B::count> wave;
  for (int step = 0; step <= 2 * last; ++step) {
    int count = 0;
    for (int j = std::max(0, step - last); j <= std::min(step, last); ++j) {
      const int i = last - (step - j);
      if (i < last) accumulate_block(c + B::at(i, j), left + B::at(i, i + 1), c + B::at(i + 1, j), last - i);
      if (j > 0) accumulate_block(c + B::at(i, j), c + B::at(i, 0), below + B::at(0, j), j);
      wave[count++] = {c + B::at(i, j), left + B::at(i, i), below + B::at(j, j), weight + B::at(i, j)};
    }
    close_wave<false>(wave.data(), count, infinite);
  }
}

template <class T>
TileOperations<T> tile_operations() {
  return {close_diagonal<T>, close<T>};
}

// HWY_EXPORT takes plain functions only.
TileOperations<std::int32_t> tile_operations_i32() { return tile_operations<std::int32_t>(); }
TileOperations<std::int64_t> tile_operations_i64() { return tile_operations<std::int64_t>(); }
TileOperations<float> tile_operations_f32() { return tile_operations<float>(); }
TileOperations<double> tile_operations_f64() { return tile_operations<double>(); }

}  // namespace warpfold::interval::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
