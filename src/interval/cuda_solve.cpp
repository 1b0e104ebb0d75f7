#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interval/backends.hpp"
#include "interval/traceback.hpp"
#include "run/clock.hpp"
#include "run/staging.hpp"
#include "tiles/device_run.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/run/devices.hpp"

/// Triangulations of matrices on the host, by a Plan.
namespace warpfold::interval::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;
using Clock = std::chrono::steady_clock;

/// Whether the device can read the caller's weights where they are.
bool is_pinned(const void* data) {
  cudaPointerAttributes attributes{};
  const bool known = cudaPointerGetAttributes(&attributes, data) == cudaSuccess;
  cudaGetLastError();
  return known && attributes.type == cudaMemoryTypeHost && attributes.devicePointer == data;
}

/// The weights as the solver reads them: one polygon's where they are if they are pinned, else copies of all polygons'
/// on the device, one after another.
template <class T>
class Weights {
 public:
  explicit Weights(std::span<const Triangulation<T>> problems)
      : first_(problems[0].weights()), in_place_(problems.size() == 1 && is_pinned(first_.data)) {
    if (in_place_) return;
    for (const Triangulation<T>& problem : problems) {
      lists_.push_back(warpfold::cuda::rows_of(problem.weights()));
      lists_.back().indent = sizeof(T);
      bytes_ += lists_.back().bytes();
    }
  }

  /// On the device.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  void take(int threads, const Watch& watch) {
    copy_ = Buffer<T>(bytes_ / sizeof(T));
    upload(copy_.data(), std::span<const List>(lists_), threads, watch);
  }
  [[nodiscard]] const T* data() const { return in_place_ ? first_.data : copy_.data(); }
  [[nodiscard]] std::size_t stride() const { return in_place_ ? first_.stride : 0; }

 private:
  using List = warpfold::cuda::HostRows<const std::byte>;

  MatrixView<const T> first_;
  bool in_place_;
  std::vector<List> lists_;
  std::size_t bytes_ = 0;
  Buffer<T> copy_;
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

template <class T>
void download(const Buffer<T>& from, std::vector<T>& to, int threads, const Watch& watch) {
  warpfold::cuda::download(from.data(), warpfold::cuda::rows_of(MatrixView<T>{to.data(), 1, to.size(), to.size()}),
                           threads, watch);
}

/// Costs and structures of a solved plan. What has no finite total has no nodes.
template <class T>
std::vector<Solution<T>> take_solutions(Plan<T>& plan, std::span<const std::size_t> vertices, const Buffer<T>& costs,
                                        const Buffer<Triangle>& nodes, const warpfold::cuda::Stream& stream,
                                        int threads, const Watch& watch) {
  plan.costs(costs.data(), stream.get());
  plan.structure(nodes.data(), stream.get());
  std::vector<T> found_costs(costs.size());
  std::vector<Triangle> found(nodes.size());
  stream.synchronize();
  download(costs, found_costs, threads, watch);
  download(nodes, found, threads, watch);
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

}  // namespace

template <class T>
std::size_t device_bytes(const std::size_t& vertices, const Options& options) {
  return Plan<T>::workspace_bytes(std::span(&vertices, 1), 1 + options.device.more.size()) +
         (vertices - 2) * sizeof(Triangle) + sizeof(T) + vertices * vertices * sizeof(T);
}

template <class T>
std::vector<Solution<T>> solve_batch(const std::span<const Triangulation<T>>& problems, Context& context) {
  const Options& options = context.options;
  Report& report = context.report;
  const auto start = Clock::now();
  const DeviceScope scope(options.device.index);
  std::vector<std::size_t> vertices;
  std::size_t node_count = 0;
  double total = 0;
  for (const Triangulation<T>& problem : problems) {
    const std::size_t n = problem.vertices();
    vertices.push_back(n);
    node_count += n - 2;
    total += split_count(n);
  }
  Weights<T> weights(problems);
  const std::size_t found_bytes = node_count * sizeof(Triangle) + problems.size() * sizeof(T);
  report.threads = staging_threads(weights.bytes(), options.threads);
  const Device& gpus = options.device;
  const std::size_t workspace_bytes = Plan<T>::workspace_bytes(vertices, 1 + gpus.more.size());
  // Staging comes before and behind what is found, which is then held as solutions too.
  const Budget::Share taken =
      context.budget.take(found_bytes + std::max(staging_bytes(weights.bytes(), options.threads),
                                                 found_bytes + node_count * sizeof(Chord)));
  context.take_device_memory(workspace_bytes + found_bytes + weights.bytes(), workspace_bytes);
  Watch watch(options, total);
  watch.check();

  Plan<T> plan(vertices, gpus.more);
  if (plan.tasks() == 0)
    report.device = to_string(Device{Device::Kind::cuda, gpus.index});  // the others had nothing to do
  weights.take(options.threads, watch);
  const Buffer<Triangle> nodes(node_count);
  const Buffer<T> costs(problems.size());
  report.prepare_seconds = seconds_since(start);

  const warpfold::cuda::Stream stream;
  report.solve_seconds = tiles::device::run(stream, total, watch, [&] {
    plan.solve(weights.data(), weights.stride(), bounds_of(problems), stream.get());
    return plan.running();
  });

  const auto tracing = Clock::now();
  std::vector<Solution<T>> solutions = take_solutions<T>(plan, vertices, costs, nodes, stream, options.threads, watch);
  report.traceback_seconds = seconds_since(tracing);
  return solutions;
}

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  return std::move(solve_batch(std::span(&problem, 1), context).front());
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, Context&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, Context&);
template Solution<float> solve(const Triangulation<float>&, Context&);
template Solution<double> solve(const Triangulation<double>&, Context&);

template std::size_t device_bytes<std::int32_t>(const std::size_t&, const Options&);
template std::size_t device_bytes<std::int64_t>(const std::size_t&, const Options&);
template std::size_t device_bytes<float>(const std::size_t&, const Options&);
template std::size_t device_bytes<double>(const std::size_t&, const Options&);

template std::vector<Solution<std::int32_t>> solve_batch(const std::span<const Triangulation<std::int32_t>>&, Context&);
template std::vector<Solution<std::int64_t>> solve_batch(const std::span<const Triangulation<std::int64_t>>&, Context&);
template std::vector<Solution<float>> solve_batch(const std::span<const Triangulation<float>>&, Context&);
template std::vector<Solution<double>> solve_batch(const std::span<const Triangulation<double>>&, Context&);

}  // namespace warpfold::interval::cuda
