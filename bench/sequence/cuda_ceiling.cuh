#pragma once

#include <span>
#include <vector>

#include "../device_time.cuh"
#include "sequence/gpu/cells.cuh"

/// The rate of cells on a GPU that no arrangement of them exceeds.
namespace warpfold::bench {

/// Cells in registers: what no arrangement of them exceeds. As in the kernel, B's planes come from shared memory,
/// through a port that the operations do not use. A thread has 8 words of rows.
template <sequence::Measure measure, int Planes>
__global__ void run_cells(unsigned rounds, unsigned* result) {
  using Bits = sequence::cuda::Difference<measure>;
  using sequence::cuda::A, sequence::cuda::B, sequence::cuda::C, sequence::cuda::logic;
  constexpr int words = 8, columns = 4;
  constexpr unsigned window = 64;
  __shared__ unsigned symbols[Planes][window + columns];
  const unsigned seed = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned at = threadIdx.x; at < Planes * (window + columns); at += blockDim.x) {
    symbols[0][at] = at * 0x9E3779B9 + result[at % 64];
  }
  __syncthreads();
  unsigned rows[words][Planes];
  Bits v[words], h = Bits::row_zero();
  for (int k = 0; k < words; ++k) {
    v[k] = Bits::column_zero();
    for (int p = 0; p < Planes; ++p) rows[k][p] = seed * (2 * k + 1) + result[p];
  }
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned at = (round + threadIdx.x) % window;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
#pragma unroll
      for (int k = 0; k < words; ++k) {
        unsigned differ = rows[k][0] ^ symbols[0][at + c];
#pragma unroll
        for (int p = 1; p < Planes; ++p) differ = logic<A | (B ^ C)>(differ, rows[k][p], symbols[p][at + c]);
        Bits::cell(differ, h, v[k]);
      }
    }
  }
  unsigned sum = static_cast<unsigned>(h.packet());
  for (int k = 0; k < words; ++k) sum ^= static_cast<unsigned>(v[k].packet() ^ v[k].packet() >> 32);
  if (sum == 0x12345678) result[0] = sum;
}

template <sequence::Measure measure, int Planes>
double ceiling() {
  constexpr unsigned rounds = 20'000, threads = 256, blocks = 132 * 8;
  const cuda::Buffer<unsigned> result(std::span<const unsigned>(std::vector<unsigned>(64, 3)));
  const Timing timing = device_time(7, [&](cudaStream_t stream) {
    run_cells<measure, Planes><<<blocks, threads, 0, stream>>>(rounds, result.data());
    cuda::check_launch("start the ceiling's loop");
  });
  return 32.0 * 8 * 4 * rounds * threads * blocks / timing.median_seconds;
}

template <sequence::Measure measure>
double ceiling_of(int planes) {
  if (planes <= 2) return ceiling<measure, 2>();
  return planes <= 5 ? ceiling<measure, 5>() : ceiling<measure, 8>();
}

}  // namespace warpfold::bench
