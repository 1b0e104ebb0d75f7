#include <array>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.cuh"
#include "run/staging.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace cuda = warpfold::cuda;

namespace {

/// The host starts at most twice this many kernels ahead, so that a stop is answered soon.
constexpr std::size_t pace_stages = 64;
constexpr auto hold_nanoseconds = 2'000'000ULL;

/// Keeps the stream busy for `nanoseconds` of the device's clock. Meanwhile the host runs ahead, so a stage's time
/// contains no gaps between launches.
__global__ void hold(unsigned long long nanoseconds) {
  unsigned long long start = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

template <class T, Arrangement arrangement>
void start(T* table, std::size_t size, const cuda::Stream& stream) {
  constexpr int threads = 256;
  constexpr int blocks = 2048;
  first_stage<T, arrangement><<<blocks, threads, 0, stream.get()>>>(table, size);
  cuda::check_launch("start stage 0");
}

template <class T, Arrangement arrangement>
void compute(const Stage& stage, T* table, const T* weights, std::size_t size, std::size_t p, T infinite,
             const cuda::Stream& stream) {
  const auto results = static_cast<unsigned>(size - p - 1);
  const auto threads = static_cast<unsigned>(stage.threads);
  if constexpr (arrangement != Arrangement::mirroring) {
    if (stage.method == Method::thread_based) {
      thread_stage<T, arrangement>
          <<<(results + threads - 1) / threads, threads, 0, stream.get()>>>(table, weights, size, p, infinite);
    }
  }
  if constexpr (arrangement != Arrangement::sliding) {
    if (stage.method == Method::block_based) {
      const dim3 grid(results, static_cast<unsigned>(stage.blocks));
      block_stage<T, arrangement><<<grid, threads, 0, stream.get()>>>(table, weights, size, p, infinite);
    }
  }
  cuda::check_launch("start a stage");
}

template <class T>
void convert(const T* sliding, T* mirrored, std::size_t size, const cuda::Stream& stream) {
  const auto tiles = static_cast<unsigned>((size + conversion_tile - 1) / conversion_tile);
  slide_to_mirror<<<dim3(tiles, tiles), dim3(conversion_tile, conversion_tile), 0, stream.get()>>>(sliding, mirrored,
                                                                                                   size);
  cuda::check_launch("start the conversion");
}

/// The events around every stage, or only around the run.
class Clock {
 public:
  Clock(std::size_t marks, const cuda::Stream& stream) : stream_(stream), events_(marks) {}

  void mark() {
    if (next_ < events_.size()) events_[next_++].record(stream_);
  }
  [[nodiscard]] double seconds(std::size_t mark) const { return seconds_between(events_[mark], events_[mark + 1]); }

 private:
  const cuda::Stream& stream_;
  std::vector<cuda::Event> events_;
  std::size_t next_ = 0;
};

}  // namespace

template <class T>
struct PaperSolver<T>::State {
  std::size_t size;
  T infinite;  ///< from this value on, a value is infinite
  int device;
  cuda::Buffer<T> weights;
  std::array<cuda::Buffer<T>, 3> tables;  ///< by arrangement; allocated when a run needs them
  cuda::Stream stream;
  Arrangement last = Arrangement::naive;  ///< the arrangement of M after a run

  T* table(Arrangement arrangement) {
    cuda::Buffer<T>& buffer = tables[static_cast<std::size_t>(arrangement)];
    if (buffer.size() == 0) buffer = cuda::Buffer<T>(size * size);
    return buffer.data();
  }

  void start_table(Arrangement arrangement) {
    switch (arrangement) {
      case Arrangement::naive:
        return start<T, Arrangement::naive>(table(arrangement), size, stream);
      case Arrangement::sliding:
        return start<T, Arrangement::sliding>(table(arrangement), size, stream);
      case Arrangement::mirroring:
        return start<T, Arrangement::mirroring>(table(arrangement), size, stream);
    }
  }

