#include <cooperative_groups.h>

#include <algorithm>
#include <vector>

#include "papers/pipeline-dp-2018/pipelines.hpp"
#include "run/cuda.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::pipeline_2018 {

namespace {

using namespace warpfold::cuda;

constexpr std::int64_t pace_steps = 512;  ///< steps between two checks of the monitor

struct Minimum {
  __device__ int operator()(int a, int b) const { return b < a ? b : a; }
};
struct Maximum {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Xor {
  __device__ int operator()(int a, int b) const { return a ^ b; }
};
struct Or {
  __device__ int operator()(int a, int b) const { return a | b; }
};
struct And {
  __device__ int operator()(int a, int b) const { return a & b; }
};

/// The table and offsets on the device. `offsets` is in descending order. `shares` has one value per block.
struct View {
  int* st;
  const int* offsets;
  int* shares;
};

/// One step of a pipeline by all lanes. Reads 2 values and an offset per term.
template <class Op>
__device__ void pipeline_step(const View& view, const Pipeline& pipeline, std::int64_t head, Op op) {
  const std::int64_t lanes = pipeline.lanes();
  for (std::int64_t lane = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; lane < lanes;
       lane += std::int64_t(gridDim.x) * blockDim.x) {
    const Pipeline::Work work = pipeline.work(head, lane);
    if (work.first == work.last) continue;
    std::int64_t j = work.first;
    int value = j == 0 ? view.st[work.element - view.offsets[j++]] : view.st[work.element];
    for (; j < work.last; ++j) value = op(value, view.st[work.element - view.offsets[j]]);
    view.st[work.element] = value;
  }
}

/// The block's tournament over the values of its first `count` threads. Thread 0 gets the result. log2(threads) rounds
/// of two barriers.
template <class Op>
__device__ int tournament(int value, std::int64_t count, int* shared, Op op) {
  for (int half = block_threads / 2; half > 0; half /= 2) {
    shared[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < half && threadIdx.x + half < count) value = op(value, shared[threadIdx.x + half]);
    __syncthreads();
  }
  return value;
}

/// First half of an element: each block combines its threads' terms, j = thread, thread + number of threads, ...
template <class Op>
__device__ void combine_terms(const View& view, std::int64_t k, std::int64_t element, int* shared, Op op) {
  const std::int64_t threads = std::int64_t(gridDim.x) * block_threads;
  const std::int64_t first = blockIdx.x * std::int64_t(block_threads) + threadIdx.x;
  int value = first < k ? view.st[element - view.offsets[first]] : 0;
  for (std::int64_t j = first + threads; j < k; j += threads) value = op(value, view.st[element - view.offsets[j]]);
  value = tournament(value, k - blockIdx.x * std::int64_t(block_threads), shared, op);
  if (threadIdx.x == 0) view.shares[blockIdx.x] = value;
}

/// Second half: block 0 combines the blocks' results.
template <class Op>
__device__ void combine_shares(const View& view, std::int64_t shares, std::int64_t element, int* shared, Op op) {
  if (blockIdx.x > 0) return;
  int value = threadIdx.x < shares ? view.shares[threadIdx.x] : 0;
  value = tournament(value, shares, shared, op);
  if (threadIdx.x == 0) view.st[element] = value;
}

template <class Op>
__global__ void pipeline_launch(View view, Pipeline pipeline, std::int64_t head, Op op) {
  pipeline_step(view, pipeline, head, op);
}

/// Heads head, head + fold, .. below `end`, with a grid barrier between two.
template <class Op>
__global__ void pipeline_barriers(View view, Pipeline pipeline, std::int64_t head, std::int64_t end, Op op) {
  const auto grid = cooperative_groups::this_grid();
  for (; head < end; head += pipeline.fold) {
    pipeline_step(view, pipeline, head, op);
    grid.sync();
  }
}

template <class Op>
__global__ void terms_launch(View view, std::int64_t k, std::int64_t element, Op op) {
  __shared__ int shared[block_threads];
  combine_terms(view, k, element, shared, op);
}

template <class Op>
__global__ void shares_launch(View view, std::int64_t shares, std::int64_t element, Op op) {
  __shared__ int shared[block_threads];
  combine_shares(view, shares, element, shared, op);
}

/// Elements `element` .. end-1, with two grid barriers for each.
template <class Op>
__global__ void tournament_barriers(View view, std::int64_t k, std::int64_t element, std::int64_t end, Op op) {
  __shared__ int shared[block_threads];
  const auto grid = cooperative_groups::this_grid();
  for (; element < end; ++element) {
    combine_terms(view, k, element, shared, op);
    grid.sync();
    combine_shares(view, gridDim.x, element, shared, op);
    grid.sync();
  }
}

/// The number of blocks for `threads` threads. With grid barriers, at most the number of resident blocks.
template <class Kernel>
unsigned grid_blocks(Kernel kernel, std::int64_t threads, Barrier barrier) {
  const std::int64_t wanted = (threads + block_threads - 1) / block_threads;
  if (barrier == Barrier::launch) return static_cast<unsigned>(wanted);
  const auto resident = static_cast<std::int64_t>(resident_blocks(kernel, block_threads));
  return static_cast<unsigned>(std::min(wanted, resident));
}

template <class... Parameters, class... Arguments>
void launch_together(void (*kernel)(Parameters...), unsigned blocks, const Stream& stream, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(blocks), dim3(block_threads), pointers, 0,
                                    stream.get()),
        "start a step");
}

