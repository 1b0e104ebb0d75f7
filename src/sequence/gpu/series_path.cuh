#pragma once

#include "sequence/gpu/series.cuh"
#include "sequence/gpu/series.hpp"
#include "warpfold/sequence/script.hpp"

/// The path of time warping, after all strips with `keeps`. The walk goes back from the last cell. One kernel keeps the
/// directions of the tiles up and left of it, a warp for each tile, and another walks through them.
namespace warpfold::sequence::cuda {

struct SeriesWalk {
  std::uint64_t i, j, steps;
  unsigned is_done;
};

/// The tile of a cell: its strip, and the interval of the step in which its lane computes it.
template <int K, int C>
struct SeriesTile {
  std::uint64_t strip, interval;

  static __device__ SeriesTile of(std::uint64_t i, std::uint64_t j) {
    return {i / (warp * K), (j + C * (i / K % warp)) / (series_interval * warp)};
  }
};

template <class T, bool is_squared, bool is_flat, int K, int C>
__global__ void trace_series(const SeriesSolve<T> solve, const SeriesWalk* walk, unsigned* directions) {
  if (walk->is_done != 0) return;
  const auto last = SeriesTile<K, C>::of(walk->i, walk->j);
  const unsigned number = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  const unsigned up = number / series_tiles_across, left = number % series_tiles_across;
  if (up > last.strip || left > last.interval) return;
  const auto strip = static_cast<unsigned>(last.strip - up);
  const std::uint64_t interval = last.interval - left;
  SeriesStrip<T, is_squared, is_flat, K, C> part(solve, strip);
  if (interval < part.begin_chunk() / series_interval || interval * series_interval >= part.end_chunk()) return;
  part.trace(interval, directions + std::uint64_t{number} * series_interval * warp * warp);
}

/// Walks through the tiles that `trace_series` has kept, by windows of 128 x 128 cells in shared memory. A cell holds
/// how many bytes before it the cell lies from which the path comes, and 0 where the window ends. `edits` gets a step
/// each.
template <int K, int C>
__global__ void __launch_bounds__(1024) walk_series(SeriesWalk* walk, const unsigned* directions, std::uint8_t* edits) {
  constexpr int size = 128, groups = size / K, stride = size + 2;
  __shared__ std::uint16_t distances[(size + 1) * stride];
  __shared__ SeriesWalk at;
  if (threadIdx.x == 0) at = *walk;
  for (int cell = threadIdx.x; cell < (size + 1) * stride; cell += blockDim.x) distances[cell] = 0;
  __syncthreads();
  if (at.is_done != 0) return;
  const auto last = SeriesTile<K, C>::of(at.i, at.j);
  for (;;) {
    const auto tile = SeriesTile<K, C>::of(at.i, at.j);
    if (at.is_done != 0 || tile.strip > last.strip || tile.interval > last.interval ||
        last.strip - tile.strip >= series_tiles_down || last.interval - tile.interval >= series_tiles_across) {
      break;
    }
    const std::int64_t first_group = static_cast<std::int64_t>(at.i / K) - groups + 1;
    const std::int64_t first_row = first_group * K, first_column = static_cast<std::int64_t>(at.j) - size + 1;
    for (int word = threadIdx.x; word < groups * size; word += blockDim.x) {
      const int g = word / size, column = word % size;
      const std::int64_t i = (first_group + g) * K, j = first_column + column;
      unsigned steps = 0;
      bool is_kept = false;
      if (i >= 0 && j >= 0) {
        const auto from = SeriesTile<K, C>::of(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
        const std::uint64_t up = last.strip - from.strip, left = last.interval - from.interval;
        is_kept = up < series_tiles_down && left < series_tiles_across;  // what is beyond wraps around
        if (is_kept) {
          const unsigned lane = static_cast<unsigned>(i / K % warp), chunk_columns = series_interval * warp;
          const std::uint64_t step = (static_cast<std::uint64_t>(j) + C * lane) % chunk_columns;
          steps = directions[((up * series_tiles_across + left) * chunk_columns + step) * warp + lane];
        }
      }
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const unsigned step = steps >> (2 * k) & 3;
        const unsigned distance = sizeof(std::uint16_t) * (step == 0 ? stride + 1 : step == 1 ? stride : 1);
        const bool is_end = !is_kept || (i + k == 0 && j == 0);
        distances[(g * K + k + 1) * stride + column + 1] = static_cast<std::uint16_t>(is_end ? 0 : distance);
      }
    }
    __syncthreads();
    if (threadIdx.x < warp) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(distances);
      const int first = static_cast<int>(static_cast<std::int64_t>(at.i) - first_row + 1) * stride + size;
      int cell = first * static_cast<int>(sizeof(std::uint16_t));
      std::uint64_t steps = at.steps;
      for (unsigned distance = 1; distance != 0;) {
#pragma unroll
        for (int ahead = 0; ahead < 8; ++ahead) {
          distance = *reinterpret_cast<const std::uint16_t*>(bytes + cell);
          cell -= static_cast<int>(distance);
          const unsigned cells = distance / sizeof(std::uint16_t);
          const Edit edit = cells == 1 ? Edit::insertion : cells == stride ? Edit::deletion : Edit::match;
          if (distance != 0 && threadIdx.x == 0) edits[steps] = static_cast<std::uint8_t>(edit);
          steps += distance != 0 ? 1 : 0;
        }
      }
      __syncwarp();
      cell /= static_cast<int>(sizeof(std::uint16_t));
      if (threadIdx.x == 0) {
        at.i = static_cast<std::uint64_t>(first_row + cell / stride - 1);
        at.j = static_cast<std::uint64_t>(first_column + cell % stride - 1);
        at.steps = steps;
        at.is_done = at.i == 0 && at.j == 0 ? 1 : 0;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *walk = at;
}

}  // namespace warpfold::sequence::cuda
