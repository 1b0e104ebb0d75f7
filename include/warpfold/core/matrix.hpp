#pragma once

#include <cstddef>
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

}  // namespace warpfold
