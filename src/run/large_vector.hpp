#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "warpfold/core/matrix.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/run.hpp"

/// Large arrays: memory is first touched at about 2 GB/s. These functions work piece by piece, so that a stop or a time
/// limit is answered meanwhile. They use huge pages, which are mapped and freed several times faster.
namespace warpfold {

/// Calls body(first, last) for consecutive pieces of 0 .. size-1, each at most 16 MiB of T. Checks the monitor before
/// each piece.
template <class T, class Body>
void in_pieces(std::size_t size, const SolveMonitor& monitor, const Body& body) {
  constexpr std::size_t piece = (std::size_t{16} << 20) / sizeof(T);
  for (std::size_t first = 0; first < size; first += piece) {
    monitor.check();
    body(first, std::min(size, first + piece));
  }
}

/// Appends copies of `value` until there are `size` values.
template <class T>
void grow(std::vector<T>& values, std::size_t size, const T& value, const SolveMonitor& monitor) {
  values.reserve(size);
  advise_huge_pages(values.data(), size * sizeof(T));
  const std::size_t old = values.size();
  in_pieces<T>(size - old, monitor, [&](std::size_t, std::size_t last) { values.resize(old + last, value); });
}

/// A matrix with `value` in every entry.
template <class T>
Matrix<T> filled_matrix(std::size_t rows, std::size_t columns, const T& value, const SolveMonitor& monitor) {
  std::vector<T> values;
  grow(values, entry_count(rows, columns, sizeof(T)), value, monitor);
  return Matrix<T>::of(rows, columns, std::move(values));
}

/// Sets every value of a range.
template <class T>
void fill(std::span<T> values, const T& value, const SolveMonitor& monitor) {
  in_pieces<T>(values.size(), monitor,
               [&](std::size_t first, std::size_t last) { std::fill(&values[first], values.data() + last, value); });
}

}  // namespace warpfold
