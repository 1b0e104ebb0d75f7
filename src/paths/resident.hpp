#pragma once

#include <cstddef>
#include <cstdint>

#include "paths/rounds.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::paths::cuda {

using minplus::Semiring;

/// The lengths of all paths on the current device, with their successors where they are wanted: from the edges to the
/// answer they stay there. T is int32_t, int64_t, float or double; bits: resident_bits.hpp.
template <class T>
class Resident {
 public:
  Resident(std::size_t vertices, Semiring semiring, bool successors);

  [[nodiscard]] static std::size_t bytes(std::size_t vertices, bool successors);

  /// The edges of rows [first, first + rows), dense on the device: before `solve` all rows, in any order.
  void take_edges(const T* edges, std::size_t first, std::size_t rows);

  /// Takes all turns and waits: their seconds on the device. Raises what the watch does.
  double solve(Watch& watch);

  /// The first vertex found to be on a cycle that improves without end, or no_vertex.
  [[nodiscard]] std::uint32_t vertex_on_cycle() const;

  /// Rows of the answer, dense on the device, where they are once this returns.
  void give_lengths(T* lengths, std::size_t first, std::size_t rows) const;
  void give_successors(std::uint32_t* successors, std::size_t first, std::size_t rows) const;

 private:
  template <class U>
  using Buffer = warpfold::cuda::Buffer<U>;

  [[nodiscard]] device::Part<T> table() const;
  [[nodiscard]] device::Lines<T> lines() const;
  [[nodiscard]] bool wants_successors() const { return successors_.size() > 0; }
  [[nodiscard]] unsigned word(std::size_t index) const;

  std::size_t vertices_, side_;
  Semiring semiring_;
  std::size_t width_;  ///< turns of one product
  Buffer<T> lengths_, rows_, columns_;
  Buffer<std::uint32_t> successors_, column_successors_;
  Buffer<unsigned> words_;  ///< the vertex on a cycle, and whether a length is below 0
  warpfold::cuda::Stream stream_;
};

}  // namespace warpfold::paths::cuda
