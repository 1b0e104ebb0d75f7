#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "minplus/backends.hpp"
#include "minplus/tuning.hpp"
#include "run/staging.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

/// Products of matrices in host memory, by a Plan.
namespace warpfold::minplus::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;

/// The part that one launch takes: products [first, end) of a batch, or rows [first_row, end_row) of one product.
struct Part {
  std::size_t first, end;
  std::size_t first_row, end_row;

  [[nodiscard]] std::size_t count() const { return end - first; }
  [[nodiscard]] std::size_t rows() const { return end_row - first_row; }
};

constexpr std::size_t divide_up(std::size_t x, std::size_t by) { return (x + by - 1) / by; }

/// The size of the largest part if that many GPUs take parts in turn: products of a batch, or rows of one product.
struct Parts {
  std::size_t products;  ///< products of a part
  std::size_t rows;      ///< rows of each product in a part
  std::size_t count;     ///< the number of parts

  template <class T>
  Parts(const AccumulationBatch<T>& batch, std::size_t gpus) {
    constexpr std::size_t max_products = 65535, block_rows = 128;
    const std::size_t all = batch.c.count, all_rows = batch.c.first.rows;
    const double terms = batch.terms() / static_cast<double>(all);
    products = std::clamp<std::size_t>(static_cast<std::size_t>(cuda_terms_at_once / std::max(terms, 1.0)), 1,
                                       std::min(divide_up(all, gpus), max_products));
    const double blocks = cuda_terms_at_once / std::max(terms, 1.0) * static_cast<double>(all_rows) / block_rows;
    const std::size_t max_blocks = divide_up(all_rows, (all > 1 ? 1 : gpus) * block_rows);
    rows = products > 1
               ? all_rows
               : std::min(all_rows, block_rows * std::clamp<std::size_t>(
                                                     static_cast<std::size_t>(std::min(blocks, 1e9)), 1, max_blocks));
    count = divide_up(all, products) * divide_up(all_rows, rows);
  }
};

/// Rows [first_row, end_row) of `count` matrices of a batch from `first` on, in the form in which they are copied.
template <class T>
auto rows_of(const BatchView<T>& batch, std::size_t first, std::size_t count, std::size_t first_row,
             std::size_t end_row) {
  std::vector<decltype(warpfold::cuda::rows_of(batch.first))> lists;
  for (std::size_t index = first; index < first + count; ++index) {
    lists.push_back(warpfold::cuda::rows_of(batch[index]));
    lists.back().data += first_row * lists.back().stride;
    lists.back().rows = end_row - first_row;
  }
  return lists;
}

template <class T>
bool is_nonnegative(const BatchView<const T>& batch, int threads) {
  const std::size_t rows = batch.first.rows, turns = (batch.step == 0 ? 1 : batch.count) * rows;
  std::atomic<bool> negative = false;
  parallel(threads, [&](int thread) {
    for (auto turn = static_cast<std::size_t>(thread); turn < turns && !negative; turn += threads) {
      if (has_negative(batch[turn / rows].row(turn % rows), batch.first.columns)) negative = true;
    }
  });
  return !negative;
}

/// Computes one part after another on the GPU that was current when it was made.
template <class T>
class GpuWorker {
 public:
  GpuWorker(const AccumulationBatch<T>& batch, const Parts& parts, int threads)
      : batch_(batch),
        device_(DeviceScope::current()),
        threads_(threads),
        shape_(shape_of(batch, parts)),
        plan_(shape_, batch.semiring, batch.argmin.first.data != nullptr),
        a_((shape_.one_a ? 1 : shape_.batch) * shape_.m * shape_.p),
        b_((shape_.one_b ? 1 : shape_.batch) * shape_.p * shape_.n),
        c_(shape_.batch * shape_.m * shape_.n),
        argmin_(batch.argmin.first.data ? c_.size() : 0) {}

  static std::size_t device_bytes(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const bool argmin = batch.argmin.first.data != nullptr;
    return Plan<T>::workspace_bytes(s, argmin) +
           ((s.one_a ? 1 : s.batch) * s.m * s.p + (s.one_b ? 1 : s.batch) * s.p * s.n + s.batch * s.m * s.n) *
               sizeof(T) +
           (argmin ? s.batch * s.m * s.n * sizeof(std::uint32_t) : 0);
  }

  /// The largest size of one transfer.
  static std::size_t largest_transfer(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const std::size_t result_bytes = batch.argmin.first.data ? std::max(sizeof(T), sizeof(std::uint32_t)) : sizeof(T);
    return std::max({(s.one_a ? 1 : s.batch) * s.m * s.p * sizeof(T), (s.one_b ? 1 : s.batch) * s.p * s.n * sizeof(T),
                     s.batch * s.m * s.n * result_bytes});
  }

