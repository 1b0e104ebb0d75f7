#include <algorithm>
#include <atomic>
#include <span>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "paths/bitset/in_core_bits.hpp"
#include "paths/dense/out_of_core.hpp"
#include "paths/dense/shapes.hpp"
#include "paths/tuning.hpp"
#include "run/staging.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

/// Graphs in host memory. Their edges are copied to the device, and the result is copied back, some rows at a time. A
/// table that does not fit into one device stays on the host. Several devices must hold it.
namespace warpfold::paths::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;

/// Bits have no successors and no improving cycle, and must fit into the device.
template <class T>
constexpr bool is_bits = std::is_same_v<T, std::uint8_t>;

/// The number of rows of 8-byte entries, or of more rows of smaller ones, in transfer at a time.
std::size_t strip_rows(std::size_t n) { return std::clamp<std::size_t>(strip_bytes / (n * sizeof(double)), 1, n); }

std::size_t strip_entries(std::size_t n) { return strip_rows(n) * n; }

/// The bytes of a strip, with each entry as long as the longest.
template <class T>
constexpr std::size_t entry_bytes = std::max(sizeof(T), sizeof(std::uint32_t));

/// Calls visit(rows) for one strip of a matrix after another: `first` and `count` of its rows.
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

template <class T>
AllPairs<T> room_for_paths(const Graph<T>& graph) {
  const std::size_t n = graph.vertices(), of_successors = graph.request.successors ? n : 0;
  return {Matrix<T>(n, n), Matrix<std::uint32_t>(of_successors, of_successors)};
}

/// The bytes of a device if the table is on that many; for the first one with a strip.
template <class T>
std::size_t table_bytes(const Graph<T>& graph, std::size_t gpus) {
  if constexpr (is_bits<T>) {
    return InCore<T>::bytes(graph.vertices(), false);
  } else {
    return InCore<T>::bytes(graph.vertices(), graph.request.successors, gpus);
  }
}
template <class T>
std::size_t resident_bytes(const Graph<T>& graph, std::size_t gpus) {
  return table_bytes(graph, gpus) + strip_entries(graph.vertices()) * entry_bytes<T>;
}
template <class T>
InCore<T> room_for_table(const Graph<T>& graph, std::span<const int> others) {
  if constexpr (is_bits<T>) {
    return InCore<T>(graph.vertices(), graph.request.semiring, false);
  } else {
    return InCore<T>(graph.vertices(), graph.request.semiring, graph.request.successors, others);
  }
}

/// The device without the GPUs that get no rows.
template <class T>
Device with_rows(const Graph<T>& graph, Device device) {
  device.kind = Device::Kind::cuda;
  if constexpr (!is_bits<T>) {
    device.more.resize(InCore<T>::gpus_with_rows(graph.vertices(), 1 + device.more.size()) - 1);
  }
  return device;
}

/// Whether the options and the device have that many bytes.
bool has_room(const Options& options, std::size_t bytes) {
  try {
    check_device_memory(options, bytes, options.device.index);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::memory_limit) throw;
    return false;
  }
}

template <class T>
AllPairs<T> on_devices(const Graph<T>& graph, Context& context) {
  const Options& options = context.options;
  const Device& device = options.device;
  Report& report = context.report;
  const std::size_t n = graph.vertices(), gpus = 1 + device.more.size();
  const auto start = std::chrono::steady_clock::now();
  report.device = to_string(device);
  report.threads = staging_threads(strip_entries(n) * entry_bytes<T>, options.threads);
  context.take_device_memory(resident_bytes(graph, gpus), table_bytes(graph, gpus));
  SolveMonitor monitor(options, graph.operations());

  const Buffer<std::byte> strip(strip_entries(n) * entry_bytes<T>);
  auto* lengths = reinterpret_cast<T*>(strip.data());
  InCore<T> tables = room_for_table(graph, device.more);
  each_strip(graph.edges, [&](const MatrixView<const T>& rows, std::size_t first) {
    upload(lengths, warpfold::cuda::rows_of(rows), options.threads, monitor);
    tables.take_edges(lengths, first, rows.rows);
  });
  report.prepare_seconds = seconds_since(start);

  report.solve_seconds = tables.solve(monitor);
  if constexpr (!is_bits<T>) {
    const std::uint32_t on_cycle = tables.vertex_on_cycle();
    if (on_cycle != no_vertex) reject_cycle(graph, on_cycle, monitor);
  }

  const auto solved = std::chrono::steady_clock::now();
  AllPairs<T> paths = room_for_paths(graph);
  each_strip(paths.lengths.view(), [&](const MatrixView<T>& rows, std::size_t first) {
    tables.give_lengths(lengths, first, rows.rows);
    download(lengths, warpfold::cuda::rows_of(rows), options.threads, monitor);
  });
  if constexpr (!is_bits<T>) {
    auto* indices = reinterpret_cast<std::uint32_t*>(strip.data());
    each_strip(paths.successors.view(), [&](const MatrixView<std::uint32_t>& rows, std::size_t first) {
      tables.give_successors(indices, first, rows.rows);
      download(indices, warpfold::cuda::rows_of(rows), options.threads, monitor);
    });
  }
  report.prepare_seconds += seconds_since(solved);
  return paths;
}

