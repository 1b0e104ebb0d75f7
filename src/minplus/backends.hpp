#pragma once

#include <cstdint>

#include "warpfold/minplus/multiply.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/run.hpp"

/// What solve.cpp declares as backends. Explicitly instantiated for uint8_t, int16_t, int32_t, int64_t, uint64_t, float
/// and double.
namespace warpfold::minplus {

/// Raises what multiply raises for the semiring's type, and for the algorithm and the device at such a size.
template <class T>
void validate(Semiring semiring, const ProductSize& size, const Options& options);

/// Raises what multiply raises for an entry of A, B or C, as `name` says; `part` begins at (row, column) of it.
template <class T>
void check_entries(char name, Semiring semiring, const MatrixView<const T>& part, const Options& options,
                   std::size_t row = 0, std::size_t column = 0);

/// C = plus(C, A (x) B), which solve.cpp has validated.
template <class T>
struct Accumulation {
  Semiring semiring;
  MatrixView<const T> a;
  MatrixView<const T> b;
  MatrixView<T> c;
  MatrixView<std::uint32_t> argmin;  ///< data is null where it is not wanted
};

/// Several of one shape.
template <class T>
struct AccumulationBatch {
  Semiring semiring;
  BatchView<const T> a;
  BatchView<const T> b;
  BatchView<T> c;
  BatchView<std::uint32_t> argmin;

  Accumulation<T> operator[](std::size_t index) const {
    return {semiring, a[index], b[index], c[index], argmin[index]};
  }
  /// Elementary operations of all.
  [[nodiscard]] double terms() const {
    return static_cast<double>(c.count) * static_cast<double>(c.first.rows) * static_cast<double>(c.first.columns) *
           static_cast<double>(b.first.rows);
  }
};

/// A backend's result is what it did to C.
struct InPlace {};

/// Runs `accumulate`; where that fails, C is as it was (without argmin that does not matter to whoever begins again: a
/// term may be taken up twice).
template <class T>
void restoring(const AccumulationBatch<T>& batch, Context& context, const std::function<void()>& accumulate);

namespace reference {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);
}

namespace cpu {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);

/// The most bytes that `accumulate` takes; where a count might not fit, `count_bytes` more.
template <class T>
std::size_t bytes_needed(const AccumulationBatch<T>& batch, const Options& options);
}  // namespace cpu

namespace cuda {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);

/// What it takes of each GPU.
template <class T>
std::size_t device_bytes(const AccumulationBatch<T>& batch, const Options& options);
}  // namespace cuda

}  // namespace warpfold::minplus