  /// Sends a part and starts its product, which `finish` waits for. The last part may be smaller: then the plan also
  /// multiplies again the rest of the part before it.
  void start(const Part& part, bool nonnegative, const SolveMonitor& monitor) {
    const DeviceScope scope(device_);
    send(a_, batch_.a, part.first, shape_.one_a ? 1 : part.count(), part.first_row, part.end_row, monitor);
    if (part.first != b_first_ && !(shape_.one_b && b_first_ != none)) {
      send(b_, batch_.b, part.first, shape_.one_b ? 1 : part.count(), 0, shape_.p, monitor);
      b_first_ = part.first;
    }
    send<T>(c_, batch_.c, part.first, part.count(), part.first_row, part.end_row, monitor);
    started_.record(stream_);
    plan_.multiply(a_.data(), b_.data(), c_.data(), argmin_.data(), nonnegative, stream_.get());
    multiplied_.record(stream_);
    running_ = part;
  }
  /// Copies the started part back, if there is one.
  void finish(SolveMonitor& monitor) {
    if (!running_) return;
    const DeviceScope scope(device_);
    const Part part = *std::exchange(running_, std::nullopt);
    stream_.synchronize();
    seconds_ += seconds_between(started_, multiplied_);
    take(c_, batch_.c, part, monitor);
    if (argmin_.size() > 0) take(argmin_, batch_.argmin, part, monitor);
    monitor.advance(batch_.terms() * static_cast<double>(part.count() * part.rows()) /
                    static_cast<double>(batch_.c.count * batch_.c.first.rows));
  }
  /// The device's time, without transfers.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  static Shape shape_of(const AccumulationBatch<T>& batch, const Parts& parts) {
    return {parts.rows,     batch.b.first.rows, batch.c.first.columns,
            parts.products, batch.a.step == 0,  batch.b.step == 0};
  }

  template <class U>
  void send(const Buffer<U>& to, const BatchView<const U>& from, std::size_t first, std::size_t count,
            std::size_t first_row, std::size_t end_row, const SolveMonitor& monitor) {
    const auto lists = rows_of(from, first, count, first_row, end_row);
    upload(to.data(), std::span(lists), threads_, monitor);
  }
  template <class U>
  void take(const Buffer<U>& from, const BatchView<U>& to, const Part& part, const SolveMonitor& monitor) {
    const auto lists = rows_of(to, part.first, part.count(), part.first_row, part.end_row);
    download(from.data(), std::span(lists), threads_, monitor);
  }

  const AccumulationBatch<T>& batch_;
  int device_;
  int threads_;
  Shape shape_;
  Plan<T> plan_;
  Buffer<T> a_, b_, c_;
  Buffer<std::uint32_t> argmin_;
  double seconds_ = 0;
  warpfold::cuda::Event started_, multiplied_;
  warpfold::cuda::Stream stream_;
  std::size_t b_first_ = none;  ///< the product whose B is on the device
  std::optional<Part> running_;
};

/// Sends parts to the GPUs in turn. While one multiplies, the host exchanges data with the next. Returns the largest
/// time of a GPU in seconds.
template <class T>
double run_parts(const AccumulationBatch<T>& batch, const Parts& parts, std::deque<GpuWorker<T>>& gpus,
                 bool nonnegative, SolveMonitor& monitor) {
  const std::size_t count = batch.c.count, rows = batch.c.first.rows;
  std::size_t turn = 0;
  for (std::size_t first = 0; first < count; first += parts.products) {
    for (std::size_t row = 0; row < rows; row += parts.rows) {
      GpuWorker<T>& gpu = gpus[turn++ % gpus.size()];
      gpu.finish(monitor);
      monitor.check();
      gpu.start({first, std::min(first + parts.products, count), row, std::min(row + parts.rows, rows)}, nonnegative,
                monitor);
    }
  }
  double seconds = 0;
  for (GpuWorker<T>& gpu : gpus) {
    gpu.finish(monitor);
    seconds = std::max(seconds, gpu.seconds());
  }
  return seconds;
}

}  // namespace

template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    throw Error(ErrorKind::internal, "plus-times has no GPU backend");
  } else {
    const Options& options = context.options;
    Report& report = context.report;
    Device& device = context.options.device;
    device.kind = Device::Kind::cuda;
    const Parts parts(batch, 1 + device.more.size());
    device.more.resize(std::min(device.more.size(), parts.count - 1));  // the other GPUs have no work
    report.device = to_string(device);
    const DeviceScope scope(device.index);
    const std::size_t transfer = GpuWorker<T>::largest_transfer(batch, parts);
    report.threads = staging_threads(transfer, options.threads);
    const Budget::Reservation taken = context.budget.reserve(staging_bytes(transfer, options.threads));
    const std::size_t of_each = GpuWorker<T>::device_bytes(batch, parts);
    context.take_device_memory(of_each, of_each);
    SolveMonitor monitor(options, batch.terms());
    std::deque<GpuWorker<T>> gpus;
    gpus.emplace_back(batch, parts, options.threads);
    for (const int other : device.more) {
      const DeviceScope there(other);
      gpus.emplace_back(batch, parts, options.threads);
    }
    bool nonnegative = false;  // promised only if it shortens the product
    if constexpr (std::is_same_v<T, float>) {
      nonnegative = batch.semiring.kind == Semiring::min_plus && is_nonnegative(batch.a, report.threads) &&
                    is_nonnegative(batch.b, report.threads) && is_nonnegative<T>(batch.c, report.threads);
    }
    report.solve_seconds = run_parts(batch, parts, gpus, nonnegative, monitor);
    return {};
  }
}

template <class T>
std::size_t device_bytes(const AccumulationBatch<T>& batch, const Options& options) {
  if (batch.terms() == 0) return 0;
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return 0;
  else
    return GpuWorker<T>::device_bytes(batch, Parts(batch, 1 + options.device.more.size()));
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template InPlace accumulate(const AccumulationBatch<T>&, Context&); \
  template std::size_t device_bytes(const AccumulationBatch<T>&, const Options&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
