// How fast does a GPU compute the distances of many pairs: with the sequences on the device, from pinned arrays, and
// from separate strings? What part of the arithmetic ceiling is it?
//
//   bench_sequence cuda_batches --json > results/<machine>/sequence_cuda_batches.json

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../question.hpp"
#include "cuda_ceiling.cuh"
#include "run/cuda.hpp"
#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/cuda.hpp"

namespace warpfold::bench {
namespace {

using sequence::BatchRequest;
using sequence::Measure;
using sequence::SymbolView;
namespace gpu = sequence::cuda;

constexpr const char* dna = "ACGT";
constexpr const char* prose = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .,;:'!?-";

struct Batch {
  const char* name;
  const char* letters;
  std::size_t pairs, shortest, longest;
};
constexpr Batch batches[] = {
    {"DNA of 1000", dna, 100'000, 1000, 1000},       {"prose of 1000", prose, 100'000, 1000, 1000},
    {"DNA of 100", dna, 1'000'000, 100, 100},        {"prose of 100", prose, 1'000'000, 100, 100},
    {"DNA of 100 to 150", dna, 1'000'000, 100, 150}, {"DNA of 8000 to 10000", dna, 2'000, 8'000, 10'000}};

/// Sequences in one pinned array.
class Sequences {
 public:
  Sequences(const Batch& batch, std::uint64_t seed)
      : memory_(cuda::Memory::Place::pinned, batch.pairs * batch.longest), offsets_{0} {
    std::mt19937_64 random(seed);
    const std::string_view letters = batch.letters;
    auto* to = reinterpret_cast<char*>(memory_.data());
    for (std::size_t at = 0; at < batch.pairs; ++at) {
      const std::size_t length = batch.shortest + random() % (batch.longest - batch.shortest + 1);
      views_.emplace_back(std::string_view(to, length));
      for (std::size_t i = 0; i < length; ++i) *to++ = letters[random() % letters.size()];
      offsets_.push_back(offsets_.back() + length);
    }
  }
  [[nodiscard]] const std::vector<SymbolView>& views() const { return views_; }
  [[nodiscard]] const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  [[nodiscard]] std::span<const std::uint8_t> symbols() const {
    return {reinterpret_cast<const std::uint8_t*>(memory_.data()), offsets_.back()};
  }
  /// A string of its own for each.
  [[nodiscard]] std::vector<std::string> strings() const {
    std::vector<std::string> list;
    for (const SymbolView& view : views_) list.emplace_back(reinterpret_cast<const char*>(view.bytes()), view.size());
    return list;
  }

 private:
  cuda::Memory memory_;
  std::vector<std::uint64_t> offsets_;
  std::vector<SymbolView> views_;
};

/// The pairs of one batch, and what is known about them.
struct Work {
  const Batch& batch;
  Measure measure;
  const Sequences &a, &b;
  double cells, ceiling;

  void keep_row(const char* arrays, const Timing& timing, const Json& more) const {
    Json keys = {{"measure", measure == Measure::edit ? "edit" : "indel"},
                 {"pairs", batch.pairs},
                 {"arrays", arrays},
                 {"pairs_per_second", static_cast<double>(batch.pairs) / timing.median_seconds}};
    keys.update(more);
    keep(row(batch.name, keys, timing, cells, ceiling));
  }
  void check(std::span<const std::uint32_t> found) const {
    for (std::size_t at = 0; at < batch.pairs; at += batch.pairs / 61 + 1) {
      require(found[at] == sequence::Pattern(a.views()[at], measure).distance(b.views()[at]), batch.name);
    }
  }
};

void measure_resident(const Work& work) {
  const cuda::Buffer<std::uint8_t> a(work.a.symbols()), b(work.b.symbols());
  const cuda::Buffer<std::uint32_t> distances(work.batch.pairs);
  gpu::PairPlan plan(work.a.offsets(), work.b.offsets(), {.measure = work.measure}, work.batch.letters);
  const Timing timing =
      device_time(9, [&](cudaStream_t stream) { plan.run(a.data(), b.data(), distances.data(), stream); });
  std::vector<std::uint32_t> found(work.batch.pairs);
  cuda::check(cudaMemcpy(found.data(), distances.data(), distances.bytes(), cudaMemcpyDeviceToHost), "return them");
  work.check(found);
  work.keep_row("resident", timing, Json::object({{"bytes_held", plan.bytes_held()}}));
}

void measure_lists(const Work& work, const char* arrays, std::span<const SymbolView> a, std::span<const SymbolView> b) {
  Options options;
  options.device.kind = Device::Kind::cuda;
  options.algorithm = "lanes";
  auto found = sequence::distances(a, b, options, {.measure = work.measure});
  const Timing timing =
      bench::measure(7, [&] { found = sequence::distances(a, b, options, {.measure = work.measure}); });
  work.check(found.solution);
  work.keep_row(
      arrays, timing,
      Json::object({{"threads", found.report.threads}, {"peak_device_bytes", found.report.peak_device_bytes}}));
}

double ceiling_for(const Batch& batch, Measure minimized) {
  const int planes = std::string_view(batch.letters) == dna ? 2 : 8;
  return minimized == Measure::edit ? ceiling_of<Measure::edit>(planes) : ceiling_of<Measure::indel>(planes);
}

void measure(const Batch& batch) {
  const Sequences first(batch, 1), second(batch, 2);
  const auto a = first.strings(), b = second.strings();
  const std::vector<SymbolView> a_strings(a.begin(), a.end()), b_strings(b.begin(), b.end());
  double cells = 0;
  for (std::size_t at = 0; at < batch.pairs; ++at) {
    cells += static_cast<double>(a[at].size()) * static_cast<double>(b[at].size());
  }
  for (const Measure minimized : {Measure::edit, Measure::indel}) {
    const Work work{batch, minimized, first, second, cells, ceiling_for(batch, minimized)};
    measure_resident(work);
    measure_lists(work, "pinned", first.views(), second.views());
    measure_lists(work, "strings", a_strings, b_strings);
  }
}

const Question cuda_batches_question("cuda_batches", [](const Arguments& arguments) {
  require_gpu();
  for (const Batch& batch : batches) {
    if (arguments.empty() || std::string_view(batch.name).find(arguments[0]) != std::string_view::npos) measure(batch);
  }
});

}  // namespace
}  // namespace warpfold::bench
