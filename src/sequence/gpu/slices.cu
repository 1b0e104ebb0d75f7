#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "sequence/gpu/kernel.cuh"
#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/slices.hpp"
#include "sequence/gpu/traceback.cuh"
#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;

unsigned quotient_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// The memory of a walk's rounds. Two rounds take turns on the host, so that one is read while the next one runs.
class RoundMemory {
 public:
  explicit RoundMemory(const Layout& layout)
      : choices_(max_choices(layout)),
        exits_(tuning::gpu_max_exits),
        unknown_(tuning::gpu_max_exits),
        on_device_(Memory::Place::device, sizeof(Both)),
        on_host_(Memory::Place::pinned, pinned_bytes()) {}

  [[nodiscard]] static std::size_t pinned_bytes() { return 2 * sizeof(Both); }

  /// Starts to copy the plan of a round.
  [[nodiscard]] Traceback receive(const Round& round, std::uint32_t column, unsigned rows, unsigned turn,
                                  const warpfold::cuda::Stream& stream) const {
    Plan& plan = on_host(turn).plan;
    std::ranges::copy(round.windows, plan.windows);
    std::ranges::copy(round.segments, plan.segments);
    auto& [on_device_plan, found] = on_device();
    check(cudaMemcpyAsync(&on_device_plan, &plan, sizeof plan, cudaMemcpyHostToDevice, stream.get()), "receive a plan");
    check(cudaMemsetAsync(&found.unknown_count, 0, sizeof found.unknown_count, stream.get()), "clear a counter");
    return {.windows = on_device_plan.windows,
            .segments = on_device_plan.segments,
            .segment_count = static_cast<std::uint32_t>(round.segments.size()),
            .column = column,
            .rows_log = static_cast<unsigned>(std::countr_zero(rows)),
            .choices = choices_.data(),
            .exits = exits_.data(),
            .unknown = unknown_.data(),
            .runs = found.runs,
            .entries = found.entries,
            .written = found.written,
            .unknown_count = &found.unknown_count,
            .end = &found.end};
  }

  /// Starts to copy what a round has found, and the room for all runs, also what none of them fills.
  void give_back(const Round& round, unsigned turn, const warpfold::cuda::Stream& stream) const {
    const Segment& last = round.segments.back();
    const std::size_t bytes =
        offsetof(Found, runs) + last.runs + (last.bottom - last.top) + last.first_entry + last.entries - 1 - last.left;
    check(cudaMemcpyAsync(&on_host(turn).found, &on_device().found, bytes, cudaMemcpyDeviceToHost, stream.get()),
          "return the edits");
  }
  [[nodiscard]] const RoundEnd& end(unsigned turn) const { return on_host(turn).found.end; }
  /// The runs to expect in all rows, by those of the first round, and a little more. 0: it has too few rows to tell.
  [[nodiscard]] std::size_t expected_runs(std::uint64_t rows) const {
    const Found& found = on_host(0).found;
    const std::uint64_t gone = rows - found.end.at.i;
    const auto runs = std::accumulate(found.written, found.written + found.end.segments, std::size_t{0});
    return gone < tuning::gpu_segment_rows ? 0 : runs + runs * found.end.at.i / gone * 17 / 16;
  }
  void add_runs(const Round& round, unsigned turn, Script& backwards) const {
    const Found& found = on_host(turn).found;
    for (std::size_t number = 0; number < found.end.segments; ++number) {
      cuda::add_runs({found.runs + round.segments[number].runs, found.written[number]}, backwards);
    }
  }

 private:
  struct Plan {
    Window windows[tuning::gpu_max_segments];
    Segment segments[tuning::gpu_max_segments];
  };
  struct Found {
    RoundEnd end;
    std::uint32_t unknown_count;
    std::uint32_t entries[tuning::gpu_max_segments], written[tuning::gpu_max_segments];
    std::uint8_t runs[tuning::gpu_run_bytes];
  };
  struct Both {
    Plan plan;
    Found found;
  };
  [[nodiscard]] Both& on_host(unsigned turn) const { return reinterpret_cast<Both*>(on_host_.data())[turn % 2]; }
  [[nodiscard]] Both& on_device() const { return *reinterpret_cast<Both*>(on_device_.data()); }

  const Buffer<uint2> choices_;
  const Buffer<std::uint32_t> exits_;
  const Buffer<Entry> unknown_;
  const Memory on_device_, on_host_;
};

/// The memory of one GPU of a solve.
struct Part {
  Buffer<std::uint32_t> a, b;
  Buffer<std::uint32_t> planes;
  Buffer<unsigned long long> packets;
  Buffer<unsigned> kept;
  Buffer<unsigned> words;
  warpfold::cuda::Event ended;
  warpfold::cuda::Stream stream;

  enum Word : unsigned { ticket, reported, stop, unused, sum_low, sum_high, word_count };

  Part(const Query& query, const Layout& layout)
      : a(query.pair.a()),
        b(query.pair.b()),
        planes(layout.plane_words()),
        packets(layout.packets()),
        kept(layout.kept_words()),
        words(word_count) {}

  [[nodiscard]] unsigned* word(Word which) const { return words.data() + which; }
  [[nodiscard]] unsigned long long* sum() const { return reinterpret_cast<unsigned long long*>(word(sum_low)); }

  void clear() const {
    check(cudaMemsetAsync(words.data(), 0, words.bytes(), stream.get()), "clear its counters");
    check(cudaMemsetAsync(packets.data(), 0xFF, packets.bytes(), stream.get()), "clear what strips hand on");
  }
};

/// The memory of one solve, and its kernels. The first GPU is the current device.
class Strips {
 public:
  /// `others`: GPUs after the first.
  Strips(const Query& query, const Layout& layout, std::span<const int> others) : layout_(layout) {
    devices_.push_back(DeviceScope::current());
    devices_.insert(devices_.end(), others.begin(), others.end());
    warpfold::cuda::link(devices_);
    for (const int device : devices_) {
      const DeviceScope scope(device);
      parts_.emplace_back(query, layout);
    }
  }

  /// Each GPU's kernel uses the memory of others.
  ~Strips() {
    for (const Part& part : parts_) cudaStreamSynchronize(part.stream.get());
  }
  Strips(const Strips&) = delete;
  Strips& operator=(const Strips&) = delete;

  /// The sum of the differences along the row above the last strip, and from there down column m.
  [[nodiscard]] std::int64_t run(Measure measure, double cells, SolveMonitor& monitor) {
    const Part& first = parts_.front();
    warpfold::cuda::run(first.stream, cells, monitor, [&] {
      start_or_stop(measure);
      const std::size_t strips = solve(0).strips_here();
      return RunningSolve{.tasks_taken = first.word(Part::reported),
                          .tasks = strips * (layout_.chunks() + lag) / chunks_between_reports,
                          .stop = first.word(Part::stop),
                          .number = 1,
                          .check = [this] { check_others(); }};
    });
    unsigned long long sum = 0;
    check(cudaMemcpy(&sum, first.sum(), sizeof sum, cudaMemcpyDeviceToHost), "return the sum");
    return static_cast<std::int64_t>(sum);
  }

  /// The script, after `run` with a layout that keeps states.
  [[nodiscard]] Script script(Measure measure, const SolveMonitor& monitor) const {
    const RoundMemory memory(layout_);
    const warpfold::cuda::Stream stream;
    Position at{static_cast<std::uint32_t>(layout_.n), static_cast<std::uint32_t>(layout_.m)};
    Script backwards;
    Round round;
    std::size_t most = tuning::gpu_max_segments;
    for (unsigned turn = 0; at.i > 0 && at.j > 0; ++turn) {
      monitor.check();
      const Round before = std::exchange(round, round_from(at, layout_, most));
      start_round(measure, memory, round, at.j, turn, stream);
      if (turn > 0) memory.add_runs(before, turn - 1, backwards);
      stream.synchronize();
      const RoundEnd& end = memory.end(turn);
      if (turn == 0) backwards.reserve(memory.expected_runs(layout_.n));
      at = end.at;
      most = std::clamp<std::size_t>(2 * end.segments, min_segments, tuning::gpu_max_segments);
      if (at.i == 0 || at.j == 0) memory.add_runs(round, turn, backwards);
    }
    return Walk{at.i, at.j, std::move(backwards)}.finished();
  }

 private:
  static constexpr std::size_t min_segments = 8;

  /// Starts a round, and to copy what it finds.
  void start_round(Measure measure, const RoundMemory& memory, const Round& round, std::uint32_t column, unsigned turn,
                   const warpfold::cuda::Stream& stream) const {
    constexpr unsigned threads = 128;
    const Traceback on_device = memory.receive(round, column, layout_.rows, turn, stream);
    if (measure == Measure::edit) {
      keep_choices_of<Measure::edit>(round, on_device, stream.get());
    } else {
      keep_choices_of<Measure::indel>(round, on_device, stream.get());
    }
    const auto segments = static_cast<unsigned>(round.segments.size());
    const Segment widest = std::ranges::max(round.segments, {}, &Segment::entries);
    const dim3 some(quotient_up(widest.walkers(), threads), segments);
    const dim3 all(quotient_up(widest.entries, threads), segments);
    const auto others = static_cast<unsigned>(16 * attribute(cudaDevAttrMultiProcessorCount));
    find_some_exits<<<some, threads, 0, stream.get()>>>(on_device);
    find_exits_between<<<all, threads, 0, stream.get()>>>(on_device);
    find_other_exits<<<others, threads, 0, stream.get()>>>(on_device);
    follow_exits<<<1, threads, 0, stream.get()>>>(on_device);
    write_runs<<<segments, warp, 0, stream.get()>>>(on_device);
    check_launch("start to walk back");
    memory.give_back(round, turn, stream);
  }

  /// Calls visit(gpu) with each part's GPU as the current device.
  template <class Visit>
  void each_part(const Visit& visit) const {
    for (unsigned gpu = 0; gpu < parts_.size(); ++gpu) {
      const DeviceScope scope(devices_[gpu]);
      visit(gpu);
    }
  }

  /// Raises the error that ended another GPU's kernel early.
  void check_others() const {
    for (const Part& part : std::span(parts_).subspan(1)) {
      const cudaError_t status = cudaEventQuery(part.ended.get());
      if (status != cudaErrorNotReady) check(status, "finish its part of the solve");
    }
  }

  /// Calls run<Planes, K>().
  template <class Run>
  void by_layout(const Run& run) const {
    switch (layout_.planes) {
      case 2:
        return by_rows<2>(run);
      case 5:
        return by_rows<5>(run);
      case 8:
        return by_rows<8>(run);
      default:
        return by_rows<16>(run);
    }
  }
  template <int Planes, class Run>
  void by_rows(const Run& run) const {
    switch (layout_.rows) {
      case 1:
        return run.template operator()<Planes, 1>();
      case 2:
        return run.template operator()<Planes, 2>();
      case 4:
        return run.template operator()<Planes, 4>();
      default:
        break;
    }
    if constexpr (Planes <= 8) {
      return layout_.rows == 8 ? run.template operator()<Planes, 8>() : run.template operator()<Planes, 16>();
    }
  }

  /// Starts all GPUs. If one does not start, the others end, which would wait for its strips.
  void start_or_stop(Measure measure) const {
    try {
      if (measure == Measure::edit) {
        start<Measure::edit>();
      } else {
        start<Measure::indel>();
      }
    } catch (...) {
      const warpfold::cuda::Stream side_stream;
      const unsigned stopped = 1;
      cudaMemcpyAsync(parts_.front().word(Part::stop), &stopped, sizeof stopped, cudaMemcpyHostToDevice,
                      side_stream.get());
      cudaStreamSynchronize(side_stream.get());
      throw;
    }
  }

  /// Starts all GPUs. No strip hands anything on before the next one's memory is cleared. The first GPU's stream also
  /// waits for the end of the others.
  template <Measure measure>
  void start() const {
    each_part([&](unsigned gpu) {
      parts_[gpu].clear();
      by_layout([&]<int Planes, int K>() { pack<Planes>(parts_[gpu]); });
    });
    if (parts_.size() > 1) {
      for (const Part& part : parts_) part.stream.synchronize();
    }
    each_part([&](unsigned gpu) {
      by_layout([&]<int Planes, int K>() { start<measure, Planes, K>(gpu); });
      parts_[gpu].ended.record(parts_[gpu].stream);
    });
    for (const Part& part : std::span(parts_).subspan(1)) part.ended.hold_back(parts_.front().stream.get());
  }
  template <Measure measure>
  void keep_choices_of(const Round& round, const Traceback& on_device, cudaStream_t stream) const {
    const std::uint32_t chunks = std::ranges::max(round.windows, {}, &Window::chunks).chunks;
    const dim3 blocks(quotient_up(chunks, layout_.interval), static_cast<unsigned>(round.windows.size()));
    by_layout([&]<int Planes, int K>() {
      keep_choices<measure, Planes, K><<<blocks, warp, 0, stream>>>(solves(), on_device);
    });
    check_launch("start to find the choices");
  }

