#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/series.cuh"
#include "sequence/gpu/series.hpp"
#include "sequence/gpu/series_path.cuh"
#include "sequence/warp/converted.hpp"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;

/// Two series in the type of a solve.
template <class T>
struct SeriesPair {
  std::span<const T> a, b;
};

template <int K, int C>
struct Shape {};

/// Whether kernels for a path exist.
template <class T, bool is_flat, int K, int C>
constexpr bool has_path() {
  if (is_flat && sizeof(T) == sizeof(float)) return K == path_series_shape.rows && C == path_series_shape.columns;
  return true;
}

/// Calls `run` with the Shape of a kernel.
template <class T, bool is_flat, class Run>
void with_shape(const SeriesShape& shape, const Run& run) {
  if constexpr (is_flat && sizeof(T) == sizeof(float)) {
    const unsigned number = shape.rows * 10 + shape.columns;
    if (number == 84) return run(Shape<8, 4>());
    if (number == 162) return run(Shape<16, 2>());
    if (number == 164) return run(Shape<16, 4>());
    if (number == 324) return run(Shape<32, 4>());
  }
  if constexpr (is_flat && sizeof(T) == sizeof(double)) {
    return run(Shape<double_series_shape.rows, double_series_shape.columns>());
  }
  run(Shape<other_series_shape.rows, other_series_shape.columns>());
}

/// The memory of one solve, and its kernels.
template <class T>
class WarpingSolve {
 public:
  WarpingSolve(const SeriesPair<T>& series, bool is_squared, double operations, const SeriesLayout& layout)
      : is_squared_(is_squared),
        operations_(operations),
        layout_(layout),
        a_(std::span<const T>(by_lanes(series.a))),
        b_(layout.values_of_b()),
        packets_(layout.packets()),
        states_(layout.states()),
        words_(words),
        b_of_host_(series.b) {}

  [[nodiscard]] T distance(SolveMonitor& monitor) {
    warpfold::cuda::run(stream_, operations_, monitor, [&] {
      clear();
      with_kernels([&](auto is_squared, auto is_flat, auto shape) { start<is_squared.value, is_flat.value>(shape); });
      const std::size_t chunks = layout_.stride() / warp + layout_.shape.columns;
      return RunningSolve{word(reported), layout_.strips() * (chunks / chunks_between_looks + 1), word(stop), 1};
    });
    T distance = 0;
    check(cudaMemcpy(&distance, word(result), sizeof distance, cudaMemcpyDeviceToHost), "return the distance");
    return distance;
  }

  /// The path, after `distance` with a layout that keeps what it needs.
  [[nodiscard]] Script script(const SolveMonitor& monitor) const {
    const Buffer<unsigned> directions(layout_.direction_words());
    const Buffer<std::uint8_t> edits(layout_.band.n + layout_.band.m);
    SeriesWalk walk{layout_.band.n - 1, layout_.band.m - 1, 0, layout_.band.n == 1 && layout_.band.m == 1 ? 1U : 0U};
    const Buffer<SeriesWalk> place{std::span<const SeriesWalk>(&walk, 1)};
    while (walk.is_done == 0) {
      monitor.check();
      for (unsigned round = 0; round < rounds_together; ++round) {
        with_kernels([&](auto is_squared, auto is_flat, auto shape) {
          walk_on<is_squared.value, is_flat.value>(shape, place, directions, edits);
        });
      }
      check(cudaMemcpyAsync(&walk, place.data(), sizeof walk, cudaMemcpyDeviceToHost, stream_.get()), "walk");
      stream_.synchronize();
    }
    std::vector<std::uint8_t> steps(walk.steps);
    check(cudaMemcpy(steps.data(), edits.data(), steps.size(), cudaMemcpyDeviceToHost), "return the path");
    warp::WarpingWalk backwards{layout_.band.n - 1, layout_.band.m - 1};
    for (const std::uint8_t edit : steps) backwards.take(static_cast<Edit>(edit));
    return backwards.finished();
  }

