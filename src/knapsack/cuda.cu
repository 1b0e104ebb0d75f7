#include <algorithm>
#include <vector>

#include "knapsack/kernels.cuh"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"
#include "run/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::knapsack::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::Stream;

constexpr int block_threads = 256;
constexpr int launches_in_flight = 64;
constexpr std::int64_t ring_rows = 5;  // of the p-fold pipeline's table

unsigned blocks_for(std::int64_t threads, std::int64_t most) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((threads + block_threads - 1) / block_threads, 1, most));
}

/// Looks at the stop token now and then, and keeps the queue of launches short enough that stopping is quick.
class Pace {
 public:
  Pace(const Stream& stream, Watch& watch) : stream_(stream), watch_(watch) {}

  void launched(double cells) {
    cells_ += cells;
    if (++launches_ % launches_in_flight != 0) return;
    stream_.synchronize();
    watch_.check();
    watch_.advance(cells_);
    cells_ = 0;
  }

 private:
  const Stream& stream_;
  Watch& watch_;
  int launches_ = 0;
  double cells_ = 0;
};

/// Whole rows, two a pass, between two arrays; only capacities that rows so far fill and that later rows can need.
template <class T>
void run_rows(const Table<T>& table, T* best, Watch& watch) {
  std::vector<Row<T>> rows(table.rows.begin(), table.rows.end());
  std::sort(rows.begin(), rows.end(), [](const Row<T>& a, const Row<T>& b) { return a.weight < b.weight; });
  const std::int64_t cells = table.capacity + 1;
  const std::int64_t most_blocks =
      std::int64_t{tuning::gpu_blocks_of_processor} * warpfold::cuda::attribute(cudaDevAttrMultiProcessorCount);
  Buffer<T> before(static_cast<std::size_t>(cells));
  Buffer<T> after(static_cast<std::size_t>(cells));
  const Stream stream;
  check(cudaMemsetAsync(before.data(), 0, before.bytes(), stream.get()), "clear the table");
  Pace pace(stream, watch);
  std::int64_t weight_after = 0;
  for (const Row<T>& row : rows) weight_after += row.weight;
  std::int64_t filled = 1;
  T value = 0;
  for (std::size_t i = 0; i < rows.size();) {
    const bool two = i + 1 < rows.size();
    const std::int64_t weight = rows[i].weight + (two ? rows[i + 1].weight : 0);
    weight_after -= weight;
    const std::int64_t high = std::min(cells, filled + weight);
    const std::int64_t low =
        table.one_capacity ? std::clamp<std::int64_t>(table.capacity - weight_after, 0, high) : std::int64_t{0};
    const PartialRow<T> source{before.data(), filled, value};
    const unsigned blocks = blocks_for(high - low, most_blocks);
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
  const std::int64_t first = table.one_capacity ? std::min(table.capacity, filled) : 0;
  const std::int64_t stored = std::min(filled, cells);
  if (first < stored) {
    check(cudaMemcpyAsync(best + first, before.data() + first, static_cast<std::size_t>(stored - first) * sizeof(T),
                          cudaMemcpyDeviceToHost, stream.get()),
          "return the table");
  }
  stream.synchronize();
  std::fill(best + stored, best + cells, value);
}

/// The paper's p-fold pipeline (S. Matsumae 2023, Fig. 6) over rows 0 .. n of C + 1 columns as one sequence, k = 2
/// terms, corrected as docs/errata.md, rows 3 and 5, says: heads up to (size - 1) + kp - 1, and p = floor((C + 1 +
/// w_min) / 2).
template <class T>
class Pipeline {
 public:
  Pipeline(const Table<T>& table, Watch& watch)
      : table_(table),
        columns_(table.capacity + 1),
        size_(columns_ * static_cast<std::int64_t>(table.rows.size() + 1)),
        ring_size_(ring_rows * columns_),
        ring_(static_cast<std::size_t>(ring_size_)),
        pace_(stream_, watch) {
    std::int64_t lightest = table.capacity + 1;
    for (const Row<T>& row : table.rows) lightest = std::min(lightest, row.weight);
    fold_ = (columns_ + lightest) / 2;
  }

  void run(T* best) {
    check(cudaMemsetAsync(ring_.data(), 0, static_cast<std::size_t>(columns_) * sizeof(T), stream_.get()),
          "clear the table");
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
  /// Elements from .. to of the sequence, as far as they are to be computed.
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
std::size_t zero_one_rows(const Table<T>& table, T* best, Schedule schedule, const Options& options, Watch& watch) {
  const warpfold::cuda::DeviceScope scope(options.device.index);
  const bool p_fold = schedule == Schedule::p_fold;
  const std::size_t bytes = (p_fold ? ring_rows : 2) * static_cast<std::size_t>(table.capacity + 1) * sizeof(T);
  check_device_memory(options, bytes);
  if (p_fold) {
    Pipeline<T>(table, watch).run(best);
  } else {
    run_rows(table, best, watch);
  }
  return bytes;
}

template std::size_t zero_one_rows(const Table<std::int32_t>&, std::int32_t*, Schedule, const Options&, Watch&);
template std::size_t zero_one_rows(const Table<std::int64_t>&, std::int64_t*, Schedule, const Options&, Watch&);

}  // namespace warpfold::knapsack::cuda
