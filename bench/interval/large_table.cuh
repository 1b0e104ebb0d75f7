#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "../bits.cuh"
#include "run/cuda.hpp"
#include "tiles/gpu/block.cuh"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// Tables on a GPU that are too large for any other solver, and how they are checked nevertheless. The kernels are
/// templates, so that a program has one copy of each, even if several of its files include this header.
namespace warpfold::bench {

/// Weights that need no memory on the host: a matrix of n x n values, or squared distances of n points, which need none
/// on the GPU either. All are integers that f32 holds.
struct LargeWeights {
  std::size_t n;
  bool of_points;

  __host__ __device__ static double listed(std::size_t at) {
    return static_cast<double>(1 + (at * 0x9e3779b97f4a7c15U >> 32) % 1000);
  }
  __host__ __device__ Point point(std::size_t i) const { return {listed(2 * i), listed(2 * i + 1)}; }
  __host__ __device__ float operator()(std::size_t i, std::size_t j) const {
    if (!of_points) return static_cast<float>(listed(i * n + j));
    const double dx = point(i).x - point(j).x, dy = point(i).y - point(j).y;
    return static_cast<float>(dx * dx + dy * dy);
  }
};

template <class T>
__global__ void write_matrix(T* to, LargeWeights weights) {
  const std::size_t n = weights.n;
  for (std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; at < n * n;
       at += std::size_t{gridDim.x} * blockDim.x) {
    to[at] = weights(at / n, at % n);
  }
}

/// These weights on the current GPU.
class ResidentWeights {
 public:
  explicit ResidentWeights(const LargeWeights& weights)
      : points_(points_of(weights)), matrix_(weights.of_points ? 0 : weights.n * weights.n) {
    if (matrix_.size() == 0) return;
    write_matrix<<<1024, 256>>>(matrix_.data(), weights);
    cuda::check(cudaDeviceSynchronize(), "write weights");
  }
  void solve(interval::cuda::Plan<float>& plan, cudaStream_t stream) const {
    const interval::cuda::WeightBounds<float> bounds{0, true};
    if (matrix_.size() > 0) return plan.solve(matrix_.data(), 0, bounds, stream);
    plan.solve(points_.data(), ChordWeight::squared, bounds, stream);
  }

 private:
  static std::vector<Point> points_of(const LargeWeights& weights) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < weights.n; ++i) points.push_back(weights.point(i));
    return points;
  }

  cuda::Buffer<Point> points_;
  cuda::Buffer<float> matrix_;
};

/// One block computes one entry again from its row and column, and counts differences.
template <class T>
__global__ void recompute(const tiles::device::Job<T>* table, LargeWeights weights, const interval::Triangle* entries,
                          unsigned* wrong) {
  const auto [i, unused, j] = entries[blockIdx.x];
  __shared__ float best[128];
  best[threadIdx.x] = infinity<float>;
  for (unsigned k = i + 1 + threadIdx.x; k < j; k += blockDim.x) {
    best[threadIdx.x] = fminf(best[threadIdx.x], *table->entry(i, k) + *table->entry(k, j));
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned x = 1; x < blockDim.x; ++x) best[0] = fminf(best[0], best[x]);
  const float weight = weights(i, j);
  if (best[0] + weight != *table->entry(i, j)) atomicAdd(wrong, 1);
}

/// One block adds up a column of tiles.
template <class T>
__global__ void add_bits_of_columns(const tiles::device::Job<T>* table, unsigned long long* sum) {
  constexpr std::size_t size = tiles::tile_side * tiles::tile_side;
  const unsigned j = blockIdx.x;
  unsigned long long own = 0;
  for (unsigned i = 0; i <= j; ++i) own += mixed_bits(table->tile(i, j), tiles::tile_number(i, j) * size, size);
  atomicAdd(sum, own);
}

/// Whether `nodes`, in preorder, are a triangulation whose total, added up as in the recurrence, is `cost`.
inline bool has_cost(const std::vector<interval::Triangle>& nodes, const LargeWeights& weights, float cost) {
  const std::size_t n = weights.n;
  std::vector<interval::Chord> expected{{0, static_cast<std::uint32_t>(n - 1)}};
  for (const auto& [i, k, j] : nodes) {
    if (expected.empty() || expected.back() != interval::Chord{i, j} || k <= i || k >= j) return false;
    expected.pop_back();
    if (j > k + 1) expected.push_back({k, j});
    if (k > i + 1) expected.push_back({i, k});
  }
  if (!expected.empty()) return false;
  std::vector<float> values;  // of the following intervals, the left child on top
  const auto take = [&](bool edge) {
    if (edge) return 0.0F;
    const float value = values.back();
    values.pop_back();
    return value;
  };
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const auto [i, k, j] = *node;
    const float left = take(k == i + 1), right = take(j == k + 1);
    const bool root = i == 0 && j == n - 1;
    values.push_back(left + right + (root ? 0.0F : weights(i, j)));
  }
  return values.back() == cost;
}

/// Raises Error{internal} unless 1,000 entries of a solved plan's table agree with their rows and columns, and the
/// structure adds up to the cost. Returns a checksum: tables with equal bits have equal checksums.
inline std::uint64_t check_table(interval::cuda::Plan<float>& plan, const LargeWeights& weights) {
  using cuda::Buffer;
  using cuda::check;
  const std::size_t n = weights.n;
  const Buffer<interval::Triangle> nodes(n - 2);
  const Buffer<float> cost(1);
  std::mt19937_64 random(n);
  std::vector<interval::Triangle> sample(1000);
  for (auto& [i, k, j] : sample) {
    i = static_cast<std::uint32_t>(1 + random() % (n - 8));
    j = static_cast<std::uint32_t>(i + 2 + random() % (n - i - 2));
  }
  const Buffer<interval::Triangle> entries(sample);
  const Buffer<unsigned> wrong(std::vector<unsigned>{0});
  const Buffer<unsigned long long> sum(std::vector<unsigned long long>{0});
  recompute<<<1000, 128>>>(plan.jobs(), weights, entries.data(), wrong.data());
  add_bits_of_columns<<<static_cast<unsigned>(tiles::tile_count(n, tiles::tile_side)), 256>>>(plan.jobs(), sum.data());
  plan.structure(nodes.data());
  plan.costs(cost.data());
  unsigned count = 0;
  unsigned long long bits = 0;
  float total = 0;
  std::vector<interval::Triangle> found(n - 2);
  check(cudaMemcpy(&count, wrong.data(), sizeof count, cudaMemcpyDeviceToHost), "recompute entries");
  check(cudaMemcpy(&bits, sum.data(), sizeof bits, cudaMemcpyDeviceToHost), "add up bits");
  check(cudaMemcpy(&total, cost.data(), sizeof total, cudaMemcpyDeviceToHost), "send the cost");
  check(cudaMemcpy(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost), "send the structure");
  if (count != 0) throw Error(ErrorKind::internal, std::to_string(count) + " of 1000 entries are wrong");
  if (!has_cost(found, weights, total)) throw Error(ErrorKind::internal, "the structure does not have the cost");
  return bits;
}

}  // namespace warpfold::bench
