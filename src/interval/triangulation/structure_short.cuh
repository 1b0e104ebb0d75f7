#pragma once

#include "interval/triangulation/structure_lists.cuh"

/// Short intervals, a block each: their part of the table in shared memory, and a warp that walks through it.
namespace warpfold::interval::device {

/// The layout of an interval's part of the table in shared memory: rows are `stride` values apart, so that 16 bytes
/// stay together. `most`: points of the longest interval.
template <class T>
struct IntervalCopy {
  static constexpr unsigned width = Vector<T>::width;
  unsigned stride;

  constexpr explicit IntervalCopy(unsigned most) : stride((most + 2 * width - 2) / width * width) {}
  [[nodiscard]] constexpr std::size_t bytes(unsigned most) const {
    return most * (stride * sizeof(T) + sizeof(unsigned));
  }
};

/// Copies the part of the table of interval `root` to shared memory.
template <class T>
__device__ void copy_interval(const Job<T>& job, const Open& root, T* values, unsigned stride) {
  constexpr unsigned width = Vector<T>::width;
  const unsigned first = root.i / width * width, shift = root.i - first, points = root.j - root.i + 1;
  const unsigned row_vectors = (shift + points + width - 1) / width;
  for (unsigned x = threadIdx.x; x < (points - 1) * row_vectors; x += short_threads) {
    const unsigned row = x / row_vectors, column = x % row_vectors * width;
    if (column + width <= row + shift) continue;
    tiles::device::copy_vector(values + row * stride + column, job.entry(root.i + row, first + column));
  }
  tiles::device::copy_commit();
  tiles::device::copy_wait<0>();
}

/// One warp walks through an interval of `points` points from point `first` on. Its values are in shared memory.
template <class T>
__device__ void find_triangles(const T* values, unsigned stride, unsigned points, unsigned first, unsigned* pending,
                               Triangle* nodes) {
  const unsigned lane = threadIdx.x % 32;
  unsigned depth = 0, i = 0, j = points - 1;
  Triangle mine;  // of every 32 nodes a lane keeps one
  for (unsigned place = 0; place + 2 < points; ++place) {
    unsigned k = min(i + 1 + lane, j - 1);
    T best = values[i * stride + k] + values[k * stride + j];
#pragma unroll 1
    for (unsigned first_k = i + 33; first_k < j; first_k += 32) {
      const unsigned next = min(first_k + lane, j - 1);
      const T value = values[i * stride + next] + values[next * stride + j];
      if (value < best) {
        best = value;
        k = next;
      }
    }
    k = __reduce_min_sync(all_lanes, is_least(best) ? k : nowhere);
    if (lane == place % 32) mine = {first + i, first + k, first + j};
    if (place % 32 == 31 || place + 3 == points) {
      if (lane <= place % 32) nodes[place - place % 32 + lane] = mine;
    }
    const bool left = k - i >= 2, right = j - k >= 2;
    if (left && right) {
      if (lane == 0) pending[depth] = k << 16 | j;
      ++depth;
    }
    if (left) {
      j = k;
    } else if (right) {
      i = k;
    } else if (depth > 0) {
      __syncwarp();
      const unsigned next = pending[--depth];
      i = next >> 16;
      j = next & 0xffff;
      __syncwarp();
    }
  }
}

/// The structures of short intervals, a block each, or of all polygons if `all` is true. Dynamic shared memory: the
/// interval's part of the table and a stack.
template <class T>
__global__ void __launch_bounds__(short_threads)
    search_short_intervals(const __grid_constant__ Search<T> search, unsigned most, bool all) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* values = reinterpret_cast<T*>(bytes);
  const unsigned stride = IntervalCopy<T>(most).stride;
  auto* pending = reinterpret_cast<unsigned*>(values + most * stride);  // i * 2^16 + j
  const unsigned count = all ? search.job_count : search.counts->short_ones;
  for (unsigned at = blockIdx.x; at < count; at += gridDim.x) {
    const Open root = all ? Open{at, 0, 0, search.jobs[at].n - 1} : search.short_ones[at];
    copy_interval(search.jobs[root.job], root, values, stride);
    __syncthreads();
    if (threadIdx.x < 32) {
      find_triangles(values + root.i % Vector<T>::width, stride, root.j - root.i + 1, root.i, pending,
                     search.nodes + search.first_nodes[root.job] + root.place);
    }
    __syncthreads();
  }
}

}  // namespace warpfold::interval::device
