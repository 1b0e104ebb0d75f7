#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/number_types.hpp"
#include "minplus/accepted.hpp"
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
  std::size_t held = 1;  ///< parts that a GPU holds at a time, to copy some while it multiplies one

  template <class T>
  Parts(const AccumulationBatch<T>& batch, std::size_t gpus) {
    constexpr std::size_t max_products = 65535, block_rows = 128;
    const std::size_t all = batch.c.count, all_rows = batch.c.first.rows;
    const double terms = batch.terms() / static_cast<double>(all);
    products = std::clamp<std::size_t>(static_cast<std::size_t>(cuda_terms_at_once / std::max(terms, 1.0)), 1,
                                       std::min(divide_up(all, gpus), max_products));
    const bool overlaps =
        all == 1 && all_rows >= 2 * gpus * cuda_overlap_rows && batch.c.first.columns >= cuda_overlap_columns;
    const std::size_t parts_of_gpu = overlaps ? std::min(cuda_overlap_parts, all_rows / gpus / cuda_overlap_rows) : 1;
    const double terms_of_part = cuda_terms_at_once / (overlaps && sizeof(T) > 4 ? 2 : 1);
    const double blocks = terms_of_part / std::max(terms, 1.0) * static_cast<double>(all_rows) / block_rows;
    const std::size_t max_blocks = divide_up(all_rows, (all > 1 ? 1 : gpus * parts_of_gpu) * block_rows);
    rows = products > 1
               ? all_rows
               : std::min(all_rows, block_rows * std::clamp<std::size_t>(
                                                     static_cast<std::size_t>(std::min(blocks, 1e9)), 1, max_blocks));
    count = divide_up(all, products) * divide_up(all_rows, rows);
    const double max_sent = cuda_terms_sent_at_once / (sizeof(T) > 4 ? 4 : 1);
    if (overlaps) held = terms <= max_sent ? divide_up(count, gpus) : 2;
  }
  /// Whether all parts are sent before the first result is copied back.
  [[nodiscard]] bool are_all_held(std::size_t gpus) const { return count <= gpus * held; }
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

/// What is known of the entries that were sent.
template <class T>
class SentEntries {
 public:
  explicit SentEntries(Semiring semiring) : factor_(semiring, false), result_(semiring, true) {}

  /// Inspects entries of a factor or of C. Any thread may call it.
  void inspect(std::span<const std::byte> bytes, bool is_result, std::atomic<bool>& has_negatives) {
    const T* const values = reinterpret_cast<const T*>(bytes.data());
    const std::size_t count = bytes.size() / sizeof(T);
    const auto found = (is_result ? result_ : factor_).inspect(values, count);
    if (found.refused) refused_ = true;
    if (found.negative) has_negatives = true;
  }
  /// Whether an entry is not accepted.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  Accepted<T> factor_, result_;
  std::atomic<bool> refused_ = false;
};

/// What the parts of a GPU share: their plan, their stream and B.
template <class T>
struct PartsOfGpu {
  static constexpr std::size_t none = ~std::size_t{0};

  /// For the current GPU.
  PartsOfGpu(const Shape& shape, Semiring semiring, bool with_argmin)
      : device(DeviceScope::current()), plan(shape, semiring, with_argmin), b(values_of_b(shape)) {}

  [[nodiscard]] static std::size_t values_of_b(const Shape& s) { return (s.one_b ? 1 : s.batch) * s.p * s.n; }

  int device;
  Plan<T> plan;
  Buffer<T> b;
  std::size_t b_first = none;  ///< the product whose B is on the device
  std::atomic<bool> b_has_negatives = false;
  warpfold::cuda::Stream stream;
};

/// Computes one part after another on a GPU.
template <class T>
class PartWorker {
 public:
  using Gpu = PartsOfGpu<T>;

