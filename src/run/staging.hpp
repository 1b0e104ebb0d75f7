#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/run/run.hpp"

/// Copies between the host's memory, pageable as callers have it, and a GPU's. The driver would copy such memory by one
/// thread; here several fill (or empty) pieces of pinned memory while others are on the bus. What they take:
/// docs/explanation/kernels/interval.md.
namespace warpfold::cuda {

/// Rows on the host; on the device they lie densely, one list of rows behind the other.
template <class Byte>
struct HostRows {
  Byte* data = nullptr;
  std::size_t stride = 0;  ///< bytes from a row to the next
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  /// So many bytes fewer are copied of each row than of the one before, from its beginning, and of the first as many:
  /// an entry's size for what is right of the diagonal of a square matrix. What is not copied is undefined.
  std::size_t indent = 0;

  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes; }
};

/// The entries of a matrix.
template <class T>
[[nodiscard]] auto rows_of(const MatrixView<T>& matrix) {
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return HostRows<Byte>{reinterpret_cast<Byte*>(matrix.data), matrix.stride * sizeof(T), matrix.columns * sizeof(T),
                        matrix.rows};
}

/// How many threads a transfer keeps busy, of those that are allowed.
[[nodiscard]] int staging_threads(std::size_t bytes, int threads);

/// The pinned memory of a transfer of `bytes`.
[[nodiscard]] std::size_t staging_bytes(std::size_t bytes, int threads);

/// Copies all lists to the current device, and returns when everything has arrived. Raises what `monitor` raises.
void upload(void* device, std::span<const HostRows<const std::byte>> lists, int threads, const SolveMonitor& monitor);

/// Copies what lies on the current device to all lists, whose `indent` is 0. Raises what `monitor` raises.
void download(const void* device, std::span<const HostRows<std::byte>> lists, int threads, const SolveMonitor& monitor);

/// The same for one list.
inline void upload(void* device, const HostRows<const std::byte>& rows, int threads, const SolveMonitor& monitor) {
  upload(device, std::span(&rows, 1), threads, monitor);
}
inline void download(const void* device, const HostRows<std::byte>& rows, int threads, const SolveMonitor& monitor) {
  download(device, std::span(&rows, 1), threads, monitor);
}

}  // namespace warpfold::cuda
