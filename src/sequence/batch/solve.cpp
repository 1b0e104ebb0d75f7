#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sequence/batch/all_pairs.hpp"
#include "sequence/batch/nearest.hpp"
#include "sequence/batch/pairs.hpp"
#include "sequence/batch/team.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::sequence {

namespace {

using batch::Batch;
using batch::List;

// What is accepted.

std::uint64_t longest(List list) {
  std::size_t size = 0;
  for (const SymbolView& symbols : list) size = std::max(size, symbols.size());
  return size;
}

void check(List a, List b) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 31;
  if (longest(a) + longest(b) >= limit) {
    throw Error(ErrorKind::input,
                fmt::format("the longest sequences have {} and {} symbols: fewer than 2^31 together are "
                            "accepted",
                            longest(a), longest(b)));
  }
}

// The choice of a device.

struct BatchSize {
  double pairs, entries, symbols;
};
/// What solves a batch. It may run twice: on a GPU that fails, and then on the CPU.
struct BatchWork {
  double entries;
  std::function<void(Batch&)> run;
};
struct Nothing {};
using BatchBackend = Backend<BatchSize, BatchWork, Nothing>;

template <bool on_gpu>
Nothing run_batch(const BatchWork& work, Context& context) {
  Batch batch(context, work.entries, on_gpu);
  work.run(batch);
  batch.finish();
  return {};
}

double seconds_on_cpu(const BatchSize& size, const Options& options) {
  const double work = tuning::lane_entry_seconds * size.entries + tuning::lane_symbol_seconds * size.symbols;
  return work / thread_count(options.threads);
}
double seconds_on_gpu(const BatchSize& size, const Options&) {
  return tuning::gpu_start_seconds + tuning::gpu_batch_symbol_seconds * size.symbols +
         tuning::gpu_batch_entry_seconds * size.entries + tuning::gpu_batch_pair_seconds * size.pairs;
}

const std::vector<BatchBackend>& backends() {
  static const std::vector<BatchBackend> list = [] {
    std::vector<BatchBackend> all = {
        {.info = {"lanes", "cpu", "a bit of a vector for each pair, up to 256 symbols",
                  "n m (2 p + 7) / L vector operations a pair"},
         .cost = seconds_on_cpu,
         .run = run_batch<false>},
        {.info = {"words", "cpu", "one pair after another: 64 rows in a word with an adder", "n m / 64 words a pair"},
         .run = run_batch<false>,
         .explicit_only = true}};
    if (has_cuda()) {
      all.push_back({.info = {"lanes", "cuda", "a bit of a word for each pair, up to 256 symbols",
                              "n m (p + 5) / 32 operations of three inputs a pair"},
                     .cost = seconds_on_gpu,
                     .run = run_batch<true>});
    }
    return all;
  }();
  return list;
}

double symbols_of(List list) {
  double symbols = 0;
  for (const SymbolView& sequence : list) symbols += static_cast<double>(sequence.size());
  return symbols;
}

Report solve(List a, List b, double pairs, double entries, const Options& options, std::function<void(Batch&)> run) {
  const BatchSize size{pairs, entries, symbols_of(a) + symbols_of(b)};
  return solve_by(std::span(backends()), size, BatchWork{entries, std::move(run)}, options).report;
}

double pairs_of_all(List a, List b) { return static_cast<double>(a.size()) * static_cast<double>(b.size()); }

double cells_of_pairs(List a, List b) {
  double cells = 0;
  for (std::size_t at = 0; at < a.size(); ++at) cells += batch::cells_of(a[at], b[at]);
  return cells;
}

}  // namespace

std::vector<AlgorithmInfo> batch_algorithms() { return infos(backends()); }

Outcome<std::vector<std::uint32_t>> distances(List a, List b, const Options& options, const BatchRequest& request) {
  check(a, b);
  batch::check_pairs(a, b);
  std::vector<std::uint32_t> found;
  Report report = solve(a, b, static_cast<double>(a.size()), cells_of_pairs(a, b), options,
                        [&](Batch& batch) { found = batch::distances_of_pairs(a, b, request, batch); });
  return {std::move(found), std::move(report)};
}

Outcome<std::vector<std::uint32_t>> cdist(List a, List b, const Options& options, const BatchRequest& request) {
  check(a, b);
  std::vector<std::uint32_t> found;
  const bool is_swapped = a.size() > b.size();
  const auto bound = [&](int, std::size_t, std::span<const std::uint32_t>) { return request.max_distance; };
  const auto take = [&](int, std::size_t row, std::size_t column, std::uint32_t distance) {
    found[is_swapped ? column * b.size() + row : row * b.size() + column] = request.limited(distance);
  };
  Report report = solve(a, b, pairs_of_all(a, b), batch::cells_of_all(a, b), options, [&](Batch& batch) {
    const auto taken = batch.budget().reserve(a.size() * sizeof(std::uint32_t), b.size());
    found.resize(a.size() * b.size());
    batch::AllPairs all(is_swapped ? b : a, is_swapped ? a : b, request, batch);
    all.run(all.threads(), {bound, take});
  });
  return {std::move(found), std::move(report)};
}

Outcome<std::vector<std::vector<Neighbor>>> nearest(List a, List b, std::size_t k, const Options& options,
                                                    const BatchRequest& request) {
  check(a, b);
  const std::size_t kept = std::min(k, b.size());
  const bool is_swapped = a.size() > b.size();
  std::vector<std::vector<Neighbor>> neighbors;
  Report report = solve(a, b, pairs_of_all(a, b), batch::cells_of_all(a, b), options, [&](Batch& batch) {
    batch::AllPairs all(is_swapped ? b : a, is_swapped ? a : b, request, batch);
    const int threads = all.threads();
    const auto taken = batch.budget().reserve(a.size() * static_cast<std::size_t>(threads),
                                              sizeof(batch::Nearest) + kept * sizeof(Neighbor));
    batch::NearestOfAll found(a.size(), kept, request.max_distance, threads);
    const auto bound = [&](int member, std::size_t row, std::span<const std::uint32_t> columns) {
      return is_swapped ? found.bound(member, columns) : found.bound(member, row);
    };
    all.run(threads, {bound, [&](int member, std::size_t row, std::size_t column, std::uint32_t distance) {
                        if (is_swapped)
                          found.add(member, column, {distance, row});
                        else
                          found.add(member, row, {distance, column});
                      }});
    neighbors = found.merged();
  });
  return {std::move(neighbors), std::move(report)};
}

}  // namespace warpfold::sequence
