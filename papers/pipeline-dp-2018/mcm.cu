#include <cooperative_groups.h>

#include <algorithm>

#include "papers/pipeline-dp-2018/mcm.hpp"
#include "run/cuda.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace cuda = warpfold::cuda;

namespace {

constexpr int block_threads = 256;
constexpr std::int64_t pace_steps = 4096;  ///< steps between two checks of the monitor

struct View {
  long long* st;
  const long long* dimensions;
  McmTable table;
};

/// The substeps of Fig. 8 for one term: adds the operands (row, split-1) and (split, column) to (row, column).
__device__ void add_term(const View& view, std::int64_t row, std::int64_t split, std::int64_t column, bool first) {
  const long long left = view.st[view.table.at(row, split - 1)];
  const long long right = view.st[view.table.at(split, column)];
  const long long value = left + right + view.dimensions[row] * view.dimensions[split] * view.dimensions[column + 1];
  long long* const element = view.st + view.table.at(row, column);
  if (first || value < *element) *element = value;
}

/// The diagonal of an element in the linear order.
__device__ std::int64_t diagonal_of(const McmTable& table, std::int64_t element) {
  const double b = 2.0 * static_cast<double>(table.n) + 1;
  auto d = static_cast<std::int64_t>((b - sqrt(b * b - 8.0 * static_cast<double>(element))) / 2);
  while (table.start(d) > element) --d;
  while (table.start(d + 1) <= element) ++d;
  return d;
}

__device__ std::int64_t lane() { return blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; }

/// Thread j adds the j-th term to the element j behind the head, if the element has one. (The printed guard i_j <=
/// k_(i_j) is never true.)
__device__ void printed_step(const View& view, std::int64_t head, std::int64_t j) {
  const std::int64_t element = head - j;
  if (j + 1 >= view.table.n || element < view.table.n || element >= view.table.size()) return;
  const std::int64_t diagonal = diagonal_of(view.table, element);
  const std::int64_t row = element - view.table.start(diagonal);
  if (j < diagonal) add_term(view, row, row + 1 + j, row + diagonal, j == 0);
}

__device__ void corrected_step(const View& view, const McmStep& step, std::int64_t row) {
  if (row + step.diagonal < step.n) add_term(view, row, step.split(row), row + step.diagonal, step.is_first_term());
}

__global__ void printed_launch(View view, std::int64_t head) { printed_step(view, head, lane()); }
__global__ void corrected_launch(View view, McmStep step) { corrected_step(view, step, lane()); }

/// A grid barrier works only among resident threads. If a step needs more threads, each takes several.
template <class Step>
__device__ void each_lane(const View& view, Step&& step) {
  const std::int64_t threads = gridDim.x * std::int64_t(blockDim.x);
  for (std::int64_t j = lane(); j + 1 < view.table.n; j += threads) step(j);
}

__global__ void printed_barriers(View view, std::int64_t head, std::int64_t end) {
  const auto grid = cooperative_groups::this_grid();
  for (; head < end; ++head) {
    each_lane(view, [&](std::int64_t j) { printed_step(view, head, j); });
    grid.sync();
  }
}

/// Stages step.stage .. end_stage-1, with a barrier after each step or after each stage.
__global__ void corrected_barriers(View view, McmStep step, std::int64_t end_stage, bool each_step) {
  const auto grid = cooperative_groups::this_grid();
  for (; step.stage < end_stage; step.advance()) {
    each_lane(view, [&](std::int64_t row) { corrected_step(view, step, row); });
    if (each_step || step.is_last_of_stage()) grid.sync();
  }
}

template <class... Parameters, class... Arguments>
void launch_together(void (*kernel)(Parameters...), unsigned blocks, const cuda::Stream& stream,
                     Arguments... arguments) {
  blocks = static_cast<unsigned>(std::min<std::size_t>(blocks, cuda::resident_blocks(kernel, block_threads)));
  void* pointers[] = {&arguments...};
  cuda::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(blocks), dim3(block_threads), pointers,
                                          0, stream.get()),
              "start a step");
}

