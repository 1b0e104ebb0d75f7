#include "warpfold/interval/batch.hpp"

#include <cstdint>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/tuning.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {

namespace {

/// The properties of a batch that decide where it is solved.
struct BatchSize {
  double splits = 0;
  double weights = 0;
  bool of_matrices = true;

  template <class T>
  explicit BatchSize(std::span<const Triangulation<T>> problems) {
    for (const Triangulation<T>& problem : problems) {
      splits += split_count(problem.vertices());
      weights += static_cast<double>(problem.vertices()) * static_cast<double>(problem.vertices());
      of_matrices = of_matrices && problem.matrix();
    }
  }
  /// Whether there is much work, and much for every weight that is copied to the GPU.
  [[nodiscard]] bool gains_on_gpu() const {
    return splits >= split_count(cuda_gains_from) && splits >= cuda_batch_gains_from / 6.0 * weights;
  }
};

/// Threads take one polygon after the other.
template <class T>
std::vector<Solution<T>> solve_by_threads(const std::span<const Triangulation<T>>& problems, Context& context) {
  std::vector<Solution<T>> solutions(problems.size());
  const auto solve_one = [&](std::size_t at, const Options& each) {
    Report unread;
    Context own(each, unread);
    solutions[at] = cpu::solve(problems[at], own);
    return split_count(problems[at].vertices());
  };
  const double splits = BatchSize(problems).splits;
  add_part(context.report, warpfold::detail::solve_each(problems.size(), splits, context.options, solve_one));
  return solutions;
}

template <class T>
std::vector<Solution<T>> solve_on_gpu(const std::span<const Triangulation<T>>& problems, Context& context) {
  return problems.empty() ? std::vector<Solution<T>>() : cuda::solve_batch(problems, context);
}

template <class T>
const auto& backends() {
  using OfBatches = Backend<BatchSize, std::span<const Triangulation<T>>, std::vector<Solution<T>>>;
  static const std::vector<OfBatches> list = [] {
    std::vector<OfBatches> all = {{{"tiled", "cpu", "each polygon by one thread"},
                                   [](const BatchSize&, const Options&) { return 1.0; },
                                   nullptr,
                                   solve_by_threads<T>}};
    if (has_cuda()) {
      all.push_back({.info = {"tiled", "cuda", "all polygons in one launch or two"},
                     .cost = [](const BatchSize& size, const Options&) { return size.gains_on_gpu() ? 0.0 : 2.0; },
                     .bytes = nullptr,
                     .run = solve_on_gpu<T>,
                     .unsupported_reason = [](const BatchSize& size) -> std::string {
                       return size.of_matrices ? "" : "takes a batch of matrices alone";
                     },
                     .supports_multi_gpu = true});
    }
    return all;
  }();
  return list;
}

}  // namespace

template <class T>
Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options) {
  auto outcome = solve_by(std::span(backends<T>()), BatchSize(problems), problems, options);
  for (Solution<T>& solution : outcome.solution) {
    if (solution.cost >= infinity<T>) solution = {infinity<T>, {}, {}};
  }
  return outcome;
}

#define WARPFOLD_INSTANTIATE(T) \
  template Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>>, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
