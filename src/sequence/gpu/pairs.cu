#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/cuda.hpp"
#include "sequence/gpu/pair_kernel.cuh"
#include "sequence/gpu/pairs.hpp"
#include "sequence/lanes/alphabet.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/sequence/cuda.hpp"

namespace warpfold::sequence::cuda {

namespace {

using namespace warpfold::cuda;

unsigned blocks_of_warps(std::size_t warps) {
  return static_cast<unsigned>((warps + pair_threads / warp - 1) / (pair_threads / warp));
}

/// The longest first.
void sort_by_lengths(std::vector<Pair>& pairs) {
  const auto is_before = [](const Pair& one, const Pair& other) {
    return one.n != other.n ? one.n > other.n : one.m > other.m;
  };
  if (!std::ranges::is_sorted(pairs, is_before)) std::ranges::sort(pairs, is_before);
}

/// The fewest bits of a byte that tell the symbols apart, as numbers. A kernel for more has the first one several
/// times.
std::array<std::uint8_t, 8> bits_of(const lanes::Planes& planes) {
  std::array<std::uint8_t, 8> bits;
  for (std::size_t p = 0; p < bits.size(); ++p) {
    bits[p] = static_cast<std::uint8_t>(std::countr_zero(planes.bits[p < planes.count ? p : 0]));
  }
  return bits;
}

/// A list on the device.
template <class T>
class List {
 public:
  List() = default;
  /// With a stream, the stream's work begins with the copy, which a kernel makes: the copying engine is busy with the
  /// symbols of other streams. Without one, the list is there at once.
  List(std::span<const T> values, const warpfold::cuda::Stream* stream)
      : device_(stream ? Buffer<T>(values.size()) : Buffer<T>(values)), stream_(stream) {
    if (!stream) return;
    staged_ = Memory(Memory::Place::pinned, values.size_bytes());
    std::memcpy(staged_.data(), values.data(), values.size_bytes());
    constexpr unsigned most = 64, threads = 256;
    static_assert(sizeof(T) % sizeof(std::uint64_t) == 0);
    const std::size_t words = values.size_bytes() / sizeof(std::uint64_t);
    const auto blocks = static_cast<unsigned>(std::clamp<std::size_t>((words + threads - 1) / threads, 1, most));
    copy_words<<<blocks, threads, 0, stream->get()>>>(reinterpret_cast<const std::uint64_t*>(staged_.data()),
                                                      reinterpret_cast<std::uint64_t*>(device_.data()), words);
    check_launch("start to receive a list");
  }
  /// Waits for the stream's work, which uses the list. Usually it has ended.
  ~List() {
    if (stream_) cudaStreamSynchronize(stream_->get());
  }
  List(List&& other) noexcept
      : device_(std::move(other.device_)),
        staged_(std::move(other.staged_)),
        stream_(std::exchange(other.stream_, nullptr)) {}
  List& operator=(List&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(staged_, other.staged_);
    std::swap(stream_, other.stream_);
    return *this;
  }

  [[nodiscard]] const T* data() const { return device_.data(); }
  [[nodiscard]] std::size_t size() const { return device_.size(); }
  [[nodiscard]] std::size_t bytes() const { return device_.bytes(); }

 private:
  Buffer<T> device_;
  Memory staged_;
  const warpfold::cuda::Stream* stream_ = nullptr;
};

/// Lists of pairs, and the kernels that work on them.
class DevicePairs {
 public:
  /// `stream`: of all work, or null, if the lists are to be there before any work on any stream.
  DevicePairs(std::vector<Pair> pairs, Measure measure, const warpfold::cuda::Stream* stream)
      : measure_(measure), stream_(stream), sorted_(sorted(std::move(pairs))), pairs_(sorted_, stream) {}

