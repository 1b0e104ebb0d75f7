#pragma once

#include <cstdint>

#include "warpfold/minplus/multiply.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/run.hpp"

/// The algorithms that solve.cpp lists as backends. Explicitly instantiated for uint8_t, int16_t, int32_t, int64_t,
/// uint64_t, float and double.
namespace warpfold::minplus {

/// Raises what `multiply` raises for the semiring's type, and for the algorithm and the device at such a size.
template <class T>
void validate(Semiring semiring, const ProductSize& size, const Options& options);

/// Raises what `multiply` raises for an entry of A, B or C, which `name` tells. `part` begins at (row, column) of that
/// matrix.
template <class T>
void check_entries(char name, Semiring semiring, const MatrixView<const T>& part, const Options& options,
                   std::size_t row = 0, std::size_t column = 0);

/// A product C = plus(C, A (x) B) that solve.cpp has validated.
template <class T>
struct Accumulation {
  Semiring semiring;
  MatrixView<const T> a;
  MatrixView<const T> b;
  MatrixView<T> c;
  MatrixView<std::uint32_t> argmin;  ///< data is null where it is not wanted
};

/// Several products of one shape.
template <class T>
struct AccumulationBatch {
  Semiring semiring;
  BatchView<const T> a;
  BatchView<const T> b;
  BatchView<T> c;
  BatchView<std::uint32_t> argmin;
  /// Whether all entries are known to be accepted. Otherwise the backend checks them before it changes C.
  bool is_checked = true;

  Accumulation<T> operator[](std::size_t index) const {
    return {semiring, a[index], b[index], c[index], argmin[index]};
  }
  /// Elementary operations of all products.
  [[nodiscard]] double terms() const {
    return static_cast<double>(c.count) * static_cast<double>(c.first.rows) * static_cast<double>(c.first.columns) *
           static_cast<double>(b.first.rows);
  }
};

/// Raises what `multiply` raises for the first entry that is not accepted, unless all are known to be.
template <class T>
void check_entries(const AccumulationBatch<T>& batch, const Options& options);

/// A backend changes C in place, and has no other result.
struct InPlace {};

/// Runs `accumulate`. If it fails, C is restored. Without argmin a repeated start does not need that, because a term
/// may be applied twice.
template <class T>
void restoring(const AccumulationBatch<T>& batch, Context& context, const std::function<void()>& accumulate);

namespace reference {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);
}

namespace cpu {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);

/// The largest number of bytes that `accumulate` takes, plus `count_bytes` if a count might not fit.
template <class T>
std::size_t bytes_needed(const AccumulationBatch<T>& batch, const Options& options);
}  // namespace cpu

namespace cuda {
template <class T>
InPlace accumulate(const AccumulationBatch<T>& batch, Context& context);

/// The bytes that it takes of each GPU.
template <class T>
std::size_t device_bytes(const AccumulationBatch<T>& batch, const Options& options);
}  // namespace cuda

}  // namespace warpfold::minplus
