// How fast does a GPU compute the distance of two series of f32, and what part of the arithmetic ceiling is it?
//
//   bench_sequence cuda_warpings --json > results/<machine>/sequence_cuda_warpings.json
//
// `--shapes`: every number of rows and columns. `--longest`: 10^6 points alone.

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
template <class T, bool is_squared>
__global__ void run_warping_cells(unsigned rounds, T* result) {
  constexpr int rows = 16, columns = 4;
  T a[rows], left[rows], above[columns], corner = result[1];
  for (int k = 0; k < rows; ++k) a[k] = result[(threadIdx.x + k) % 64], left[k] = a[k] * a[k];
  for (int c = 0; c < columns; ++c) above[c] = result[c];
  for (unsigned round = 0; round < rounds; ++round) {
    const T point = __shfl_up_sync(~0U, above[0], 1);
    gpu::warp_columns(
        left, above, corner, [&](int k, int c) { return gpu::term_of<is_squared>(a[k], c % 2 == 0 ? point : -point); },
        [](int, int, T value, T, T, T) { return value; });
    corner = above[columns - 1];
  }
  if (above[0] == 0.125F) result[0] = above[0];
}

template <class T, bool is_squared>
double ceiling_of_warping_cells() {
  constexpr unsigned rounds = 5'000, threads = 128, blocks = 132 * 8;
  const cuda::Buffer<T> result(std::span<const T>(std::vector<T>(64, 3)));
  const Timing timing = device_time(7, [&](cudaStream_t stream) {
    run_warping_cells<T, is_squared><<<blocks, threads, 0, stream>>>(rounds, result.data());
    cuda::check_launch("start the ceiling's loop");
  });
  return 64.0 * rounds * threads * blocks / timing.median_seconds;
}

template <class T>
double ceiling_of_warping_cells(PointDistance distance) {
  return distance == PointDistance::squared ? ceiling_of_warping_cells<T, true>()
                                            : ceiling_of_warping_cells<T, false>();
}

/// What is measured: the series' lengths and dimensions, and what is asked of them.
struct WarpingCase {
  std::size_t n, dimensions = 1;
  WarpingRequest request = {};
};

template <class T>
warp::Size size_of(const WarpingCase& asked) {
  return {warp::band_of(asked.n, asked.n, asked.request.window), asked.dimensions, sizeof(T), false,
          asked.request.script};
}

template <class T>
void measure_warping_on_gpu(const char* type, const WarpingCase& asked, const gpu::SeriesShape& shape) {
  const auto values_a = walked_series<T>(asked.n * asked.dimensions, 1);
  const auto values_b = walked_series<T>(asked.n * asked.dimensions, 2);
  const TimeSeries<T> a(std::span<const T>(values_a), asked.dimensions),
      b(std::span<const T>(values_b), asked.dimensions);
  const warp::Query<T> query{a, b, asked.request, size_of<T>(asked)};
  Options options;
  options.device = {Device::Kind::cuda, 0};
  Report report;
  Warping<T> found;
  const auto run = [&] {
    Context context(options, report);
    found = gpu::warping_by_strips(query, context, shape);
  };
  run();
  if (asked.n <= 30'000 && shape == gpu::series_layout(query.size).shape)
    require(!verify(a, b, found, asked.request, true).violation, "distance");
  const Timing timing = bench::measure(asked.n > 500'000 ? 3 : 7, run);
  const bool is_squared = asked.request.distance == PointDistance::squared;
  keep(row(is_squared ? "squared" : "absolute",
           {{"n", asked.n},
            {"dtype", type},
            {"dimensions", asked.dimensions},
            {"window", asked.request.window.value_or(0)},
            {"script", asked.request.script},
            {"rows", shape.rows},
            {"columns", shape.columns},
            {"warps", shape.warps},
            {"walk_seconds", report.traceback_seconds},
            {"estimated_seconds", gpu::seconds_of_warping(query.size, options)}},
           timing, query.size.band.cells(), ceiling_of_warping_cells<T>(asked.request.distance)));
}

template <class T>
void measure_best(const char* type, const WarpingCase& asked) {
  measure_warping_on_gpu<T>(type, asked, gpu::series_layout(size_of<T>(asked)).shape);
}

const Question cuda_warpings_question("cuda_warpings", [](const Arguments& given) {
  require_gpu();
  Arguments arguments = given;
  const bool longest = std::erase(arguments, "--longest") > 0;
  if (is_asked(arguments, "--shapes")) {
    measure_best<float>("f32", {.n = 1'000'000, .request = {.script = true}});
    measure_best<float>("f32", {.n = 1'000'000, .request = {.window = 50'000}});
    measure_best<double>("f64", {.n = 300'000, .request = {.script = true}});
    measure_best<float>("f32", {.n = 100'000, .dimensions = 3});
    for (const std::size_t n : {std::size_t{1'000'000}, std::size_t{30'000}, std::size_t{200'000}}) {
      for (const gpu::SeriesShape& shape : gpu::flat_series_shapes) measure_warping_on_gpu<float>("f32", {n}, shape);
    }
    return;
  }
  for (const std::size_t n :
       {std::size_t{30'000}, std::size_t{100'000}, std::size_t{300'000}, std::size_t{1'000'000}}) {
    if (longest && n < 1'000'000) continue;
    for (const PointDistance distance : {PointDistance::absolute, PointDistance::squared}) {
      measure_best<float>("f32", {.n = n, .request = {.distance = distance}});
    }
    measure_best<float>("f32", {.n = n, .request = {.script = true}});
    measure_best<float>("f32", {.n = n, .request = {.window = n / 20}});
    measure_best<double>("f64", {.n = n});
    measure_best<double>("f64", {.n = n, .request = {.script = true}});
    measure_best<float>("f32", {.n = n, .dimensions = 3});
  }
});

}  // namespace
}  // namespace warpfold::bench
