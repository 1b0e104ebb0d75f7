#include <algorithm>
#include <limits>
#include <span>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/series.cuh"
#include "sequence/gpu/series.hpp"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;

/// The memory of one solve, and its kernel.
class WarpingSolve {
 public:
  WarpingSolve(const warp::Query<float>& query, unsigned rows)
      : query_(query),
        rows_(rows),
        a_(query.a.values()),
        b_(before_b + query.m() + behind_b),
        packets_(2 * query.m()),
        words_(words) {}

  [[nodiscard]] float run(SolveMonitor& monitor) {
    warpfold::cuda::run(stream_, query_.size.operations(), monitor, [&] {
      clear();
      if (query_.is_squared()) {
        start<true>();
      } else {
        start<false>();
      }
      const std::size_t chunks = (query_.m() + warp + 30) / warp;
      return RunningSolve{word(reported), strips() * chunks / chunks_between_looks, word(stop), 1};
    });
    float distance = 0;
    check(cudaMemcpy(&distance, word(result), sizeof distance, cudaMemcpyDeviceToHost), "return the distance");
    return distance;
  }

 private:
  enum Word : unsigned { ticket, reported, stop, result, words };
  static constexpr std::size_t before_b = warp, behind_b = 2 * warp;

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }
  [[nodiscard]] unsigned strips() const {
    return static_cast<unsigned>((query_.n() + warp * rows_ - 1) / (warp * rows_));
  }

  void clear() const {
    check(cudaMemsetAsync(words_.data(), 0, words_.bytes(), stream_.get()), "clear its counters");
    check(cudaMemsetAsync(packets_.data(), 0, packets_.bytes(), stream_.get()), "clear what strips hand on");
    check(cudaMemsetAsync(b_.data(), 0, b_.bytes(), stream_.get()), "clear a series' margins");
    check(cudaMemcpyAsync(b_.data() + before_b, query_.b.values().data(), query_.m() * sizeof(float),
                          cudaMemcpyHostToDevice, stream_.get()),
          "receive a series");
  }

  template <bool is_squared>
  void start() const {
    return rows_ == 8 ? start<is_squared, 8>() : start<is_squared, 16>();
  }
  template <bool is_squared, int K>
  void start() const {
    SeriesSolve solve{.a = a_.data(),
                      .b = b_.data() + before_b,
                      .n = static_cast<std::uint32_t>(query_.n()),
                      .m = static_cast<std::uint32_t>(query_.m()),
                      .strips = strips(),
                      .packets = packets_.data(),
                      .ticket = word(ticket),
                      .reported = word(reported),
                      .stop = word(stop),
                      .distance = reinterpret_cast<float*>(word(result))};
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned of_all = (solve.strips + schedulers * multiprocessors - 1) / (schedulers * multiprocessors);
    const unsigned warps = std::min(series_warps<K>, schedulers * of_all);
    const unsigned blocks = std::min(multiprocessors, (solve.strips + warps - 1) / warps);
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(warp_series<is_squared, K>, dim3(blocks), dim3(warps * warp), arguments, 0,
                                      stream_.get()),
          "start to warp");
  }

  const warp::Query<float>& query_;
  const unsigned rows_;
  const Buffer<float> a_, b_;
  const Buffer<unsigned long long> packets_;
  const Buffer<unsigned> words_;
  const warpfold::cuda::Stream stream_;
};

}  // namespace

Warping<float> warping_by_strips(const warp::Query<float>& query, Context& context) {
  return warping_by_strips(query, context, best_rows_of_series(query.size.n(), query.size.m()));
}

Warping<float> warping_by_strips(const warp::Query<float>& query, Context& context, unsigned rows) {
  const DeviceScope scope(context.options.device.index);
  context.take_device_memory(device_bytes_of_warping(query.size, context.options));
  SolveMonitor monitor(context.options, query.size.operations());
  WarpingSolve solve(query, rows);
  const float distance = solve.run(monitor);
  if (query.exceeds_bound(distance)) return {};
  return {.distance = distance};
}

}  // namespace warpfold::sequence::cuda
