#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sequence/batch/pair.hpp"
#include "sequence/gpu/pairs.hpp"
#include "sequence/lanes/bytes.hpp"
#include "sequence/lanes/group.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::sequence::batch {

/// The threads of a batch, and what they share.
class Batch {
 public:
  /// `operations`: entries of all tables.
  Batch(Context& context, double operations, bool on_gpu)
      : context_(context), monitor_(context.options, operations), on_gpu_(on_gpu) {}

  [[nodiscard]] Budget& budget() { return context_.budget; }
  [[nodiscard]] bool forces(const char* algorithm) const { return context_.options.algorithm == algorithm; }
  [[nodiscard]] bool is_on_gpu() const { return on_gpu_; }
  [[nodiscard]] const SolveMonitor& monitor() const { return monitor_; }
  [[nodiscard]] int gpu() const { return context_.options.device.index; }
  /// The most threads that have memory. At least one.
  [[nodiscard]] int threads(std::size_t items, std::size_t bytes_of_a_thread);
  /// Calls body(item, member, options of a solve inside it) for all items. It returns the entries that it computed. On
  /// a GPU the solves of all threads share what `threads_for_gpu` leaves of the GPU's memory.
  void run(std::size_t items, int threads, const std::function<double(std::size_t, int, const Options&)>& body);
  /// As many threads as work for a GPU, each of which has its own part of the memory.
  [[nodiscard]] int threads_for_gpu(std::size_t items, std::size_t device_bytes_of_a_thread);

  /// Says that an algorithm ran for some pairs. `finish` reports all of them.
  void ran(const char* algorithm) { (std::string_view(algorithm) == "lanes" ? ran_lanes_ : ran_words_) = true; }
  void finish();

 private:
  Context& context_;
  SolveMonitor monitor_;
  bool on_gpu_;
  std::size_t device_bytes_ = 0;  ///< of all threads
  std::atomic<bool> ran_lanes_ = false, ran_words_ = false;
};

/// Whether the symbols and the options allow a bit of a vector for each pair.
[[nodiscard]] std::optional<lanes::Bytes> bytes_for_lanes(List a, List b, Batch& batch);
/// The time that a group takes. `bound`: the largest distance that matters.
[[nodiscard]] double seconds_of_lanes(std::size_t rows, std::size_t columns, std::size_t planes,
                                      const BatchRequest& request, std::optional<std::uint32_t> bound);
/// What a pair takes of a GPU's chunk.
[[nodiscard]] std::size_t chunk_symbols(std::size_t n, std::size_t m);
[[nodiscard]] double part_of_chunk(const SymbolView& a, const SymbolView& b);
/// Cuts pairs into chunks. Each chunk ends with the pair by which the sum of part(pair) reaches 1.
template <class Part>
[[nodiscard]] std::vector<std::span<const std::uint32_t>> chunks_of(std::span<const std::uint32_t> pairs,
                                                                    const Part& part) {
  std::vector<std::span<const std::uint32_t>> chunks;
  for (std::size_t count; !pairs.empty(); pairs = pairs.subspan(count)) {
    double sum = 0;
    for (count = 0; count < pairs.size() && sum < 1; ++count) sum += part(pairs[count]);
    chunks.push_back(pairs.first(count));
  }
  return chunks;
}

/// One group and one alphabet for each member of a team. Groups are made when they are needed.
class Groups {
 public:
  Groups(Measure measure, std::size_t n, std::size_t m, int members, const SolveMonitor& monitor)
      : measure_(measure), n_(n), m_(m), monitor_(monitor), of_(members), alphabets_(members) {}
  lanes::Group& of(int member) {
    auto& group = of_[static_cast<std::size_t>(member)];
    if (!group) group = std::make_unique<lanes::Group>(measure_, n_, m_, monitor_);
    return *group;
  }
  /// The symbols that the member has met.
  lanes::Alphabet& alphabet_of(int member) { return alphabets_[static_cast<std::size_t>(member)]; }

 private:
  Measure measure_;
  std::size_t n_, m_;
  const SolveMonitor& monitor_;
  std::vector<std::unique_ptr<lanes::Group>> of_;
  std::vector<lanes::Alphabet> alphabets_;
};

/// The memory of each member of a team for pairs on a GPU. It is made when it is needed.
class GpuWorkers {
 public:
  GpuWorkers(int device, Measure measure, int members) : device_(device), measure_(measure), of_(members) {}
  cuda::PairWorker& of(int member) {
    auto& worker = of_[static_cast<std::size_t>(member)];
    if (!worker) worker.emplace(device_, measure_);
    return *worker;
  }

 private:
  int device_;
  Measure measure_;
  std::vector<std::optional<cuda::PairWorker>> of_;
};

}  // namespace warpfold::sequence::batch
