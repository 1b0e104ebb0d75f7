// How much faster than one GPU do all GPUs of a host find all shortest paths, with edges and result resident?
//
//   bench_paths cuda_several_gpus --json [N...] > results/<machine>/paths_several_gpus.json
//
// One solve of each size. Default: 8192, 16384 and 32768.

#include "../bits.cuh"
#include "../question.hpp"
#include "drawn_edges.cuh"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using paths::cuda::InCore;

/// Adds up some rows, one block per row.
__global__ void add_bits_of_rows(const float* rows, std::size_t first, std::size_t n, unsigned long long* sum) {
  atomicAdd(sum, mixed_bits(rows + blockIdx.x * n, (first + blockIdx.x) * n, n));
}

/// A checksum: results with equal bits have equal checksums.
unsigned long long bits_of(const InCore<float>& tables, std::size_t n) {
  const std::size_t strip = std::min(n, (std::size_t{1} << 28) / n);
  const Buffer<float> lengths(strip * n);
  const Buffer<unsigned long long> sum(std::vector<unsigned long long>{0});
  for (std::size_t first = 0; first < n; first += strip) {
    const std::size_t count = std::min(strip, n - first);
    tables.give_lengths(lengths.data(), first, count);
    add_bits_of_rows<<<static_cast<unsigned>(count), 256>>>(lengths.data(), first, n, sum.data());
    cuda::check(cudaDeviceSynchronize(), "add up bits");
  }
  unsigned long long bits = 0;
  cuda::check(cudaMemcpy(&bits, sum.data(), sizeof bits, cudaMemcpyDeviceToHost), "send a sum");
  return bits;
}

struct Solved {
  double seconds;
  unsigned long long bits;
};

/// Solves and checks. `device` begins with the current GPU.
Solved solve(const Device& device, std::size_t n) {
  InCore<float> tables(n, {}, false, device.more);
  take_drawn_edges(tables, n, false);
  const Options options;
  SolveMonitor monitor(options, 1);
  const double seconds = tables.solve(monitor);
  expect_no_better_edge(tables, n);
  return {seconds, bits_of(tables, n)};
}

void keep_solve(const Device& device, std::size_t n, double seconds, double alone, double ceiling) {
  const double size = static_cast<double>(n);
  Json measured = row("all pairs, resident", {{"device", to_string(device)}, {"n", n}, {"dtype", "f32"}},
                      summarize({seconds}), size * size * size, ceiling);
  measured["times_one"] = alone / seconds;
  keep(std::move(measured));
}

const Question cuda_several_gpus_question("cuda_several_gpus", [](const Arguments& arguments) {
  const Device one = find_gpus(parse_device("cuda")), all = find_gpus(parse_device("cuda:all"));
  const double ceiling = minplus::cuda::measure_ceiling<float>(0);
  solve(all, 4096);  // loads the kernels
  for (const std::string& size : arguments.empty() ? Arguments{"8192", "16384", "32768"} : arguments) {
    const std::size_t n = std::stoul(size);
    const Solved alone = solve(one, n), together = solve(all, n);
    if (alone.bits != together.bits) throw Error(ErrorKind::internal, "the answers differ");
    keep_solve(one, n, alone.seconds, alone.seconds, ceiling);
    keep_solve(all, n, together.seconds, alone.seconds, ceiling * static_cast<double>(1 + all.more.size()));
  }
});

}  // namespace
}  // namespace warpfold::bench
