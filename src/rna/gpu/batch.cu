#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/backends.hpp"
#include "rna/gpu/group_batch.cuh"
#include "rna/gpu/short_batch.cuh"
#include "rna/tuning.hpp"
#include "warpfold/run/batch.hpp"

/// Batches of foldings on a GPU: short sequences by a block each, longer ones in groups, and all others by a solve
/// each.
namespace warpfold::rna::cuda {

namespace {

/// Folds sequences by a solve each on the GPU, some of them at one time.
void fold_by_solves(const FoldBatch& batch, std::span<const std::uint32_t> those, std::vector<Folding>& foldings,
                    SolveMonitor& monitor, Context& context) {
  solve_beside_each_other(those, context, monitor, [&](std::size_t t, const Options& each) {
    Options on_gpu = each;
    on_gpu.device.kind = Device::Kind::cuda;
    auto one = batch.fold(t, on_gpu);
    foldings[t] = std::move(one.solution);
    Report memory;
    memory.peak_device_bytes = one.report.peak_device_bytes;
    return std::pair(std::move(memory), batch.operations_of(t));
  });
}

/// Folds sequences by threads of the CPU.
void fold_on_cpu(const FoldBatch& batch, std::span<const std::uint32_t> those, std::vector<Folding>& foldings,
                 SolveMonitor& monitor, Context& context) {
  Options quiet = context.options;
  quiet.progress = nullptr;
  const Report ran = fold_by_threads(batch, those, foldings, quiet);
  context.report.threads = std::max(context.report.threads, ran.threads);
  monitor.advance(batch.operations_of(those));
}

/// Folds the sequences that are not folded with others. Short ones go to the CPU, unless the caller names a GPU.
void fold_others(const FoldBatch& batch, std::vector<std::uint32_t> those, std::vector<Folding>& foldings,
                 SolveMonitor& monitor, Context& context) {
  std::ranges::sort(those);
  const bool is_named = context.options.device.kind == Device::Kind::cuda;
  const auto on_cpu = std::ranges::stable_partition(
      those, [&](std::uint32_t t) { return is_named || batch.sequences[t].size() >= cuda_gains_from; });
  const std::span<const std::uint32_t> on_gpu(those.begin(), on_cpu.begin());
  if (!on_gpu.empty()) fold_by_solves(batch, on_gpu, foldings, monitor, context);
  if (!on_cpu.empty()) fold_on_cpu(batch, {on_cpu.begin(), on_cpu.end()}, foldings, monitor, context);
}

template <bool lone_pairs>
std::vector<Folding> fold_batch_of(const FoldBatch& batch, const LoopEnergies& energies, Context& context) {
  std::vector<Folding> foldings(batch.sequences.size());
  SolveMonitor monitor(context.options, batch.operations());
  const PairLists lists = pair_lists_of(energies);
  ShortBatch shorts(batch, energies, lists, context);
  const std::vector<std::uint32_t> longer = shorts.take();
  GroupBatch<lone_pairs> groups(batch, energies, lists, context);
  std::vector<std::uint32_t> others = groups.take(longer);
  for (const auto& refused : {shorts.fold(foldings, monitor), groups.fold(foldings, monitor)}) {
    others.insert(others.end(), refused.begin(), refused.end());
  }
  fold_others(batch, std::move(others), foldings, monitor, context);
  return foldings;
}

/// As many bases as the longest sequence that is not folded alone.
Sequence longest_of(const FoldBatch& batch) {
  std::size_t longest = short_sizes.back();
  for (const Sequence& sequence : batch.sequences) longest = std::max(longest, sequence.size());
  return Sequence(std::string(std::min(longest, max_group_bases), 'A'));
}

}  // namespace

std::vector<Folding> fold_batch(const FoldBatch& batch, Context& context) {
  const DeviceScope scope(context.options.device.index);
  FoldRequest common = batch.request;
  common.constraint.clear();
  common.stack_energies.clear();
  const Sequence longest = longest_of(batch);
  const LoopEnergies energies(longest, batch.parameters, common);
  return batch.request.lone_pairs ? fold_batch_of<true>(batch, energies, context)
                                  : fold_batch_of<false>(batch, energies, context);
}

}  // namespace warpfold::rna::cuda
