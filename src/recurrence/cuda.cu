#include <algorithm>
#include <cstdint>
#include <vector>

#include "recurrence/backends.hpp"
#include "recurrence/kernels.cuh"
#include "run/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::recurrence::cuda {

namespace {

using namespace warpfold::cuda;

using Values = std::span<std::int32_t>;

/// A problem's terms on the device.
struct TermBuffers {
  template <class Rule>
  TermBuffers(const Problem<std::int32_t>& problem, const Rule& rule) {
    const auto offsets = problem.offsets();
    const std::size_t granules = static_cast<std::size_t>(offsets.front()) / tuning::granule + 1;
    std::vector<int2> ascending;
    std::vector<std::int32_t> first_of(granules + 1, 0);
    std::vector<std::int32_t> nearest_weights(tuning::gpu_close_outputs, rule.blank);
    for (std::size_t j = offsets.size(); j-- > 0;) {
      const auto offset = static_cast<std::int32_t>(offsets[j]);
      ascending.push_back(make_int2(offset, problem.weight(j)));
      ++first_of[static_cast<std::size_t>(offset) / tuning::granule + 1];
      if (offset < tuning::gpu_close_outputs) {
        nearest_weights[static_cast<std::size_t>(offset)] = Rule::is_weighted ? problem.weight(j) : Rule::present;
      }
    }
    for (std::size_t g = 0; g < granules; ++g) first_of[g + 1] += first_of[g];
    terms = Buffer<int2>(ascending);
    starts = Buffer<std::int32_t>(first_of);
    nearest = Buffer<std::int32_t>(nearest_weights);
    view = {terms.data(), starts.data(), static_cast<int>(granules)};
  }

  static std::size_t bytes(const Problem<std::int32_t>& problem) {
    const auto granules = static_cast<std::size_t>(problem.largest_offset()) / tuning::granule + 1;
    return problem.offsets().size() * sizeof(int2) + (granules + 1 + tuning::gpu_close_outputs) * sizeof(std::int32_t);
  }

  Buffer<int2> terms;
  Buffer<std::int32_t> starts;
  Buffer<std::int32_t> nearest;
  DeviceTerms view{};
};

/// The recursion of the CPU (cpu.cpp). Every step is a launch.
template <class Rule>
class GpuBlocks {
 public:
  GpuBlocks(const Problem<std::int32_t>& problem, Rule rule, SolveMonitor& monitor)
      : problem_(problem), rule_(rule), monitor_(monitor), terms_(problem, rule), table_(problem.n()) {}

