#include <algorithm>
#include <string>

#include "interval/launch.cuh"
#include "interval/structure.cuh"
#include "minplus/magnitude.hpp"
#include "warpfold/interval/cuda.hpp"

namespace warpfold::interval::cuda {

namespace {

using device::Job;
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
  std::size_t nodes = 0;

  void add(std::size_t n) {
    const std::size_t tiles = tile_count(n, device::tile_side), own = tiles * (tiles + 1) / 2;
    values += table_size(n, device::tile_side);
    counters += 1 + own + tiles;
    tasks += own;
    nodes += n - 2;
  }

  /// Words for what a structure search holds: open intervals twice, their counts, and the splits that were searched.
  [[nodiscard]] std::size_t search_splits() const {
    return std::max<std::size_t>(nodes, device::most_guesses) + device::strip;
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
    throw Error(ErrorKind::usage, "a plan for " + std::to_string(n) + " vertices: 3 to " +
                                      std::to_string(most_vertices) + " is accepted");
  }
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
  Buffer<std::size_t> first_nodes;
  Buffer<device::Open> open;
  Buffer<unsigned> splits;  // the counts of open intervals come first
  std::vector<Job<T>> host_jobs;

  explicit State(std::span<const std::size_t> n)
      : vertices(n.begin(), n.end()),
        sizes(sizes_of(n)),
        tables(sizes.values),
        counters(sizes.counters),
        jobs(n.size()),
        first_tasks(n.size() + 1),
        first_nodes(n.size()),
        open(2 * sizes.nodes),
        splits(device::count_words + sizes.search_splits()) {
    std::vector<unsigned> first{0};
    std::vector<std::size_t> nodes{0};
    std::size_t weight = 0;
    T* table = tables.data();
    unsigned* counter = counters.data() + 2;
    for (const std::size_t size : vertices) {
      const auto tiles = static_cast<unsigned>(tile_count(size, device::tile_side)), own = tiles * (tiles + 1) / 2;
      host_jobs.push_back({static_cast<unsigned>(size), tiles, weight, table, counter + 1, counter + 1 + own, counter});
      first.push_back(first.back() + own);
      nodes.push_back(nodes.back() + size - 2);
      weight += size * size;
      table += table_size(size, device::tile_side);
      counter += 1 + own + tiles;
    }
    check(cudaMemcpy(jobs.data(), host_jobs.data(), jobs.bytes(), cudaMemcpyHostToDevice), "receive a plan");
    check(cudaMemcpy(first_tasks.data(), first.data(), first_tasks.bytes(), cudaMemcpyHostToDevice), "receive a plan");
    check(cudaMemcpy(first_nodes.data(), nodes.data(), first_nodes.bytes(), cudaMemcpyHostToDevice), "receive a plan");
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
         vertices.size() * (sizeof(Job<T>) + sizeof(unsigned) + sizeof(std::size_t)) +
         2 * sizes.nodes * sizeof(device::Open) + (1 + device::count_words + sizes.search_splits()) * sizeof(unsigned);
}

template <class T>
void Plan<T>::solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream) {
  check(cudaMemsetAsync(state_->counters.data(), 0, state_->counters.bytes(), stream), "clear its counters");
  const auto fill = [&]<class Arith>(Arith) {
    using Rules = device::TriangulationRules<Arith, device::MatrixWeights<T>>;
    device::launch<Rules>({{{weights, stride}, minplus::infinite_from(bounds.largest_total)},
                           state_->jobs.data(),
                           state_->first_tasks.data(),
                           static_cast<unsigned>(state_->vertices.size()),
                           state_->counters.data(),
                           state_->counters.data() + 1},
                          state_->sizes.tasks, stream);
  };
  if constexpr (std::is_same_v<T, float>) {
    if (bounds.nonnegative) return fill(NonnegativeF32());
  }
  fill(Arithmetic<MinPlus<T>>());
}

template <class T>
void Plan<T>::structure(Node* nodes, Stream stream) {
  const auto kernel = device::search_structures<T>;
  device::Open* open = state_->open.data();
  device::Search<T> search{state_->jobs.data(),
                           state_->first_nodes.data(),
                           static_cast<unsigned>(state_->vertices.size()),
                           {open, open + state_->sizes.nodes},
                           state_->splits.data(),
                           state_->splits.data() + device::count_words,
                           nodes};
  if (std::ranges::max(state_->vertices) <= device::small_vertices) {
    const auto blocks = (search.job_count + device::small_warps - 1) / device::small_warps;
    device::search_small_structures<<<blocks, device::small_warps * 32, 0, stream>>>(search);
    return check_launch("start the search for the structures");
  }
  const std::size_t useful = std::max<std::size_t>(device::most_guesses, state_->vertices.size()) / device::strip;
  const std::size_t blocks = std::min(device::places(kernel, device::search_threads, 0), useful);
  void* arguments[] = {&search};
  check(
      cudaLaunchCooperativeKernel(kernel, static_cast<unsigned>(blocks), device::search_threads, arguments, 0, stream),
      "start the search for the structure");
}

template <class T>
void Plan<T>::costs(T* costs, Stream stream) {
  constexpr unsigned threads = 128;
  const auto jobs = static_cast<unsigned>(state_->vertices.size());
  device::gather_costs<<<(jobs + threads - 1) / threads, threads, 0, stream>>>(state_->jobs.data(), jobs, costs);
  check_launch("gather the costs");
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
