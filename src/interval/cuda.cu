#include "warpfold/interval/cuda.hpp"

#include <algorithm>
#include <string>

#include "core/cuda.hpp"
#include "interval/kernels.cuh"
#include "minplus/magnitude.hpp"

namespace warpfold::interval::cuda {

namespace {

using device::Job;
using device::Layout;
using device::Solve;
using minplus::device::Arithmetic;
using minplus::device::NonnegativeF32;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;

constexpr std::size_t most_vertices = std::size_t{1} << 18;

/// Where the parts of a plan's workspace lie.
struct Sizes {
  std::size_t values = 0;    ///< of all tables
  std::size_t counters = 2;  ///< ticket and stop, then each job's front, ready and closed; zeroed before a solve
  std::size_t tasks = 0;

  void add(std::size_t n) {
    const std::size_t tiles = tile_count(n, device::tile_side), own = tiles * (tiles + 1) / 2;
    values += table_size(n, device::tile_side);
    counters += 1 + own + tiles;
    tasks += own;
  }
};

Sizes sizes_of(std::span<const std::size_t> vertices) {
  Sizes sizes;
  for (const std::size_t n : vertices) sizes.add(n);
  return sizes;
}

void check_vertices(std::span<const std::size_t> vertices) {
  for (const std::size_t n : vertices) {
    if (n >= 3 && n <= most_vertices) continue;
    throw Error(ErrorKind::usage,
                "a plan for " + std::to_string(n) + " vertices: 3 to " + std::to_string(most_vertices) + " is accepted");
  }
}

/// Launches one block for every place on the device, or one a task where those are fewer.
template <class Arith, class T>
void launch(const Solve<T>& solve, std::size_t tasks, Stream stream) {
  const auto kernel = device::solve_tiles<Arith>;
  int ordinal = 0, processors = 0, resident = 0;
  check(cudaGetDevice(&ordinal), "name the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal), "count its multiprocessors");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Layout<T>::shared_bytes),
        "reserve shared memory");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, device::block_threads,
                                                      Layout<T>::shared_bytes),
        "place the solver");
  const auto blocks = std::min<std::size_t>(tasks, std::size_t{1} * processors * resident);
  kernel<<<static_cast<unsigned>(blocks), device::block_threads, Layout<T>::shared_bytes, stream>>>(solve);
  check_launch("start the solver");
}

}  // namespace

template <class T>
struct Plan<T>::State {
  std::vector<std::size_t> vertices;
  Sizes sizes;
  Buffer<T> tables;
  Buffer<unsigned> counters;
  Buffer<Job<T>> jobs;
  Buffer<unsigned> first_tasks;
  std::vector<Job<T>> host_jobs;

  explicit State(std::span<const std::size_t> n)
      : vertices(n.begin(), n.end()),
        sizes(sizes_of(n)),
        tables(sizes.values),
        counters(sizes.counters),
        jobs(n.size()),
        first_tasks(n.size() + 1) {
    std::vector<unsigned> first{0};
    std::size_t weight = 0;
    T* table = tables.data();
    unsigned* counter = counters.data() + 2;
    for (const std::size_t size : vertices) {
      const auto tiles = static_cast<unsigned>(tile_count(size, device::tile_side)), own = tiles * (tiles + 1) / 2;
      host_jobs.push_back(
          {static_cast<unsigned>(size), tiles, weight, table, counter + 1, counter + 1 + own, counter});
      first.push_back(first.back() + own);
      weight += size * size;
      table += table_size(size, device::tile_side);
      counter += 1 + own + tiles;
    }
    check(cudaMemcpy(jobs.data(), host_jobs.data(), jobs.bytes(), cudaMemcpyHostToDevice), "receive a plan");
    check(cudaMemcpy(first_tasks.data(), first.data(), first_tasks.bytes(), cudaMemcpyHostToDevice), "receive a plan");
  }
};

template <class T>
Plan<T>::Plan(std::span<const std::size_t> vertices) {
  check_vertices(vertices);
  state_ = std::make_unique<State>(vertices);
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;

template <class T>
std::size_t Plan<T>::workspace_bytes(std::span<const std::size_t> vertices) {
  const Sizes sizes = sizes_of(vertices);
  return sizes.values * sizeof(T) + sizes.counters * sizeof(unsigned) +
         vertices.size() * (sizeof(Job<T>) + sizeof(unsigned)) + sizeof(unsigned);
}

template <class T>
void Plan<T>::solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream) {
  check(cudaMemsetAsync(state_->counters.data(), 0, state_->counters.bytes(), stream), "clear its counters");
  const Solve<T> solve{state_->jobs.data(),
                       state_->first_tasks.data(),
                       static_cast<unsigned>(state_->vertices.size()),
                       weights,
                       stride,
                       minplus::infinite_from(bounds.largest_total),
                       state_->counters.data(),
                       state_->counters.data() + 1};
  if constexpr (std::is_same_v<T, float>) {
    if (bounds.nonnegative) return launch<NonnegativeF32>(solve, state_->sizes.tasks, stream);
  }
  launch<Arithmetic<T>>(solve, state_->sizes.tasks, stream);
}

template <class T>
const T* Plan<T>::table(std::size_t polygon) const {
  return state_->host_jobs.at(polygon).table;
}
template <class T>
std::size_t Plan<T>::tasks() const {
  return state_->sizes.tasks;
}
template <class T>
const unsigned* Plan<T>::tasks_taken() const {
  return state_->counters.data();
}
template <class T>
unsigned* Plan<T>::stop() const {
  return state_->counters.data() + 1;
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace warpfold::interval::cuda
