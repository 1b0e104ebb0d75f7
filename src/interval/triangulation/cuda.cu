#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "core/size_text.hpp"
#include "interval/triangulation/launch_search.cuh"
#include "interval/triangulation/small.cuh"
#include "tiles/exchange/device_exchange.hpp"
#include "tiles/gpu/workspace.cuh"
#include "warpfold/core/matrix.hpp"
#include "warpfold/interval/cuda.hpp"

namespace warpfold::interval::cuda {

namespace {

using tiles::device::Arithmetic;
using tiles::device::NonnegativeF32;
using warpfold::cuda::Buffer;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::LastUse;

void check_vertices(std::span<const std::size_t> vertices) {
  if (vertices.empty()) throw Error(ErrorKind::usage, "a plan for no polygons: 1 or more are accepted");
  for (const std::size_t n : vertices) {
    if (n >= 3 && n <= tiles::max_points) continue;
    throw Error(ErrorKind::usage, "a plan for " + std::to_string(n) + " vertices: 3 to " +
                                      std::to_string(tiles::max_points) + " are accepted");
  }
}

/// The polygons of a plan, one after the other.
template <class T>
struct Polygons {
  tiles::TablePlaces places;
  std::vector<std::size_t> first_triangles;
  std::vector<unsigned> small;  ///< those that a warp solves alone
  std::size_t triangles = 0;
  std::size_t max_vertices = 0;  ///< of the largest polygon

  explicit Polygons(std::span<const std::size_t> vertices, bool by_tiles = false) {
    check_vertices(vertices);
    places.tables.reserve(vertices.size());
    for (const std::size_t n : vertices) {
      const bool alone = n <= device::small_vertices && !by_tiles;
      if (alone) small.push_back(static_cast<unsigned>(places.tables.size()));
      places.add(n, !alone);
      first_triangles.push_back(triangles);
      triangles += n - 2;
      max_vertices = std::max(max_vertices, n);
    }
  }

  /// The intervals in the lists of a search, on any device.
  static constexpr unsigned short_on_all =
      search_policy<sizeof(T)>(warpfold::cuda::min_shared_bytes_of_block).max_short_vertices;
  [[nodiscard]] std::size_t listed() const { return max_vertices <= short_on_all ? 0 : triangles; }

  /// The bytes on each of `gpus` GPUs.
  [[nodiscard]] std::size_t bytes(std::size_t gpus) const {
    return places.end.first_value * sizeof(T) + tiles::device::Workspace<T>::bytes(places, gpus) +
           small.size() * sizeof(unsigned) + first_triangles.size() * sizeof(std::size_t) +
           listed() * (3 * sizeof(device::Open) + sizeof(unsigned)) + sizeof(device::SearchCounts);
  }

  /// Shares tiles among the GPUs if whole copies need more memory, and as few tiles as that needs.
  void fit(std::size_t gpus, std::size_t max_memory) {
    if (bytes(gpus) <= max_memory) return;
    if (gpus > 1 && places.tables.size() == 1 && places.end.tiles > 1) share(gpus, max_memory);
    if (bytes(gpus) <= max_memory) return;
    throw Error(ErrorKind::memory_limit, "a plan for " + std::to_string(max_vertices) + " vertices needs " +
                                             bytes_text(static_cast<double>(bytes(gpus))) +
                                             " of each GPU, the limit is " +
                                             bytes_text(static_cast<double>(max_memory)));
  }

 private:
  void share(std::size_t gpus, std::size_t max_memory) {
    const tiles::TablePlaces whole = places;
    const auto keep_near = [&](unsigned near) {
      places = whole;
      places.share(near, static_cast<unsigned>(gpus));
    };
    unsigned near = 1, too_many = static_cast<unsigned>(whole.end.tiles);
    while (too_many - near > 1) {
      const unsigned middle = (near + too_many) / 2;
      keep_near(middle);
      (bytes(gpus) <= max_memory ? near : too_many) = middle;
    }
    keep_near(near);
  }
};

}  // namespace

template <class T>
struct Plan<T>::State {
  Polygons<T> polygons;
  SearchPolicy search;
  Buffer<T> tables;
  tiles::device::Workspace<T> workspace;
  Buffer<unsigned> small;
  Buffer<std::size_t> first_triangles;
  Buffer<device::Open> intervals;
  Buffer<unsigned> splits;
  Buffer<device::SearchCounts> search_counts;
  std::optional<tiles::device::DeviceExchange> exchange;
  LastUse last_use;

  State(Polygons<T> of, std::span<const int> others)
      : polygons(std::move(of)),
        search(search_policy<sizeof(T)>(warpfold::cuda::max_shared_bytes())),
        tables(polygons.places.end.first_value),
        workspace(polygons.places, tables.data(), others),
        small(polygons.small),
        first_triangles(polygons.first_triangles),
        intervals(3 * polygons.listed()),
        splits(polygons.listed()),
        search_counts(1) {}

  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(polygons.places.tables.size()); }