/// The steps of one chain, in short portions, so that the monitor is checked between them.
class Steps {
 public:
  Steps(const View& view, SolveMonitor& monitor, const cuda::Stream& stream)
      : view_(view), monitor_(monitor), stream_(stream) {
    blocks_ = static_cast<unsigned>((view.table.n - 1 + block_threads - 1) / block_threads);
  }

  McmRun printed(McmBarrier barrier) {
    McmRun run;
    const std::int64_t end = view_.table.end_head();
    for (std::int64_t first = view_.table.first_head(); first < end; first += pace_steps) {
      const std::int64_t last = std::min(first + pace_steps, end);
      if (barrier == McmBarrier::grid) {
        launch_together(printed_barriers, blocks_, stream_, view_, first, last);
      } else {
        for (std::int64_t head = first; head < last; ++head) {
          printed_launch<<<blocks_, block_threads, 0, stream_.get()>>>(view_, head);
        }
        cuda::check_launch("start a step");
      }
      run.steps += last - first;
      pause();
    }
    run.barriers = run.steps;
    return run;
  }

  McmRun corrected(McmBarrier barrier) {
    McmRun run;
    for (McmStep step{view_.table.n}; step.stage < step.n;) {
      const McmStep first = step;
      const std::int64_t before = run.steps;
      while (step.stage < step.n && run.steps < before + pace_steps) run.steps += stage(step, barrier);
      cuda::check_launch("start a step");
      if (barrier != McmBarrier::launch) {
        launch_together(corrected_barriers, blocks_, stream_, view_, first, step.stage, barrier == McmBarrier::grid);
      }
      run.barriers += barrier == McmBarrier::stage ? step.stage - first.stage : run.steps - before;
      pause();
    }
    return run;
  }

 private:
  /// Moves to the next stage and counts its steps. Launches them if a launch is the barrier.
  std::int64_t stage(McmStep& step, McmBarrier barrier) {
    const std::int64_t current = step.stage;
    std::int64_t count = 0;
    for (; step.stage == current; step.advance()) {
      if (barrier == McmBarrier::launch) {
        corrected_launch<<<blocks_, block_threads, 0, stream_.get()>>>(view_, step);
      }
      ++count;
    }
    return count;
  }

  /// Keeps the host at most one portion ahead.
  void pause() {
    monitor_.check();
    pace_.wait();
    pace_.record(stream_);
  }

  View view_;
  SolveMonitor& monitor_;
  const cuda::Stream& stream_;
  cuda::Event pace_;
  unsigned blocks_ = 0;
};

}  // namespace

McmRun solve_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier, int device,
                 SolveMonitor& monitor) {
  check_mcm(dimensions, form, barrier);
  const cuda::DeviceScope scope(device);
  const McmTable table{static_cast<std::int64_t>(dimensions.size()) - 1};
  const std::vector<long long> sizes(dimensions.begin(), dimensions.end());
  const cuda::Buffer<long long> on_device(sizes), st(static_cast<std::size_t>(table.size()));

  const cuda::Stream stream;
  cuda::check(cudaMemsetAsync(st.data(), 0, st.bytes(), stream.get()), "clear the table");
  const cuda::Event start, end;
  Steps steps({st.data(), on_device.data(), table}, monitor, stream);
  start.record(stream);
  McmRun run = form == McmForm::printed ? steps.printed(barrier) : steps.corrected(barrier);
  end.record(stream);
  stream.synchronize();
  run.seconds = seconds_between(start, end);
  std::vector<long long> values(st.size());
  cuda::check(cudaMemcpy(values.data(), st.data(), st.bytes(), cudaMemcpyDeviceToHost), "return the values");
  run.table.assign(values.begin(), values.end());
  return run;
}

}  // namespace warpfold::papers::pipeline_2018
