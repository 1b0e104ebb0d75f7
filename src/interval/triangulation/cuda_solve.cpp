#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/triangulation/device_filler.hpp"
#include "interval/triangulation/traceback.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "run/running_solve.hpp"
#include "run/staging.hpp"
#include "tiles/exchange/peer_tables.hpp"
#include "tiles/tuning.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/tiles/tile_scheduler.hpp"

/// Solves triangulations of host data on GPUs, by a Plan.
namespace warpfold::interval::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;
using Clock = std::chrono::steady_clock;

/// The bytes that sharing leaves free on each GPU. Memory is allocated in pieces, and a kernel needs some of its own.
constexpr std::size_t kept_free = std::size_t{1} << 30;

/// Whether the device can read the caller's weights where they are.
bool is_pinned(const void* data) {
  cudaPointerAttributes attributes{};
  const bool known = cudaPointerGetAttributes(&attributes, data) == cudaSuccess;
  cudaGetLastError();
  return known && attributes.type == cudaMemoryTypeHost && attributes.devicePointer == data;
}

/// The weights of a plan's polygons, as its device reads them.
template <class T>
class Source {
 public:
  virtual ~Source() = default;
  /// The bytes on the first device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Copies them there.
  virtual void take(int threads, const SolveMonitor& monitor) = 0;
  virtual void solve(Plan<T>& plan, Stream stream) const = 0;
};

template <class T>
WeightBounds<T> bounds_of(std::span<const Triangulation<T>> problems) {
  WeightBounds<T> bounds{0, true};
  for (const Triangulation<T>& problem : problems) {
    bounds.largest_total = std::max(bounds.largest_total, problem.largest_total());
    bounds.nonnegative = bounds.nonnegative && problem.nonnegative();
  }
  return bounds;
}

/// Matrices. A single polygon's pinned matrix is read in place. Otherwise the device has copies of all matrices, one
/// after the other.
template <class T>
class Matrices final : public Source<T> {
 public:
  explicit Matrices(std::span<const Triangulation<T>> problems)
      : first_(*problems[0].matrix()),
        bounds_(bounds_of(problems)),
        in_place_(problems.size() == 1 && is_pinned(first_.data)) {
    if (in_place_) return;
    for (const Triangulation<T>& problem : problems) {
      lists_.push_back(warpfold::cuda::rows_of(*problem.matrix()));
      lists_.back().indent = sizeof(T);
      bytes_ += lists_.back().bytes();
    }
  }

  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  void take(int threads, const SolveMonitor& monitor) override {
    copy_ = Buffer<T>(bytes_ / sizeof(T));
    upload(copy_.data(), std::span<const List>(lists_), threads, monitor);
  }
  void solve(Plan<T>& plan, Stream stream) const override {
    plan.solve(in_place_ ? first_.data : copy_.data(), in_place_ ? first_.stride : 0, bounds_, stream);
  }

 private:
  using List = warpfold::cuda::HostRows<const std::byte>;

  MatrixView<const T> first_;
  WeightBounds<T> bounds_;
  bool in_place_;
  std::vector<List> lists_;
  std::size_t bytes_ = 0;
  Buffer<T> copy_;
};

/// Points, whose distances are computed where they are needed.
template <class T>
class Distances final : public Source<T> {
 public:
  Distances(const WeightFormula& weights, T largest_total) : weights_(weights), largest_total_(largest_total) {}

  [[nodiscard]] std::size_t bytes() const override { return weights_.points.size_bytes(); }
  void take(int /*threads*/, const SolveMonitor& /*monitor*/) override { points_ = Buffer<Point>(weights_.points); }
  void solve(Plan<T>& plan, Stream stream) const override {
    plan.solve(points_.data(), weights_.formula, {largest_total_, true}, stream);
  }

 private:
  WeightFormula weights_;
  T largest_total_;
  Buffer<Point> points_;
};

/// The weights of a problem of with_recurrence.
template <class T>
std::unique_ptr<Source<T>> source_of(const Triangulation<T>& problem) {
  if (const WeightFormula* weights = problem.formula()) {
    return std::make_unique<Distances<T>>(*weights, problem.largest_total());
  }
  return std::make_unique<Matrices<T>>(std::span(&problem, 1));
}

template <class T>
void download(const Buffer<T>& from, std::vector<T>& to, int threads, const SolveMonitor& monitor) {
  warpfold::cuda::download(from.data(), warpfold::cuda::rows_of(MatrixView<T>{to.data(), 1, to.size(), to.size()}),
                           threads, monitor);
}

