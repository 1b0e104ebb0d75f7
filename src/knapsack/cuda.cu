#include <algorithm>
#include <vector>

#include "core/number_types.hpp"
#include "knapsack/kernels.cuh"
#include "knapsack/launch.cuh"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"

namespace warpfold::knapsack::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::Stream;

/// Rows by ascending weight: the part of the table that they fill stays short for long.
template <class T>
std::vector<Row<T>> light_rows_first(const Table<T>& table) {
  std::vector<Row<T>> rows(table.rows.begin(), table.rows.end());
  std::sort(rows.begin(), rows.end(), [](const Row<T>& a, const Row<T>& b) { return a.weight < b.weight; });
  return rows;
}

/// Copies the part of the table that is wanted and that the rows fill to `best`; what is beyond holds `value`.
template <class T>
void return_table(const Table<T>& table, const Buffer<T>& cells, std::int64_t filled, T value, T* best,
                  const Stream& stream) {
  const std::int64_t first = std::min(table.lowest, filled);
  const std::int64_t stored = std::min(filled, table.capacity + 1);
  if (first < stored) {
    check(cudaMemcpyAsync(best + first, cells.data() + first, static_cast<std::size_t>(stored - first) * sizeof(T),
                          cudaMemcpyDeviceToHost, stream.get()),
          "return the table");
  }
  stream.synchronize();
  std::fill(best + stored, best + table.capacity + 1, value);
}

/// Complete rows, two per pass, between two arrays. Only capacities that rows so far fill and that later rows can need
/// are computed.
template <class T>
void run_rows(const Table<T>& table, T* best, SolveMonitor& monitor) {
  const std::vector<Row<T>> rows = light_rows_first(table);
  const std::int64_t cells = table.capacity + 1;
  const std::int64_t max_blocks =
      std::int64_t{tuning::gpu_blocks_of_processor} * warpfold::cuda::attribute(cudaDevAttrMultiProcessorCount);
  Buffer<T> before(static_cast<std::size_t>(cells));
  Buffer<T> after(static_cast<std::size_t>(cells));
  const Stream stream;
  std::int64_t filled = std::min(table.weight_before, cells);
  check(cudaMemcpyAsync(before.data(), best, static_cast<std::size_t>(filled) * sizeof(T), cudaMemcpyHostToDevice,
                        stream.get()),
        "copy the earlier rows' cells");
  Pace pace(stream, monitor);
  std::int64_t weight_after = 0;
  for (const Row<T>& row : rows) weight_after += row.weight;
  T value = table.value_before;
  for (std::size_t i = 0; i < rows.size();) {
    const bool two = i + 1 < rows.size();
    const std::int64_t weight = rows[i].weight + (two ? rows[i + 1].weight : 0);
    weight_after -= weight;
    const std::int64_t high = std::min(cells, filled + weight);
    const std::int64_t low = std::clamp<std::int64_t>(table.lowest - weight_after, 0, high);
    const PartialRow<T> source{before.data(), filled, value};
    const unsigned blocks = blocks_for(high - low, max_blocks);
    if (two) {
      raise_twice<<<blocks, block_threads, 0, stream.get()>>>(source, after.data(), low, high, rows[i], rows[i + 1]);
    } else {
      raise_once<<<blocks, block_threads, 0, stream.get()>>>(source, after.data(), low, high, rows[i]);
    }
    check_launch("start a knapsack row");
    pace.launched(static_cast<double>(cells) * (two ? 2 : 1));
    value = static_cast<T>(value + rows[i].value + (two ? rows[i + 1].value : 0));
    filled = high;
    std::swap(before, after);
    i += two ? 2 : 1;
  }
  return_table(table, before, filled, value, best, stream);
}

}  // namespace

template <class T>
void zero_one_rows(const Table<T>& table, T* best, Context& context, SolveMonitor& monitor) {
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  context.take_device_memory(device_bytes(table.capacity, sizeof(T)));
  run_rows(table, best, monitor);
}

#define WARPFOLD_INSTANTIATE(T) template void zero_one_rows(const Table<T>&, T*, Context&, SolveMonitor&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack::cuda
