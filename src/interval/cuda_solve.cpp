#include <chrono>
#include <cstdint>
#include <vector>

#include "interval/backend.hpp"
#include "interval/device_run.hpp"
#include "interval/traceback.hpp"
#include "interval/tuning.hpp"
#include "warpfold/interval/cuda.hpp"

/// Triangulations of matrices on the host, by a Plan.
namespace warpfold::interval::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::Event;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Whether the device can read the caller's weights where they are.
bool is_pinned(const void* data) {
  cudaPointerAttributes attributes{};
  const bool known = cudaPointerGetAttributes(&attributes, data) == cudaSuccess;
  cudaGetLastError();
  return known && attributes.type == cudaMemoryTypeHost && attributes.devicePointer == data;
}

template <class T>
bool is_nonnegative(const MatrixView<const T>& weights) {
  for (std::size_t i = 0; i < weights.rows; ++i) {
    bool negative = false;
    for (std::size_t j = i + 1; j < weights.columns; ++j) negative |= weights(i, j) < 0;
    if (negative) return false;
  }
  return true;
}

/// The weights as the solver reads them: the caller's own if they are pinned, else a copy on the device.
template <class T>
struct Weights {
  Buffer<T> copy;
  const T* data;
  std::size_t stride;

  Weights(const MatrixView<const T>& matrix, bool pinned)
      : copy(pinned ? 0 : matrix.rows * matrix.columns), data(matrix.data), stride(matrix.stride) {
    if (pinned) return;
    const std::size_t row_bytes = matrix.columns * sizeof(T);
    check(cudaMemcpy2D(copy.data(), row_bytes, matrix.data, matrix.stride * sizeof(T), row_bytes, matrix.rows,
                       cudaMemcpyHostToDevice),
          "receive the weights");
    data = copy.data();
    stride = matrix.columns;
  }
};

}  // namespace

bool compiled() { return true; }

template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  const std::size_t n = problem.vertices();
  const auto start = Clock::now();
  use_device(options.device.index);
  const bool pinned = is_pinned(problem.weights().data);
  report.threads = 1;
  report.peak_bytes = Plan<T>::workspace_bytes(std::span(&n, 1)) + (n - 2) * sizeof(Node) + sizeof(T) +
                      (pinned ? 0 : n * n * sizeof(T));
  check_memory(options, report.peak_bytes);
  const double total = static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
  Watch watch(options, total);
  watch.check();

  Plan<T> plan(n);
  const Weights<T> weights(problem.weights(), pinned);
  Buffer<Node> nodes(n - 2);
  Buffer<T> cost(1);
  const bool nonnegative = std::is_same_v<T, float> && is_nonnegative(problem.weights());
  report.prepare_seconds = seconds_since(start);

  const auto solving = Clock::now();
  const warpfold::cuda::Stream stream;
  const Event solved;
  plan.solve(weights.data, weights.stride, {problem.largest_total(), nonnegative}, stream.get());
  solved.record(stream);
  wait({plan.tasks_taken(), plan.tasks(), plan.stop()}, solved, total, watch);
  watch.check();
  report.solve_seconds = seconds_since(solving);

  const auto tracing = Clock::now();
  Solution<T> solution;
  plan.costs(cost.data(), stream.get());
  plan.structure(nodes.data(), stream.get());
  std::vector<Node> found(n - 2);
  check(cudaMemcpyAsync(&solution.cost, cost.data(), sizeof(T), cudaMemcpyDeviceToHost, stream.get()), "send the cost");
  check(cudaMemcpyAsync(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "send the structure");
  stream.synchronize();
  auto node = found.begin();
  search_structure(
      n, [&](std::size_t, std::size_t) { return (node++)->k; }, solution);
  report.traceback_seconds = seconds_since(tracing);
  return solution;
}