/// The costs and structures of a solved plan. A polygon without a finite total has no nodes.
template <class T>
std::vector<Solution<T>> take_solutions(Plan<T>& plan, std::span<const std::size_t> vertices, const Buffer<T>& costs,
                                        const Buffer<Triangle>& nodes, const warpfold::cuda::Stream& stream,
                                        int threads, const SolveMonitor& monitor) {
  plan.costs(costs.data(), stream.get());
  plan.structure(nodes.data(), stream.get());
  std::vector<T> found_costs(costs.size());
  std::vector<Triangle> found(nodes.size());
  stream.synchronize();
  download(costs, found_costs, threads, monitor);
  download(nodes, found, threads, monitor);
  std::vector<Solution<T>> solutions(vertices.size());
  const Triangle* first = found.data();
  for (std::size_t at = 0; at < vertices.size(); ++at) {
    solutions[at].cost = found_costs[at];
    if (found_costs[at] < infinity<T>) {
      const Triangle* node = first;
      search_structure(
          vertices[at], [&](std::size_t, std::size_t) { return (node++)->k; }, solutions[at]);
    }
    first += vertices[at] - 2;
  }
  return solutions;
}

/// The bytes on each of a plan's GPUs.
struct Shares {
  std::size_t max_memory;       ///< where its tiles may be shared
  std::size_t workspace_bytes;  ///< of the plan's workspace
};

/// Only points gain by sharing, because a matrix is larger than its table.
template <class T>
Shares shares_of(std::span<const std::size_t> vertices, bool may_share, std::size_t beside, const Device& gpus,
                 std::size_t max_memory) {
  const std::vector<int>& others = gpus.more;
  std::size_t most = Plan<T>::unlimited;
  if (may_share && !others.empty()) {
    std::size_t free = warpfold::cuda::free_bytes(gpus.index);
    for (const int other : others) free = std::min(free, warpfold::cuda::free_bytes(other));
    most = std::min(max_memory, free - std::min(free, kept_free));
    most -= std::min(most, beside);
  }
  return {most, Plan<T>::workspace_bytes(vertices, 1 + others.size(), most)};
}

/// Finds the nodes of the polygons and their costs.
template <class T>
std::size_t found_bytes(std::size_t nodes, std::size_t polygons) {
  return nodes * sizeof(Triangle) + polygons * sizeof(T);
}

template <class T>
std::vector<Solution<T>> solve_from(Source<T>& source, const std::vector<std::size_t>& vertices, bool may_share,
                                    Context& context) {
  const Options& options = context.options;
  Report& report = context.report;
  const auto start = Clock::now();
  const Device& gpus = options.device;
  const DeviceScope scope(gpus.index);
  std::size_t node_count = 0;
  double total = 0;
  for (const std::size_t n : vertices) {
    node_count += n - 2;
    total += split_count(n);
  }
  const std::size_t found = found_bytes<T>(node_count, vertices.size());
  report.threads = staging_threads(source.bytes(), options.threads);
  const Shares shares = shares_of<T>(vertices, may_share, found + source.bytes(), gpus, options.max_device_memory);
  // Staging memory is used before and after the nodes are found. They are then held as solutions, too.
  const Budget::Reservation taken = context.budget.reserve(
      found + std::max(staging_bytes(source.bytes(), options.threads), found + node_count * sizeof(Chord)));
  context.take_device_memory(shares.workspace_bytes + found + source.bytes(), shares.workspace_bytes);
  SolveMonitor monitor(options, total);
  monitor.check();

  Plan<T> plan(vertices, gpus.more, shares.max_memory);
  if (plan.tasks() == 0)
    report.device = to_string(Device{Device::Kind::cuda, gpus.index});  // the other GPUs had no work
  source.take(options.threads, monitor);
  const Buffer<Triangle> nodes(node_count);
  const Buffer<T> costs(vertices.size());
  report.prepare_seconds += seconds_since(start);

  const warpfold::cuda::Stream stream;
  report.solve_seconds = warpfold::cuda::run(stream, total, monitor, [&] {
    source.solve(plan, stream.get());
    return plan.running();
  });

  const auto tracing = Clock::now();
  std::vector<Solution<T>> solutions =
      take_solutions<T>(plan, vertices, costs, nodes, stream, options.threads, monitor);
  report.traceback_seconds = seconds_since(tracing);
  return solutions;
}

/// The bytes of a plan besides, if its tiles are exchanged: two words a tile, and some.
std::size_t noted_bytes(std::size_t points) {
  return 2 * sizeof(unsigned) * (2 + tiles::tiles_in_table(tile_count(points, tiles::tile_side)));
}

}  // namespace

template <class T>
struct DeviceFiller<T>::State {
  std::unique_ptr<Source<T>> source;
  Device gpus;
  Plan<T> plan;
  IntervalTable<T> table;
  tiles::device::PeerTables peers = {};
};