  PartWorker(const AccumulationBatch<T>& batch, const Parts& parts, Gpu& gpu, SentEntries<T>& entries, int threads)
      : batch_(batch),
        gpu_(gpu),
        entries_(entries),
        threads_(threads),
        shape_(shape_of(batch, parts)),
        a_((shape_.one_a ? 1 : shape_.batch) * shape_.m * shape_.p),
        c_(shape_.batch * shape_.m * shape_.n),
        argmin_(batch.argmin.first.data ? c_.size() : 0) {}
  /// Work that an error has left uses the buffers.
  ~PartWorker() { cudaStreamSynchronize(gpu_.stream.get()); }
  PartWorker(const PartWorker&) = delete;
  PartWorker& operator=(const PartWorker&) = delete;

  static Shape shape_of(const AccumulationBatch<T>& batch, const Parts& parts) {
    return {parts.rows,     batch.b.first.rows, batch.c.first.columns,
            parts.products, batch.a.step == 0,  batch.b.step == 0};
  }

  /// The bytes of a GPU.
  static std::size_t device_bytes(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const bool argmin = batch.argmin.first.data != nullptr;
    const std::size_t of_part = ((s.one_a ? 1 : s.batch) * s.m * s.p + s.batch * s.m * s.n) * sizeof(T) +
                                (argmin ? s.batch * s.m * s.n * sizeof(std::uint32_t) : 0);
    return Plan<T>::workspace_bytes(s, argmin) + Gpu::values_of_b(s) * sizeof(T) + parts.held * of_part;
  }

  /// The largest size of one transfer.
  static std::size_t largest_transfer(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const std::size_t result_bytes = batch.argmin.first.data ? std::max(sizeof(T), sizeof(std::uint32_t)) : sizeof(T);
    return std::max({(s.one_a ? 1 : s.batch) * s.m * s.p * sizeof(T), Gpu::values_of_b(s) * sizeof(T),
                     s.batch * s.m * s.n * result_bytes});
  }

