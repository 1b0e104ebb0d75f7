#include "warpfold/polygon/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "polygon/cpu.hpp"
#include "polygon/tuning.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::polygon {

namespace {

/// An outline's triangulation, and what the dense solver may run besides its own algorithms.
template <class T>
struct Asked {
  const Triangulation<T>& problem;
  Additional<interval::TriangulationBackend<T>> more;
};

template <class T>
using OutlineBackend = Backend<Asked<T>, Asked<T>, interval::Solution<T>>;

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
interval::Solution<T> by_sparse(const Asked<T>& asked, Context& context) {
  return cpu::solve(asked.problem, context);
}

/// What is taken here: the dense solver takes its own.
template <class T>
std::size_t bytes_of_weights(const Asked<T>& asked, const Options&) {
  return asked.problem.vertices() * asked.problem.vertices() * sizeof(T);
}

/// By the dense solver, which chooses among its own algorithms.
template <class T>
interval::Solution<T> by_dense(const Asked<T>& asked, Context& context) {
  const std::size_t n = asked.problem.vertices();
  const auto start = std::chrono::steady_clock::now();
  const Budget::Share taken = context.budget.take(bytes_of_weights(asked, context.options));
  const std::vector<T> weights = dense_weights(asked.problem);
  const interval::Triangulation<T> dense({weights.data(), n, n, n}, context.options.threads);
  context.report.prepare_seconds = seconds_since(start);
  auto [solution, report] = interval::solve(dense, context.options, asked.more);
  add_part(context.report, report);
  return std::move(solution);
}

template <class T>
const std::vector<OutlineBackend<T>>& own_backends() {
  static const std::vector<OutlineBackend<T>> list = [] {
    const auto sparse_cost = [](const Asked<T>& asked, const Options&) { return asked.problem.complete() ? 1.0 : 0.0; };
    const auto cost = [](const Asked<T>&, const Options&) { return 0.5; };
    const auto gpu_cost = [](const Asked<T>&, const Options&) { return 2.0; };  // the dense solver goes there by itself
    std::vector<OutlineBackend<T>> own = {{algorithms().front(), sparse_cost, nullptr, by_sparse<T>}};
    for (const AlgorithmInfo& info : interval::algorithms()) {
      const bool on_gpu = info.device == "cuda";
      own.push_back({.info = info,
                     .cost = on_gpu ? +gpu_cost : +cost,
                     .bytes = bytes_of_weights<T>,
                     .run = by_dense<T>,
                     .spans_gpus = on_gpu,
                     .keeps = info.name == "tiled"});
    }
    return own;
  }();
  return list;
}

template <class T>
std::vector<OutlineBackend<T>> outline_backends(Additional<interval::TriangulationBackend<T>> more) {
  std::vector<OutlineBackend<T>> list;
  const auto cost = [](const Asked<T>&, const Options&) { return only_when_named; };
  for (const auto& backend : more) {
    list.push_back({.info = backend.info,
                    .cost = cost,
                    .bytes = bytes_of_weights<T>,
                    .run = by_dense<T>,
                    .has_parameters = backend.has_parameters,
                    .spans_gpus = backend.spans_gpus});
  }
  return list;
}

}  // namespace

std::vector<AlgorithmInfo> algorithms() {
  return {{"sparse", "cpu", "on the visibility graph of an outline: only chords that see each other",
           "an operation for every two chords with the same larger end, two values and 4 bytes a chord"}};
}

template <class T>
Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem, const Options& options,
                                     Additional<interval::TriangulationBackend<T>> more) {
  check_there(problem);
  const Asked<T> asked{problem, more};
  return solve_by(own_backends<T>(), outline_backends<T>(more), asked, asked, options);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options,
                  Additional<interval::TriangulationBackend<T>> more) {
  check_there(problem);
  const auto all = with_more(own_backends<T>(), Additional<OutlineBackend<T>>(outline_backends<T>(more)));
  const Asked<T> asked{problem, more};
  if (backend_for(std::span(all), asked, options).info.name != "sparse") {
    Estimate expected = interval::estimate<T>(problem.vertices(), options, more);
    expected.bytes += bytes_of_weights(asked, options);
    return expected;
  }
  const cpu::Work work = cpu::work_of(problem, options);
  const auto seconds = [&](const OutlineBackend<T>& sparse) {
    Options alone = options;
    alone.threads = 1;
    const auto small = cpu::complete_problem<T>(std::min(tuning::probe_vertices, problem.vertices()));
    return work.steps / work.threads * probe_seconds(sparse, {small, {}}, alone) / cpu::work_of(small, alone).steps;
  };
  Estimate expected = estimate_by(std::span(all), asked, options, work.operations, seconds);
  expected.bytes = work.bytes;
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
