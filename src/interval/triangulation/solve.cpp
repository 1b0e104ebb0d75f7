#include "warpfold/interval/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/sparse/solve.hpp"
#include "interval/sparse/tuning.hpp"
#include "interval/triangulation/small.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::interval {

namespace {

/// It does not solve matrices, in which no pair of vertices is missing.
std::string sparse_unsupported(const TriangulationSize& size) {
  return size.weights == TriangulationSize::Weights::matrix ? "needs an outline: a matrix holds none" : "";
}

/// Estimates from the seconds of one of its steps on one thread.
template <class T>
Estimate estimate_of_sparse(const TriangulationBackend<T>& backend, const TriangulationSize& size,
                            const Options& options) {
  const sparse::Work work = sparse::work_of<T>(size, options);
  Options one_thread = options;
  one_thread.threads = 1;
  const Triangulation<T> small = sparse::complete_problem<T>(std::min(backend.probe_size, size.vertices));
  const double seconds_a_step = probe_seconds(backend, small, one_thread) / sparse::work_of<T>(small, one_thread).steps;
  return {{backend.info.name, work.steps / work.threads * seconds_a_step, work.bytes}, work.operations};
}

double operations_of(const TriangulationSize& size) { return split_count(size.vertices); }

template <class T>
std::vector<TriangulationBackend<T>> list_backends() {
  using Size = TriangulationSize;
  std::vector<TriangulationBackend<T>> list = {
      {.info = {"sparse", "cpu", "on the visibility graph of an outline: only chords that see each other",
                "an operation for every two chords with the same larger end, two values and 4 bytes a chord"},
       .cost = [](const Size& size, const Options&) { return size.complete ? 2.0 : 0.0; },
       .run = sparse::solve<T>,
       .unsupported_reason = sparse_unsupported,
       .probe_size = sparse::tuning::probe_vertices,
       .estimate = estimate_of_sparse<T>},
      {.info = {"tiled", "cpu", "64 x 64 tiles, their products in vector registers, all threads",
                "n^3/6 operations, 0.6 n^2 values"},
       .cost = [](const Size&, const Options&) { return 1.0; },
       .bytes =
           [](const Size& size, const Options& options) {
             const bool is_small = small::solves<T>(size.vertices, options);
             return (is_small ? small::bytes<T>(size.vertices)
                              : bytes_in_pages(IntervalTable<T>::bytes(size.vertices))) +
                    bytes_as_recurrence<T>(size);
           },
       .run = cpu::solve<T>,
       .supports_checkpoint = true,
       .operations = operations_of,
       .seconds = seconds_by_probe<T>,
       .probe_size = probe_vertices},
      {.info = {"reference", "cpu", "the recurrence as it is written, one thread, no vectors: the oracle of the others",
                "n^3/6 operations, n^2 values"},
       .bytes = [](const Size& size, const Options&) { return bytes_of(size.vertices * size.vertices, sizeof(T)); },
       .run = reference::solve<T>,
       .explicit_only = true,
       .operations = operations_of,
       .seconds = seconds_by_probe<T>,
       .probe_size = reference_probe_vertices}};
  if (!has_cuda()) return list;
  list.push_back({.info = {"tiled", "cuda",
                           "64 x 64 tiles by one persistent kernel a GPU, a block waits for data, never for a stage",
                           "n^3/6 operations, 1.6 n^2 values of the GPU, 0.6 n^2 of each further one"},
                  .cost = [](const Size& size, const Options&) { return size.vertices >= cuda_gains_from ? 0.0 : 2.0; },
                  .bytes = [](const Size& size, const Options&) { return bytes_as_recurrence<T>(size); },
                  .run = cuda::solve<T>,
                  .supports_multi_gpu = true,
                  .supports_checkpoint = true,
                  .device_bytes = cuda::device_bytes<T>,
                  .operations = operations_of,
                  .seconds = seconds_by_probe<T>,
                  .probe_size = probe_vertices});
  return list;
}

template <class T>
const std::vector<TriangulationBackend<T>>& builtin_backends() {
  static const std::vector<TriangulationBackend<T>> list = list_backends<T>();
  return list;
}

}  // namespace

template <class T>
double seconds_by_probe(const TriangulationBackend<T>& backend, const TriangulationSize& size, const Options& options) {
  const std::size_t n = std::min(size.vertices, backend.probe_size);
  const std::vector<T> weights(n * n, T{1});
  const Triangulation<T> small({weights.data(), n, n, n}, options.threads);
  return split_count(size.vertices) * (probe_seconds(backend, small, options) / std::max(1.0, split_count(n)));
}

template <class T>
void check_options(const TriangulationSize& size, const Options& options,
                   ExtraBackends<TriangulationBackend<T>> extra_backends) {
  static_cast<void>(choose_for(TypedBackends(std::span(builtin_backends<T>()), size, options, extra_backends)));
}

template <class T>
Estimate estimate(std::size_t vertices, const Options& options, ExtraBackends<TriangulationBackend<T>> extra_backends) {
  constexpr std::size_t most = IntervalTable<T>::max_points;
  if (vertices < 3 || vertices > most) {
    throw Error(ErrorKind::input, fmt::format("{} vertices: 3 to {} are accepted", vertices, most));
  }
  return estimate_by(std::span(builtin_backends<T>()), vertices, options, extra_backends);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options,
                  ExtraBackends<TriangulationBackend<T>> extra_backends) {
  check_there(problem);
  return estimate_by(std::span(builtin_backends<T>()), problem, options, extra_backends);
}

template <class T>
Outcome<Solution<T>> solve(const Triangulation<T>& problem, const Options& options,
                           ExtraBackends<TriangulationBackend<T>> extra_backends) {
  check_there(problem);
  auto outcome = solve_by(std::span(builtin_backends<T>()), problem, problem, options, extra_backends);
  check_feasible(outcome.solution.cost);
  return outcome;
}

std::vector<AlgorithmInfo> algorithms() { return infos(builtin_backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                                       \
  template double seconds_by_probe<T>(const TriangulationBackend<T>&, const TriangulationSize&, const Options&);      \
  template void check_options<T>(const TriangulationSize&, const Options&, std::span<const TriangulationBackend<T>>); \
  template Outcome<Solution<T>> solve(const Triangulation<T>&, const Options&,                                        \
                                      std::span<const TriangulationBackend<T>>);                                      \
  template Estimate estimate<T>(std::size_t, const Options&, std::span<const TriangulationBackend<T>>);               \
  template Estimate estimate(const Triangulation<T>&, const Options&, std::span<const TriangulationBackend<T>>);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
