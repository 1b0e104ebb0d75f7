#include <algorithm>
#include <string>

#include "core/magnitude.hpp"
#include "interval/launch_search.cuh"
#include "interval/small.cuh"
#include "warpfold/core/matrix.hpp"
#include "warpfold/interval/cuda.hpp"

namespace warpfold::interval::cuda {

namespace {

using device::Job;
using tiles::device::Arithmetic;
using tiles::device::NonnegativeF32;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::LastUse;

/// Where the parts of a plan's workspace lie.
template <class T>
struct Sizes {
  std::size_t values = 0;    ///< of all tables
  std::size_t counters = 1;  ///< the ticket, then each job's front, ready and closed; zeroed before a solve
  std::size_t tasks = 0;
  std::size_t nodes = 0;
  std::size_t small = 0;          ///< polygons that a warp solves alone
  std::size_t most_vertices = 0;  ///< of a polygon

  void add(std::size_t n) {
    values += tiles::table_size(n, device::tile_side);
    nodes += n - 2;
    most_vertices = std::max(most_vertices, n);
    if (n <= device::small_vertices) {
      ++small;
      return;
    }
    const std::size_t tiles = tiles::tile_count(n, device::tile_side), own = tiles::tiles_in_table(tiles);
    counters += 1 + own + tiles;
    tasks += own;
  }

  /// Intervals in the lists of a search, on whichever device.
  static constexpr unsigned short_on_all =
      search_policy<sizeof(T)>(warpfold::cuda::least_shared_bytes_of_block).most_short_vertices;
  [[nodiscard]] std::size_t listed() const { return most_vertices <= short_on_all ? 0 : nodes; }
};

template <class T>
Sizes<T> sizes_of(std::span<const std::size_t> vertices) {
  Sizes<T> sizes;
  for (const std::size_t n : vertices) sizes.add(n);
  return sizes;
}

void check_vertices(std::span<const std::size_t> vertices) {
  if (vertices.empty()) throw Error(ErrorKind::usage, "a plan for no polygons: 1 or more are accepted");
  for (const std::size_t n : vertices) {
    if (n >= 3 && n <= tiles::most_points) continue;
    throw Error(ErrorKind::usage, "a plan for " + std::to_string(n) + " vertices: 3 to " +
                                      std::to_string(tiles::most_points) + " are accepted");
  }
}

}  // namespace

template <class T>
struct Plan<T>::State {
  int device;
  std::vector<std::size_t> vertices;
  Sizes<T> sizes;
  SearchPolicy search;
  unsigned solves = 0;
  Buffer<T> tables;
  Buffer<unsigned> counters;
  Buffer<unsigned> stop;
  Buffer<Job<T>> jobs;
  Buffer<unsigned> first_tasks;
  Buffer<std::size_t> first_nodes;
  Buffer<unsigned> small;  // the polygons that a warp solves alone
  Buffer<device::Open> intervals;
  Buffer<unsigned> splits;
  Buffer<device::SearchCounts> search_counts;
  std::vector<Job<T>> host_jobs;
  LastUse last_use;

  explicit State(std::span<const std::size_t> n)
      : device(DeviceScope::current()),
        vertices(n.begin(), n.end()),
        sizes(sizes_of<T>(n)),
        search(search_policy<sizeof(T)>(warpfold::cuda::most_shared_bytes())),
        tables(sizes.values),
        counters(sizes.counters),
        stop(std::span<const unsigned>(&solves, 1)),
        intervals(3 * sizes.listed()),
        splits(sizes.listed()),
        search_counts(1) {
    std::vector<unsigned> first{0}, small_ones;
    std::vector<std::size_t> nodes{0};
    std::size_t weight = 0, vertex = 0;
    T* table = tables.data();
    unsigned* counter = counters.data() + 1;
    for (const std::size_t size : vertices) {
      const bool alone = size <= device::small_vertices;
      if (alone) small_ones.push_back(static_cast<unsigned>(host_jobs.size()));
      const auto tiles = alone ? 0 : static_cast<unsigned>(tiles::tile_count(size, device::tile_side));
      const auto own = static_cast<unsigned>(tiles::tiles_in_table(tiles));
      host_jobs.push_back(
          {static_cast<unsigned>(size), tiles, weight, table, counter + 1, counter + 1 + own, counter, vertex});
      vertex += size;
      first.push_back(first.back() + own);
      nodes.push_back(nodes.back() + size - 2);
      weight += size * size;
      table += tiles::table_size(size, device::tile_side);
      counter += alone ? 0 : 1 + own + tiles;
    }
    nodes.pop_back();
    jobs = Buffer<Job<T>>(host_jobs);
    first_tasks = Buffer<unsigned>(first);
    first_nodes = Buffer<std::size_t>(nodes);
    small = Buffer<unsigned>(small_ones);
  }

