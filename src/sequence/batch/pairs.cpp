#include "sequence/batch/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::batch {

namespace {

/// Positions in the order of a key below `keys`, equal ones as they were.
template <class Key>
Positions sorted_by(const Positions& positions, std::size_t keys, const Key& key) {
  std::vector<std::size_t> next(keys + 1);
  for (const auto at : positions) ++next[key(at) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  Positions sorted(positions.size());
  for (const auto at : positions) sorted[next[key(at)]++] = at;
  return sorted;
}

/// Some of the sequences, which are on their way to the cache.
std::vector<SymbolView> fetched(List list, std::span<const std::uint32_t> positions) {
  constexpr std::size_t line = 64;
  std::vector<SymbolView> some;
  some.reserve(positions.size());
  for (const auto at : positions) {
    some.push_back(list[at]);
    for (std::size_t i = 0; i < list[at].size(); i += line) __builtin_prefetch(list[at].bytes() + i);
  }
  return some;
}

class Pairs {
 public:
  Pairs(List a, List b, const BatchRequest& request, Batch& batch)
      : a_(a), b_(b), request_(request), batch_(batch), found_(a.size()) {}

  [[nodiscard]] std::vector<std::uint32_t> solve() {
    const auto taken = batch_.budget().reserve(a_.size(), 4 * sizeof(std::uint32_t));
    const auto bytes = bytes_for_lanes(a_, b_, batch_);
    const Positions open = open_pairs(bytes.has_value());
    if (batch_.is_on_gpu()) return solve_on_gpu(*bytes, open);
    const std::size_t groups = (open.size() + pairs_ - 1) / pairs_;
    std::size_t n = 1, m = 1;
    for (const auto at : open) n = std::max(n, a_[at].size()), m = std::max(m, b_[at].size());
    const std::size_t of_a_thread = open.empty() ? 0 : lanes::Group::bytes(n, m);
    const std::size_t items = single_.size() + groups;
    const int threads = batch_.threads(items, of_a_thread);
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads), of_a_thread);
    Groups all(request_.measure, n, m, threads, batch_.monitor());
    batch_.run(items, threads, [&](std::size_t item, int member, const Options& each) {
      if (item < single_.size()) return solve_single(single_[item], each);
      const std::size_t first = (item - single_.size()) * pairs_;
      return solve_group(*bytes, std::span(open).subspan(first, std::min(pairs_, open.size() - first)), each, member,
                         all);
    });
    return std::move(found_);
  }

 private:
  /// Pairs that are neighbors in the lists, so that symbols in one array are copied as they are.
  [[nodiscard]] std::vector<std::uint32_t> solve_on_gpu(const lanes::Bytes& bytes, const Positions& open) {
    const auto chunks = chunks_of(open, [&](auto at) { return part_of_chunk(a_[at], b_[at]); });
    const std::size_t items = single_.size() + chunks.size();
    const int threads = batch_.threads_for_gpu(items, cuda::device_bytes_of_worker(tuning::gpu_chunk_symbols));
    const auto memory = batch_.budget().reserve(static_cast<std::size_t>(threads),
                                                cuda::host_bytes_of_worker(tuning::gpu_chunk_symbols));
    GpuWorkers workers(batch_.gpu(), request_.measure, threads);
    batch_.run(items, threads, [&](std::size_t item, int member, const Options& each) {
      if (item < single_.size()) return solve_single(single_[item], each);
      return solve_chunk(bytes, chunks[item - single_.size()], workers.of(member));
    });
    return std::move(found_);
  }

  double solve_chunk(const lanes::Bytes& bytes, std::span<const std::uint32_t> pairs, cuda::PairWorker& worker) {
    std::vector<SymbolView> a, b;
    std::vector<cuda::PairPlace> places;
    double entries = 0;
    for (const auto at : pairs) {
      const auto place = static_cast<std::uint32_t>(places.size());
      a.push_back(bytes.a()[at]), b.push_back(bytes.b()[at]), places.push_back({place, place});
      entries += cells(at);
    }
    std::vector<std::uint32_t> distances(pairs.size());
    worker.solve(a, b, places, request_.max_distance, distances.data());
    for (std::size_t q = 0; q < pairs.size(); ++q) found_[pairs[q]] = request_.limited(distances[q]);
    batch_.ran("lanes");
    return entries;
  }

  [[nodiscard]] bool fits(std::size_t at) const {
    const std::size_t most = batch_.is_on_gpu() ? tuning::gpu_max_lane : tuning::max_lane;
    return batch_.forces("lanes") || std::max(a_[at].size(), b_[at].size()) <= most;
  }
  [[nodiscard]] double cells(std::size_t at) const { return cells_of(a_[at], b_[at]); }

  /// The pairs for groups, in the order of their lengths. The others are `single_`, longest first.
  Positions open_pairs(bool has_lanes) {
    Positions open;
    std::size_t most = 0;
    for (std::uint32_t at = 0; at < a_.size(); ++at) {
      if (is_known(a_[at].size(), b_[at].size(), request_)) {
        found_[at] = request_.limited(least_distance(a_[at].size(), b_[at].size()));
      } else if (has_lanes && fits(at)) {
        open.push_back(at), most = std::max({most, a_[at].size(), b_[at].size()});
      } else {
        single_.push_back(at);
      }
    }
    std::ranges::stable_sort(single_, [&](auto first, auto second) { return cells(first) > cells(second); });
    if (batch_.is_on_gpu()) return open;
    open = sorted_by(open, most + 1, [&](auto at) { return b_[at].size(); });
    return sorted_by(open, most + 1, [&](auto at) { return a_[at].size(); });
  }

  double solve_single(std::uint32_t at, const Options& each) {
    found_[at] = distance_of_pair(a_[at], b_[at], request_, each);
    batch_.ran("words");
    return cells(at);
  }

  double solve_group(const lanes::Bytes& bytes, std::span<const std::uint32_t> pairs, const Options& each, int member,
                     Groups& all) {
    const auto a = fetched(bytes.a(), pairs), b = fetched(bytes.b(), pairs);
    lanes::Alphabet& alphabet = all.alphabet_of(member);
    double seconds = 0, entries = 0;
    std::size_t columns = 0;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
      alphabet.add({a[q].bytes(), a[q].size()});
      alphabet.add({b[q].bytes(), b[q].size()});
      columns = std::max(columns, b[q].size());
      seconds += seconds_of_words(a[q].size(), b[q].size(), request_.measure);
      entries += cells_of(a[q], b[q]);
    }
    const lanes::Planes planes = alphabet.planes();
    const double by_lanes = seconds_of_lanes(a.back().size(), columns, planes.count, request_, request_.max_distance);
    if (by_lanes > seconds && !batch_.forces("lanes")) {
      for (const auto at : pairs) solve_single(at, each);
      return entries;
    }
    lanes::Group& group = all.of(member);
    group.set_b(b, planes);
    std::vector<std::uint32_t> distances(pairs_);
    group.solve(a, request_.max_distance, distances.data());
    for (std::size_t q = 0; q < pairs.size(); ++q) found_[pairs[q]] = request_.limited(distances[q]);
    batch_.ran("lanes");
    return entries;
  }

  List a_, b_;
  BatchRequest request_;
  Batch& batch_;
  std::vector<std::uint32_t> found_;
  Positions single_;
  const std::size_t pairs_ = lanes::pairs_of_vector();
};

}  // namespace

std::vector<std::uint32_t> distances_of_pairs(List a, List b, const BatchRequest& request, Batch& batch) {
  return Pairs(a, b, request, batch).solve();
}

}  // namespace warpfold::sequence::batch
