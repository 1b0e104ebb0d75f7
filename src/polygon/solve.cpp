#include "warpfold/polygon/solve.hpp"

#include <cstdint>

#include "core/choose.hpp"
#include "cpu.hpp"

namespace warpfold::polygon {

namespace {

/// Whether "sparse" solves the problem, or one of the dense solver's algorithms.
template <class T>
bool is_sparse(const Triangulation<T>& problem, const Options& options) {
  static const std::vector<AlgorithmInfo> own = algorithms();
  static const std::vector<AlgorithmInfo> dense = interval::algorithms();
  std::vector<Backend> backends = {{&own.front(), problem.complete() ? 1.0 : 0.0}};
  for (const AlgorithmInfo& info : dense) {
    backends.push_back({&info, info.device == "cuda" ? 2 : 0.5, {}, info.device == "cuda"});
  }
  return choose(backends, options).first == 0;
}

template <class T>
std::vector<T> dense_weights(const Triangulation<T>& problem) {
  const std::size_t n = problem.vertices();
  const VisibilityGraph& graph = problem.graph();
  std::vector<T> weights(n * n, infinity<T>);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      weights[i * n + graph.ends[e]] = problem.weights()[e];
    }
  }
  return weights;
}

template <class T>
interval::Result<T> solve_dense(const Triangulation<T>& problem, Options options) {
  const std::size_t n = problem.vertices();
  Budget budget(options);
  const Budget::Share taken = budget.take(n * n, sizeof(T));
  const std::vector<T> weights = dense_weights(problem);
  options.budget = &budget;
  auto result = interval::solve(interval::Triangulation<T>({weights.data(), n, n, n}, options.threads), options);
  result.report.peak_bytes = budget.peak();
  return result;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() {
  return {{"sparse", "cpu", "on the visibility graph of an outline: only chords that see each other"}};
}

template <class T>
interval::Result<T> solve(const Triangulation<T>& problem, const Options& options) {
  return is_sparse(problem, options) ? cpu::solve(problem, options) : solve_dense(problem, options);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options) {
  if (is_sparse(problem, options)) return cpu::estimate(problem, options);
  const std::size_t n = problem.vertices();
  Estimate expected = interval::estimate<T>(n, options);
  expected.bytes += n * n * sizeof(T);
  return expected;
}

#define WARPFOLD_INSTANTIATE(T)                                                \
  template interval::Result<T> solve(const Triangulation<T>&, const Options&); \
  template Estimate estimate(const Triangulation<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon
