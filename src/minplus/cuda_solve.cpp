#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
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
  /// Parts that a GPU holds at a time: it multiplies one while the other is copied.
  std::size_t held = 1;

  template <class T>
  Parts(const AccumulationBatch<T>& batch, std::size_t gpus) {
    constexpr std::size_t max_products = 65535, block_rows = 128;
    const std::size_t all = batch.c.count, all_rows = batch.c.first.rows;
    const double terms = batch.terms() / static_cast<double>(all);
    products = std::clamp<std::size_t>(static_cast<std::size_t>(cuda_terms_at_once / std::max(terms, 1.0)), 1,
                                       std::min(divide_up(all, gpus), max_products));
    const double blocks = cuda_terms_at_once / std::max(terms, 1.0) * static_cast<double>(all_rows) / block_rows;
    if (all == 1 && all_rows >= 2 * gpus * cuda_overlap_rows && batch.c.first.columns >= cuda_overlap_columns) held = 2;
    const std::size_t parts_of_gpu = held == 1 ? 1 : std::min(cuda_overlap_parts, all_rows / gpus / cuda_overlap_rows);
    const std::size_t max_blocks = divide_up(all_rows, (all > 1 ? 1 : gpus * parts_of_gpu) * block_rows);
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

/// What the workers of a GPU share: B, and the order of their products.
template <class T>
struct SharedOfGpu {
  Buffer<T> b;
  std::size_t b_first = ~std::size_t{0};  ///< the product whose B is on the device
  bool nonnegative_b = false;
  warpfold::cuda::Stream stream;
};

/// Computes one part after another on the GPU that was current when it was made.
template <class T>
class GpuWorker {
 public:
  /// `other`: another worker of this GPU, or null.
  GpuWorker(const AccumulationBatch<T>& batch, const Parts& parts, int threads, const GpuWorker* other)
      : batch_(batch),
        device_(DeviceScope::current()),
        threads_(threads),
        shape_(shape_of(batch, parts)),
        plan_(shape_, batch.semiring, batch.argmin.first.data != nullptr),
        a_((shape_.one_a ? 1 : shape_.batch) * shape_.m * shape_.p),
        c_(shape_.batch * shape_.m * shape_.n),
        argmin_(batch.argmin.first.data ? c_.size() : 0),
        shared_(other ? other->shared_ : std::make_shared<SharedOfGpu<T>>()) {
    if (!other) shared_->b = Buffer<T>((shape_.one_b ? 1 : shape_.batch) * shape_.p * shape_.n);
  }

  static std::size_t device_bytes(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const bool argmin = batch.argmin.first.data != nullptr;
    const std::size_t of_part = Plan<T>::workspace_bytes(s, argmin) +
                                ((s.one_a ? 1 : s.batch) * s.m * s.p + s.batch * s.m * s.n) * sizeof(T) +
                                (argmin ? s.batch * s.m * s.n * sizeof(std::uint32_t) : 0);
    return parts.held * of_part + (s.one_b ? 1 : s.batch) * s.p * s.n * sizeof(T);
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
  void start(const Part& part, const SolveMonitor& monitor) {
    const DeviceScope scope(device_);
    SharedOfGpu<T>& shared = *shared_;
    const std::size_t count_of_a = shape_.one_a ? 1 : part.count(), count_of_b = shape_.one_b ? 1 : part.count();
    if (part.first != shared.b_first && !(shape_.one_b && shared.b_first != none)) {
      send(shared.b, batch_.b, part.first, count_of_b, 0, shape_.p, monitor);
      shared.nonnegative_b = is_nonnegative(batch_.b, part.first, count_of_b, 0, shape_.p);
      shared.b_first = part.first;
    }
    send(a_, batch_.a, part.first, count_of_a, part.first_row, part.end_row, monitor);
    send<T>(c_, batch_.c, part.first, part.count(), part.first_row, part.end_row, monitor);
    const bool nonnegative = shared.nonnegative_b &&
                             is_nonnegative(batch_.a, part.first, count_of_a, part.first_row, part.end_row) &&
                             is_nonnegative(batch_.c, part.first, part.count(), part.first_row, part.end_row);
    started_.record(shared.stream);
    plan_.multiply(a_.data(), shared.b.data(), c_.data(), argmin_.data(), nonnegative, shared.stream.get());
    multiplied_.record(shared.stream);
    running_ = part;
  }
  /// Copies the started part back, if there is one.
  void finish(SolveMonitor& monitor) {
    if (!running_) return;
    const DeviceScope scope(device_);
    const Part part = *std::exchange(running_, std::nullopt);
    multiplied_.wait();
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

  /// Whether it is promised that these rows have no negative values. The promise shortens a product of f32.
  template <class U>
  [[nodiscard]] bool is_nonnegative(const BatchView<U>& batch, std::size_t first, std::size_t count,
                                    std::size_t first_row, std::size_t end_row) const {
    std::atomic<bool> negative = !std::is_same_v<T, float> || batch_.semiring.kind != Semiring::min_plus;
    if constexpr (std::is_same_v<T, float>) {
      const std::size_t rows = end_row - first_row, turns = count * rows;
      parallel(threads_, [&](int thread) {
        for (auto turn = static_cast<std::size_t>(thread); turn < turns && !negative; turn += threads_) {
          const auto& matrix = batch[first + turn / rows];
          if (has_negative<float>(matrix.row(first_row + turn % rows), matrix.columns)) negative = true;
        }
      });
    }
    return !negative;
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
  Buffer<T> a_, c_;
  Buffer<std::uint32_t> argmin_;
  double seconds_ = 0;
  warpfold::cuda::Event started_, multiplied_;
  std::shared_ptr<SharedOfGpu<T>> shared_;
  std::optional<Part> running_;
};

/// Sends parts to the workers in turn. While one multiplies, the host exchanges data with the next. Returns the largest
/// time of a GPU in seconds; the first `gpus` workers are of different ones.
template <class T>
double run_parts(const AccumulationBatch<T>& batch, const Parts& parts, std::deque<GpuWorker<T>>& workers,
                 std::size_t gpus, SolveMonitor& monitor) {
  const std::size_t count = batch.c.count, rows = batch.c.first.rows;
  std::size_t turn = 0;
  for (std::size_t first = 0; first < count; first += parts.products) {
    for (std::size_t row = 0; row < rows; row += parts.rows) {
      GpuWorker<T>& worker = workers[turn++ % workers.size()];
      worker.finish(monitor);
      monitor.check();
      worker.start({first, std::min(first + parts.products, count), row, std::min(row + parts.rows, rows)}, monitor);
    }
  }
  std::vector<double> seconds(gpus);
  for (std::size_t at = 0; at < workers.size(); ++at, ++turn) {
    workers[turn % workers.size()].finish(monitor);
    seconds[turn % workers.size() % gpus] += workers[turn % workers.size()].seconds();
  }
  return *std::max_element(seconds.begin(), seconds.end());
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
    std::vector<int> indices{device.index};
    indices.insert(indices.end(), device.more.begin(), device.more.end());
    std::deque<GpuWorker<T>> workers;
    for (std::size_t at = 0; at < parts.held * indices.size(); ++at) {
      const DeviceScope there(indices[at % indices.size()]);
      const GpuWorker<T>* const other = at < indices.size() ? nullptr : &workers[at - indices.size()];
      workers.emplace_back(batch, parts, report.threads, other);
    }
    report.solve_seconds = run_parts(batch, parts, workers, indices.size(), monitor);
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
