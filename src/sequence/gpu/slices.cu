#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/kernel.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/slices.hpp"
#include "sequence/gpu/tiles.hpp"
#include "sequence/slices/layout.hpp"
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
        kept_(layout.kept_words()),
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

  /// The script, after `run` with a layout that keeps columns.
  [[nodiscard]] Script script(const Query& query, Team& team, const SolveMonitor& monitor) const {
    const std::size_t slots = slices::parts_at_a_time(static_cast<std::size_t>(team.size()));
    const Memory above(Memory::Place::pinned, slots * bytes_of_packets());
    const Memory left(Memory::Place::pinned, slots * bytes_of_column());
    const auto fetch = [&](std::size_t slot, const Tile& tile) {
      fetch_above(tile, above.data() + slot * bytes_of_packets());
      fetch_left(tile, left.data() + slot * bytes_of_column());
    };
    const Borders borders{slots, reinterpret_cast<const std::uint64_t*>(above.data()),
                          reinterpret_cast<const std::uint32_t*>(left.data()), fetch, [&] { stream_.synchronize(); }};
    return script_by_tiles(query, layout_, borders, team, monitor);
  }

 private:
  enum Word : unsigned { ticket, reported, stop, unused, sum_low, sum_high, words };

  [[nodiscard]] unsigned* word(Word which) const { return words_.data() + which; }
  [[nodiscard]] std::size_t chunks_of_a_strip() const { return layout_.chunks() + lag; }

  [[nodiscard]] std::size_t bytes_of_packets() const { return sizeof(std::uint64_t) * layout_.packets_of_a_tile(); }
  [[nodiscard]] std::size_t bytes_of_column() const { return sizeof(std::uint32_t) * layout_.words_of_a_column(); }
  void fetch_above(const Tile& tile, std::byte* to) const {
    if (tile.strip == 0) return;
    const std::size_t of_a_strip = layout_.chunks(), first = tile.column * layout_.packets_of_a_tile();
    const std::size_t count = std::min(layout_.packets_of_a_tile(), of_a_strip - first);
    fetch(packets_.data() + (tile.strip - 1) * of_a_strip + first, sizeof(std::uint64_t) * count, to);
  }
  void fetch_left(const Tile& tile, std::byte* to) const {
    if (tile.column == 0) return;
    const std::size_t number = (tile.column - 1) * layout_.strips() + tile.strip;
    fetch(kept_.data() + number * layout_.words_of_a_column(), bytes_of_column(), to);
  }
  void fetch(const void* from, std::size_t bytes, std::byte* to) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "return a tile's borders");
  }

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
    if (layout_.interval > 0) return start_keeping<measure, Planes>();
    switch (layout_.rows) {
      case 1:
        return start<measure, Planes, 1, false>();
      case 2:
        return start<measure, Planes, 2, false>();
      case 4:
        return start<measure, Planes, 4, false>();
      default:
        break;
    }
    if constexpr (Planes <= 8) {
      return layout_.rows == 8 ? start<measure, Planes, 8, false>() : start<measure, Planes, 16, false>();
    }
  }

  template <Measure measure, int Planes>
  void start_keeping() {
    return layout_.rows == 2 ? start<measure, Planes, 2, true>() : start<measure, Planes, 4, true>();
  }

  template <Measure measure, int Planes, int K, bool Keeps>
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
                .sum = reinterpret_cast<unsigned long long*>(word(sum_low)),
                .interval = layout_.interval,
                .kept = kept_.data()};
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    const unsigned warps =
        std::min(max_warps<Planes, K, Keeps>, schedulers * quotient_up(solve.strips, schedulers * multiprocessors));
    const unsigned blocks = std::min(multiprocessors, quotient_up(solve.strips, warps));
    const auto kernel = run_strips<measure, Planes, K, Keeps>;
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(warps * warp), arguments, 0, stream_.get()),
          "start to compare");
  }

  const Layout layout_;
  const Buffer<std::uint32_t> a_, b_;
  const Buffer<std::uint32_t> planes_;
  const Buffer<unsigned long long> packets_;
  const Buffer<unsigned> kept_;
  const Buffer<unsigned> words_;
  const warpfold::cuda::Stream stream_;
};

Size size_of(const Query& query) {
  return {.n = static_cast<double>(query.pair.n()),
          .m = static_cast<double>(query.pair.m()),
          .matching_pairs = 0,
          .planes = query.pair.planes(),
          .measure = query.measure,
          .request = query.request};
}

std::size_t walkers(const Options& options) { return static_cast<std::size_t>(thread_count(options.threads)); }

Script script_of(const Query& query, const Strips& strips, Context& context, const SolveMonitor& monitor) {
  Team team(static_cast<int>(walkers(context.options)));
  const auto taken = context.budget.reserve(host_bytes(size_of(query), context.options));
  const auto start = std::chrono::steady_clock::now();
  Script script = strips.script(query, team, monitor);
  context.report.threads = team.size();
  context.report.traceback_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return script;
}

}  // namespace

Distance by_slices(const Query& query, Context& context) {
  return by_slices(query, context, layout_of(size_of(query)).rows);
}

Distance by_slices(const Query& query, Context& context, unsigned rows) {
  const DeviceScope scope(context.options.device.index);
  const Layout layout = layout_of(size_of(query), rows);
  context.take_device_memory(layout.bytes());
  SolveMonitor monitor(context.options, query.cells());
  const auto n = static_cast<std::int64_t>(query.pair.n()), m = static_cast<std::int64_t>(query.pair.m());
  Strips strips(query, layout);
  const std::int64_t sum = strips.run(query.measure, query.cells(), monitor);
  const auto rows_above = static_cast<std::int64_t>((layout.strips() - 1) * layout.rows_of_a_strip());
  const std::int64_t distance = query.measure == Measure::edit ? rows_above + sum : n + m - 2 * sum;
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? script_of(query, strips, context, monitor) : Script()};
}

std::size_t device_bytes(const Size& size, const Options&) { return layout_of(size).bytes(); }

std::size_t host_bytes(const Size& size, const Options& options) {
  return size.request.script ? bytes_of_tiles(layout_of(size), size.measure, slices::parts_at_a_time(walkers(options)))
                             : 0;
}

double seconds(const Size& size, const Options&) {
  const double transferred = tuning::gpu_symbol_seconds * (size.n + size.m);
  return tuning::gpu_start_seconds + transferred + layout_of(size).seconds();
}

}  // namespace warpfold::sequence::cuda
