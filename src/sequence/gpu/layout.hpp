#pragma once

#include <cstddef>
#include <cstdint>

#include "sequence/backends.hpp"

namespace warpfold::sequence::cuda {

inline constexpr unsigned warp = 32;
inline constexpr unsigned stripes = 32 * warp;  ///< of a strip
inline constexpr unsigned columns = 2;          ///< C, of a step
inline constexpr unsigned chunk_columns = warp * columns;
inline constexpr unsigned lag = stripes / warp;  ///< chunks from the first stripe to the last

/// How A is cut into strips, and the memory and time that this takes.
struct Layout {
  std::uint64_t n, m;
  int planes;     ///< that the kernel works on: at least those of the codes
  int signs;      ///< words of a difference
  unsigned rows;  ///< K, of a stripe

  [[nodiscard]] std::uint64_t chunks() const;
  [[nodiscard]] std::uint64_t strips() const;
  [[nodiscard]] std::size_t packets() const;
  [[nodiscard]] std::size_t plane_words() const;
  [[nodiscard]] std::size_t bytes() const;
  /// On a GPU of `schedulers`, each of which issues the instructions of some warps.
  [[nodiscard]] double cycles(std::size_t schedulers) const;
};

/// The layout with the K that takes least time.
[[nodiscard]] Layout layout_of(const Size& size);

}  // namespace warpfold::sequence::cuda
