#include "sequence/batch/scripts_on_gpu.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sequence/batch/pairs.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence::batch {

namespace {

using Chunk = std::span<const std::uint32_t>;

class ScriptsOnGpu {
 public:
  ScriptsOnGpu(List a, List b, const BatchRequest& request, Ties ties, Batch& batch)
      : a_(a), b_(b), request_(request), ties_(ties), batch_(batch), found_(a.size()) {}

  [[nodiscard]] std::vector<std::optional<Script>> solve() {
    const auto bytes = bytes_for_lanes(a_, b_, batch_);
    Positions open, single;
    for (const auto at : within_bound()) (fits(at) ? open : single).push_back(at);
    const auto chunks = chunks_of(open, [&](auto at) {
      const double choices = cells_of(a_[at], b_[at]) / 16 / static_cast<double>(tuning::gpu_pair_choice_bytes);
      return std::max(part_of_chunk(a_[at], b_[at]), choices);
    });
    const std::size_t items = single.size() + chunks.size();
    const int threads = batch_.threads_for_gpu(items, cuda::device_bytes_of_scripts(tuning::gpu_chunk_symbols));
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads),
                                                cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
    GpuWorkers workers(batch_.gpu(), request_.measure, threads);
    batch_.run(items, threads, [&](std::size_t item, int member, const Options& each) {
      if (item < single.size()) return solve_single(single[item], each);
      return solve_chunk(*bytes, chunks[item - single.size()], workers.of(member));
    });
    return std::move(found_);
  }

 private:
  [[nodiscard]] Positions within_bound() {
    Positions within;
    std::vector<std::uint32_t> distances;
    if (request_.max_distance) distances = distances_of_pairs(a_, b_, request_, batch_);
    for (std::uint32_t at = 0; at < a_.size(); ++at) {
      if (!request_.max_distance || distances[at] <= *request_.max_distance) within.push_back(at);
    }
    return within;
  }
  [[nodiscard]] bool fits(std::size_t at) const {
    const auto [shorter, longer] = std::minmax({a_[at].size(), b_[at].size()});
    return shorter > 0 && longer <= tuning::gpu_max_script;
  }

  double solve_single(std::uint32_t at, const Options& each) {
    Options by_size = each;
    by_size.device.kind = Device::Kind::automatic;
    by_size.algorithm.clear();
    found_[at] = script_of_pair(a_[at], b_[at], request_, ties_, by_size);
    batch_.ran("words");
    return cells_of(a_[at], b_[at]);
  }

  /// For Ties::right both sequences are reversed.
  double solve_chunk(const lanes::Bytes& bytes, Chunk pairs, cuda::PairWorker& worker) {
    std::vector<std::vector<std::uint8_t>> reversed;
    std::vector<SymbolView> a, b;
    double entries = 0;
    const auto add = [&](std::vector<SymbolView>& list, const SymbolView& symbols) {
      if (ties_ != Ties::right) return list.push_back(symbols);
      const auto all = std::span(symbols.bytes(), symbols.size());
      reversed.emplace_back(all.rbegin(), all.rend());
      list.emplace_back(std::span<const std::uint8_t>(reversed.back()));
    };
    for (const auto at : pairs) {
      add(a, bytes.a()[at]), add(b, bytes.b()[at]);
      entries += cells_of(a_[at], b_[at]);
    }
    std::vector<Script> backwards(pairs.size());
    worker.find_scripts(a, b, request_.max_distance, backwards);
    for (std::size_t q = 0; q < pairs.size(); ++q) {
      found_[pairs[q]] = ties_ == Ties::right ? std::move(backwards[q]) : std::move(backwards[q]).reversed();
    }
    batch_.ran("lanes");
    return entries;
  }

  List a_, b_;
  BatchRequest request_;
  Ties ties_;
  Batch& batch_;
  std::vector<std::optional<Script>> found_;
};

}  // namespace

std::vector<std::optional<Script>> scripts_on_gpu(List a, List b, const BatchRequest& request, Ties ties,
                                                  Batch& batch) {
  return ScriptsOnGpu(a, b, request, ties, batch).solve();
}

std::optional<Script> script_of_pair(const SymbolView& a, const SymbolView& b, const BatchRequest& request, Ties ties,
                                     const Options& options) {
  const Request one{.script = true, .ties = ties, .max_distance = request.max_distance};
  const Coded pair = coded(a, b);
  if (request.measure == Measure::edit) {
    auto solution = edit_distance(pair, options, one).solution;
    return solution.distance ? std::optional(std::move(solution.script)) : std::nullopt;
  }
  auto solution = lcs(pair, options, one).solution;
  return solution.length ? std::optional(std::move(solution.script)) : std::nullopt;
}

}  // namespace warpfold::sequence::batch