 private:
  enum Word : unsigned { ticket, reported, stop, unused, result, more_of_result, words };
  static constexpr unsigned rounds_together = 8;  ///< between two looks at the walk

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }

  /// The points of A as SeriesSolve has them.
  [[nodiscard]] std::vector<T> by_lanes(std::span<const T> a) const {
    const std::size_t rows = layout_.shape.rows, dimensions = layout_.dimensions;
    std::vector<T> points(layout_.values_of_a());
    for (std::size_t i = 0; i < layout_.band.n; ++i) {
      const std::size_t strip = i / layout_.rows(), lane = i / rows % warp, row = i % rows;
      for (std::size_t d = 0; d < dimensions; ++d) {
        points[((strip * dimensions + d) * rows + row) * warp + lane] = a[i * dimensions + d];
      }
    }
    return points;
  }

  void clear() const {
    check(cudaMemsetAsync(words_.data(), 0, words_.bytes(), stream_.get()), "clear its counters");
    check(cudaMemsetAsync(packets_.data(), 0, packets_.bytes(), stream_.get()), "clear what strips hand on");
    check(cudaMemsetAsync(b_.data(), 0, b_.bytes(), stream_.get()), "clear a series' margins");
    check(cudaMemcpyAsync(b_.data() + layout_.before_b() * layout_.dimensions, b_of_host_.data(),
                          b_of_host_.size() * sizeof(T), cudaMemcpyHostToDevice, stream_.get()),
          "receive a series");
  }

  [[nodiscard]] SeriesSolve<T> solve() const {
    constexpr std::int64_t far = std::int64_t{1} << 62;
    const warp::Band& band = layout_.band;
    return {.a = a_.data(),
            .b = b_.data() + layout_.before_b() * layout_.dimensions,
            .dimensions = static_cast<unsigned>(layout_.dimensions),
            .n = band.n,
            .m = band.m,
            .least = band.has_all() ? -far : band.least,
            .most = band.has_all() ? far : band.most,
            .strips = static_cast<unsigned>(layout_.strips()),
            .keeps = layout_.keeps,
            .packets = packets_.data(),
            .stride = layout_.stride(),
            .states = states_.data(),
            .slots = layout_.slots(),
            .ticket = word(ticket),
            .reported = word(reported),
            .stop = word(stop),
            .distance = reinterpret_cast<T*>(word(result))};
  }

  /// Calls `run` with the constants of this solve's kernels.
  template <class Run>
  void with_kernels(const Run& run) const {
    const auto with = [&](auto is_squared, auto is_flat) {
      with_shape<T, is_flat.value>(layout_.shape, [&](auto shape) { run(is_squared, is_flat, shape); });
    };
    const auto with_distance = [&](auto is_squared) {
      layout_.dimensions == 1 ? with(is_squared, std::true_type()) : with(is_squared, std::false_type());
    };
    is_squared_ ? with_distance(std::true_type()) : with_distance(std::false_type());
  }

  template <bool is_squared, bool is_flat, int K, int C>
  void start(Shape<K, C>) const {
    SeriesSolve<T> solve = this->solve();
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned of_all = (solve.strips + schedulers * multiprocessors - 1) / (schedulers * multiprocessors);
    const unsigned warps = std::min(series_warps<T, K>, schedulers * std::min(of_all, layout_.shape.warps));
    const unsigned blocks = std::min(multiprocessors, (solve.strips + warps - 1) / warps);
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(warp_series<T, is_squared, is_flat, K, C>, dim3(blocks), dim3(warps * warp),
                                      arguments, 0, stream_.get()),
          "start to warp");
  }

  template <bool is_squared, bool is_flat, int K, int C>
  void walk_on(Shape<K, C>, const Buffer<SeriesWalk>& place, const Buffer<unsigned>& directions,
               const Buffer<std::uint8_t>& edits) const {
    if constexpr (has_path<T, is_flat, K, C>()) {
      constexpr unsigned warps = 4, blocks = series_tiles_down * series_tiles_across / warps;
      trace_series<T, is_squared, is_flat, K, C>
          <<<blocks, warps * warp, 0, stream_.get()>>>(solve(), place.data(), directions.data());
      check_launch("start to trace");
      walk_series<K, C><<<1, 1024, 0, stream_.get()>>>(place.data(), directions.data(), edits.data());
      check_launch("start to walk");
    }
  }

  const bool is_squared_;
  const double operations_;
  const SeriesLayout layout_;
  const Buffer<T> a_, b_;
  const Buffer<unsigned long long> packets_;
  const Buffer<T> states_;
  const Buffer<unsigned> words_;
  const std::span<const T> b_of_host_;
  const warpfold::cuda::Stream stream_;
};

template <class Lane, class T>
Warping<T> solve_in(const SeriesPair<Lane>& series, const warp::Query<T>& query, Context& context,
                    const SeriesShape& shape) {
  const SeriesLayout layout = series_layout(query.size, shape);
  context.take_device_memory(layout.bytes());
  SolveMonitor monitor(context.options, query.size.operations());
  WarpingSolve<Lane> solve(series, query.is_squared(), query.size.operations(), layout);
  const Lane distance = solve.distance(monitor);
  if (query.request.max_distance && static_cast<double>(distance) > *query.request.max_distance) return {};
  Warping<T> solution{.distance = static_cast<WarpingCost<T>>(distance)};
  if (!query.request.script || distance == std::numeric_limits<Lane>::infinity()) return solution;
  const auto start = std::chrono::steady_clock::now();
  solution.script = solve.script(monitor);
  context.report.traceback_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return solution;
}

template <class Lane>
Warping<std::int32_t> solve_converted(const warp::Query<std::int32_t>& query, Context& context,
                                      const SeriesShape& shape) {
  const warp::Converted<Lane> converted(query.a.values(), query.b.values());
  return solve_in<Lane>({converted.a, converted.b}, query, context, shape);
}

}  // namespace

template <class T>
Warping<T> warping_by_strips(const warp::Query<T>& query, Context& context) {
  return warping_by_strips(query, context, series_layout(query.size).shape);
}

template <class T>
Warping<T> warping_by_strips(const warp::Query<T>& query, Context& context, const SeriesShape& shape) {
  const DeviceScope scope(context.options.device.index);
  const auto taken = context.budget.reserve(host_bytes_of_warping(query.size, context.options));
  if constexpr (std::is_integral_v<T>) {
    return query.size.lane_bytes == sizeof(float) ? solve_converted<float>(query, context, shape)
                                                  : solve_converted<double>(query, context, shape);
  } else {
    return solve_in<T>({query.a.values(), query.b.values()}, query, context, shape);
  }
}

template Warping<float> warping_by_strips(const warp::Query<float>&, Context&);
template Warping<double> warping_by_strips(const warp::Query<double>&, Context&);
template Warping<std::int32_t> warping_by_strips(const warp::Query<std::int32_t>&, Context&);
template Warping<float> warping_by_strips(const warp::Query<float>&, Context&, const SeriesShape&);
template Warping<double> warping_by_strips(const warp::Query<double>&, Context&, const SeriesShape&);
template Warping<std::int32_t> warping_by_strips(const warp::Query<std::int32_t>&, Context&, const SeriesShape&);

}  // namespace warpfold::sequence::cuda
