#include "warpfold/polygon/solve.hpp"

#include <cstdint>

#include "polygon/cpu.hpp"

namespace warpfold::polygon {

namespace {

template <class T>
using More = std::span<const interval::TriangulationBackend<T>>;

/// Whether "sparse" solves the problem, or one of the dense solver's algorithms.
template <class T>
bool is_sparse(const Triangulation<T>& problem, const Options& options, const More<T>& more) {
  static const std::vector<AlgorithmInfo> own = algorithms();
  static const std::vector<AlgorithmInfo> dense = interval::algorithms();
  std::vector<Candidate> candidates = {{&own.front(), problem.complete() ? 1.0 : 0.0}};
  for (const AlgorithmInfo& info : dense) candidates.push_back({&info, info.device == "cuda" ? 2 : 0.5});
  for (const auto& backend : more) candidates.push_back({&backend.info, only_when_named, {}, backend.has_parameters});
  return choose(candidates, options).first == 0;
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
Outcome<interval::Solution<T>> solve_dense(const Triangulation<T>& problem, Options options, const More<T>& more) {
  const std::size_t n = problem.vertices();
  Budget budget(options);
  const Budget::Share taken = budget.take(n * n, sizeof(T));
  const std::vector<T> weights = dense_weights(problem);
  options.budget = &budget;
  auto result = interval::solve(interval::Triangulation<T>({weights.data(), n, n, n}, options.threads), options, more);
  result.report.peak_bytes = budget.peak();
  return result;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() {
  return {{"sparse", "cpu", "on the visibility graph of an outline: only chords that see each other",
           "an operation for every two chords with the same larger end, two values and 4 bytes a chord"}};
}

template <class T>
Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem, const Options& options,
                                     Additional<interval::TriangulationBackend<T>> more) {
  return is_sparse<T>(problem, options, more) ? cpu::solve(problem, options) : solve_dense<T>(problem, options, more);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options,
                  Additional<interval::TriangulationBackend<T>> more) {
  if (is_sparse<T>(problem, options, more)) return cpu::estimate(problem, options);
  const std::size_t n = problem.vertices();
  Estimate expected = interval::estimate<T>(n, options, more);
  expected.bytes += n * n * sizeof(T);
  return expected;
}

#define WARPFOLD_INSTANTIATE(T)                                                                      \
  template Outcome<interval::Solution<T>> solve(const Triangulation<T>&, const Options&,             \
                                                std::span<const interval::TriangulationBackend<T>>); \
  template Estimate estimate(const Triangulation<T>&, const Options&,                                \
                             std::span<const interval::TriangulationBackend<T>>);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon
