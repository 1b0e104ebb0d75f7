#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/magnitude.hpp"
#include "minplus/backends.hpp"
#include "minplus/tuning.hpp"
#include "run/staging.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

/// Products of matrices on the host, by a Plan.
namespace warpfold::minplus::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::staging_bytes;
using warpfold::cuda::staging_threads;

/// Products of a batch [first, end), or of one product the rows [first_row, end_row): what one launch takes.
struct Part {
  std::size_t first, end;
  std::size_t first_row, end_row;

  [[nodiscard]] std::size_t count() const { return end - first; }
  [[nodiscard]] std::size_t rows() const { return end_row - first_row; }
};

/// The sizes of the largest part.
struct Parts {
  std::size_t products;  ///< at once
  std::size_t rows;      ///< of each

  template <class T>
  explicit Parts(const AccumulationBatch<T>& batch) {
    constexpr std::size_t most_products = 65535, block_rows = 128;
    const std::size_t count = batch.c.count, all_rows = batch.c.first.rows;
    const double terms = batch.terms() / static_cast<double>(count);
    products = std::clamp<std::size_t>(static_cast<std::size_t>(cuda_terms_at_once / std::max(terms, 1.0)), 1,
                                       std::min(count, most_products));
    const double blocks = cuda_terms_at_once / std::max(terms, 1.0) * static_cast<double>(all_rows) / block_rows;
    rows = products > 1 ? all_rows
                        : std::min(all_rows, block_rows * std::max<std::size_t>(
                                                              1, static_cast<std::size_t>(std::min(blocks, 1e9))));
  }
};

/// Rows [first_row, end_row) of the first `count` matrices of a batch from `first` on, as they are copied.
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

/// Runs a batch part by part.
template <class T>
class Run {
 public:
  Run(const AccumulationBatch<T>& batch, const Parts& parts, int threads)
      : batch_(batch),
        threads_(threads),
        shape_(shape_of(batch, parts)),
        parts_(parts),
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

  /// Of what one transfer takes, the most.
  static std::size_t largest_transfer(const AccumulationBatch<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const std::size_t result_bytes = batch.argmin.first.data ? std::max(sizeof(T), sizeof(std::uint32_t)) : sizeof(T);
    return std::max({(s.one_a ? 1 : s.batch) * s.m * s.p * sizeof(T), (s.one_b ? 1 : s.batch) * s.p * s.n * sizeof(T),
                     s.batch * s.m * s.n * result_bytes});
  }

  void all(bool nonnegative, Watch& watch) {
    const std::size_t count = batch_.c.count, rows = batch_.c.first.rows;
    for (std::size_t first = 0; first < count; first += parts_.products) {
      for (std::size_t row = 0; row < rows; row += parts_.rows) {
        watch.check();
        const Part part{first, std::min(first + parts_.products, count), row, std::min(row + parts_.rows, rows)};
        one(part, nonnegative, watch);
        watch.advance(batch_.terms() * static_cast<double>(part.count() * part.rows()) /
                      static_cast<double>(count * rows));
      }
    }
  }
  /// Of the device, without the ways there and back.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static Shape shape_of(const AccumulationBatch<T>& batch, const Parts& parts) {
    return {parts.rows,     batch.b.first.rows, batch.c.first.columns,
            parts.products, batch.a.step == 0,  batch.b.step == 0};
  }

  /// The last part may be smaller: then the plan also multiplies again what the part before it left behind.
  void one(const Part& part, bool nonnegative, const Watch& watch) {
    send(a_, batch_.a, part.first, shape_.one_a ? 1 : part.count(), part.first_row, part.end_row, watch);
    if (part.first != b_first_ && !(shape_.one_b && part.first > 0)) {
      send(b_, batch_.b, part.first, shape_.one_b ? 1 : part.count(), 0, shape_.p, watch);
      b_first_ = part.first;
    }
    send<T>(c_, batch_.c, part.first, part.count(), part.first_row, part.end_row, watch);
    started_.record(stream_);
    plan_.multiply(a_.data(), b_.data(), c_.data(), argmin_.data(), nonnegative, stream_.get());
    multiplied_.record(stream_);
    stream_.synchronize();
    seconds_ += seconds_between(started_, multiplied_);
    take(c_, batch_.c, part, watch);
    if (argmin_.size() > 0) take(argmin_, batch_.argmin, part, watch);
  }

  template <class U>
  void send(const Buffer<U>& to, const BatchView<const U>& from, std::size_t first, std::size_t count,
            std::size_t first_row, std::size_t end_row, const Watch& watch) {
    const auto lists = rows_of(from, first, count, first_row, end_row);
    upload(to.data(), std::span(lists), threads_, watch);
  }
  template <class U>
  void take(const Buffer<U>& from, const BatchView<U>& to, const Part& part, const Watch& watch) {
    const auto lists = rows_of(to, part.first, part.count(), part.first_row, part.end_row);
    download(from.data(), std::span(lists), threads_, watch);
  }

  const AccumulationBatch<T>& batch_;
  int threads_;
  Shape shape_;
  Parts parts_;
  Plan<T> plan_;
  Buffer<T> a_, b_, c_;
  Buffer<std::uint32_t> argmin_;
  double seconds_ = 0;
  warpfold::cuda::Event started_, multiplied_;
  warpfold::cuda::Stream stream_;
  std::size_t b_first_ = ~std::size_t{0};  ///< the product whose B is on the device
};

}  // namespace

template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    throw Error(ErrorKind::internal, "plus-times has no GPU backend");
  } else {
    const Options& options = context.options;
    Report& report = context.report;
    const DeviceScope scope(options.device.index);
    const Parts parts(batch);
    const std::size_t transfer = Run<T>::largest_transfer(batch, parts);
    report.threads = staging_threads(transfer, options.threads);
    report.peak_device_bytes = Run<T>::device_bytes(batch, parts);
    const Budget::Share taken = context.budget.take(staging_bytes(transfer, options.threads));
    check_device_memory(options, report.peak_device_bytes);
    Watch watch(options, batch.terms());
    Run<T> run(batch, parts, options.threads);
    bool nonnegative = false;  // promised where it shortens the product
    if constexpr (std::is_same_v<T, float>) {
      nonnegative = batch.semiring.kind == Semiring::min_plus && is_nonnegative(batch.a, report.threads) &&
                    is_nonnegative(batch.b, report.threads) && is_nonnegative<T>(batch.c, report.threads);
    }
    run.all(nonnegative, watch);
    report.solve_seconds = run.seconds();
    return {};
  }
}

template InPlace accumulate(const AccumulationBatch<std::uint8_t>&, Context&);
template InPlace accumulate(const AccumulationBatch<std::int16_t>&, Context&);
template InPlace accumulate(const AccumulationBatch<std::int32_t>&, Context&);
template InPlace accumulate(const AccumulationBatch<std::int64_t>&, Context&);
template InPlace accumulate(const AccumulationBatch<std::uint64_t>&, Context&);
template InPlace accumulate(const AccumulationBatch<float>&, Context&);
template InPlace accumulate(const AccumulationBatch<double>&, Context&);

}  // namespace warpfold::minplus::cuda
