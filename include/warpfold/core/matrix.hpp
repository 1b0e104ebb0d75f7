#pragma once

#include <cstddef>

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
};

}  // namespace warpfold
