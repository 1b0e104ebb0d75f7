#include "warpfold/polygon/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cpu.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::polygon {

namespace {

constexpr const char* sparse = "sparse";

/// "sparse", or a name of the dense solver; empty: whatever the dense solver chooses.
template <class T>
std::string chosen_algorithm(const Triangulation<T>& problem, const Options& options) {
  if (!options.algorithm.empty()) return options.algorithm;
  return problem.complete() || options.device.kind == Device::Kind::cuda ? "" : sparse;
}

void check_algorithm(const std::string& name) {
  std::vector<std::string> names = {sparse};
  for (const AlgorithmInfo& info : interval::algorithms()) names.push_back(info.name);
  const std::string without_parameters = name.substr(0, name.find(':'));
  if (name.empty() || std::find(names.begin(), names.end(), without_parameters) != names.end()) return;
  throw Error(ErrorKind::usage,
              fmt::format("algorithm '{}' is unknown: {} are accepted", name, fmt::join(names, ", ")));
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
  const std::size_t weight_bytes = n * n * sizeof(T);
  check_memory(options, weight_bytes);
  const std::vector<T> weights = dense_weights(problem);
  options.most_bytes -= weight_bytes;
  auto result = interval::solve(interval::Triangulation<T>({weights.data(), n, n, n}, options.threads), options);
  result.report.peak_bytes += weight_bytes;
  return result;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() {
  return {{sparse, "cpu", "on the visibility graph of an outline: only chords that see each other"}};
}

template <class T>
interval::Result<T> solve(const Triangulation<T>& problem, const Options& options) {
  const std::string algorithm = chosen_algorithm(problem, options);
  check_algorithm(algorithm);
  if (algorithm != sparse) return solve_dense(problem, options);
  if (options.device.kind == Device::Kind::cuda) {
    throw Error(ErrorKind::usage, "algorithm 'sparse' runs on the CPU only: --device cpu or auto is accepted");
  }
  return cpu::solve(problem, options);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options) {
  if (chosen_algorithm(problem, options) == sparse) return cpu::estimate(problem, options);
  const auto n = static_cast<double>(problem.vertices());
  return {n * (n - 1) * (n - 2) / 6, static_cast<std::size_t>(1.6 * n * n * sizeof(T))};
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