  /// Starts to add all symbols to a set.
  void collect(const std::uint8_t* a, const std::uint8_t* b, unsigned* set, cudaStream_t stream) const {
    constexpr unsigned most = 1024;
    const unsigned blocks = std::min(most, blocks_of_warps(2 * sorted_.size()));
    collect_symbols<<<blocks, pair_threads, 0, stream>>>(tables(a, b, nullptr), set);
    check_launch("start to find the symbols");
  }

  void set_planes(const lanes::Planes& planes, Bound bound) {
    set_layout(planes, bound, layout_of(sorted_, planes_of_pair_kernel(planes.count), measure_, bound));
  }
  /// For scripts. The pairs are cut into parts that keep few choices at a time.
  void set_planes_for_scripts(const lanes::Planes& planes, Bound bound) {
    PairLayout layout = layout_of(sorted_, planes_of_pair_kernel(planes.count), measure_, bound, rows_for_scripts);
    parts_ = parts_of(layout);
    set_layout(planes, bound, std::move(layout));
  }

  /// Starts to compute all distances.
  void start(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* distances, cudaStream_t stream) const {
    const PairTables all = tables(a, b, distances);
    if (measure_ == Measure::edit) {
      start<Measure::edit>(all, stream);
    } else {
      start<Measure::indel>(all, stream);
    }
  }

  /// The most that are kept at the same time, for scripts.
  [[nodiscard]] std::size_t choices() const { return std::ranges::max(parts_, {}, &ScriptPart::choices).choices; }
  /// Starts to find all scripts.
  void start_scripts(const std::uint8_t* a, const std::uint8_t* b, uint2* choices, const PairRuns& to,
                     cudaStream_t stream) const {
    const PairTables all = tables(a, b, nullptr);
    if (measure_ == Measure::edit) {
      start_scripts<Measure::edit>(all, choices, to, stream);
    } else {
      start_scripts<Measure::indel>(all, choices, to, stream);
    }
  }

  [[nodiscard]] std::size_t bytes() const { return pairs_.bytes() + groups_.bytes() + warps_.bytes() + words_.bytes(); }

 private:
  static std::vector<Pair> sorted(std::vector<Pair> pairs) {
    sort_by_lengths(pairs);
    return pairs;
  }

  [[nodiscard]] PairTables tables(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* distances) const {
    return {.a = a,
            .b = b,
            .pairs = pairs_.data(),
            .groups = groups_.data(),
            .warps = warps_.data(),
            .pair_count = static_cast<std::uint32_t>(pairs_.size()),
            .group_count = static_cast<std::uint32_t>(groups_.size()),
            .warp_count = static_cast<std::uint32_t>(warps_.size()),
            .words = words_.data(),
            .distances = distances,
            .bound = bound_.value_or(no_bound),
            .bits = bits_};
  }

  void set_layout(const lanes::Planes& planes, Bound bound, PairLayout layout) {
    bits_ = bits_of(planes), bound_ = bound;
    planes_ = layout.planes, rows_ = layout.rows;
    groups_ = List<PairGroup>(layout.groups, stream_);
    warps_ = List<PairWarp>(layout.warps, stream_);
    words_ = Buffer<unsigned>(layout.words);
  }

  /// Some warps and their groups, whose choices are kept at the same time.
  struct ScriptPart {
    std::uint32_t first_warp, end_warp, first_group, end_group;
    std::uint64_t choices;
  };
  /// Sets where the choices of groups begin.
  static std::vector<ScriptPart> parts_of(PairLayout& layout) {
    std::vector<ScriptPart> parts;
    for (std::uint32_t number = 0; number < layout.warps.size(); ++number) {
      const std::uint32_t first = layout.warps[number].first_group;
      const auto end = static_cast<std::uint32_t>(
          number + 1 < layout.warps.size() ? layout.warps[number + 1].first_group : layout.groups.size());
      const std::uint64_t count = (end - first) * layout.groups[first].choice_count();
      if (parts.empty() || (parts.back().choices + count) * sizeof(uint2) > tuning::gpu_pair_choice_bytes) {
        parts.push_back({number, number, first, first, 0});
      }
      ScriptPart& part = parts.back();
      for (std::uint32_t group = first; group < end; ++group) {
        layout.groups[group].choices = part.choices + (group - first) * layout.groups[group].choice_count();
      }
      part.end_warp = number + 1, part.end_group = end, part.choices += count;
    }
    return parts;
  }