  /// Fills the tables; `Source` says what a chord weighs.
  template <class Source>
  void solve(const Source& source, const WeightBounds<T>& bounds, Stream stream);
};

template <class T>
Plan<T>::Plan(std::span<const std::size_t> vertices) {
  check_vertices(vertices);
  const DeviceScope scope(DeviceScope::current());  // this build may have no code for it
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
  check_vertices(vertices);
  const Sizes<T> sizes = sizes_of<T>(vertices);
  return sizes.values * sizeof(T) + sizes.counters * sizeof(unsigned) +
         vertices.size() * (sizeof(Job<T>) + sizeof(unsigned) + sizeof(std::size_t)) +
         (2 + sizes.small + sizes.listed()) * sizeof(unsigned) + 3 * sizes.listed() * sizeof(device::Open) +
         sizeof(device::SearchCounts);
}

template <class T>
template <class Source>
void Plan<T>::State::solve(const Source& source, const WeightBounds<T>& bounds, Stream stream) {
  const DeviceScope scope(device);
  ++solves;
  check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), stream), "clear its counters");
  const auto fill = [&]<class Arith>(Arith) {
    using Rules = device::TriangulationRules<Arith, Source>;
    const device::Solve<Rules> arguments{
        {source, infinite_from(bounds.largest_total)}, jobs.data(),     first_tasks.data(),
        static_cast<unsigned>(vertices.size()),        counters.data(), {stop.data(), solves}};
    if (small.size() > 0) {
      device::solve_small<<<static_cast<unsigned>(small.size()), 32, 0, stream>>>(arguments, small.data());
      check_launch("start the solver of small polygons");
    }
    if (sizes.tasks > 0) device::launch(arguments, sizes.tasks, stream);
    last_use.record(stream);
  };
  if constexpr (std::is_same_v<T, float>) {
    if (bounds.nonnegative) return fill(NonnegativeF32());
  }
  fill(Arithmetic<MinPlus<T>>());
}

template <class T>
void Plan<T>::solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream) {
  const std::size_t n = state_->vertices.front();
  if (stride > 0 && state_->vertices.size() > 1) {
    throw Error(ErrorKind::usage, "a stride of " + std::to_string(stride) + " for several polygons: 0 is accepted");
  }
  check_view("the matrix of weights", weights, n, n, stride > 0 ? stride : n, sizeof(T));
  state_->solve(device::MatrixWeights<T>{weights, stride}, bounds, stream);
}

template <class T>
void Plan<T>::solve(const Point* points, ChordWeight weight, const WeightBounds<T>& bounds, Stream stream) {
  WeightBounds<T> known = bounds;
  known.nonnegative = true;
  state_->solve(device::PointWeights<T>{points, weight}, known, stream);
}

template <class T>
void Plan<T>::structure(Triangle* nodes, Stream stream) {
  const DeviceScope scope(state_->device);
  const Sizes<T>& sizes = state_->sizes;
  device::Open* intervals = state_->intervals.data();
  const device::Search<T> search{state_->jobs.data(),
                                 state_->first_nodes.data(),
                                 static_cast<unsigned>(state_->vertices.size()),
                                 static_cast<unsigned>(sizes.nodes),
                                 intervals,
                                 intervals + sizes.listed(),
                                 intervals + 2 * sizes.listed(),
                                 state_->splits.data(),
                                 state_->search_counts.data(),
                                 nodes};
  device::find_structures(search, sizes.most_vertices, state_->search, stream);
  state_->last_use.record(stream);
}

template <class T>
void Plan<T>::costs(T* costs, Stream stream) {
  const DeviceScope scope(state_->device);
  constexpr unsigned threads = 128;
  const auto jobs = static_cast<unsigned>(state_->vertices.size());
  device::gather_costs<<<(jobs + threads - 1) / threads, threads, 0, stream>>>(state_->jobs.data(), jobs, costs);
  check_launch("gather the costs");
  state_->last_use.record(stream);
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
  return state_->stop.data();
}
template <class T>
unsigned Plan<T>::solves() const {
  return state_->solves;
}

template class Plan<std::int32_t>;
template class Plan<std::int64_t>;
template class Plan<float>;
template class Plan<double>;

}  // namespace warpfold::interval::cuda
