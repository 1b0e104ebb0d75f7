#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/exact_type.hpp"
#include "minplus/backends.hpp"
#include "warpfold/core/error.hpp"

/// Counting with (+,x) by products that may wrap around (u64) or round (f64).
namespace warpfold::minplus {

/// The largest number up to which the type counts exactly.
template <class T>
inline constexpr T max_count = std::is_floating_point_v<T> ? static_cast<T>(integer_limit<double> - 1)
                                                           : std::numeric_limits<T>::max();

/// The error for entry (row, column) of a product, which is above `most`.
class CountError : public Error {
 public:
  CountError(std::size_t row, std::size_t column, std::uint64_t most);

  /// Returns the error for the whole product, of which this product is the part that begins at (first_row,
  /// first_column).
  [[nodiscard]] CountError in_whole(std::size_t first_row, std::size_t first_column) const {
    return {first_row + row_, first_column + column_, most_};
  }

 private:
  std::size_t row_, column_;
  std::uint64_t most_;
};

/// Raises Error{overflow}, a CountError.
[[noreturn]] void reject_count(std::size_t i, std::size_t j, std::uint64_t most);

/// c += a * b, wrapping around or rounding.
template <class T>
using PlainProduct = std::function<void(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c)>;

/// The largest number of bytes that `count` takes of a budget: always with a modulus, and without one if a number might
/// not fit.
[[nodiscard]] std::size_t count_bytes(const Accumulation<std::uint64_t>& product);

/// Computes the exact product, or the one modulo semiring.modulus. T is uint64_t or double. Raises Error{overflow} if
/// an exact number does not fit.
void count(const Accumulation<std::uint64_t>& product, Budget& budget, const PlainProduct<std::uint64_t>& wrapping,
           const PlainProduct<double>& rounding);
void count(const Accumulation<double>& product, const PlainProduct<double>& rounding);

}  // namespace warpfold::minplus