  /// Calls run<Planes>().
  template <class Run>
  void by_planes(const Run& run) const {
    switch (planes_) {
      case 2:
        return run.template operator()<2>();
      case 3:
        return run.template operator()<3>();
      case 5:
        return run.template operator()<5>();
      case 6:
        return run.template operator()<6>();
      default:
        return run.template operator()<8>();
    }
  }
  template <Measure measure>
  void start(const PairTables& all, cudaStream_t stream) const {
    by_planes([&]<int Planes>() { start<measure, Planes>(all, stream); });
  }
  template <Measure measure, int Planes>
  void pack(const PairTables& all, cudaStream_t stream) const {
    pack_pairs<measure, Planes><<<blocks_of_warps(2 * std::size_t{all.group_count}), pair_threads, 0, stream>>>(all);
    check_launch("start to pack the symbols");
  }
  template <Measure measure, int Planes>
  void start(const PairTables& all, cudaStream_t stream) const {
    pack<measure, Planes>(all, stream);
    if constexpr (Planes == 2) {
      if (rows_ == 32) return start<measure, Planes, 32>(all, stream);
    }
    return rows_ == 8 ? start<measure, Planes, 8>(all, stream) : start<measure, Planes, 16>(all, stream);
  }
  template <Measure measure>
  void start_scripts(const PairTables& all, uint2* choices, const PairRuns& to, cudaStream_t stream) const {
    by_planes([&]<int Planes>() { pack<measure, Planes>(all, stream); });
    for (const ScriptPart& part : parts_) {
      PairTables some = all;
      some.warps += part.first_warp, some.warp_count = part.end_warp - part.first_warp;
      by_planes([&]<int Planes>() {
        keep_pair_choices<measure, Planes>
            <<<blocks_of_warps(some.warp_count), pair_threads, 0, stream>>>(some, choices);
      });
      write_pair_runs<<<blocks_of_warps(part.end_group - part.first_group), pair_threads, 0, stream>>>(
          some, to, part.first_group, part.end_group);
    }
    check_launch("start to find scripts");
  }
  template <Measure measure, int Planes, int K>
  void start(const PairTables& all, cudaStream_t stream) const {
    compare_pairs<measure, Planes, K><<<blocks_of_warps(all.warp_count), pair_threads, 0, stream>>>(all);
    check_launch("start to compare");
  }

  Measure measure_;
  const warpfold::cuda::Stream* stream_;
  std::vector<Pair> sorted_;
  List<Pair> pairs_;
  List<PairGroup> groups_;
  List<PairWarp> warps_;
  Buffer<unsigned> words_;
  std::vector<ScriptPart> parts_;
  std::array<std::uint8_t, 8> bits_ = {};
  Bound bound_;
  int planes_ = 0;
  unsigned rows_ = 0;
};

/// The symbols of a list on the device: a copy of the memory around them if it is pinned and has little else, otherwise
/// a copy one after another.
class DeviceSymbols {
 public:
  /// Starts to copy. `staged`: room for all symbols.
  void copy(std::span<const SymbolView> list, std::byte* staged, std::byte* to, cudaStream_t stream) {
    begins_.clear();
    std::size_t bytes = 0;
    for (const SymbolView& symbols : list) {
      begins_.push_back(bytes);
      std::memcpy(staged + bytes, symbols.bytes(), symbols.size());
      bytes += symbols.size();
    }
    check(cudaMemcpyAsync(to, staged, bytes, cudaMemcpyHostToDevice, stream), "receive the symbols");
  }
  /// Returns false if the memory is not of one array.
  [[nodiscard]] bool copy_around(std::span<const SymbolView> list, const std::uint8_t* first, std::size_t bytes,
                                 std::byte* to, cudaStream_t stream) {
    begins_.clear();
    for (const SymbolView& symbols : list) begins_.push_back(static_cast<std::size_t>(symbols.bytes() - first));
    if (cudaMemcpyAsync(to, first, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess) return true;
    cudaGetLastError();  // clears the failure
    return false;
  }
  [[nodiscard]] std::uint64_t begin(std::size_t at) const { return begins_[at]; }

 private:
  std::vector<std::uint64_t> begins_;
};

/// The memory that a list lies in.
struct Extent {
  const std::uint8_t *first, *last;
  std::size_t symbols = 0;

