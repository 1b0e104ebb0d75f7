#include "warpfold/minplus/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/number_types.hpp"
#include "minplus/backends.hpp"
#include "minplus/square.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {

namespace {

/// A sequence of products of n x n matrices, reported as one run.
template <class T>
class Products {
 public:
  Products(Semiring semiring, std::size_t n, double max_products, const Options& options)
      : semiring_(semiring),
        n_(n),
        options_(options),
        budget_(options),
        taken_(budget_.reserve(own_bytes(n))),
        matrix_(n, n),
        next_(n, n) {
    options_.budget = &budget_;
    report_.device = "cpu";
    report_.algorithm = "tiled";
    if (!options.progress) return;
    const double terms = std::max(1.0, static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n));
    options_.progress = [this, terms, max_products, tell = options.progress](const Progress& progress) {
      tell({static_cast<double>(done_) * terms + progress.done, max_products * terms});
    };
  }

  /// The bytes of the matrix and of the next one.
  [[nodiscard]] static std::size_t own_bytes(std::size_t n) { return 2 * n * n * sizeof(T); }

  Matrix<T>& matrix() { return matrix_; }

  void assign(const MatrixView<const T>& from) {
    for (std::size_t i = 0; i < n_; ++i) std::copy_n(from.row(i), n_, matrix_.view().row(i));
  }
  void assign_one() {
    matrix_ = Matrix<T>(n_, n_, semiring_.zero<T>());
    for (std::size_t i = 0; i < n_; ++i) matrix_(i, i) = semiring_.one<T>();
  }

  /// matrix = matrix (x) right.
  void multiply_by(const MatrixView<const T>& right) {
    std::fill_n(next_.view().data, n_ * n_, semiring_.zero<T>());
    const Report report = accumulate<T>(semiring_, matrix_.view(), right, next_.view(), options_);
    ++done_;
    add_part(report_, report);
    if (!report.fallback_reason.empty()) options_.device = {Device::Kind::cpu, 0};  // the GPU would fail again
    std::swap(matrix_, next_);
  }
  /// As above. Errors name the power that does not fit.
  void multiply_by(const MatrixView<const T>& right, std::uint64_t exponent) try {
    multiply_by(right);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::overflow) throw;
    throw Error(error.kind(), fmt::format("in power {}: {}", exponent, error.what()));
  }

  Outcome<Matrix<T>> finish() {
    report_.peak_bytes = budget_.peak();
    return {std::move(matrix_), report_};
  }

 private:
  Semiring semiring_;
  std::size_t n_;
  Options options_;
  Budget budget_;
  Budget::Reservation taken_;
  Matrix<T> matrix_;
  Matrix<T> next_;
  Report report_;
  int done_ = 0;
};

std::size_t products_of_power(std::uint64_t k) {
  if (k < 2) return k;
  return static_cast<std::size_t>(std::bit_width(k) - 1 + std::popcount(k) - 1);
}

}  // namespace

template <class T>
Estimate estimate_power(Semiring semiring, std::size_t n, std::uint64_t k, const Options& options) {
  const auto products = static_cast<double>(products_of_power(k));
  Estimate expected = estimate<T>(semiring, {n, n, n}, false, options);
  for (double* of_each : {&expected.operations, &expected.seconds}) *of_each *= products;
  expected.bytes += Products<T>::own_bytes(n);
  if (!expected.worst_case) return expected;
  expected.worst_case->seconds *= products;
  expected.worst_case->bytes += Products<T>::own_bytes(n);
  return expected;
}

template <class T>
Outcome<Matrix<T>> power(Semiring semiring, MatrixView<const T> a, std::uint64_t k, const Options& options) {
  check_square(a);
  validate<T>(semiring, {a.rows, a.rows, a.rows}, options);
  check_entries<T>('A', semiring, a, options);
  const int squarings = k < 2 ? 0 : static_cast<int>(std::bit_width(k)) - 1;
  Products<T> products(semiring, a.rows, static_cast<double>(std::max<std::size_t>(1, products_of_power(k))), options);
  if (k < 2) {
    products.assign_one();
    if (k == 1) products.multiply_by(a);
    if (k == 0) SolveMonitor(options, 1).advance(1);  // there is no product that reports it
    return products.finish();
  }
  products.assign(a);
  for (int bit = squarings - 1; bit >= 0; --bit) {
    products.multiply_by(products.matrix().view(), k >> bit & ~std::uint64_t{1});
    if (k >> bit & 1) products.multiply_by(a, k >> bit);
  }
  return products.finish();
}

#define WARPFOLD_INSTANTIATE(T)                                                                    \
  template Outcome<Matrix<T>> power(Semiring, MatrixView<const T>, std::uint64_t, const Options&); \
  template Estimate estimate_power<T>(Semiring, std::size_t, std::uint64_t, const Options&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus
