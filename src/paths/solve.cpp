#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/checks.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold::paths {

namespace {

template <class T>
using PathsBackend = Backend<Graph<T>, Graph<T>, AllPairs<T>>;

/// Adds the GPU backend in a build with CUDA.
template <class T>
std::vector<PathsBackend<T>> on_gpu_too(std::vector<PathsBackend<T>> list, PathsBackend<T> on_gpu) {
  if (has_cuda()) list.push_back(std::move(on_gpu));
  return list;
}

/// The cost of a GPU, if the CPU's cost is 1.
template <class T>
double cost_on_gpu(const Graph<T>& graph, const Options&) {
  return graph.vertices() >= cuda_gains_from ? 0.0 : 2.0;
}

template <class T>
double cost_on_cpu(const Graph<T>&, const Options&) {
  return 1;
}

/// A graph in which every vertex has an edge to every later one: it has paths of many edges and no cycle.
template <class T>
Matrix<T> probe_graph(std::size_t n, Semiring semiring) {
  Matrix<T> edges(n, n, semiring.zero<T>());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      edges(i, j) = semiring.is_of_unit_interval() ? T{1} : static_cast<T>(1 + (7919 * i + 104729 * j) % 10007);
    }
  }
  return edges;
}

template <class T>
double operations_of(const Graph<T>& graph) {
  return graph.operations();
}

template <class T>
double seconds_by_probe(const PathsBackend<T>& backend, const Graph<T>& graph, const Options& options) {
  const std::size_t side = std::min(graph.vertices(), backend.probe_size);
  if (side == 0) return 0;
  const Matrix<T> edges = probe_graph<T>(side, graph.request.semiring);
  const Graph<T> small{edges.view(), graph.request};
  return graph.operations() * probe_seconds(backend, small, options) / small.operations();
}

template <class T>
PathsBackend<T> reference_backend() {
  return {.info = {"reference", "cpu",
                   "the three loops as they are written, one thread, no vectors: the oracle of the others",
                   "n^3 operations, n^2 values"},
          .bytes = reference::bytes_needed<T>,
          .run = reference::all_pairs<T>,
          .explicit_only = true,
          .operations = operations_of<T>,
          .seconds = seconds_by_probe<T>,
          .probe_size = reference_probe_vertices};
}

template <class T>
const std::vector<PathsBackend<T>>& backends() {
  static const std::vector<PathsBackend<T>> list = on_gpu_too<T>(
      {{.info = {"blocked", "cpu",
                 "Floyd and Warshall by 64 intermediate vertices at a time, products in vector registers, all "
                 "threads; or-and by 256, 64 vertices a word",
                 "n^3 operations, 2 n^2 values; 2 n^2 indices with successors"},
        .cost = cost_on_cpu<T>,
        .bytes = cpu::bytes_needed<T>,
        .run = cpu::all_pairs<T>,
        .operations = operations_of<T>,
        .seconds = seconds_by_probe<T>,
        .probe_size = probe_vertices},
       reference_backend<T>()},
      {.info = {"blocked", "cuda",
                "64 intermediate vertices at a time by two kernels, their rows and columns and then a product, "
                "all on the GPU, or on several; or-and by 128, 32 vertices a word",
                "n^3 operations, n^2 values of the GPU; n^2 indices with successors"},
       .cost = cost_on_gpu<T>,
       .bytes = cuda::bytes_needed<T>,
       .run = cuda::all_pairs<T>,
       .supports_multi_gpu = true,
       .device_bytes = cuda::device_bytes<T>,
       .operations = operations_of<T>,
       .seconds = seconds_by_probe<T>,
       .probe_size = cuda_probe_vertices});
  return list;
}

template <>
const std::vector<PathsBackend<std::uint8_t>>& backends() {
  using Bits = Graph<std::uint8_t>;
  static const std::vector<PathsBackend<std::uint8_t>> list = on_gpu_too<std::uint8_t>(
      {{.info = {"blocked", "cpu", "64 vertices a word, by tables of the unions of four rows, all threads",
                 "n^3 / 256 operations on words, n^2 bits; n^2 indices with successors"},
        .cost = cost_on_cpu<std::uint8_t>,
        .bytes = bitset::bytes_needed,
        .run = bitset::all_pairs,
        .operations = operations_of<std::uint8_t>,
        .seconds = seconds_by_probe<std::uint8_t>,
        .probe_size = probe_vertices},
       reference_backend<std::uint8_t>()},
      {.info = {"blocked", "cuda", "32 vertices a word, by tables of the unions of four rows, all on the GPU",
                "n^3 / 128 operations on words, n^2 bits of the GPU"},
       .cost = cost_on_gpu<std::uint8_t>,
       .bytes = cuda::bytes_needed<std::uint8_t>,
       .run = cuda::all_pairs<std::uint8_t>,
       .unsupported_reason = [](const Bits& graph) -> std::string {
         return graph.request.successors ? "keeps no successors of or-and on a GPU: on the CPU it does" : "";
       },
       .device_bytes = cuda::device_bytes<std::uint8_t>,
       .operations = operations_of<std::uint8_t>,
       .seconds = seconds_by_probe<std::uint8_t>,
       .probe_size = cuda_probe_vertices});
  return list;
}

}  // namespace

template <class T>
std::vector<std::uint32_t> AllPairs<T>::path(std::size_t from, std::size_t to, const NameOf& name) const {
  const std::size_t n = lengths.rows();
  if (successors.empty() && n > 0) throw Error(ErrorKind::usage, "there are no successors: ask for them");
  if (from >= n || to >= n) {
    throw Error(ErrorKind::usage, fmt::format("vertex is {}: a vertex below {} is accepted", std::max(from, to), n));
  }
  if (successors(from, to) == no_vertex) return {};
  const auto next = [&](std::uint32_t vertex) { return successors(vertex, to); };
  return walk(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), n, next, [&] {
    throw Error(ErrorKind::infeasible,
                fmt::format("the successors from {} to {} do not end there: lengths below 0 were rounded",
                            name_of(name, from), name_of(name, to)));
  });
}

template <class T>
Outcome<AllPairs<T>> all_pairs(MatrixView<const T> edges, const Options& options, const Request& request) {
  check_graph(edges, options, request);
  const Graph<T> graph{edges, request};
  if (edges.rows == 0) return {{}, report_of_nothing(std::span(backends<T>()), graph, options)};
  return solve_by(std::span(backends<T>()), graph, graph, options);
}

template <class T>
std::size_t bytes_of_all_pairs(const Graph<T>& graph, const Options& options) {
  return resources_of(backend_for(std::span(backends<T>()), graph, options), graph, options).bytes;
}

template <class T>
Estimate estimate(std::size_t n, const Options& options, const Request& request) {
  check_request<T>(request);
  check_vertices(n);
  return estimate_by(std::span(backends<T>()), {{nullptr, n, n, n}, request}, options);
}

template <class T>
std::size_t estimate_bytes(std::size_t n, const Options& options, const Request& request) {
  check_request<T>(request);
  check_vertices(n);
  return bytes_of_all_pairs(Graph<T>{{nullptr, n, n, n}, request}, options);
}

std::vector<AlgorithmInfo> algorithms() { return infos(backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                 \
  template struct AllPairs<T>;                                                                  \
  template Outcome<AllPairs<T>> all_pairs(MatrixView<const T>, const Options&, const Request&); \
  template std::size_t bytes_of_all_pairs(const Graph<T>&, const Options&);                     \
  template Estimate estimate<T>(std::size_t, const Options&, const Request&);                   \
  template std::size_t estimate_bytes<T>(std::size_t, const Options&, const Request&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