  /// Sends a part and starts its product, which `finish` waits for. The last part may be smaller: then the plan also
  /// multiplies zeros behind it.
  void start(const Part& part, const SolveMonitor& monitor) {
    const DeviceScope scope(gpu_.device);
    if (part.first != gpu_.b_first && !(shape_.one_b && gpu_.b_first != Gpu::none)) {
      gpu_.b_has_negatives = false;
      const Part all_rows{part.first, part.end, 0, shape_.p};
      send(gpu_.b, batch_.b, false, all_rows, shape_.one_b ? 1 : part.count(), gpu_.b_has_negatives, monitor);
      gpu_.b_first = part.first;
    }
    std::atomic<bool> has_negatives = gpu_.b_has_negatives.load();
    send(a_, batch_.a, false, part, shape_.one_a ? 1 : part.count(), has_negatives, monitor);
    send(c_, batch_.c, true, part, part.count(), has_negatives, monitor);
    started_.record(gpu_.stream);
    gpu_.plan.multiply(a_.data(), gpu_.b.data(), c_.data(), argmin_.data(), !has_negatives, gpu_.stream.get());
    multiplied_.record(gpu_.stream);
    running_ = part;
  }
  /// Copies the started part back, if there is one.
  void finish(SolveMonitor& monitor) {
    if (!running_) return;
    const DeviceScope scope(gpu_.device);
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
  void send(const Buffer<T>& to, const BatchView<const T>& from, bool is_result, const Part& part, std::size_t count,
            std::atomic<bool>& has_negatives, const SolveMonitor& monitor) {
    const auto lists = rows_of(from, part.first, count, part.first_row, part.end_row);
    upload(to.data(), std::span(lists), threads_, monitor,
           [&](std::span<const std::byte> bytes) { entries_.inspect(bytes, is_result, has_negatives); });
    const std::size_t sent = count * (part.end_row - part.first_row) * from.first.columns;
    if (sent == to.size()) return;
    const std::size_t left = (to.size() - sent) * sizeof(T);
    warpfold::cuda::check(cudaMemsetAsync(to.data() + sent, 0, left, gpu_.stream.get()), "clear memory");
  }
  template <class U>
  void take(const Buffer<U>& from, const BatchView<U>& to, const Part& part, const SolveMonitor& monitor) {
    const auto lists = rows_of(to, part.first, part.count(), part.first_row, part.end_row);
    download(from.data(), std::span(lists), threads_, monitor);
  }

  const AccumulationBatch<T>& batch_;
  Gpu& gpu_;
  SentEntries<T>& entries_;
  int threads_;
  Shape shape_;
  Buffer<T> a_, c_;
  Buffer<std::uint32_t> argmin_;
  double seconds_ = 0;
  warpfold::cuda::Event started_, multiplied_;
  std::optional<Part> running_;
};

/// Sends parts to the workers in turn, and copies a part back when its worker's turn comes again. `check` is called
/// once before the first copy.
template <class T, class Check>
void run_parts(const AccumulationBatch<T>& batch, const Parts& parts, std::deque<PartWorker<T>>& workers,
               const Check& check, SolveMonitor& monitor) {
  const std::size_t count = batch.c.count, rows = batch.c.first.rows;
  std::size_t turn = 0;
  for (std::size_t first = 0; first < count; first += parts.products) {
    for (std::size_t row = 0; row < rows; row += parts.rows, ++turn) {
      PartWorker<T>& worker = workers[turn % workers.size()];
      if (turn == workers.size()) check();
      worker.finish(monitor);
      monitor.check();
      worker.start({first, std::min(first + parts.products, count), row, std::min(row + parts.rows, rows)}, monitor);
    }
  }
  if (turn <= workers.size()) check();
  for (std::size_t last = 0; last < workers.size(); ++last) workers[(turn + last) % workers.size()].finish(monitor);
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
    const std::size_t transfer = PartWorker<T>::largest_transfer(batch, parts);
    report.threads = staging_threads(transfer, options.threads);
    const Budget::Reservation taken = context.budget.reserve(staging_bytes(transfer, options.threads));
    const std::size_t of_each = PartWorker<T>::device_bytes(batch, parts);
    context.take_device_memory(of_each, of_each);
    std::vector<int> indices{device.index};
    indices.insert(indices.end(), device.more.begin(), device.more.end());
    const bool checks_what_is_sent = parts.are_all_held(indices.size());
    if (!checks_what_is_sent) check_entries(batch, options);
    SolveMonitor monitor(options, batch.terms());
    SentEntries<T> entries(batch.semiring);
    std::deque<PartsOfGpu<T>> gpus;
    std::deque<PartWorker<T>> workers;
    for (std::size_t at = 0; at < std::min(parts.count, parts.held * indices.size()); ++at) {
      const DeviceScope there(indices[at % indices.size()]);
      if (at < indices.size()) {
        gpus.emplace_back(PartWorker<T>::shape_of(batch, parts), batch.semiring, batch.argmin.first.data != nullptr);
      }
      workers.emplace_back(batch, parts, gpus[at % gpus.size()], entries, options.threads);
    }
    run_parts(
        batch, parts, workers,
        [&] {
          if (checks_what_is_sent && entries.refused()) check_entries(batch, options);
        },
        monitor);
    std::vector<double> seconds(indices.size());
    for (std::size_t at = 0; at < workers.size(); ++at) seconds[at % indices.size()] += workers[at].seconds();
    report.solve_seconds = *std::max_element(seconds.begin(), seconds.end());
    return {};
  }
}

template <class T>
std::size_t device_bytes(const AccumulationBatch<T>& batch, const Options& options) {
  if (batch.terms() == 0) return 0;
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return 0;
  else
    return PartWorker<T>::device_bytes(batch, Parts(batch, 1 + options.device.more.size()));
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template InPlace accumulate(const AccumulationBatch<T>&, Context&); \
  template std::size_t device_bytes(const AccumulationBatch<T>&, const Options&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