  [[nodiscard]] Solve solve(unsigned gpu) const {
    const Part& part = parts_[gpu];
    const Part& next = parts_[(gpu + 1) % parts_.size()];
    return {.a = part.a.data(),
            .planes = part.planes.data(),
            .n = static_cast<std::uint32_t>(layout_.n),
            .m = static_cast<std::uint32_t>(layout_.m),
            .chunks = static_cast<unsigned>(layout_.chunks()),
            .strips = static_cast<unsigned>(layout_.strips()),
            .gpu = gpu,
            .gpus = layout_.gpus,
            .packets = part.packets.data(),
            .packets_of_next = next.packets.data(),
            .ticket = part.word(Part::ticket),
            .reported = part.word(Part::reported),
            .stop = parts_.front().word(Part::stop),
            .sum = parts_.front().sum(),
            .interval = layout_.interval,
            .kept = part.kept.data()};
  }
  /// With the sequences of the first GPU.
  [[nodiscard]] Solves solves() const {
    Solves all{};
    for (unsigned gpu = 0; gpu < parts_.size(); ++gpu) {
      all.of_gpu[gpu] = solve(gpu);
      all.of_gpu[gpu].a = parts_.front().a.data();
      all.of_gpu[gpu].planes = parts_.front().planes.data();
    }
    return all;
  }

  template <int Planes>
  void pack(const Part& part) const {
    constexpr unsigned threads = 256;
    const auto chunks = static_cast<unsigned>(layout_.chunks());
    pack_columns<Planes><<<(chunks * warp + threads - 1) / threads, threads, 0, part.stream.get()>>>(
        part.b.data(), static_cast<std::uint32_t>(layout_.m), chunks, part.planes.data());
    check_launch("start to pack the symbols");
  }

  /// A part has the multiprocessors of its GPU, or its share of them if other parts are on the same one.
  template <Measure measure, int Planes, int K>
  void start(unsigned gpu) const {
    Solve solve = this->solve(gpu);
    const auto sharing = static_cast<unsigned>(std::ranges::count(devices_, devices_[gpu]));
    const unsigned multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount)) / sharing;
    const unsigned strips = solve.strips_here();
    const unsigned warps =
        std::min(max_warps<Planes, K>, schedulers * quotient_up(strips, schedulers * multiprocessors));
    const unsigned blocks = std::min(multiprocessors, quotient_up(strips, warps));
    const auto kernel = run_strips<measure, Planes, K>;
    const cudaStream_t stream = parts_[gpu].stream.get();
    if (sharing > 1) {  // two cooperative kernels might run one after the other
      kernel<<<blocks, warps * warp, 0, stream>>>(solve);
      return check_launch("start to compare");
    }
    void* arguments[] = {&solve};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(warps * warp), arguments, 0, stream),
          "start to compare");
  }

  const Layout layout_;
  std::vector<int> devices_;
  std::vector<Part> parts_;
};

Size size_of(const Query& query) {
  return {.n = static_cast<double>(query.pair.n()),
          .m = static_cast<double>(query.pair.m()),
          .matching_pairs = 0,
          .planes = query.pair.planes(),
          .measure = query.measure,
          .request = query.request};
}

unsigned gpus(const Options& options) {
  return static_cast<unsigned>(std::min<std::size_t>(max_gpus, 1 + options.device.more.size()));
}

Script script_of(const Query& query, const Strips& strips, Context& context, const SolveMonitor& monitor) {
  const auto taken = context.budget.reserve(host_bytes(size_of(query), context.options));
  const auto start = std::chrono::steady_clock::now();
  Script script = strips.script(query.measure, monitor);
  context.report.traceback_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return script;
}

}  // namespace

Distance by_slices(const Query& query, Context& context) {
  return by_slices(query, context, layout_on(gpus(context.options), size_of(query)).rows);
}

Distance by_slices(const Query& query, Context& context, unsigned rows) {
  Device& device = context.options.device;
  const DeviceScope scope(device.index);
  const Layout layout = layout_of(size_of(query), rows, gpus(context.options));
  device.more.resize(layout.gpus - 1);
  context.take_device_memory(layout.bytes(), layout.bytes());
  SolveMonitor monitor(context.options, query.cells());
  const auto n = static_cast<std::int64_t>(query.pair.n()), m = static_cast<std::int64_t>(query.pair.m());
  Strips strips(query, layout, device.more);
  const std::int64_t sum = strips.run(query.measure, query.cells(), monitor);
  const auto rows_above = static_cast<std::int64_t>((layout.strips() - 1) * layout.rows_of_a_strip());
  const std::int64_t distance = query.measure == Measure::edit ? rows_above + sum : n + m - 2 * sum;
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? script_of(query, strips, context, monitor) : Script()};
}

std::size_t device_bytes(const Size& size, const Options& options) { return layout_on(gpus(options), size).bytes(); }

std::size_t host_bytes(const Size& size, const Options&) {
  return size.request.script ? RoundMemory::pinned_bytes() : 0;
}

double seconds(const Size& size, const Options& options) {
  const double transferred = tuning::gpu_symbol_seconds * (size.n + size.m);
  return tuning::gpu_start_seconds + transferred + layout_on(gpus(options), size).seconds();
}

}  // namespace warpfold::sequence::cuda
