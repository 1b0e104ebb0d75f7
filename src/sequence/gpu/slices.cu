#include <algorithm>
#include <span>
#include <utility>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/kernel.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/slices.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;

unsigned quotient_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// The memory of one solve, and its kernels.
class Strips {
 public:
  Strips(const Query& query, const Layout& layout)
      : layout_(layout),
        a_(query.pair.a()),
        b_(query.pair.b()),
        planes_(layout.plane_words()),
        packets_(layout.packets()),
        words_(words) {}

  /// The sum of the differences along the row above the last strip, and from there down column m.
  [[nodiscard]] std::int64_t run(Measure measure, double cells, SolveMonitor& monitor) {
    warpfold::cuda::run(stream_, cells, monitor, [&] {
      clear();
      if (measure == Measure::edit) {
        start<Measure::edit>();
      } else {
        start<Measure::indel>();
      }
      return RunningSolve{word(reported), layout_.strips() * chunks_of_a_strip() / chunks_between_reports, word(stop),
                          1};
    });
    unsigned long long sum = 0;
    check(cudaMemcpy(&sum, word(sum_low), sizeof sum, cudaMemcpyDeviceToHost), "return the sum");
    return static_cast<std::int64_t>(sum);
  }

 private:
  enum Word : unsigned { ticket, reported, stop, unused, sum_low, sum_high, words };

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }
  [[nodiscard]] std::size_t chunks_of_a_strip() const { return layout_.chunks() + lag; }

  void clear() {
    check(cudaMemsetAsync(words_.data(), 0, words_.bytes(), stream_.get()), "clear its counters");
    check(cudaMemsetAsync(packets_.data(), 0xFF, packets_.bytes(), stream_.get()), "clear what strips hand on");
  }

  template <Measure measure>
  void start() {
    switch (layout_.planes) {
      case 2:
        return start<measure, 2>();
      case 5:
        return start<measure, 5>();
      case 8:
        return start<measure, 8>();
      default:
        return start<measure, 16>();
    }
  }

  template <Measure measure, int Planes>
  void start() {
    constexpr unsigned threads = 256;
    const auto chunks = static_cast<unsigned>(layout_.chunks());
    pack_columns<Planes><<<(chunks * warp + threads - 1) / threads, threads, 0, stream_.get()>>>(
        b_.data(), static_cast<std::uint32_t>(layout_.m), chunks, planes_.data());
    check_launch("start to pack the symbols");
    switch (layout_.rows) {
      case 1:
        return start<measure, Planes, 1>();
      case 2:
        return start<measure, Planes, 2>();
      case 4:
        return start<measure, Planes, 4>();
      default:
        break;
    }
    if constexpr (Planes <= 8) return layout_.rows == 8 ? start<measure, Planes, 8>() : start<measure, Planes, 16>();
  }

  template <Measure measure, int Planes, int K>
  void start() {
    Solve solve{.a = a_.data(),
                .planes = planes_.data(),
                .n = static_cast<std::uint32_t>(layout_.n),
                .m = static_cast<std::uint32_t>(layout_.m),
                .chunks = static_cast<unsigned>(layout_.chunks()),
                .strips = static_cast<unsigned>(layout_.strips()),
                .packets = packets_.data(),
                .ticket = word(ticket),
                .reported = word(reported),
                .stop = word(stop),
                .sum = reinterpret_cast<unsigned long long*>(word(sum_low))};
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned warps =
        std::min(max_warps<Planes, K>, schedulers * quotient_up(solve.strips, schedulers * multiprocessors));
    const unsigned blocks = std::min(multiprocessors, quotient_up(solve.strips, warps));
    const auto kernel = run_strips<measure, Planes, K>;
    const std::size_t shared_bytes = warps * sizeof(typename Strip<measure, Planes, K>::Window);
    reserve_shared(kernel, shared_bytes);
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(warps * warp), arguments, shared_bytes, stream_.get()),
          "start to compare");
  }

  const Layout layout_;
  const Buffer<std::uint32_t> a_, b_;
  const Buffer<std::uint32_t> planes_;
  const Buffer<unsigned long long> packets_;
  const Buffer<unsigned> words_;
  const Stream stream_;
};

Layout layout_for(const Query& query) {
  return layout_of({.n = static_cast<double>(query.pair.n()),
                    .m = static_cast<double>(query.pair.m()),
                    .matching_pairs = 0,
                    .planes = query.pair.planes(),
                    .measure = query.measure,
                    .request = query.request});
}

}  // namespace

Distance by_slices(const Query& query, Context& context) { return by_slices(query, context, layout_for(query).rows); }

Distance by_slices(const Query& query, Context& context, unsigned rows) {
  const DeviceScope scope(context.options.device.index);
  Layout layout = layout_for(query);
  layout.rows = rows;
  context.take_device_memory(layout.bytes());
  SolveMonitor monitor(context.options, query.cells());
  const auto n = static_cast<std::int64_t>(query.pair.n()), m = static_cast<std::int64_t>(query.pair.m());
  const std::int64_t sum = Strips(query, layout).run(query.measure, query.cells(), monitor);
  const auto rows_above = static_cast<std::int64_t>((layout.strips() - 1) * stripes * layout.rows);
  const std::int64_t distance = query.measure == Measure::edit ? rows_above + sum : n + m - 2 * sum;
  return query.is_within(distance) ? Distance{distance, {}} : Distance();
}

std::size_t device_bytes(const Size& size, const Options&) { return layout_of(size).bytes(); }

double seconds(const Size& size, const Options&) {
  const double transferred = tuning::gpu_symbol_seconds * (size.n + size.m);
  return tuning::gpu_start_seconds + transferred +
         layout_of(size).cycles(tuning::gpu_schedulers) * tuning::gpu_cycle_seconds;
}

}  // namespace warpfold::sequence::cuda
