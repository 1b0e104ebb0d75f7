// How fast does a GPU compute the distance of two series of f32, and what part of the arithmetic ceiling is it?
//
//   bench_sequence cuda_warpings --json > results/<machine>/sequence_cuda_warpings.json

#include <span>
#include <vector>

#include "../device_time.cuh"
#include "sequence/gpu/series.cuh"
#include "sequence/gpu/series.hpp"
#include "series.hpp"
#include "warpfold/sequence/time_warping.hpp"

namespace warpfold::bench {
namespace {

using sequence::PointDistance;
using sequence::TimeSeries;
using sequence::Warping;
using sequence::WarpingRequest;
namespace warp = sequence::warp;
namespace gpu = sequence::cuda;

/// Cells in registers: what no arrangement of them exceeds. A thread has 16 rows, and the points of other threads.
template <bool is_squared>
__global__ void run_warping_cells(unsigned rounds, float* result) {
  constexpr int rows = 16;
  float a[rows], left[rows];
  for (int k = 0; k < rows; ++k) a[k] = result[(threadIdx.x + k) % 64], left[k] = a[k] * a[k];
  float above = result[0], diagonal = result[1];
  for (unsigned round = 0; round < rounds; ++round) {
    const float point = __shfl_up_sync(~0U, above, 1);
    gpu::warp_column<is_squared>(a, left, point, diagonal, above);
  }
  if (above == 0.125F) result[0] = above;
}

template <bool is_squared>
double ceiling_of_warping_cells() {
  constexpr unsigned rounds = 20'000, threads = 256, blocks = 132 * 8;
  const cuda::Buffer<float> result(std::span<const float>(std::vector<float>(64, 3)));
  const Timing timing = device_time(7, [&](cudaStream_t stream) {
    run_warping_cells<is_squared><<<blocks, threads, 0, stream>>>(rounds, result.data());
    cuda::check_launch("start the ceiling's loop");
  });
  return 16.0 * rounds * threads * blocks / timing.median_seconds;
}

void measure_warping_on_gpu(std::size_t n, PointDistance distance, unsigned rows) {
  const std::vector<float> values_a = walked_series<float>(n, 1), values_b = walked_series<float>(n, 2);
  const TimeSeries<float> a{std::span<const float>(values_a)}, b{std::span<const float>(values_b)};
  const WarpingRequest request{.distance = distance};
  const warp::Query<float> query{a, b, request, {warp::band_of(n, n, {}), 1, sizeof(float), false, false}};
  Options options;
  options.device = {Device::Kind::cuda, 0};
  Report report;
  Warping<float> found;
  const auto run = [&] {
    Context context(options, report);
    found = gpu::warping_by_strips(query, context, rows);
  };
  run();
  if (n <= 100'000) require(!verify(a, b, found, request, true).violation, "distance");
  const Timing timing = bench::measure(7, run);
  const bool is_squared = distance == PointDistance::squared;
  keep(row(
      is_squared ? "squared" : "absolute",
      {{"n", n}, {"dtype", "f32"}, {"rows", rows}, {"estimated_seconds", gpu::seconds_of_warping(query.size, options)}},
      timing, static_cast<double>(n) * static_cast<double>(n),
      is_squared ? ceiling_of_warping_cells<true>() : ceiling_of_warping_cells<false>()));
}

const Question cuda_warpings_question("cuda_warpings", [](const Arguments& arguments) {
  require_gpu();
  const bool every = is_asked(arguments, "--rows");
  for (const std::size_t n :
       {std::size_t{30'000}, std::size_t{100'000}, std::size_t{300'000}, std::size_t{1'000'000}}) {
    for (const PointDistance distance : {PointDistance::absolute, PointDistance::squared}) {
      const auto best = gpu::best_rows_of_series(static_cast<double>(n), static_cast<double>(n));
      for (const unsigned rows : gpu::rows_of_series_kernels) {
        if (every || rows == best) measure_warping_on_gpu(n, distance, rows);
      }
    }
  }
});

}  // namespace
}  // namespace warpfold::bench