  void solve(Values table) {
    const std::size_t given = problem_.initial().size();
    std::fill(table.begin() + static_cast<std::ptrdiff_t>(given), table.end(), rule_.blank);
    check(cudaMemcpyAsync(table_.data(), table.data(), table_.bytes(), cudaMemcpyHostToDevice, stream_.get()),
          "take the values");
    const auto n = static_cast<std::int64_t>(problem_.n());
    accumulate_all({static_cast<std::int64_t>(given), n, 0, static_cast<std::int64_t>(given)});
    solve(static_cast<std::int64_t>(given), n);
    check(cudaMemcpyAsync(table.data(), table_.data(), table_.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
          "return the values");
    stream_.synchronize();
  }

 private:
  void solve(std::int64_t first, std::int64_t last) {
    const std::int64_t outputs = last - first;
    if (outputs == 0) return;
    if (outputs <= std::max<std::int64_t>(tuning::gpu_close_outputs, problem_.smallest_offset())) {
      const auto blocks = static_cast<unsigned>((outputs + tuning::gpu_close_outputs - 1) / tuning::gpu_close_outputs);
      close<<<blocks, tuning::gpu_close_outputs, 0, stream_.get()>>>(table_.data(), terms_.nearest.data(), first, last,
                                                                     rule_);
      check_launch("start to close a block");
      return pause(outputs);
    }
    // Halves of whole blocks, so that only the last part has a short block.
    constexpr std::int64_t unit = tuning::gpu_close_outputs;
    const std::int64_t middle = first + (outputs / 2 + unit - 1) / unit * unit;
    solve(first, middle);
    accumulate_all({middle, last, first, middle});
    solve(middle, last);
  }

  void accumulate_all(const Range& range) {
    const double a_output = static_cast<double>(problem_.offsets().size());
    const std::int64_t step = std::max(tuning::gpu_least_outputs_at_once,
                                       static_cast<std::int64_t>(tuning::gpu_candidates_at_once / a_output));
    for (std::int64_t first = range.first; first < range.last; first += step) {
      accumulate_some({first, std::min(first + step, range.last), range.source, range.source_end});
      if (first + step < range.last) pause(step);
    }
  }

  void accumulate_some(const Range& range) {
    const std::int64_t outputs = range.last - range.first;
    if (outputs >= tuning::gpu_wide_outputs) return launch<8>(range);
    if (outputs >= tuning::gpu_middle_outputs) return launch<4>(range);
    launch<1>(range);
  }

  template <int Outputs>
  void launch(const Range& range) {
    constexpr int threads = tuning::gpu_threads;
    constexpr int tile = threads * Outputs;
    const std::int64_t least = std::max<std::int64_t>(range.first - (range.source_end - 1), problem_.smallest_offset());
    const std::int64_t most = std::min<std::int64_t>(range.last - 1 - range.source, problem_.largest_offset());
    if (least > most) return;
    const auto first_chunk = static_cast<int>(least / tile);
    const auto last_chunk = static_cast<int>(most / tile);
    const auto tiles = static_cast<unsigned>((range.last - range.first + tile - 1) / tile);
    const unsigned shares =
        std::clamp(tuning::gpu_blocks / tiles, 1u, static_cast<unsigned>(last_chunk - first_chunk + 1));
    accumulate<Rule, threads, Outputs><<<dim3(tiles, shares), threads, 0, stream_.get()>>>(
        table_.data(), terms_.view, range, first_chunk, last_chunk, rule_);
    check_launch("start to accumulate");
  }

  /// Lets the caller stop a solve. It waits for the device only now and then.
  void pause(std::int64_t outputs) {
    constexpr std::int64_t between_waits = 32 * tuning::gpu_close_outputs;
    waiting_ += outputs;
    if (waiting_ < between_waits) return;
    stream_.synchronize();
    monitor_.check();
    monitor_.advance(static_cast<double>(waiting_) * static_cast<double>(problem_.offsets().size()) / 2);
    waiting_ = 0;
  }

  const Problem<std::int32_t>& problem_;
  const Rule rule_;
  SolveMonitor& monitor_;
  TermBuffers terms_;
  Buffer<std::int32_t> table_;
  Stream stream_;
  std::int64_t waiting_ = 0;
};

template <bool IsMin, bool IsWeighted>
void run(const Problem<std::int32_t>& problem, SolveMonitor& monitor, Values table) {
  GpuBlocks(problem, Rule<IsMin, IsWeighted>{problem.bound()}, monitor).solve(table);
}

}  // namespace

std::size_t device_bytes(const Problem<std::int32_t>& problem, const Options&) {
  return TermBuffers::bytes(problem) + problem.n() * sizeof(std::int32_t);
}

void blocks(const Problem<std::int32_t>& problem, Context& context, SolveMonitor& monitor,
            std::span<std::int32_t> table) {
  const DeviceScope scope(context.options.device.index);
  context.take_device_memory(device_bytes(problem, context.options));
  const bool is_min = problem.op() == Op::min;
  if (is_min && problem.is_weighted()) {
    run<true, true>(problem, monitor, table);
  } else if (is_min) {
    run<true, false>(problem, monitor, table);
  } else if (problem.is_weighted()) {
    run<false, true>(problem, monitor, table);
  } else {
    run<false, false>(problem, monitor, table);
  }
}

}  // namespace warpfold::recurrence::cuda