  /// Fills the tables. `Source` gives a chord's weight.
  template <class Source>
  void solve(const Source& source, const WeightBounds<T>& bounds, Stream stream);
};

template <class T>
Plan<T>::Plan(std::span<const std::size_t> vertices, std::span<const int> others, std::size_t max_memory,
              bool by_tiles) {
  Polygons<T> polygons(vertices, by_tiles);
  polygons.fit(1 + others.size(), max_memory);
  const DeviceScope scope(DeviceScope::current());  // this build may have no code for it
  state_ = std::make_unique<State>(std::move(polygons), others);
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;

template <class T>
std::size_t Plan<T>::workspace_bytes(std::span<const std::size_t> vertices, std::size_t gpus, std::size_t max_memory) {
  Polygons<T> polygons(vertices);
  polygons.fit(gpus, max_memory);
  return polygons.bytes(gpus);
}

template <class T>
template <class Source>
void Plan<T>::State::solve(const Source& source, const WeightBounds<T>& bounds, Stream stream) {
  const DeviceScope scope(tables.device());
  workspace.clear(stream);
  const auto fill = [&]<class Arith>(Arith) {
    using Rules = device::TriangulationRules<Arith, Source>;
    const Rules rules{source, infinite_from(bounds.largest_total)};
    if (small.size() > 0) {
      device::solve_small<<<static_cast<unsigned>(small.size()), 32, 0, stream>>>(workspace.arguments(rules),
                                                                                  small.data());
      check_launch("start the solver of small polygons");
    }
    if (workspace.tasks() > 0) device::launch(workspace, rules, stream);
    last_use.record(stream);
  };
  if constexpr (std::is_same_v<T, float>) {
    if (bounds.nonnegative) return fill(NonnegativeF32());
  }
  fill(Arithmetic<MinPlus<T>>());
}

template <class T>
void Plan<T>::solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream) {
  const std::size_t n = state_->polygons.places.tables.front().points;
  if (stride > 0 && state_->count() > 1) {
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
  const DeviceScope scope(state_->tables.device());
  const Polygons<T>& polygons = state_->polygons;
  device::Open* intervals = state_->intervals.data();
  const device::Search<T> search{state_->workspace.jobs(),
                                 state_->first_triangles.data(),
                                 state_->count(),
                                 static_cast<unsigned>(polygons.triangles),
                                 intervals,
                                 intervals + polygons.listed(),
                                 intervals + 2 * polygons.listed(),
                                 state_->splits.data(),
                                 state_->search_counts.data(),
                                 nodes};
  device::find_structures(search, polygons.max_vertices, state_->search, stream);
  state_->last_use.record(stream);
}

template <class T>
void Plan<T>::costs(T* costs, Stream stream) {
  const DeviceScope scope(state_->tables.device());
  constexpr unsigned threads = 128;
  const unsigned jobs = state_->count();
  device::gather_costs<<<(jobs + threads - 1) / threads, threads, 0, stream>>>(state_->workspace.jobs(), jobs, costs);
  check_launch("gather the costs");
  state_->last_use.record(stream);
}

template <class T>
const T* Plan<T>::table(std::size_t polygon) const {
  return state_->tables.data() + state_->polygons.places.tables.at(polygon).first_value;
}
template <class T>
std::size_t Plan<T>::tasks() const {
  return running().tasks;
}
template <class T>
const unsigned* Plan<T>::tasks_taken() const {
  return running().tasks_taken;
}
template <class T>
unsigned* Plan<T>::stop() const {
  return running().stop;
}
template <class T>
unsigned Plan<T>::solves() const {
  return running().number;
}
template <class T>
warpfold::cuda::RunningSolve Plan<T>::running() const {
  warpfold::cuda::RunningSolve running = state_->workspace.running();
  if (state_->exchange) running.progress_exchange = [exchange = &*state_->exchange] { exchange->progress(); };
  return running;
}

template <class T>
void Plan<T>::connect(TableExchange& host_exchange, const SuperTiles& host, const tiles::device::PeerTables& peers,
                      int threads) {
  const DeviceScope scope(state_->tables.device());
  tiles::device::DeviceExchange& exchange = state_->exchange.emplace(host_exchange, host, threads);
  state_->workspace.connect(exchange.ready(peers), peers.copies());
  exchange.connect(state_->workspace.made(), state_->workspace.copies(), state_->workspace.shares());
}
template <class T>
void Plan<T>::complete(const SolveMonitor& monitor) {
  const DeviceScope scope(state_->tables.device());
  state_->exchange->complete(monitor);
}
template <class T>
tiles::TableHandle Plan<T>::handle() {
  const DeviceScope scope(state_->tables.device());
  return tiles::device::handle_of(state_->workspace.copies().front());
}

template <class T>
const tiles::device::Job<T>* Plan<T>::jobs() const {
  return state_->workspace.jobs();
}

#define WARPFOLD_INSTANTIATE(T) template class Plan<T>;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::cuda