/// Fills the table before the first turn. Returns whether no length is below 0.
template <class T>
bool fill(const Graph<T>& graph, AllPairs<T>& paths, Team& team, const SolveMonitor& monitor) {
  const std::size_t n = graph.vertices();
  std::atomic<bool> negative = false;
  minplus::with_choosing_tag<T>(graph.request.semiring, [&](auto tag) {
    using Tag = decltype(tag);
    team.parallel_for(n, [&](std::size_t i, int) {
      monitor.check();
      for (std::size_t j = 0; j < n; ++j) paths.lengths(i, j) = first_length<Tag>(graph.edges, i, j);
      if (has_negative(&paths.lengths(i, 0), n)) negative = true;
      if (!graph.request.successors) return;
      for (std::size_t j = 0; j < n; ++j) paths.successors(i, j) = first_successor<Tag>(graph.edges, i, j);
    });
  });
  return !negative;
}

/// Finite lengths may have been added to an infinity of integers.
template <class T>
void unpack(const Graph<T>& graph, AllPairs<T>& paths, Team& team, const SolveMonitor& monitor) {
  const std::size_t n = graph.vertices();
  const minplus::Packing<T, T> packing(graph.request.semiring);
  team.parallel_for(n, [&](std::size_t i, int) {
    monitor.check();
    for (std::size_t j = 0; j < n; ++j) {
      T& length = paths.lengths(i, j);
      if (graph.request.successors && packing.is_none(length)) paths.successors(i, j) = no_vertex;
      length = packing.unpack(length);
    }
  });
}

template <class T>
std::size_t streamed_bytes(const Graph<T>& graph, std::size_t width) {
  return Streamed<T>::bytes(graph.vertices(), graph.request.successors, width);
}

/// The largest number of turns at a time for which the device has room.
template <class T>
std::size_t streamed_width(const Graph<T>& graph, const Options& options) {
  std::size_t width = std::min(widest_turns, device::table_side(graph.vertices()));
  while (width > device::table_unit && !has_room(options, streamed_bytes(graph, width))) {
    width = device::table_side(width / 2);
  }
  return width;
}

/// The bytes of a device if the table is on the host.
template <class T>
AllPairs<T> through_device(const Graph<T>& graph, Context& context) {
  const Options& options = context.options;
  const std::size_t width = streamed_width(graph, options);
  context.take_device_memory(streamed_bytes(graph, width));
  Report& report = context.report;
  const auto start = std::chrono::steady_clock::now();
  SolveMonitor monitor(options, graph.operations());
  Team team(thread_count(options.threads));
  report.threads = team.size();
  AllPairs<T> paths = room_for_paths(graph);
  const bool nonnegative = fill(graph, paths, team, monitor);
  {
    Streamed<T> table(paths.lengths.view(), paths.successors.view(), {graph.request.semiring, nonnegative}, width);
    report.prepare_seconds = seconds_since(start);
    const auto prepared = std::chrono::steady_clock::now();
    table.solve(monitor);
    const std::uint32_t on_cycle = table.vertex_on_cycle();
    if (on_cycle != no_vertex) reject_cycle(graph, on_cycle, monitor);
    report.solve_seconds = seconds_since(prepared);
  }
  unpack(graph, paths, team, monitor);
  return paths;
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
  const DeviceScope scope(options.device.index);
  const Budget::Reservation taken = context.budget.reserve(bytes_needed(graph, options));
  context.options.device = with_rows(graph, options.device);
  if constexpr (!is_bits<T>) {
    const bool several = !options.device.more.empty();
    if (!several && !has_room(options, resident_bytes(graph, 1))) return through_device(graph, context);
  }
  return on_devices(graph, context);
}

template <class T>
std::size_t device_bytes(const Graph<T>& graph, const Options& options) {
  const Device device = with_rows(graph, options.device);
  const std::size_t bytes = resident_bytes(graph, 1 + device.more.size());
  if constexpr (!is_bits<T>) {
    if (device.more.empty() && !has_room(options, bytes)) {
      return streamed_bytes(graph, streamed_width(graph, options));
    }
  }
  return bytes;
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&);          \
  template std::size_t bytes_needed(const Graph<T>&, const Options&); \
  template std::size_t device_bytes(const Graph<T>&, const Options&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
