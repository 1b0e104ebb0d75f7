#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/run/run.hpp"

/// Copies between a GPU and pageable host memory. The driver would copy such memory by one thread. Here several threads
/// fill or empty pieces of pinned memory while other pieces are on the bus. The rates are in
/// docs/explanation/kernels/interval.md.
namespace warpfold::cuda {

/// Rows in host memory. On the device they are contiguous, one list of rows after the other.
template <class Byte>
struct HostRows {
  Byte* data = nullptr;
  std::size_t stride = 0;  ///< bytes from one row to the next
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  /// Row r omits its first (r + 1) * indent bytes from the copy. For the entries right of a square matrix's diagonal,
  /// `indent` is the size of an entry. Omitted bytes are undefined on the device. The bus omits most of them.
  std::size_t indent = 0;

  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes; }
};

/// The rows of a matrix.
template <class T>
[[nodiscard]] auto rows_of(const MatrixView<T>& matrix) {
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return HostRows<Byte>{reinterpret_cast<Byte*>(matrix.data), matrix.stride * sizeof(T), matrix.columns * sizeof(T),
                        matrix.rows};
}

/// The threads that a transfer of `bytes` keeps busy, of the `threads` that are allowed.
[[nodiscard]] int staging_threads(std::size_t bytes, int threads);

/// The bytes of pinned memory of a transfer of `bytes`.
[[nodiscard]] std::size_t staging_bytes(std::size_t bytes, int threads);

/// Reads whole entries of a piece that is on its way. Several threads call it at a time.
using Inspect = std::function<void(std::span<const std::byte> entries)>;

/// Copies all lists to the current device. Returns after everything has arrived. Raises what `monitor` raises.
/// `inspect`, if there is one, reads every byte while it is in the cache; the lists then have no indent.
void upload(void* device, std::span<const HostRows<const std::byte>> lists, int threads, const SolveMonitor& monitor,
            const Inspect& inspect = {});

/// Copies from the current device to all lists, whose `indent` must be 0. Raises what `monitor` raises.
void download(const void* device, std::span<const HostRows<std::byte>> lists, int threads, const SolveMonitor& monitor);

/// Copies one list.
inline void upload(void* device, const HostRows<const std::byte>& rows, int threads, const SolveMonitor& monitor) {
  upload(device, std::span(&rows, 1), threads, monitor);
}
inline void download(const void* device, const HostRows<std::byte>& rows, int threads, const SolveMonitor& monitor) {
  download(device, std::span(&rows, 1), threads, monitor);
}

}  // namespace warpfold::cuda
