#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "paths/dense/rounds.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::paths::cuda {

/// Host memory that the device copies from and to directly while this object exists.
class Pinned {
 public:
  Pinned(void* data, std::size_t bytes) : data_(bytes > 0 ? data : nullptr) {
    if (data_) warpfold::cuda::check(cudaHostRegister(data_, bytes, cudaHostRegisterDefault), "pin memory of the host");
  }
  ~Pinned() {
    if (data_) cudaHostUnregister(data_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  void* data_;
};

/// All paths of a table that stays on the host, because the device has no room for it. `width` turns are applied at a
/// time. First only their rows and columns go to the device, where the turns are applied to them. Then the whole table
/// passes through the device, some rows at a time, for the products. A larger width means more work per transfer.
template <class T>
class Streamed {
 public:
  /// `lengths`, and `successors` (empty if not requested), as they are before the first turn.
  Streamed(MatrixView<T> lengths, MatrixView<std::uint32_t> successors, const Rounds<T>& rounds, std::size_t width);

  /// The bytes on the device.
  [[nodiscard]] static std::size_t bytes(std::size_t vertices, bool successors, std::size_t width);

  /// Applies all turns and waits. Ends early if a cycle improves. Raises what the monitor raises.
  void solve(SolveMonitor& monitor);

  /// The first vertex found on a cycle that improves without end, or no_vertex.
  [[nodiscard]] std::uint32_t vertex_on_cycle() const;

 private:
  template <class U>
  using Buffer = warpfold::cuda::Buffer<U>;
  using Stream = warpfold::cuda::Stream;

  /// Room on the device for a part of the table.
  struct Room {
    Room(std::size_t rows, std::size_t columns, bool successors)
        : lengths(rows * columns), indices(successors ? rows * columns : 0), stride(columns) {}
    [[nodiscard]] device::Part<T> part() const {
      return {lengths.data(), indices.size() > 0 ? indices.data() : nullptr, stride};
    }

    Buffer<T> lengths;
    Buffer<std::uint32_t> indices;
    std::size_t stride;
  };

  enum class Way { there, back };
  /// Copies the part of the table that begins at (row, column), up to the last vertex.
  void copy(Way way, const Room& room, std::size_t row, std::size_t column, std::size_t rows, std::size_t columns,
            const Stream& stream) const;
  template <class U>
  void copy(Way way, U* on_device, std::size_t stride, const MatrixView<U>& on_host, std::size_t row,
            std::size_t column, std::size_t rows, std::size_t columns, const Stream& stream) const;

  [[nodiscard]] device::Lines<T> lines() const;
  /// Applies the turns of the vertices first .. first + count - 1.
  void take_turns(std::size_t first, std::size_t count) const;
  /// Multiplies them with the whole table.
  void multiply(std::size_t count, const SolveMonitor& monitor) const;

  std::size_t vertices_, side_, width_;
  MatrixView<T> lengths_;
  MatrixView<std::uint32_t> successors_;
  Pinned pinned_lengths_, pinned_successors_;
  Rounds<T> rounds_;
  Room across_, down_;
  Buffer<T> rows_, columns_, rows_of_vertices_, columns_of_vertices_;
  Buffer<std::uint32_t> column_successors_;
  Buffer<unsigned> cycle_;
  std::array<Room, 3> rooms_;  ///< for rows that arrive, are multiplied, and leave
  std::array<Stream, 3> streams_;
};

}  // namespace warpfold::paths::cuda
