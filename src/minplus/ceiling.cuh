#pragma once

#include "minplus/kernels.cuh"
#include "run/cuda.hpp"

/// The ceiling of a GPU: (min,+) terms per second with every operand in registers, 8 x 16 results per thread (4 x 8 of
/// 8 bytes). The left operands change every round, so that the compiler cannot reuse a sum.
namespace warpfold::minplus::device {

template <class Arith, int Rows, int Columns>
__global__ void __launch_bounds__(128)
    registers_only(typename Arith::Value* out, const typename Arith::Value* in, int rounds) {
  using T = typename Arith::Value;
  T sum[Rows][Columns], a[Rows], b[Columns];
  for (int v = 0; v < Columns; ++v) b[v] = in[blockIdx.x + 64 + v];
#pragma unroll
  for (int u = 0; u < Rows; ++u) {
    a[u] = in[threadIdx.x + u];
#pragma unroll
    for (int v = 0; v < Columns; ++v) sum[u][v] = Arith::none;
  }
  const auto change = [](T x, int t) {
    if constexpr (std::is_same_v<T, float>) {
      return __int_as_float(__float_as_int(x) ^ (t & 255));
    } else if constexpr (std::is_same_v<T, double>) {
      return __longlong_as_double(__double_as_longlong(x) ^ (t & 255));
    } else {
      return static_cast<T>(x ^ static_cast<T>(t & 255));
    }
  };
#pragma unroll 1
  for (int t = 0; t < rounds; ++t) {
#pragma unroll
    for (int u = 0; u < Rows; ++u) {
      const T next = change(a[u], t);
#pragma unroll
      for (int v = 0; v < Columns; ++v)
        sum[u][v] = Arith::accumulate(sum[u][v], a[u], b[v], next, b[(v + 1) % Columns]);
      a[u] = next;
    }
  }
  T least = sum[0][0];
#pragma unroll
  for (int u = 0; u < Rows; ++u)
#pragma unroll
    for (int v = 0; v < Columns; ++v) least = Arith::plus(least, sum[u][v]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = least;
}

/// Returns the terms per second of the current device, the best of five runs. `terms` is the number of terms per value
/// (2 for pairs).
template <class Arith>
double ceiling_per_second(int terms = 1) {
  namespace cuda = warpfold::cuda;
  using T = typename Arith::Value;
  constexpr int rows = sizeof(T) == 4 ? 8 : 4, columns = sizeof(T) == 4 ? 16 : 8;
  const auto kernel = registers_only<Arith, rows, columns>;
  const auto blocks = static_cast<int>(cuda::resident_blocks(kernel, 128));
  const int rounds = 20000;
  cuda::Buffer<T> out(static_cast<std::size_t>(blocks) * 128), in(65536);
  cuda::Stream stream;
  cuda::check(cudaMemsetAsync(in.data(), 1, in.bytes(), stream.get()), "clear memory");
  cuda::Event start, stop;
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    start.record(stream);
    kernel<<<blocks, 128, 0, stream.get()>>>(out.data(), in.data(), rounds);
    stop.record(stream);
    stream.synchronize();
    const double count = double(blocks) * 128 * rounds * rows * columns * 2 * terms;
    best = std::max(best, count / cuda::seconds_between(start, stop));
  }
  return best;
}

}  // namespace warpfold::minplus::device
