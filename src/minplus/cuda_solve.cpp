#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/cuda.hpp"
#include "minplus/backend.hpp"
#include "warpfold/minplus/cuda.hpp"

/// Products of matrices on the host, by a Plan.
namespace warpfold::minplus::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::use_device;
using Clock = std::chrono::steady_clock;

/// Terms of one launch: some 20 ms, so that a product can be stopped.
constexpr double terms_at_once = 0x1p38;

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
  explicit Parts(const BatchProduct<T>& batch) {
    constexpr std::size_t most_products = 65535, block_rows = 128;
    const std::size_t count = batch.c.count, all_rows = batch.c.first.rows;
    const double terms = batch.terms() / static_cast<double>(count);
    products = std::clamp<std::size_t>(static_cast<std::size_t>(terms_at_once / std::max(terms, 1.0)), 1,
                                       std::min(count, most_products));
    const double blocks = terms_at_once / std::max(terms, 1.0) * static_cast<double>(all_rows) / block_rows;
    rows = products > 1 ? all_rows
                        : std::min(all_rows, block_rows * std::max<std::size_t>(
                                                              1, static_cast<std::size_t>(std::min(blocks, 1e9))));
  }
};

/// Copies of matrices on the device, dense, one behind the other.
template <class T>
void copy(T* device, const BatchView<const T>& host, std::size_t first, std::size_t count, std::size_t first_row,
          std::size_t rows, cudaStream_t stream) {
  const std::size_t row_bytes = host.first.columns * sizeof(T);
  if (rows == 0 || row_bytes == 0) return;
  for (std::size_t index = first; index < first + count; ++index) {
    check(cudaMemcpy2DAsync(device + (index - first) * rows * host.first.columns, row_bytes, host[index].row(first_row),
                            host.first.stride * sizeof(T), row_bytes, rows, cudaMemcpyHostToDevice, stream),
          "receive a matrix");
  }
}
template <class T>
void take(const BatchView<T>& host, const T* device, const Part& part, cudaStream_t stream) {
  const std::size_t row_bytes = host.first.columns * sizeof(T);
  for (std::size_t index = part.first; index < part.end; ++index) {
    check(cudaMemcpy2DAsync(host[index].row(part.first_row), host.first.stride * sizeof(T),
                            device + (index - part.first) * part.rows() * host.first.columns, row_bytes, row_bytes,
                            part.rows(), cudaMemcpyDeviceToHost, stream),
          "send the product");
  }
}

template <class T>
bool is_nonnegative(const BatchView<const T>& batch) {
  bool negative = false;
  for (std::size_t index = 0; index < (batch.step == 0 ? 1 : batch.count); ++index) {
    for (std::size_t i = 0; i < batch.first.rows; ++i) {
      const T* row = batch[index].row(i);
      for (std::size_t j = 0; j < batch.first.columns; ++j) negative |= row[j] < 0;
    }
  }
  return !negative;
}

/// Runs a batch part by part.
template <class T>
class Run {
 public:
  Run(const BatchProduct<T>& batch, const Parts& parts)
      : batch_(batch),
        shape_(shape_of(batch, parts)),
        parts_(parts),
        plan_(shape_, batch.semiring, batch.argmin.first.data != nullptr),
        a_((shape_.one_a ? 1 : shape_.batch) * shape_.m * shape_.p),
        b_((shape_.one_b ? 1 : shape_.batch) * shape_.p * shape_.n),
        c_(shape_.batch * shape_.m * shape_.n),
        argmin_(batch.argmin.first.data ? c_.size() : 0) {}

  static std::size_t bytes(const BatchProduct<T>& batch, const Parts& parts) {
    const Shape s = shape_of(batch, parts);
    const bool argmin = batch.argmin.first.data != nullptr;
    return Plan<T>::workspace_bytes(s, argmin) +
           ((s.one_a ? 1 : s.batch) * s.m * s.p + (s.one_b ? 1 : s.batch) * s.p * s.n + s.batch * s.m * s.n) *
               sizeof(T) +
           (argmin ? s.batch * s.m * s.n * sizeof(std::uint32_t) : 0);
  }

  void all(bool nonnegative, Watch& watch) {
    const std::size_t count = batch_.c.count, rows = batch_.c.first.rows;
    for (std::size_t first = 0; first < count; first += parts_.products) {
      for (std::size_t row = 0; row < rows; row += parts_.rows) {
        watch.check();
        const Part part{first, std::min(first + parts_.products, count), row, std::min(row + parts_.rows, rows)};
        one(part, nonnegative);
        watch.advance(batch_.terms() * static_cast<double>(part.count() * part.rows()) /
                      static_cast<double>(count * rows));
      }
    }
  }

 private:
  static Shape shape_of(const BatchProduct<T>& batch, const Parts& parts) {
    return {parts.rows,     batch.b.first.rows, batch.c.first.columns,
            parts.products, batch.a.step == 0,  batch.b.step == 0};
  }

  /// The last part may be smaller: then the plan also multiplies again what the part before it left behind.
  void one(const Part& part, bool nonnegative) {
    const cudaStream_t s = stream_.get();
    copy(a_.data(), batch_.a, part.first, shape_.one_a ? 1 : part.count(), part.first_row, part.rows(), s);
    if (part.first != b_first_ && !(shape_.one_b && part.first > 0)) {
      copy(b_.data(), batch_.b, part.first, shape_.one_b ? 1 : part.count(), 0, shape_.p, s);
      b_first_ = part.first;
    }
    copy<T>(c_.data(), batch_.c, part.first, part.count(), part.first_row, part.rows(), s);
    std::uint32_t* argmin = argmin_.size() > 0 ? argmin_.data() : nullptr;
    plan_.multiply(a_.data(), b_.data(), c_.data(), argmin, nonnegative, s);
    take(batch_.c, c_.data(), part, s);
    if (argmin) take(batch_.argmin, argmin, part, s);
    stream_.synchronize();
  }

  const BatchProduct<T>& batch_;
  Shape shape_;
  Parts parts_;
  Plan<T> plan_;
  Buffer<T> a_, b_, c_;
  Buffer<std::uint32_t> argmin_;
  warpfold::cuda::Stream stream_;
  std::size_t b_first_ = ~std::size_t{0};  ///< the product whose B is on the device
};

}  // namespace

bool compiled() { return true; }

template <class T>
void multiply(const BatchProduct<T>& batch, const Options& options, Report& report) {
  report.threads = 1;
  use_device(options.device.index);
  if (batch.c.count == 0 || batch.c.first.rows == 0 || batch.c.first.columns == 0) return;
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    throw Error(ErrorKind::internal, "count has no GPU backend");
  } else {
    const auto start = Clock::now();
    const Parts parts(batch);
    report.peak_bytes = Run<T>::bytes(batch, parts);
    check_memory(options, report.peak_bytes);
    Watch watch(options, batch.terms());
    Run<T> run(batch, parts);
    const bool nonnegative = std::is_same_v<T, float> && batch.semiring.kind == Semiring::min_plus &&
                             is_nonnegative(batch.a) && is_nonnegative(batch.b) && is_nonnegative<T>(batch.c);
    report.prepare_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    run.all(nonnegative, watch);
  }
}

template void multiply(const BatchProduct<std::uint8_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int16_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int32_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::int64_t>&, const Options&, Report&);
template void multiply(const BatchProduct<std::uint64_t>&, const Options&, Report&);
template void multiply(const BatchProduct<float>&, const Options&, Report&);
template void multiply(const BatchProduct<double>&, const Options&, Report&);

}  // namespace warpfold::minplus::cuda
