#pragma once

#include <cstdint>

#include "core/choose.hpp"
#include "warpfold/core/run.hpp"
#include "warpfold/minplus/multiply.hpp"

/// What every backend offers to solve.cpp; it fills in the report. Explicitly instantiated for uint8_t, int16_t,
/// int32_t, int64_t, uint64_t, float and double.
namespace warpfold::minplus {

/// Raises what multiply raises for A, for the semiring's type, the algorithm and the device: before a power or a
/// closure.
template <class T>
void validate(Semiring semiring, const MatrixView<const T>& a, const Options& options);

/// A product that solve.cpp has validated.
template <class T>
struct Product {
  Semiring semiring;
  MatrixView<const T> a;
  MatrixView<const T> b;
  MatrixView<T> c;
  MatrixView<std::uint32_t> argmin;  ///< data is null where it is not wanted
};

/// Several of one shape.
template <class T>
struct BatchProduct {
  Semiring semiring;
  BatchView<const T> a;
  BatchView<const T> b;
  BatchView<T> c;
  BatchView<std::uint32_t> argmin;

  Product<T> operator[](std::size_t index) const { return {semiring, a[index], b[index], c[index], argmin[index]}; }
  /// Elementary operations of all.
  [[nodiscard]] double terms() const {
    return static_cast<double>(c.count) * static_cast<double>(c.first.rows) * static_cast<double>(c.first.columns) *
           static_cast<double>(b.first.rows);
  }
};

/// `run_choice` for products: the CPU begins with C as it was, where a GPU that failed halfway has changed it already.
/// (Without argmin that does not matter: a term may be taken up twice.)
template <class T>
void run_products(const BatchProduct<T>& batch, const Choice& choice, const Options& options, Report& report,
                  const std::function<void(std::size_t)>& run);

namespace reference {
template <class T>
void multiply(const BatchProduct<T>& batch, const Options& options, Report& report);
}

namespace cpu {
template <class T>
void multiply(const BatchProduct<T>& batch, const Options& options, Report& report);

/// The most bytes that `multiply` takes; where a count might not fit, `count_bytes` more.
template <class T>
std::size_t bytes_needed(const BatchProduct<T>& batch, const Options& options);
}  // namespace cpu

namespace cuda {
/// Whether this build has CUDA; the multiply of one that has not raises Error{device}.
[[nodiscard]] bool compiled();
template <class T>
void multiply(const BatchProduct<T>& batch, const Options& options, Report& report);
}  // namespace cuda

}  // namespace warpfold::minplus
