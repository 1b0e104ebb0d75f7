#pragma once

#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold {

/// A row-major matrix in memory that the view does not own: entry (i, j) is data[i * stride + j], stride >= columns.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  T& operator()(std::size_t i, std::size_t j) const { return data[i * stride + j]; }
  T* row(std::size_t i) const { return data + i * stride; }
  template <class U>  // a plain operator would make nvcc warn for T that are const already
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) operator MatrixView<U>() const {
    return {data, rows, columns, stride};
  }
};

/// Raises Error{memory_limit} for a matrix of rows x columns that memory cannot hold.
[[noreturn]] void reject_entries(std::size_t rows, std::size_t columns);

/// Raises Error{usage} if `values` differs from rows * columns.
void check_values(std::size_t rows, std::size_t columns, std::size_t values);

/// Returns rows * columns. Raises Error{memory_limit} if so many entries exceed the address space.
[[nodiscard]] std::size_t entry_count(std::size_t rows, std::size_t columns, std::size_t entry_bytes);

/// A row-major matrix that owns its entries.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  /// Sets every entry to `value`. Raises Error{memory_limit} if memory cannot hold the entries.
  Matrix(std::size_t rows, std::size_t columns, T value = {})
      : rows_(rows), columns_(columns), values_(filled(rows, columns, value)) {}

  Matrix(const Matrix&) = default;
  Matrix& operator=(const Matrix&) = default;
  /// Leaves `other` without entries.
  Matrix(Matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)),
        columns_(std::exchange(other.columns_, 0)),
        values_(std::exchange(other.values_, {})) {}
  Matrix& operator=(Matrix&& other) noexcept {
    rows_ = std::exchange(other.rows_, 0);
    columns_ = std::exchange(other.columns_, 0);
    values_ = std::exchange(other.values_, {});
    return *this;
  }
  ~Matrix() = default;

  /// Takes the values row by row. Raises Error{usage} if their number differs from rows * columns.
  [[nodiscard]] static Matrix of(std::size_t rows, std::size_t columns, std::vector<T> values) {
    check_values(rows, columns, values.size());
    Matrix matrix;
    matrix.rows_ = rows;
    matrix.columns_ = columns;
    matrix.values_ = std::move(values);
    return matrix;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] const std::vector<T>& values() const& { return values_; }
  [[nodiscard]] std::vector<T> values() && { return std::move(values_); }
  [[nodiscard]] T& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  [[nodiscard]] const T& operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }
  [[nodiscard]] MatrixView<T> view() { return {values_.data(), rows_, columns_, columns_}; }
  [[nodiscard]] MatrixView<const T> view() const { return {values_.data(), rows_, columns_, columns_}; }

  bool operator==(const Matrix&) const = default;

 private:
  static std::vector<T> filled(std::size_t rows, std::size_t columns, const T& value) try {
    return std::vector<T>(entry_count(rows, columns, sizeof(T)), value);
  } catch (const std::bad_alloc&) {
    reject_entries(rows, columns);
  }

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<T> values_;
};

/// Raises Error{usage} that names the matrix if the view is impossible: a stride below its columns, null data, or an
/// end beyond the address space. A view without entries passes. Public calls that take a view begin with this check.
void check_view(std::string_view name, const void* data, std::size_t rows, std::size_t columns, std::size_t stride,
                std::size_t entry_bytes);

/// Checks a typed view.
template <class T>
void check_view(std::string_view name, const MatrixView<T>& view) {
  check_view(name, view.data, view.rows, view.columns, view.stride, sizeof(T));
}

}  // namespace warpfold
