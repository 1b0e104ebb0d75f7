#pragma once

#include <cstddef>
#include <cstdint>

#include "interval/close.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/arithmetic.hpp"

/// The kernels of kernels.hpp. `size` is the paper's n. `i` and `j` are its indices, counted from 1.
namespace warpfold::papers::gpu_polygon_2013 {

/// Adds the weight of chord v(i-1) v(j) to the best sum of M(i, j). The weight of the edge v(0) v(n-1) is 0. The result
/// is monotone in `best`. So the minimum of several blocks may be taken before or after it, with the same bits.
template <class T>
__device__ T close(T best, const T* weights, std::size_t size, std::size_t i, std::size_t j, T infinite) {
  const T weight = i == 1 && j == size - 1 ? T(0) : weights[(i - 1) * size + j];
  return interval::close_entry(best, weight < infinity<T> ? weight : infinity<T>, infinite);
}

/// *address = min(*address, value), atomically. The bit patterns of nonnegative floating-point numbers are ordered like
/// signed integers. Those of negative numbers are in the reverse order of unsigned integers. -0 and NaN do not occur.
template <class T>
__device__ void atomic_minimum(T* address, T value) {
  if constexpr (sizeof(T) == 4 && std::is_floating_point_v<T>) {
    if (value >= 0) {
      atomicMin(reinterpret_cast<int*>(address), __float_as_int(value));
    } else {
      atomicMax(reinterpret_cast<unsigned*>(address), __float_as_uint(value));
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    if (value >= 0) {
      atomicMin(reinterpret_cast<long long*>(address), __double_as_longlong(value));
    } else {
      atomicMax(reinterpret_cast<unsigned long long*>(address),
                static_cast<unsigned long long>(__double_as_longlong(value)));
    }
  } else if constexpr (sizeof(T) == 4) {
    atomicMin(address, value);
  } else {
    atomicMin(reinterpret_cast<long long*>(address), static_cast<long long>(value));
  }
}

/// Stage 0: M(i, i) = 0, and infinity in every entry that the atomic minimum may read first.
template <class T, Arrangement arrangement>
__global__ void first_stage(T* table, std::size_t size) {
  for (std::size_t e = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; e < size * size;
       e += std::size_t(gridDim.x) * blockDim.x) {
    const bool diagonal = arrangement == Arrangement::sliding ? e < size : e / size == e % size;
    table[e] = diagonal ? T(0) : infinity<T>;
  }
}

/// TB(t), stage p: each thread computes one M(i, i+p). No shared memory, no barriers. 2 values read per result.
template <class T, Arrangement arrangement>
__global__ void thread_stage(T* table, const T* weights, std::size_t size, std::size_t p, T infinite) {
  const std::size_t i = 1 + blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  const std::size_t j = i + p;
  if (j >= size) return;
  T best = infinity<T>;
#pragma unroll 8  // loads in flight are the only way to hide latency with few threads
  for (std::size_t k = i; k < j; ++k) {
    const T sum = table[element(arrangement, size, i, k)] + table[element(arrangement, size, k + 1, j)];
    best = sum < best ? sum : best;
  }
  table[element(arrangement, size, i, j)] = close(best, weights, size, i, j, infinite);
}

/// BB(t, b), stage p: block (i-1, c) of a grid of n-p-1 by b takes the c-th part of the pairs of M(i, i+p). Shared
/// memory: t/2 values. 2 barriers per level of the binary reduction. 2 values read per result.
template <class T, Arrangement arrangement>
__global__ void block_stage(T* table, const T* weights, std::size_t size, std::size_t p, T infinite) {
  __shared__ T second_half[512];
  const std::size_t i = 1 + blockIdx.x;
  const std::size_t j = i + p;
  const PairRange pairs = pair_range(p, blockIdx.y, gridDim.y);
  T best = infinity<T>;
  for (std::size_t pair = pairs.first + threadIdx.x; pair < pairs.last; pair += blockDim.x) {
    const T sum =
        table[element(arrangement, size, i, i + pair)] + table[right_element(arrangement, size, i + pair + 1, j)];
    best = sum < best ? sum : best;
  }
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x >= half && threadIdx.x < 2 * half) second_half[threadIdx.x - half] = best;
    __syncthreads();
    if (threadIdx.x < half) best = second_half[threadIdx.x] < best ? second_half[threadIdx.x] : best;
    __syncthreads();
  }
  if (threadIdx.x > 0) return;
  const T value = close(best, weights, size, i, j, infinite);
  T* const places[] = {table + element(arrangement, size, i, j), table + right_element(arrangement, size, i, j)};
  constexpr int place_count = arrangement == Arrangement::mirroring ? 2 : 1;
  for (int place = 0; place < place_count; ++place) {
    if (gridDim.y == 1) {
      *places[place] = value;
    } else {
      atomic_minimum(places[place], value);
    }
  }
}

inline constexpr int conversion_tile = 32;

/// Converts every M(i, j) from sliding to mirroring. A block of 32 x 32 threads takes 32 diagonals by 32 columns. It
/// reads rows of the sliding array and writes rows of both images. Shared memory: 32 x 33 values. One barrier.
template <class T>
__global__ void slide_to_mirror(const T* sliding, T* mirrored, std::size_t size) {
  __shared__ T tile[conversion_tile][conversion_tile + 1];  // [diagonal][column]
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const std::size_t diagonal = blockIdx.y * std::size_t(conversion_tile);
  const std::size_t column = blockIdx.x * std::size_t(conversion_tile);
  if (diagonal + y < size && column + x < size) tile[y][x] = sliding[(diagonal + y) * size + column + x];
  __syncthreads();
  const std::size_t d = diagonal + x;
  if (column + y < size && d <= column + y) mirrored[(column + y) * size + column + y - d] = tile[x][y];
  // Row i has the columns i + d, so each diagonal is one column to the right. The tile touches 63 rows.
  for (int row = y; row < 2 * conversion_tile - 1; row += conversion_tile) {
    const int c = row + x - (conversion_tile - 1);
    if (c < 0 || c >= conversion_tile || column + c >= size || d > column + c) continue;
    mirrored[(column + c - d) * size + column + c] = tile[x][c];
  }
}

}  // namespace warpfold::papers::gpu_polygon_2013