/// The weights of all polygons one after another.
template <class T>
std::vector<T> packed_weights(std::span<const Triangulation<T>> problems) {
  std::vector<T> packed;
  for (const Triangulation<T>& problem : problems) {
    const MatrixView<const T>& weights = problem.weights();
    for (std::size_t i = 0; i < weights.rows; ++i)
      packed.insert(packed.end(), &weights(i, 0), &weights(i, 0) + weights.columns);
  }
  return packed;
}

template <class T>
std::vector<Solution<T>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options,
                                     Report& report) {
  const auto start = Clock::now();
  use_device(options.device.index);
  std::vector<std::size_t> vertices;
  std::size_t weight_count = 0, node_count = 0;
  double total = 0;
  WeightBounds<T> bounds{0, std::is_same_v<T, float>};
  for (const Triangulation<T>& problem : problems) {
    const std::size_t n = problem.vertices();
    vertices.push_back(n);
    weight_count += n * n;
    node_count += n - 2;
    total += static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
    bounds.largest_total = std::max(bounds.largest_total, problem.largest_total());
  }
  report.threads = 1;
  report.peak_bytes = Plan<T>::workspace_bytes(vertices) + node_count * sizeof(Node) + problems.size() * sizeof(T) +
                      2 * weight_count * sizeof(T);
  check_memory(options, report.peak_bytes);
  Watch watch(options, total);
  watch.check();

  Plan<T> plan(vertices);
  Buffer<T> weights(weight_count), costs(problems.size());
  Buffer<Node> nodes(node_count);
  {
    const std::vector<T> packed = packed_weights(problems);
    check(cudaMemcpy(weights.data(), packed.data(), weights.bytes(), cudaMemcpyHostToDevice), "receive the weights");
  }
  for (const Triangulation<T>& problem : problems) {
    bounds.nonnegative = bounds.nonnegative && is_nonnegative(problem.weights());
  }
  report.prepare_seconds = seconds_since(start);

  const auto solving = Clock::now();
  const warpfold::cuda::Stream stream;
  const Event solved;
  plan.solve(weights.data(), 0, bounds, stream.get());
  solved.record(stream);
  wait({plan.tasks_taken(), plan.tasks(), plan.stop()}, solved, total, watch);
  watch.check();
  report.solve_seconds = seconds_since(solving);

  const auto tracing = Clock::now();
  plan.costs(costs.data(), stream.get());
  plan.structure(nodes.data(), stream.get());
  std::vector<T> found_costs(problems.size());
  std::vector<Node> found(node_count);
  check(cudaMemcpyAsync(found_costs.data(), costs.data(), costs.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "send the costs");
  check(cudaMemcpyAsync(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "send the structures");
  stream.synchronize();
  std::vector<Solution<T>> solutions(problems.size());
  auto node = found.begin();
  for (std::size_t at = 0; at < problems.size(); ++at) {
    solutions[at].cost = found_costs[at];
    if (found_costs[at] >= infinity<T>) {
      node += static_cast<std::ptrdiff_t>(vertices[at] - 2);
      continue;
    }
    search_structure(
        vertices[at], [&](std::size_t, std::size_t) { return (node++)->k; }, solutions[at]);
  }
  report.traceback_seconds = seconds_since(tracing);
  return solutions;
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, const Options&, Report&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, const Options&, Report&);
template Solution<float> solve(const Triangulation<float>&, const Options&, Report&);
template Solution<double> solve(const Triangulation<double>&, const Options&, Report&);

template std::vector<Solution<std::int32_t>> solve_batch(std::span<const Triangulation<std::int32_t>>, const Options&,
                                                         Report&);
template std::vector<Solution<std::int64_t>> solve_batch(std::span<const Triangulation<std::int64_t>>, const Options&,
                                                         Report&);
template std::vector<Solution<float>> solve_batch(std::span<const Triangulation<float>>, const Options&, Report&);
template std::vector<Solution<double>> solve_batch(std::span<const Triangulation<double>>, const Options&, Report&);

}  // namespace warpfold::interval::cuda
