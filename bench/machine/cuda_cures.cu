// How much do padding, swizzle and rotation gain over a tile whose columns are in one bank? A kernel transposes a
// matrix by tiles of 32 x 32 words in shared memory (docs/guides/bank-conflicts.md). `cycles` are those of a tile's
// stores and loads in shared memory alone, `median_seconds` those of the whole matrix.
//
//   bench_machine cures --json > results/<machine>/machine_cures.json

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../device_time.cuh"
#include "machine/twins.hpp"
#include "run/cuda.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using cuda::check;

constexpr std::uint32_t side = 32, rounds = 256, matrix_side = 16384;
constexpr int repeats = 9;

/// Where word (r, c) of a tile is.
struct Plain {
  static constexpr const char* name = "plain";
  static __host__ __device__ std::uint32_t place(std::uint32_t r, std::uint32_t c) { return side * r + c; }
};
struct Padding {
  static constexpr const char* name = "padding";
  static __host__ __device__ std::uint32_t place(std::uint32_t r, std::uint32_t c) { return (side + 1) * r + c; }
};
struct Swizzle {
  static constexpr const char* name = "swizzle";
  static __host__ __device__ std::uint32_t place(std::uint32_t r, std::uint32_t c) { return side * r + (c ^ r); }
};
struct Rotation {
  static constexpr const char* name = "rotation";
  static __host__ __device__ std::uint32_t place(std::uint32_t r, std::uint32_t c) { return side * r + (c + r) % side; }
};

constexpr std::uint32_t words_of_tile = side * (side + 1);

/// Thread (r, c) stores word (r, c) and loads word (c, r), again and again. One block: shared memory alone.
template <class Layout>
__global__ void tile(long long* cycles, std::uint32_t* result) {
  __shared__ volatile std::uint32_t words[words_of_tile];
  const std::uint32_t r = threadIdx.y, c = threadIdx.x;
  std::uint32_t value = r * side + c;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (std::uint32_t k = 0; k < rounds; ++k) {
    words[Layout::place(r, c)] = value;
    __syncthreads();
    value = words[Layout::place(c, r)];
    __syncthreads();
  }
  const long long end = clock64();
  if (value == ~0u) *result = value;
  if (r == 0 && c == 0) *cycles = end - start;
}

/// Reads and writes rows of 32 words in global memory, a barrier between.
template <class Layout>
__global__ void transpose(const std::uint32_t* from, std::uint32_t* to) {
  __shared__ std::uint32_t words[words_of_tile];
  const std::uint32_t r = threadIdx.y, c = threadIdx.x, row = blockIdx.y * side, column = blockIdx.x * side;
  words[Layout::place(r, c)] = from[std::size_t{row + r} * matrix_side + column + c];
  __syncthreads();
  to[std::size_t{column + r} * matrix_side + row + c] = words[Layout::place(c, r)];
}

template <class Layout>
std::uint32_t predicted_stages() {
  std::uint32_t stages = 0;
  for (std::uint32_t r = 0; r < side; ++r) {
    machine::WarpAccess stored, loaded;
    for (std::uint32_t c = 0; c < side; ++c) {
      stored.lanes.push_back({c, Layout::place(r, c)});
      loaded.lanes.push_back({c, Layout::place(c, r)});
    }
    for (const auto& warp : machine::step_cost(machine::machine_of(machine::Space::shared), {stored, loaded}).warps) {
      stages += warp.stages;
    }
  }
  return stages;
}

struct Cost {
  double stages, cycles, seconds;
};

class Matrices {
 public:
  Matrices() : from_(words), to_(words), cycles_(1), unused_(1) {
    std::vector<std::uint32_t> host(words);
    for (std::size_t i = 0; i < words; ++i) host[i] = static_cast<std::uint32_t>(i);
    check(cudaMemcpy(from_.data(), host.data(), from_.bytes(), cudaMemcpyHostToDevice), "receive data");
  }

  /// Measures a layout. The gains are over `plain`, or over itself.
  template <class Layout>
  Cost measure(const Cost* plain) {
    const double cycles = cycles_of_tile<Layout>();
    const Timing timing = time_of_matrix<Layout>();
    const Cost cost{static_cast<double>(predicted_stages<Layout>()), cycles, timing.median_seconds};
    const Cost& base = plain != nullptr ? *plain : cost;
    keep({{"layout", Layout::name},
          {"stages", cost.stages},
          {"predicted_gain", base.stages / cost.stages},
          {"cycles", cycles},
          {"gain_in_shared_memory", base.cycles / cycles},
          {"median_seconds", cost.seconds},
          {"spread", timing.spread},
          {"gain_of_the_kernel", base.seconds / cost.seconds}});
    return cost;
  }

 private:
  static constexpr std::size_t words = std::size_t{matrix_side} * matrix_side;

  template <class Layout>
  double cycles_of_tile() {
    std::vector<long long> all(repeats);
    for (long long& cycles : all) {
      tile<Layout><<<1, dim3(side, side)>>>(cycles_.data(), unused_.data());
      check(cudaMemcpy(&cycles, cycles_.data(), sizeof cycles, cudaMemcpyDeviceToHost), "return cycles");
    }
    std::ranges::sort(all);
    return static_cast<double>(all[repeats / 2]) / rounds;
  }

  template <class Layout>
  Timing time_of_matrix() {
    const Timing timing = device_time(repeats, [&](cudaStream_t stream) {
      transpose<Layout>
          <<<dim3(matrix_side / side, matrix_side / side), dim3(side, side), 0, stream>>>(from_.data(), to_.data());
    });
    check_transposed();
    return timing;
  }

  void check_transposed() const {
    std::vector<std::uint32_t> host(words);
    check(cudaMemcpy(host.data(), to_.data(), to_.bytes(), cudaMemcpyDeviceToHost), "return data");
    for (std::size_t i = 0; i < words; ++i) {
      require(host[i] == i % matrix_side * matrix_side + i / matrix_side, "the transposed matrix is wrong");
    }
  }

  Buffer<std::uint32_t> from_, to_;
  Buffer<long long> cycles_;
  Buffer<std::uint32_t> unused_;
};

const Question cures("cures", [](const Arguments&) {
  require_gpu();
  Matrices matrices;
  const Cost plain = matrices.measure<Plain>(nullptr);
  matrices.measure<Padding>(&plain);
  matrices.measure<Swizzle>(&plain);
  matrices.measure<Rotation>(&plain);
});

}  // namespace
}  // namespace warpfold::bench
