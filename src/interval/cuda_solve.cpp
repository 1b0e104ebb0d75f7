#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/clock.hpp"
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

/// The weights as the solver reads them: one polygon's where they are if they are pinned, else copies of all polygons'
/// on the device, one after another.
template <class T>
class Weights {
 public:
  explicit Weights(std::span<const Triangulation<T>> problems) : problems_(problems) {
    in_place_ = problems.size() == 1 && is_pinned(problems[0].weights().data);
    for (const Triangulation<T>& problem : problems) count_ += problem.vertices() * problem.vertices();
  }

  /// What `take` will hold, on the device and while it copies.
  [[nodiscard]] std::size_t bytes() const {
    return in_place_ ? 0 : (problems_.size() == 1 ? 1 : 2) * count_ * sizeof(T);
  }
  void take() {
    if (in_place_) return;
    copy_ = Buffer<T>(count_);
    if (problems_.size() == 1) return take_one(problems_[0].weights());
    const std::vector<T> packed = pack();  // one transfer, not one a polygon
    check(cudaMemcpy(copy_.data(), packed.data(), copy_.bytes(), cudaMemcpyHostToDevice), "receive the weights");
  }
  [[nodiscard]] const T* data() const { return in_place_ ? problems_[0].weights().data : copy_.data(); }
  [[nodiscard]] std::size_t stride() const { return in_place_ ? problems_[0].weights().stride : 0; }

 private:
  void take_one(const MatrixView<const T>& matrix) {
    const std::size_t row_bytes = matrix.columns * sizeof(T);
    check(cudaMemcpy2D(copy_.data(), row_bytes, matrix.data, matrix.stride * sizeof(T), row_bytes, matrix.rows,
                       cudaMemcpyHostToDevice),
          "receive the weights");
  }
  [[nodiscard]] std::vector<T> pack() const {
    std::vector<T> packed;
    packed.reserve(count_);
    for (const Triangulation<T>& problem : problems_) {
      const MatrixView<const T>& weights = problem.weights();
      for (std::size_t i = 0; i < weights.rows; ++i)
        packed.insert(packed.end(), &weights(i, 0), &weights(i, 0) + weights.columns);
    }
    return packed;
  }

  std::span<const Triangulation<T>> problems_;
  bool in_place_;
  std::size_t count_ = 0;
  Buffer<T> copy_;
};

template <class T>
WeightBounds<T> bounds_of(std::span<const Triangulation<T>> problems) {
  WeightBounds<T> bounds{0, std::is_same_v<T, float>};
  for (const Triangulation<T>& problem : problems) {
    bounds.largest_total = std::max(bounds.largest_total, problem.largest_total());
    bounds.nonnegative = bounds.nonnegative && is_nonnegative(problem.weights());
  }
  return bounds;
}

/// Costs and structures of a solved plan. What has no finite total has no nodes.
template <class T>
std::vector<Solution<T>> take_solutions(Plan<T>& plan, std::span<const std::size_t> vertices, const Buffer<T>& costs,
                                        const Buffer<Node>& nodes, const warpfold::cuda::Stream& stream) {
  plan.costs(costs.data(), stream.get());
  plan.structure(nodes.data(), stream.get());
  std::vector<T> found_costs(costs.size());
  std::vector<Node> found(nodes.size());
  check(cudaMemcpyAsync(found_costs.data(), costs.data(), costs.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "send the costs");
  check(cudaMemcpyAsync(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "send the structures");
  stream.synchronize();
  std::vector<Solution<T>> solutions(vertices.size());
  const Node* first = found.data();
  for (std::size_t at = 0; at < vertices.size(); ++at) {
    solutions[at].cost = found_costs[at];
    if (found_costs[at] < infinity<T>) {
      const Node* node = first;
      search_structure(
          vertices[at], [&](std::size_t, std::size_t) { return (node++)->k; }, solutions[at]);
    }
    first += vertices[at] - 2;
  }
  return solutions;
}

}  // namespace

bool compiled() { return true; }

template <class T>
std::vector<Solution<T>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options,
                                     Report& report) {
  const auto start = Clock::now();
  use_device(options.device.index);
  std::vector<std::size_t> vertices;
  std::size_t node_count = 0;
  double total = 0;
  for (const Triangulation<T>& problem : problems) {
    const std::size_t n = problem.vertices();
    vertices.push_back(n);
    node_count += n - 2;
    total += static_cast<double>(n) * static_cast<double>(n - 1) * static_cast<double>(n - 2) / 6;
  }
  Weights<T> weights(problems);
  report.threads = 1;
  report.peak_bytes =
      Plan<T>::workspace_bytes(vertices) + node_count * sizeof(Node) + problems.size() * sizeof(T) + weights.bytes();
  check_memory(options, report.peak_bytes);
  Watch watch(options, total);
  watch.check();

  Plan<T> plan(vertices);
  weights.take();
  const Buffer<Node> nodes(node_count);
  const Buffer<T> costs(problems.size());
  const WeightBounds<T> bounds = bounds_of(problems);
  report.prepare_seconds = seconds_since(start);

  const auto solving = Clock::now();
  const warpfold::cuda::Stream stream;
  const Event solved;
  plan.solve(weights.data(), weights.stride(), bounds, stream.get());
  solved.record(stream);
  wait({plan.tasks_taken(), plan.tasks(), plan.stop()}, solved, total, watch);
  watch.check();
  report.solve_seconds = seconds_since(solving);

  const auto tracing = Clock::now();
  std::vector<Solution<T>> solutions = take_solutions<T>(plan, vertices, costs, nodes, stream);
  report.traceback_seconds = seconds_since(tracing);
  return solutions;
}

template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  return std::move(solve_batch(std::span(&problem, 1), options, report).front());
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
