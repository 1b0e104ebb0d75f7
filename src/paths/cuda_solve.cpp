#include <algorithm>

#include "paths/backends.hpp"
#include "paths/resident.hpp"
#include "paths/tuning.hpp"
#include "run/clock.hpp"
#include "run/staging.hpp"
#include "warpfold/run/devices.hpp"

/// Graphs on the host: their edges go to the device, and the answer comes back, some rows at a time.
namespace warpfold::paths::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;

/// Rows of a matrix of 8-byte entries, or more of smaller ones, that are on their way at a time.
std::size_t strip_rows(std::size_t n) { return std::clamp<std::size_t>(strip_bytes / (n * sizeof(double)), 1, n); }

std::size_t strip_entries(std::size_t n) { return strip_rows(n) * n; }

/// Of a strip's entries, each as long as the longest.
template <class T>
constexpr std::size_t entry_bytes = std::max(sizeof(T), sizeof(std::uint32_t));

/// Calls visit(rows) for strips of a matrix, one after the other: `first` and `count` of them.
template <class T, class Visit>
void each_strip(const MatrixView<T>& matrix, const Visit& visit) {
  for (std::size_t first = 0; first < matrix.rows; first += strip_rows(matrix.rows)) {
    const std::size_t count = std::min(strip_rows(matrix.rows), matrix.rows - first);
    visit(MatrixView<T>{matrix.row(first), count, matrix.columns, matrix.stride}, first);
  }
}

std::size_t answer_bytes(std::size_t n, std::size_t value_bytes, bool successors) {
  return n * n * (value_bytes + (successors ? sizeof(std::uint32_t) : 0));
}

}  // namespace

template <class T>
std::size_t bytes_needed(const Graph<T>& graph, const Options& options) {
  const std::size_t n = graph.vertices();
  return answer_bytes(n, sizeof(T), graph.request.successors) +
         staging_bytes(strip_entries(n) * entry_bytes<T>, options.threads);
}

template <class T>
AllPairs<T> all_pairs(const Graph<T>& graph, Context& context) {
  const Options& options = context.options;
  Report& report = context.report;
  const std::size_t n = graph.vertices();
  const bool successors = graph.request.successors;
  const auto start = std::chrono::steady_clock::now();
  const DeviceScope scope(options.device.index);
  report.threads = staging_threads(strip_entries(n) * entry_bytes<T>, options.threads);
  report.peak_device_bytes = Resident<T>::bytes(n, successors) + strip_entries(n) * entry_bytes<T>;
  const Budget::Share taken = context.budget.take(bytes_needed(graph, options));
  check_device_memory(options, report.peak_device_bytes);
  Watch watch(options, graph.operations());

  const Buffer<std::byte> strip(strip_entries(n) * entry_bytes<T>);
  auto* lengths = reinterpret_cast<T*>(strip.data());
  auto* indices = reinterpret_cast<std::uint32_t*>(strip.data());
  Resident<T> tables(n, graph.request.semiring, successors);
  each_strip(graph.edges, [&](const MatrixView<const T>& rows, std::size_t first) {
    upload(lengths, warpfold::cuda::rows_of(rows), options.threads, watch);
    tables.take_edges(lengths, first, rows.rows);
  });
  report.prepare_seconds = seconds_since(start);

  report.solve_seconds = tables.solve(watch);
  const std::uint32_t on_cycle = tables.vertex_on_cycle();
  if (on_cycle != no_vertex) refuse_cycle(graph, on_cycle, watch);

  const auto solved = std::chrono::steady_clock::now();
  AllPairs<T> paths{Matrix<T>(n, n), Matrix<std::uint32_t>(successors ? n : 0, successors ? n : 0)};
  each_strip(paths.lengths.view(), [&](const MatrixView<T>& rows, std::size_t first) {
    tables.give_lengths(lengths, first, rows.rows);
    download(lengths, warpfold::cuda::rows_of(rows), options.threads, watch);
  });
  each_strip(paths.successors.view(), [&](const MatrixView<std::uint32_t>& rows, std::size_t first) {
    tables.give_successors(indices, first, rows.rows);
    download(indices, warpfold::cuda::rows_of(rows), options.threads, watch);
  });
  report.prepare_seconds += seconds_since(solved);
  return paths;
}

#define WARPFOLD_INSTANTIATE(T)                              \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&); \
  template std::size_t bytes_needed(const Graph<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
