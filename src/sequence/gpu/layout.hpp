#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sequence/backends.hpp"

namespace warpfold::sequence::cuda {

inline constexpr unsigned warp = 32;
inline constexpr unsigned stripes = 32 * warp;  ///< of a strip
inline constexpr unsigned chunk_columns = 32;   ///< as many as steps
inline constexpr unsigned batch_steps = 4;      ///< after which lanes hand on h
inline constexpr unsigned batches = chunk_columns / batch_steps;
/// Steps from a lane to the next one, and from the first stripe to the last. 32 stripes take 31 steps, and the last of
/// them hands on a batch later.
inline constexpr unsigned lane_steps = 31 + batch_steps;
inline constexpr unsigned lag_steps = (warp - 1) * lane_steps + 31;
inline constexpr unsigned lag = (lag_steps + chunk_columns - 1) / chunk_columns;  ///< the same in chunks
inline constexpr unsigned state_interval = 64;  ///< chunks between two kept states, at least

/// How A is cut into strips, and the memory and time that this takes.
struct Layout {
  std::uint64_t n, m;
  int planes;     ///< that the kernel works on: at least those of the codes
  int signs;      ///< words of a difference
  unsigned rows;  ///< K, of a stripe
  /// Chunks between two states of a strip that are kept for a script, a power of two; 0: none is kept.
  unsigned interval = 0;
  /// GPUs that take the strips in turn, at most as many as there are strips. Bytes and words are those of the first.
  unsigned gpus = 1;

  [[nodiscard]] std::uint64_t chunks() const;
  [[nodiscard]] std::uint64_t strips() const;
  [[nodiscard]] std::size_t packets() const;
  [[nodiscard]] std::size_t plane_words() const;
  [[nodiscard]] std::size_t rows_of_a_strip() const { return std::size_t{stripes} * rows; }
  [[nodiscard]] std::size_t kept_words() const;  ///< of all states
  [[nodiscard]] std::size_t bytes() const;
  /// On GPUs of `schedulers` in all, each of which issues the instructions of some warps.
  [[nodiscard]] double cycles(std::size_t schedulers) const;
  /// On GPUs such as the numbers were tuned on, with the walk.
  [[nodiscard]] double seconds() const;
};

/// The numbers of rows in a stripe that a kernel exists for.
[[nodiscard]] std::span<const unsigned> rows_of_kernels(int planes);

/// The layout with K = `rows`. For a script, with the shortest interval whose states take little memory.
[[nodiscard]] Layout layout_of(const Size& size, unsigned rows, unsigned gpus = 1);
/// With the K that takes least time.
[[nodiscard]] Layout layout_on(unsigned gpus, const Size& size);
[[nodiscard]] Layout layout_of(const Size& size);

}  // namespace warpfold::sequence::cuda
