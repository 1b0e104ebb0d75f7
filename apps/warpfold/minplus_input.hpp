#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/number_types.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/npy.hpp"

/// The matrices of `minplus`, for the command and its verifier.
namespace warpfold::app {

/// A product of m x p and p x n, or a batch of them.
struct ProductShape {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t batch = 1;
  std::size_t a_count = 1;  ///< 1 if the whole batch uses the same matrix
  std::size_t b_count = 1;
  bool is_batch = false;     ///< whether a file has three dimensions
  bool a_is_vector = false;  ///< A is a row, or B a column; the product lacks that dimension
  bool b_is_vector = false;

  /// The number of entries of the whole product. Raises Error{memory_limit} if no memory can hold them.
  [[nodiscard]] std::size_t entries() const;

  /// The dimensions of the product in a file.
  [[nodiscard]] std::vector<std::size_t> extents() const;
};

/// The shape of a product. Raises Error{input} for an array that is not a matrix or a batch, and for factors that do
/// not fit together.
[[nodiscard]] ProductShape shape_of_product(const io::NpyArray& a, const io::NpyArray& b);
[[nodiscard]] ProductShape shape_of_power(const io::NpyArray& a);

/// Calls visit(T{}) for the type of that name. Raises Error{usage} for any other name.
template <class Visit>
auto with_minplus_dtype(const std::string& dtype, const Visit& visit) {
  return with_type_named(dtype, SemiringTypes(), visit, [&] {
    throw Error(
        ErrorKind::usage,
        fmt::format("dtype '{}' is not accepted here: i16, i32, i64, f32, f64, u8 (or-and) or u64 (count) is", dtype));
  });
}

}  // namespace warpfold::app