/// The steps of one solve, in short portions, so that the monitor is checked between them.
template <class Op>
class Steps {
 public:
  Steps(const View& view, SolveMonitor& monitor, const Stream& stream)
      : view_(view), monitor_(monitor), stream_(stream) {}

  void run(const Pipeline& pipeline, Barrier barrier) {
    if (pipeline.steps() == 0) return;
    const bool launches = barrier == Barrier::launch;
    const unsigned blocks = launches ? grid_blocks(pipeline_launch<Op>, pipeline.lanes(), barrier)
                                     : grid_blocks(pipeline_barriers<Op>, pipeline.lanes(), barrier);
    const std::int64_t end = pipeline.last_head() + 1;
    const std::int64_t portion = pace_steps * pipeline.fold;
    for (std::int64_t first = pipeline.first_head(); first < end; first += portion) {
      const std::int64_t last = std::min(first + portion, end);
      if (launches) {
        for (std::int64_t head = first; head < last; head += pipeline.fold) {
          pipeline_launch<<<blocks, block_threads, 0, stream_.get()>>>(view_, pipeline, head, Op{});
        }
        check_launch("start a step");
      } else {
        launch_together(pipeline_barriers<Op>, blocks, stream_, view_, pipeline, first, last, Op{});
      }
      pause(static_cast<double>(last - first) * static_cast<double>(pipeline.k));
    }
  }

  void run_tournament(std::int64_t given, std::int64_t n, std::int64_t k, Barrier barrier) {
    const unsigned blocks = std::min<unsigned>(block_threads, barrier == Barrier::launch
                                                                  ? grid_blocks(terms_launch<Op>, k, barrier)
                                                                  : grid_blocks(tournament_barriers<Op>, k, barrier));
    for (std::int64_t first = given; first < n; first += pace_steps) {
      const std::int64_t last = std::min(first + pace_steps, n);
      if (barrier == Barrier::launch) {
        for (std::int64_t element = first; element < last; ++element) {
          terms_launch<<<blocks, block_threads, 0, stream_.get()>>>(view_, k, element, Op{});
          shares_launch<<<1, block_threads, 0, stream_.get()>>>(view_, blocks, element, Op{});
        }
        check_launch("start a step");
      } else {
        launch_together(tournament_barriers<Op>, blocks, stream_, view_, k, first, last, Op{});
      }
      pause(static_cast<double>(last - first) * static_cast<double>(k));
    }
  }

 private:
  /// Keeps the host at most one portion ahead.
  void pause(double operations) {
    monitor_.check();
    pace_.wait();
    pace_.record(stream_);
    monitor_.advance(operations);
  }

  View view_;
  SolveMonitor& monitor_;
  const Stream& stream_;
  Event pace_;
};

template <class Op>
PipelineRun run(const Problem<std::int32_t>& problem, const Schedule& schedule, SolveMonitor& monitor,
                std::span<std::int32_t> table) {
  const auto k = static_cast<std::int64_t>(problem.offsets().size());
  const auto n = static_cast<std::int64_t>(problem.n());
  const std::vector<int> host_offsets(problem.offsets().begin(), problem.offsets().end());
  const Buffer<int> st{std::span<const int>(table)}, offsets{std::span<const int>(host_offsets)}, shares(block_threads);

  const Stream stream;
  Steps<Op> steps({st.data(), offsets.data(), shares.data()}, monitor, stream);
  const Event start, end;
  PipelineRun run;
  if (schedule.method == Method::tournament) {
    start.record(stream);
    steps.run_tournament(problem.largest_offset(), n, k, schedule.barrier);
    run.steps = 2 * (n - problem.largest_offset());
    run.parallel_degree = k;
  } else {
    const Pipeline pipeline = make_pipeline(problem, schedule);
    start.record(stream);
    steps.run(pipeline, schedule.barrier);
    run.steps = pipeline.steps();
    run.parallel_degree = pipeline.lanes();
  }
  end.record(stream);
  stream.synchronize();
  run.seconds = seconds_between(start, end);
  check(cudaMemcpy(table.data(), st.data(), st.bytes(), cudaMemcpyDeviceToHost), "return the values");
  return run;
}

}  // namespace

PipelineRun solve(const Problem<std::int32_t>& problem, const Schedule& schedule, int device, SolveMonitor& monitor,
                  std::span<std::int32_t> table) {
  const DeviceScope scope(device);
  if (!problem.is_weighted()) {
    switch (problem.op()) {
      case Op::min:
        return run<Minimum>(problem, schedule, monitor, table);
      case Op::max:
        return run<Maximum>(problem, schedule, monitor, table);
      case Op::bit_xor:
        return run<Xor>(problem, schedule, monitor, table);
      case Op::bit_or:
        return run<Or>(problem, schedule, monitor, table);
      case Op::bit_and:
        return run<And>(problem, schedule, monitor, table);
      default:
        break;
    }
  }
  throw Error(ErrorKind::usage, "the papers' kernels solve min, max, xor, or and and without weights");
}

}  // namespace warpfold::papers::pipeline_2018
