#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace warpfold {

/// A row-major matrix that somebody else owns: entry (i, j) is data[i * stride + j], stride >= columns.
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

/// Raises Error{usage} that names the matrix where its entries cannot lie as the view says: a stride below its columns,
/// no data, or an end that no address reaches. Public calls that take a view begin with it.
void check_view(std::string_view name, const void* data, std::size_t rows, std::size_t columns, std::size_t stride,
                std::size_t entry_bytes);

template <class T>
void check_view(std::string_view name, const MatrixView<T>& view) {
  check_view(name, view.data, view.rows, view.columns, view.stride, sizeof(T));
}

}  // namespace warpfold