  explicit Extent(std::span<const SymbolView> list) : first(list.front().bytes()), last(first) {
    for (const SymbolView& sequence : list) {
      first = std::min(first, sequence.bytes());
      last = std::max(last, sequence.bytes() + sequence.size());
      symbols += sequence.size();
    }
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(last - first); }
  /// Whether the device can copy it as it is.
  [[nodiscard]] bool is_pinned() const {
    const auto has_type = [](const std::uint8_t* at) {
      cudaPointerAttributes attributes;
      check(cudaPointerGetAttributes(&attributes, at), "look at the symbols' memory");
      return attributes.type == cudaMemoryTypeHost;
    };
    return bytes() <= 2 * symbols && has_type(first) && has_type(last - 1);
  }
};

/// Memory that grows.
class Growing {
 public:
  explicit Growing(Memory::Place place) : place_(place) {}
  std::byte* grown(std::size_t bytes) {
    if (!memory_ || held_ < bytes) {
      memory_.reset();
      memory_.emplace(place_, bytes);
      held_ = bytes;
    }
    return memory_->data();
  }

 private:
  Memory::Place place_;
  std::optional<Memory> memory_;
  std::size_t held_ = 0;
};

}  // namespace

struct PairWorker::State {
  State(int gpu, Measure minimized) : device(gpu), measure(minimized), set(8), staged_set(Memory::Place::pinned, 32) {}

  std::byte* symbols_of(std::span<const SymbolView> list, int side) {
    const Extent extent(list);
    const bool is_pinned = extent.is_pinned();
    const std::size_t bytes = is_pinned ? extent.bytes() : extent.symbols;
    std::byte* const to = on_device[side].grown(bytes + 4);
    if (is_pinned && symbols[side].copy_around(list, extent.first, bytes, to, stream.get())) return to;
    std::byte* const staging = staged[side].grown(extent.symbols);
    symbols[side].copy(list, staging, to, stream.get());
    return to;
  }

  /// Of sequences that have been copied.
  [[nodiscard]] std::vector<Pair> pairs_of(std::span<const SymbolView> a, std::span<const SymbolView> b,
                                           std::span<const PairPlace> places) const {
    std::vector<Pair> pairs(places.size());
    for (std::size_t at = 0; at < places.size(); ++at) {
      const auto [i, j] = places[at];
      pairs[at] = {symbols[0].begin(i), symbols[1].begin(j), static_cast<std::uint32_t>(a[i].size()),
                   static_cast<std::uint32_t>(b[j].size()), static_cast<std::uint32_t>(at)};
    }
    return pairs;
  }

  /// The fewest planes of all symbols so far.
  const lanes::Planes& planes_of(const DevicePairs& pairs, const std::uint8_t* a, const std::uint8_t* b) {
    check(cudaMemsetAsync(set.data(), 0, set.bytes(), stream.get()), "clear a set");
    pairs.collect(a, b, set.data(), stream.get());
    check(cudaMemcpyAsync(staged_set.data(), set.data(), set.bytes(), cudaMemcpyDeviceToHost, stream.get()),
          "return the symbols");
    stream.synchronize();
    for (unsigned symbol = 0; symbol < 256; ++symbol) {
      const auto byte = static_cast<std::uint8_t>(symbol);
      if (static_cast<unsigned>(staged_set.data()[symbol / 8]) >> symbol % 8 & 1) alphabet.add({&byte, 1});
    }
    return alphabet.planes();
  }

