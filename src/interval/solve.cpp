#include "warpfold/interval/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "interval/backends.hpp"
#include "interval/sparse/solve.hpp"
#include "interval/sparse/tuning.hpp"
#include "interval/triangulation_recurrence.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::interval {

namespace {

/// Matrices are not for it: no pair of vertices is missing there.
std::string refusal_of_sparse(const TriangulationSize& size) {
  return size.weights == TriangulationSize::Weights::matrix ? "needs an outline: a matrix holds none" : "";
}

template <class T>
std::vector<TriangulationBackend<T>> list_backends() {
  using Size = TriangulationSize;
  std::vector<TriangulationBackend<T>> list = {
      {.info = {"sparse", "cpu", "on the visibility graph of an outline: only chords that see each other",
                "an operation for every two chords with the same larger end, two values and 4 bytes a chord"},
       .cost = [](const Size& size, const Options&) { return size.complete ? 2.0 : 0.0; },
       .bytes = [](const Size& size, const Options& options) { return sparse::work_of<T>(size, options).bytes; },
       .run = sparse::solve<T>,
       .refusal = refusal_of_sparse},
      {.info = {"tiled", "cpu", "64 x 64 tiles, their products in vector registers, all threads",
                "n^3/6 operations, 0.6 n^2 values"},
       .cost = [](const Size&, const Options&) { return 1.0; },
       .bytes =
           [](const Size& size, const Options&) {
             return bytes_in_pages(RecurrenceTable<T>::bytes(size.vertices)) + bytes_as_recurrence<T>(size);
           },
       .run = cpu::solve<T>,
       .keeps = true},
      {.info = {"reference", "cpu", "the recurrence as it is written, one thread, no vectors: the oracle of the others",
                "n^3/6 operations, n^2 values"},
       .cost = [](const Size&, const Options&) { return only_when_named; },
       .bytes = [](const Size& size, const Options&) { return bytes_of(size.vertices * size.vertices, sizeof(T)); },
       .run = reference::solve<T>}};
  if (!has_cuda()) return list;
  list.push_back({.info = {"tiled", "cuda",
                           "64 x 64 tiles by one persistent kernel a GPU, a block waits for data, never for a stage",
                           "n^3/6 operations, 1.6 n^2 values of the GPU, 0.6 n^2 of each further one"},
                  .cost = [](const Size& size, const Options&) { return size.vertices >= cuda_gains_from ? 0.0 : 2.0; },
                  .bytes = [](const Size& size, const Options&) { return bytes_as_recurrence<T>(size); },
                  .run = cuda::solve<T>,
                  .spans_gpus = true,
                  .keeps = true,
                  .device_bytes = cuda::device_bytes<T>});
  return list;
}

template <class T>
const std::vector<TriangulationBackend<T>>& own_backends() {
  static const std::vector<TriangulationBackend<T>> list = list_backends<T>();
  return list;
}

/// The seconds of one split where all chords weigh the same.
template <class T>
double seconds_a_split(const TriangulationBackend<T>& backend, std::size_t vertices, const Options& options) {
  const std::vector<T> weights(vertices * vertices, T{1});
  const Triangulation<T> problem({weights.data(), vertices, vertices, vertices}, options.threads);
  return probe_seconds(backend, problem, options) / std::max(1.0, split_count(vertices));
}

/// The seconds of one step of "sparse", on one thread.
template <class T>
double seconds_a_step(const TriangulationBackend<T>& backend, std::size_t vertices, Options options) {
  options.threads = 1;
  const Triangulation<T> small = sparse::complete_problem<T>(std::min(sparse::tuning::probe_vertices, vertices));
  return probe_seconds(backend, small, options) / sparse::work_of<T>(small, options).steps;
}

template <class T>
Estimate estimate_of(const TriangulationSize& size, const Options& options, Additional<TriangulationBackend<T>> more) {
  const std::size_t n = size.vertices;
  constexpr std::size_t most = RecurrenceTable<T>::most_points;
  if (n < 3 || n > most) throw Error(ErrorKind::input, fmt::format("{} vertices: 3 to {} are accepted", n, most));
  const auto all = with_more(own_backends<T>(), more);
  if (backend_for(std::span(all), size, options).info.name == "sparse") {
    const sparse::Work work = sparse::work_of<T>(size, options);
    return estimate_by(std::span(all), size, options, work.operations, [&](const TriangulationBackend<T>& backend) {
      return work.steps / work.threads * seconds_a_step(backend, n, options);
    });
  }
  const double splits = split_count(n);
  return estimate_by(std::span(all), size, options, splits, [&](const TriangulationBackend<T>& backend) {
    const std::size_t enough = backend.info.name == "reference" ? reference_probe_vertices : probe_vertices;
    return splits * seconds_a_split(backend, std::min(n, enough), options);
  });
}

}  // namespace

template <class T>
void check_options(const TriangulationSize& size, const Options& options, Additional<TriangulationBackend<T>> more) {
  const auto all = with_more(own_backends<T>(), more);
  static_cast<void>(choose_for(std::span(all), size, options));
}

template <class T>
Estimate estimate(std::size_t vertices, const Options& options, Additional<TriangulationBackend<T>> more) {
  return estimate_of<T>(vertices, options, more);
}

template <class T>
Estimate estimate(const Triangulation<T>& problem, const Options& options, Additional<TriangulationBackend<T>> more) {
  check_there(problem);
  return estimate_of<T>(problem, options, more);
}

template <class T>
Outcome<Solution<T>> solve(const Triangulation<T>& problem, const Options& options,
                           Additional<TriangulationBackend<T>> more) {
  check_there(problem);
  auto outcome = solve_by(own_backends<T>(), more, problem, problem, options);
  check_feasible(outcome.solution.cost);
  return outcome;
}

std::vector<AlgorithmInfo> algorithms() { return infos(own_backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                                       \
  template void check_options<T>(const TriangulationSize&, const Options&, std::span<const TriangulationBackend<T>>); \
  template Outcome<Solution<T>> solve(const Triangulation<T>&, const Options&,                                        \
                                      std::span<const TriangulationBackend<T>>);                                      \
  template Estimate estimate<T>(std::size_t, const Options&, std::span<const TriangulationBackend<T>>);               \
  template Estimate estimate(const Triangulation<T>&, const Options&, std::span<const TriangulationBackend<T>>);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