template <class T>
DeviceFiller<T>::DeviceFiller(const Triangulation<T>& problem, Context& context, Pages pages) {
  const Device& gpus = context.options.device;
  const std::size_t points = problem.vertices();
  std::unique_ptr<Source<T>> source = source_of(problem);
  const DeviceScope scope(gpus.index);
  const std::size_t beside = noted_bytes(points) + found_bytes<T>(points - 2, 1) + source->bytes();
  const Shares shares = shares_of<T>(std::span(&points, 1), problem.formula() != nullptr, beside, gpus,
                                     context.options.max_device_memory);
  context.take_device_memory(shares.workspace_bytes + beside, shares.workspace_bytes);
  Plan<T> plan(std::span(&points, 1), gpus.more, shares.max_memory, true);
  IntervalTable<T> table(points, TableMeaning<T>::template of<BoundedMinPlus<T>>(), pages);
  state_ = std::make_unique<State>(State{std::move(source), gpus, std::move(plan), std::move(table)});
}
template <class T>
DeviceFiller<T>::~DeviceFiller() = default;

template <class T>
double DeviceFiller<T>::operations(std::size_t points) {
  return split_count(points);
}

template <class T>
int DeviceFiller<T>::prepare(int threads, SolveMonitor& monitor, TableExchange& exchange) {
  const DeviceScope scope(state_->gpus.index);
  const int fetching = std::min(threads, tiles::max_fetching_threads);
  state_->source->take(threads, monitor);
  state_->plan.connect(exchange, super_tiles(), state_->peers, fetching);
  return std::max(staging_threads(state_->source->bytes(), threads), fetching);
}

template <class T>
void DeviceFiller<T>::run(SolveMonitor& monitor, bool all_of_it) {
  const DeviceScope scope(state_->gpus.index);
  const warpfold::cuda::Stream stream;
  warpfold::cuda::run(stream, operations(state_->table.points()), monitor, [&] {
    state_->source->solve(state_->plan, stream.get());
    return state_->plan.running();
  });
  if (all_of_it) state_->plan.complete(monitor);
}

template <class T>
tiles::TableHandle DeviceFiller<T>::handle() const {
  return state_->plan.handle();
}

template <class T>
bool DeviceFiller<T>::reach(const tiles::TableReader& reader) {
  const DeviceScope scope(state_->gpus.index);
  return state_->peers.open(reader);
}

template <class T>
void DeviceFiller<T>::leave() noexcept {
  try {
    const DeviceScope scope(state_->gpus.index);
    state_->peers = {};
  } catch (const Error&) {  // a GPU that has failed holds no memory any more
  }
}

template <class T>
SuperTiles DeviceFiller<T>::super_tiles() const {
  const std::size_t along = IntervalTable<T>::tiles(state_->table.points());
  return {reinterpret_cast<std::byte*>(state_->table.tile(0, 0)), tiles::tile_side * tiles::tile_side * sizeof(T),
          along, tiles::TileScheduler::fastest_group(along)};
}

template <class T>
const IntervalTable<T>& DeviceFiller<T>::table() const {
  return state_->table;
}

template <class T>
Solution<T> DeviceFiller<T>::solution(Context& context) {
  const auto start = Clock::now();
  const DeviceScope scope(state_->gpus.index);
  const std::size_t points = state_->table.points(), found = found_bytes<T>(points - 2, 1);
  const Budget::Reservation taken = context.budget.reserve(2 * found + (points - 2) * sizeof(Chord));
  const Buffer<Triangle> nodes(points - 2);
  const Buffer<T> costs(1);
  const warpfold::cuda::Stream stream;
  const SolveMonitor monitor(context.options, 0);
  auto solutions =
      take_solutions<T>(state_->plan, std::span(&points, 1), costs, nodes, stream, context.options.threads, monitor);
  context.report.traceback_seconds = seconds_since(start);
  return std::move(solutions.front());
}

template <class T>
std::size_t device_bytes(const TriangulationSize& size, const Options& options) {
  const std::size_t n = size.vertices;
  const bool by_formula = size.weights == TriangulationSize::Weights::formula;
  const std::size_t beside = found_bytes<T>(n - 2, 1) + (by_formula ? n * sizeof(Point) : n * n * sizeof(T));
  const Shares shares = shares_of<T>(std::span(&n, 1), by_formula, beside, options.device, options.max_device_memory);
  return shares.workspace_bytes + beside;
}

template <class T>
std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>& problems, Context& context) {
  std::vector<std::size_t> vertices;
  for (const Triangulation<T>& problem : problems) vertices.push_back(problem.vertices());
  Matrices<T> weights(problems);
  return solve_from<T>(weights, vertices, false, context);
}

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  return with_recurrence(problem, context, [&](const auto& recurrence, const Triangulation<T>& stated) {
    if (context.options.checkpointer) return solve_kept(recurrence, stated, context);
    const std::unique_ptr<Source<T>> source = source_of(stated);
    return std::move(solve_from<T>(*source, {stated.vertices()}, stated.formula(), context).front());
  });
}

#define WARPFOLD_INSTANTIATE(T)                                                   \
  template class DeviceFiller<T>;                                                 \
  template Solution<T> solve(const Triangulation<T>&, Context&);                  \
  template std::size_t device_bytes<T>(const TriangulationSize&, const Options&); \
  template std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>&, Context&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::cuda
