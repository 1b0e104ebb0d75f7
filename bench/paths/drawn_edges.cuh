#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../question.hpp"
#include "paths/dense/in_core.hpp"
#include "run/cuda.hpp"
#include "warpfold/core/arithmetic.hpp"

/// Random graphs that are drawn on the device, and a check of lengths that no other solver computes. The kernels are
/// templates, so that a program has one copy of each, even if several of its files include this header.
namespace warpfold::bench {

/// The edge (i,j) of a complete graph: 1 .. 10000. With a potential, many edges are negative, but no cycle is.
template <class T>
__host__ __device__ T edge(std::size_t i, std::size_t j, bool with_potential) {
  const auto mixed = [](std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
  };
  const int length = 1 + static_cast<int>(mixed(i << 32 | j) % 10000);
  if (!with_potential) return static_cast<T>(length);
  return static_cast<T>(length + static_cast<int>(mixed(j) % 5000) - static_cast<int>(mixed(i) % 5000));
}

template <class T>
__global__ void draw_edges(T* edges, std::size_t first, std::size_t n, bool with_potential) {
  for (std::size_t j = threadIdx.x; j < n; j += blockDim.x) {
    edges[blockIdx.x * n + j] = edge<T>(first + blockIdx.x, j, with_potential);
  }
}

template <class T>
void take_drawn_edges(paths::cuda::InCore<T>& tables, std::size_t n, bool with_potential) {
  const std::size_t strip = std::max<std::size_t>(1, std::min(n, (std::size_t{1} << 28) / n));
  const cuda::Buffer<T> edges(strip * n);
  for (std::size_t first = 0; first < n; first += strip) {
    const std::size_t count = std::min(strip, n - first);
    draw_edges<<<static_cast<unsigned>(count), 256>>>(edges.data(), first, n, with_potential);
    cuda::check(cudaDeviceSynchronize(), "draw edges");
    tables.take_edges(edges.data(), first, count);
  }
}

/// best[j] = min over k of lengths[k] + edge(k,j): the best path from the row's vertex to j, by its last edge.
template <class T>
__global__ void join_last_edges(const T* lengths, T* best, std::size_t n) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  float least = infinity<float>;
  for (std::size_t k = 0; k < n; ++k) least = fminf(least, lengths[k] + edge<float>(k, j, false));
  best[j] = least;
}

/// Checks the rows of some vertices: no edge makes a path better, and every path has a last edge. All edges are longer
/// than 0 and their sums exact, so this is a proof for any solver.
inline void expect_no_better_edge(const paths::cuda::InCore<float>& tables, std::size_t n) {
  const cuda::Buffer<float> row(n), joined(n);
  std::vector<float> lengths(n), best(n);
  for (const std::size_t source : {std::size_t{0}, n / 3, n / 2 + 1, n - 1}) {
    tables.give_lengths(row.data(), source, 1);
    join_last_edges<<<static_cast<unsigned>((n + 255) / 256), 256>>>(row.data(), joined.data(), n);
    cuda::check(cudaMemcpy(lengths.data(), row.data(), row.bytes(), cudaMemcpyDeviceToHost), "send a row");
    cuda::check(cudaMemcpy(best.data(), joined.data(), joined.bytes(), cudaMemcpyDeviceToHost), "send a row");
    best[source] = 0;
    require(lengths == best, "a length from vertex " + std::to_string(source) + " is not the shortest path's");
  }
}

}  // namespace warpfold::bench
