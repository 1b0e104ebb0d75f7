#include "warpfold/interval/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "interval/backends.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::interval {

namespace {

using Vertices = std::size_t;

double operations_of(const Vertices& n) { return split_count(n); }

template <class T>
const std::vector<TriangulationBackend<T>>& own_backends() {
  static const std::vector<TriangulationBackend<T>> list = [] {
    std::vector<TriangulationBackend<T>> own = {
        {.info = {"tiled", "cpu", "64 x 64 tiles, their products in vector registers, all threads",
                  "n^3/6 operations, 0.6 n^2 values"},
         .cost = [](const Vertices&, const Options&) { return 1.0; },
         .bytes = [](const Vertices& n, const Options&) { return RecurrenceTable<T>::bytes(n); },
         .run = cpu::solve<T>,
         .keeps = true,
         .operations = operations_of,
         .seconds = seconds_by_probe<T>,
         .probe_size = probe_vertices},
        {.info = {"reference", "cpu",
                  "the recurrence as it is written, one thread, no vectors: the oracle of the others",
                  "n^3/6 operations, n^2 values"},
         .bytes = [](const Vertices& n, const Options&) { return bytes_of(n * n, sizeof(T)); },
         .run = reference::solve<T>,
         .explicit_only = true,
         .operations = operations_of,
         .seconds = seconds_by_probe<T>,
         .probe_size = reference_probe_vertices}};
    if (has_cuda()) {
      own.push_back({.info = {"tiled", "cuda",
                              "64 x 64 tiles by one persistent kernel a GPU, a block waits for data, never for a stage",
                              "n^3/6 operations, 1.6 n^2 values of the GPU, 0.6 n^2 of each further one"},
                     .cost = [](const Vertices& n, const Options&) { return n >= cuda_gains_from ? 0.0 : 2.0; },
                     .bytes = nullptr,
                     .run = cuda::solve<T>,
                     .spans_gpus = true,
                     .keeps = true,
                     .device_bytes = cuda::device_bytes<T>,
                     .operations = operations_of,
                     .seconds = seconds_by_probe<T>,
                     .probe_size = probe_vertices});
    }
    return own;
  }();
  return list;
}

}  // namespace

template <class T>
double seconds_by_probe(const TriangulationBackend<T>& backend, const std::size_t& vertices, const Options& options) {
  const std::size_t n = std::min(vertices, backend.probe_size);
  const std::vector<T> weights(n * n, T{1});
  const Triangulation<T> small({weights.data(), n, n, n}, options.threads);
  return split_count(vertices) * (probe_seconds(backend, small, options) / std::max(1.0, split_count(n)));
}

template <class T>
Estimate estimate(std::size_t vertices, const Options& options, Additional<TriangulationBackend<T>> more) {
  constexpr std::size_t most = RecurrenceTable<T>::most_points;
  if (vertices < 3 || vertices > most) {
    throw Error(ErrorKind::input, fmt::format("{} vertices: 3 to {} are accepted", vertices, most));
  }
  const auto all = with_more(own_backends<T>(), more);
  return estimate_by(std::span(all), vertices, options);
}

template <class T>
Outcome<Solution<T>> solve(const Triangulation<T>& problem, const Options& options,
                           Additional<TriangulationBackend<T>> more) {
  auto outcome = solve_by(own_backends<T>(), more, problem.vertices(), problem, options);
  check_feasible(outcome.solution.cost);
  return outcome;
}

std::vector<AlgorithmInfo> algorithms() { return infos(own_backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                            \
  template double seconds_by_probe<T>(const TriangulationBackend<T>&, const std::size_t&, const Options&); \
  template Outcome<Solution<T>> solve(const Triangulation<T>&, const Options&,                             \
                                      std::span<const TriangulationBackend<T>>);                           \
  template Estimate estimate<T>(std::size_t, const Options&, std::span<const TriangulationBackend<T>>);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