  int device;
  Measure measure;
  lanes::Alphabet alphabet;
  DeviceSymbols symbols[2];
  Growing on_device[2] = {Growing(Memory::Place::device), Growing(Memory::Place::device)};
  Growing staged[2] = {Growing(Memory::Place::pinned), Growing(Memory::Place::pinned)};
  Growing results{Memory::Place::device}, staged_results{Memory::Place::pinned}, choices{Memory::Place::device};
  Buffer<unsigned> set;
  Memory staged_set;
  warpfold::cuda::Stream stream;
};

PairWorker::PairWorker(int device, Measure measure) {
  const DeviceScope scope(device);
  state_ = std::make_unique<State>(device, measure);
}
PairWorker::~PairWorker() = default;
PairWorker::PairWorker(PairWorker&&) noexcept = default;

void PairWorker::solve(std::span<const SymbolView> a, std::span<const SymbolView> b, std::span<const PairPlace> places,
                       std::optional<std::uint32_t> bound, std::uint32_t* distances) {
  State& state = *state_;
  const DeviceScope scope(state.device);
  const auto* const on_a = reinterpret_cast<const std::uint8_t*>(state.symbols_of(a, 0));
  const auto* const on_b = reinterpret_cast<const std::uint8_t*>(state.symbols_of(b, 1));
  DevicePairs on_device(state.pairs_of(a, b, places), state.measure, &state.stream);
  on_device.set_planes(state.planes_of(on_device, on_a, on_b), bound);
  const std::size_t bytes = places.size() * sizeof(std::uint32_t);
  auto* const to = reinterpret_cast<std::uint32_t*>(state.results.grown(bytes));
  std::byte* const staged = state.staged_results.grown(bytes);
  on_device.start(on_a, on_b, to, state.stream.get());
  check(cudaMemcpyAsync(staged, to, bytes, cudaMemcpyDeviceToHost, state.stream.get()), "return the distances");
  state.stream.synchronize();
  std::memcpy(distances, staged, bytes);
}

void PairWorker::find_scripts(std::span<const SymbolView> a, std::span<const SymbolView> b,
                              std::optional<std::uint32_t> bound, std::span<Script> backwards) {
  State& state = *state_;
  const DeviceScope scope(state.device);
  const auto* const on_a = reinterpret_cast<const std::uint8_t*>(state.symbols_of(a, 0));
  const auto* const on_b = reinterpret_cast<const std::uint8_t*>(state.symbols_of(b, 1));
  std::vector<PairPlace> places(a.size());
  std::vector<std::uint64_t> begins(a.size() + 1);
  for (std::size_t at = 0; at < a.size(); ++at) {
    places[at] = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at)};
    begins[at + 1] = begins[at] + a[at].size() + b[at].size();
  }
  DevicePairs on_device(state.pairs_of(a, b, places), state.measure, &state.stream);
  const List<std::uint64_t> on_begins(begins, &state.stream);
  on_device.set_planes_for_scripts(state.planes_of(on_device, on_a, on_b), bound);
  const std::size_t counts = a.size() * sizeof(std::uint32_t), bytes = counts + begins.back();
  std::byte* const to = state.results.grown(bytes);
  std::byte* const staged = state.staged_results.grown(bytes);
  auto* const choices = reinterpret_cast<uint2*>(state.choices.grown(on_device.choices() * sizeof(uint2)));
  const PairRuns runs{choices, on_begins.data(), reinterpret_cast<std::uint8_t*>(to + counts),
                      reinterpret_cast<std::uint32_t*>(to)};
  on_device.start_scripts(on_a, on_b, choices, runs, state.stream.get());
  check(cudaMemcpyAsync(staged, to, bytes, cudaMemcpyDeviceToHost, state.stream.get()), "return the scripts");
  state.stream.synchronize();
  const auto* const written = reinterpret_cast<const std::uint32_t*>(staged);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(staged + counts);
  for (std::size_t at = 0; at < a.size(); ++at) {
    add_runs({first + begins[at], written[at]}, backwards[at]);
    backwards[at].push(Edit::deletion, a[at].size() - backwards[at].symbols_of_a());
    backwards[at].push(Edit::insertion, b[at].size() - backwards[at].symbols_of_b());
  }
}

/// Symbols, words and pairs. A sequence's words are those of 32 symbols at least.
std::size_t device_bytes_of_worker(std::size_t symbols) { return 4 * symbols; }
/// Symbols and pairs.
std::size_t host_bytes_of_worker(std::size_t symbols) { return 2 * symbols; }
/// Symbols, words and pairs, choices, and runs.
std::size_t device_bytes_of_scripts(std::size_t symbols) {
  return device_bytes_of_worker(symbols) + 2 * tuning::gpu_pair_choice_bytes + symbols;
}

namespace {

static_assert(PairPlan::max_symbols == tuning::gpu_max_lane);

void check_offsets(std::span<const std::uint64_t> offsets) {
  for (std::size_t at = 1; at < offsets.size(); ++at) {
    if (offsets[at] >= offsets[at - 1] && offsets[at] - offsets[at - 1] <= PairPlan::max_symbols) continue;
    throw Error(ErrorKind::input, "sequence " + std::to_string(at - 1) + " begins at " +
                                      std::to_string(offsets[at - 1]) + " and ends at " + std::to_string(offsets[at]) +
                                      ": up to " + std::to_string(PairPlan::max_symbols) + " symbols are accepted");
  }
}

std::vector<Pair> pairs_of(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  if (a.size() != b.size() || a.empty() || a.size() > std::size_t{1} << 31) {
    throw Error(ErrorKind::input, "there are " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                                      " offsets: as many, from 1 to 2^31, are accepted");
  }
  check_offsets(a), check_offsets(b);
  std::vector<Pair> pairs(a.size() - 1);
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    pairs[at] = {a[at], b[at], static_cast<std::uint32_t>(a[at + 1] - a[at]),
                 static_cast<std::uint32_t>(b[at + 1] - b[at]), static_cast<std::uint32_t>(at)};
  }
  return pairs;
}

lanes::Planes planes_of(std::string_view alphabet) {
  if (alphabet.empty()) return {{1, 2, 4, 8, 16, 32, 64, 128}, 8};
  lanes::Alphabet symbols;
  symbols.add({reinterpret_cast<const std::uint8_t*>(alphabet.data()), alphabet.size()});
  return symbols.planes();
}

}  // namespace

struct PairPlan::State {
  State(std::vector<Pair> list, const BatchRequest& request, const lanes::Planes& planes)
      : device(DeviceScope::current()), pairs(std::move(list), request.measure, nullptr) {
    pairs.set_planes(planes, request.max_distance);
  }
  int device;
  DevicePairs pairs;
  LastUse last_use;
};

PairPlan::PairPlan(std::span<const std::uint64_t> a_offsets, std::span<const std::uint64_t> b_offsets,
                   const BatchRequest& request, std::string_view alphabet)
    : state_(std::make_unique<State>(pairs_of(a_offsets, b_offsets), request, planes_of(alphabet))) {}
PairPlan::~PairPlan() = default;
PairPlan::PairPlan(PairPlan&&) noexcept = default;
PairPlan& PairPlan::operator=(PairPlan&&) noexcept = default;

void PairPlan::run(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* distances, Stream stream) {
  const DeviceScope scope(state_->device);
  state_->pairs.start(a, b, distances, stream);
  state_->last_use.record(stream);
}

std::size_t PairPlan::bytes_held() const { return state_->pairs.bytes(); }

}  // namespace warpfold::sequence::cuda
