#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "paths/backends.hpp"
#include "paths/tuning.hpp"
#include "run/probe.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::paths {

namespace {

template <class T>
using PathsBackend = Backend<Graph<T>, Graph<T>, AllPairs<T>>;

/// With those of a build that has CUDA.
template <class T>
std::vector<PathsBackend<T>> on_gpu_too(std::vector<PathsBackend<T>> list) {
  if (!has_cuda()) return list;
  list.push_back({{"blocked", "cuda",
                   "64 middle vertices at a time by two kernels, their rows and columns and then a product, all on "
                   "the GPU",
                   "n^3 operations, n^2 values of the GPU; n^2 indices with successors"},
                  [](const Graph<T>& graph, const Options&) { return graph.vertices() >= cuda_gains_from ? 0.0 : 2.0; },
                  cuda::bytes_needed<T>,
                  cuda::all_pairs<T>});
  return list;
}

template <class T>
const std::vector<PathsBackend<T>>& backends() {
  static const std::vector<PathsBackend<T>> list = on_gpu_too<T>(
      {{{"blocked", "cpu",
         "Floyd and Warshall by 64 middle vertices at a time, products in vector registers, all threads",
         "n^3 operations, 2 n^2 values; 2 n^2 indices with successors"},
        [](const Graph<T>&, const Options&) { return 1.0; },
        cpu::bytes_needed<T>,
        cpu::all_pairs<T>},
       {{"reference", "cpu", "the three loops as they are written, one thread, no vectors: the oracle of the others",
         "n^3 operations, n^2 values"},
        [](const Graph<T>&, const Options&) { return only_when_named; },
        reference::bytes_needed<T>,
        reference::all_pairs<T>}});
  return list;
}

void check_request(const Request& request) {
  if (has_best_paths(request.semiring)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} has no best paths: min-plus, max-plus, min-max and max-min are accepted",
                          to_string(request.semiring)));
}

/// Raises Error{input} for more than no memory holds the squares of.
void check_vertices(std::size_t n) {
  constexpr std::size_t most = std::size_t{1} << 28;
  if (n > most) throw Error(ErrorKind::input, fmt::format("{} vertices: up to {} are accepted", n, most));
}

/// Raises Error{input} for an entry that is no length; returns the largest |length|.
template <class T>
T largest_length(const MatrixView<const T>& edges, Semiring semiring) {
  const T zero = semiring.zero<T>();
  T largest = 0;
  for (std::size_t i = 0; i < edges.rows; ++i) {
    for (std::size_t j = 0; j < edges.columns; ++j) {
      const T x = edges(i, j);
      if (semiring.takes_least() ? x >= zero : x <= zero) continue;
      const bool is_length =
          semiring.adds() ? x > -infinity<T> && x < infinity<T> : x >= -infinity<T> && x <= infinity<T>;
      if (!is_length) {
        throw Error(
            ErrorKind::input,
            fmt::format("the edge ({}, {}) is {}: a finite length, or {} for no edge, is accepted", i, j, x, zero));
      }
      largest = std::max(largest, x < 0 ? static_cast<T>(-x) : x);
    }
  }
  return largest;
}

template <class T>
void check_graph(const MatrixView<const T>& edges, const Request& request) {
  check_request(request);
  if (edges.rows != edges.columns) {
    throw Error(ErrorKind::usage,
                fmt::format("the edges are {} x {}: a square matrix is accepted", edges.rows, edges.columns));
  }
  check_view("the edges", edges);
  check_vertices(edges.rows);
  const T largest = largest_length(edges, request.semiring);
  if (!request.semiring.adds() || edges.rows < 2) return;
  const auto most = static_cast<long double>(minplus::largest_factor<T>) / static_cast<long double>(edges.rows - 1);
  if (static_cast<long double>(largest) <= most) return;
  throw Error(ErrorKind::overflow, fmt::format("a length is {}: up to {} are accepted for {} vertices in {}", largest,
                                               static_cast<T>(most), edges.rows, dtype_name<T>()));
}

}  // namespace

template <class T>
std::vector<std::uint32_t> AllPairs<T>::path(std::size_t from, std::size_t to) const {
  const std::size_t n = lengths.rows();
  if (successors.empty() && n > 0) throw Error(ErrorKind::usage, "there are no successors: ask for them");
  if (from >= n || to >= n) {
    throw Error(ErrorKind::usage, fmt::format("vertex {}: {} vertices are there", std::max(from, to), n));
  }
  if (successors(from, to) == no_vertex) return {};
  std::vector<std::uint32_t> vertices{static_cast<std::uint32_t>(from)};
  while (vertices.back() != to) {
    const std::uint32_t next = successors(vertices.back(), to);
    if (next >= n || vertices.size() == n) {
      throw Error(ErrorKind::infeasible,
                  fmt::format("the successors from {} to {} do not end there: lengths below 0 were rounded", from, to));
    }
    vertices.push_back(next);
  }
  return vertices;
}

template <class T>
Outcome<AllPairs<T>> all_pairs(MatrixView<const T> edges, const Options& options, const Request& request) {
  check_graph(edges, request);
  const Graph<T> graph{edges, request};
  if (edges.rows == 0) {
    const AlgorithmInfo& info = backend_for(std::span(backends<T>()), graph, options).info;
    return {{}, {.device = info.device, .algorithm = info.name}};
  }
  return solve_by(std::span(backends<T>()), graph, graph, options);
}

template <class T>
Estimate estimate(std::size_t n, const Options& options, const Request& request) {
  check_request(request);
  check_vertices(n);
  const Graph<T> graph{{nullptr, n, n, n}, request};
  const auto& backend = backend_for(std::span(backends<T>()), graph, options);
  const bool on_gpu = backend.info.device == "cuda";
  const std::size_t side = std::min(n, on_gpu                             ? cuda_probe_vertices
                                       : backend.info.name == "reference" ? reference_probe_vertices
                                                                          : probe_vertices);
  const Matrix<T> without_edges(side, side, request.semiring.zero<T>());
  const Options probe = probe_options(options, on_gpu);
  const double seconds = probe_seconds(probe, [&] { static_cast<void>(all_pairs(without_edges, probe, request)); });
  const double operations = graph.operations(), probed = std::max(1.0, std::pow(static_cast<double>(side), 3));
  Estimate expected{needs_of(backend, graph, options), operations};
  expected.seconds = operations * seconds / probed;
  return expected;
}

std::vector<AlgorithmInfo> algorithms() { return infos(backends<float>()); }

#define WARPFOLD_INSTANTIATE(T)                                                                 \
  template struct AllPairs<T>;                                                                  \
  template Outcome<AllPairs<T>> all_pairs(MatrixView<const T>, const Options&, const Request&); \
  template Estimate estimate<T>(std::size_t, const Options&, const Request&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