  void compute_stage(const Stage& stage, std::size_t p) {
    T* const values = table(stage.arrangement);
    switch (stage.arrangement) {
      case Arrangement::naive:
        return compute<T, Arrangement::naive>(stage, values, weights.data(), size, p, infinite, stream);
      case Arrangement::sliding:
        return compute<T, Arrangement::sliding>(stage, values, weights.data(), size, p, infinite, stream);
      case Arrangement::mirroring:
        return compute<T, Arrangement::mirroring>(stage, values, weights.data(), size, p, infinite, stream);
    }
  }
};

template <class T>
PaperSolver<T>::PaperSolver(int device, const Triangulation<T>& problem) {
  const cuda::DeviceScope scope(device);
  const MatrixView<const T>& weights = *problem.matrix();
  const std::size_t n = problem.vertices();
  const T infinite = infinite_from(problem.largest_total());
  state_ = std::make_unique<State>(State{n, infinite, device, cuda::Buffer<T>(n * n), {}, {}});
  const Options any;
  cuda::upload(state_->weights.data(), cuda::rows_of(weights), any.threads, SolveMonitor(any, 0));
}

template <class T>
PaperSolver<T>::~PaperSolver() = default;
template <class T>
PaperSolver<T>::PaperSolver(PaperSolver&&) noexcept = default;
template <class T>
PaperSolver<T>& PaperSolver<T>::operator=(PaperSolver&&) noexcept = default;

template <class T>
Timing PaperSolver<T>::run(const Plan& plan, SolveMonitor& monitor, bool each_stage) {
  State& state = *state_;
  check_plan(plan, state.size);
  const cuda::DeviceScope scope(state.device);
  for (const Stage& stage : plan) state.table(stage.arrangement);

  Clock total(2, state.stream);
  Clock conversion(2, state.stream);
  Clock stages(each_stage ? plan.size() + 1 : 0, state.stream);
  if (each_stage) hold<<<1, 1, 0, state.stream.get()>>>(hold_nanoseconds);
  total.mark();
  stages.mark();
  state.last = plan.front().arrangement;
  state.start_table(state.last);
  stages.mark();
  bool converted = false;
  cuda::Event pace;
  for (std::size_t p = 1; p < plan.size(); ++p) {
    if (p % pace_stages == 0) {
      monitor.check();
      pace.wait();
      pace.record(state.stream);
    }
    if (plan[p].arrangement != state.last) {
      conversion.mark();
      convert(state.table(state.last), state.table(plan[p].arrangement), state.size, state.stream);
      conversion.mark();
      state.last = plan[p].arrangement;
      converted = true;
    }
    state.compute_stage(plan[p], p);
    monitor.advance(static_cast<double>(state.size - p - 1) * static_cast<double>(p));
    stages.mark();
  }
  total.mark();
  state.stream.synchronize();

  Timing timing;
  timing.total_seconds = total.seconds(0);
  if (converted) timing.conversion_seconds = conversion.seconds(0);
  for (std::size_t p = 0; each_stage && p < plan.size(); ++p) timing.stage_seconds.push_back(stages.seconds(p));
  return timing;
}

template <class T>
std::vector<T> PaperSolver<T>::values() const {
  const State& state = *state_;
  const std::size_t n = state.size;
  const cuda::Buffer<T>& table = state.tables[static_cast<std::size_t>(state.last)];
  std::vector<T> stored(n * n);
  cuda::check(cudaMemcpy(stored.data(), table.data(), table.bytes(), cudaMemcpyDeviceToHost), "return its values");
  std::vector<T> values(n * n);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) values[(i - 1) * n + j] = stored[element(state.last, n, i, j)];
  }
  return values;
}

template <class T>
T PaperSolver<T>::cost() const {
  const T* const table = state_->tables[static_cast<std::size_t>(state_->last)].data();
  T cost = 0;
  cuda::check(cudaMemcpy(&cost, table + element(state_->last, state_->size, 1, state_->size - 1), sizeof(T),
                         cudaMemcpyDeviceToHost),
              "return the cost");
  return cost;
}

#define WARPFOLD_INSTANTIATE(T) template class PaperSolver<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::gpu_polygon_2013
