#include <algorithm>

#include "core/number_types.hpp"
#include "knapsack/launch.cuh"
#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using cuda::Buffer;
using cuda::check;
using cuda::check_launch;
using cuda::Stream;
using knapsack::Row;
using knapsack::Table;
using knapsack::cuda::block_threads;
using knapsack::cuda::blocks_for;
using knapsack::cuda::Pace;

/// A part of the table as one sequence that starts in column `column` of a row. It covers that row and the next one.
template <class T>
struct Stretch {
  std::int64_t slot = 0;  ///< of its first element in the ring
  std::int64_t column = 0;
  std::int64_t count = 0;
  Row<T> rows[2];
};

/// One step of the p-fold pipeline. It adds the first term, ST[i - (C + 1 + w)] + v, to the newest p elements, and the
/// second term, ST[i - (C + 1)], to the p elements before them. `columns` = C + 1. A ring holds the part of the
/// sequence that later steps read.
template <class T>
__global__ void __launch_bounds__(256)
    pipeline_step(T* ring, std::int64_t ring_size, std::int64_t columns, Stretch<T> first, Stretch<T> second) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool older = thread >= first.count;
  const std::int64_t at = older ? thread - first.count : thread;
  if (at >= (older ? second.count : first.count)) return;
  std::int64_t slot = (older ? second.slot : first.slot) + at;
  slot -= slot >= ring_size ? ring_size : 0;
  std::int64_t above = slot - columns;
  if (older) {
    above += above < 0 ? ring_size : 0;
    ring[slot] = max(ring[slot], ring[above]);
    return;
  }
  // The fields are selected one by one, because an index into the pair would put it into local memory.
  const std::int64_t column = first.column + at;
  const bool next = column >= columns;
  const std::int64_t weight = next ? first.rows[1].weight : first.rows[0].weight;
  const T value = next ? first.rows[1].value : first.rows[0].value;
  above -= weight;
  above += above < 0 ? ring_size : 0;
  ring[slot] = column - (next ? columns : 0) >= weight ? static_cast<T>(ring[above] + value) : T{0};
}

/// The p-fold pipeline over rows 0 .. n of C + 1 columns as one sequence with k = 2 terms, corrected as in rows 3 and 5
/// of docs/explanation/errata.md: heads up to (size - 1) + kp - 1, and p = floor((C + 1 + w_min) / 2).
template <class T>
class Pipeline {
 public:
  Pipeline(const Table<T>& table, SolveMonitor& monitor)
      : table_(table),
        columns_(table.capacity + 1),
        size_(columns_ * static_cast<std::int64_t>(table.rows.size() + 1)),
        ring_size_(ring_rows * columns_),
        ring_(static_cast<std::size_t>(ring_size_)),
        pace_(stream_, monitor) {
    std::int64_t lightest = table.capacity + 1;
    for (const Row<T>& row : table.rows) lightest = std::min(lightest, row.weight);
    fold_ = (columns_ + lightest) / 2;
  }

  void run(T* best) {
    std::fill(best + std::min(table_.weight_before, columns_), best + columns_, table_.value_before);
    check(cudaMemcpyAsync(ring_.data(), best, static_cast<std::size_t>(columns_) * sizeof(T), cudaMemcpyHostToDevice,
                          stream_.get()),
          "copy the first row");
    for (std::int64_t head = columns_ + fold_ - 1; head <= size_ - 1 + 2 * fold_ - 1; head += fold_) {
      const Stretch<T> first = stretch(head - fold_ + 1, head);
      const Stretch<T> second = stretch(head - 2 * fold_ + 1, head - fold_);
      const std::int64_t threads = first.count + second.count;
      if (threads == 0) continue;
      pipeline_step<<<blocks_for(threads, std::int64_t{1} << 30), block_threads, 0, stream_.get()>>>(
          ring_.data(), ring_size_, columns_, first, second);
      check_launch("start a step of the pipeline");
      pace_.launched(static_cast<double>(second.count));
    }
    // The last row may wrap around the end of the ring.
    const std::int64_t start = (size_ - columns_) % ring_size_;
    const std::int64_t straight = std::min(columns_, ring_size_ - start);
    copy(best, start, straight);
    copy(best + straight, 0, columns_ - straight);
    stream_.synchronize();
  }

 private:
  /// Elements from .. to of the sequence, without those that are not computed.
  Stretch<T> stretch(std::int64_t from, std::int64_t to) const {
    from = std::max(from, columns_);
    to = std::min(to, size_ - 1);
    if (from > to) return {};
    Stretch<T> stretch{from % ring_size_, from % columns_, to - from + 1, {}};
    const auto row = static_cast<std::size_t>(from / columns_ - 1);
    stretch.rows[0] = table_.rows[row];
    stretch.rows[1] = row + 1 < table_.rows.size() ? table_.rows[row + 1] : Row<T>{};
    return stretch;
  }

  void copy(T* to, std::int64_t from, std::int64_t count) {
    check(cudaMemcpyAsync(to, ring_.data() + from, static_cast<std::size_t>(count) * sizeof(T), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "return the table");
  }

  const Table<T>& table_;
  const std::int64_t columns_;
  const std::int64_t size_;
  const std::int64_t ring_size_;
  std::int64_t fold_ = 0;
  Buffer<T> ring_;
  Stream stream_;
  Pace pace_;
};

}  // namespace

template <class T>
void zero_one_rows(const Table<T>& table, T* best, Context& context, SolveMonitor& monitor) {
  const cuda::DeviceScope scope(context.options.device.index);
  context.take_device_memory(device_bytes(table.capacity, sizeof(T)));
  Pipeline<T>(table, monitor).run(best);
}

#define WARPFOLD_INSTANTIATE(T) template void zero_one_rows(const Table<T>&, T*, Context&, SolveMonitor&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::p_fold_2023
