#pragma once

#include <cstddef>
#include <cstdint>

#include "sequence/backends.hpp"

namespace warpfold::sequence::slices {

/// The cells of the kernel in registers: what no arrangement of them exceeds. As in the kernel, A's planes are loaded
/// once for C columns, through ports that the operations do not use.
struct CeilingLoop {
  double cells;          ///< of one call
  std::uint64_t result;  ///< of all cells, so that a compiler keeps them
};

/// Runs `rounds` rounds, each of some columns of one vector of rows, for 2, 5 or 8 planes: the fewest that hold
/// `planes`.
[[nodiscard]] CeilingLoop run_ceiling_loop(Measure measure, std::size_t planes, std::size_t rounds);

}  // namespace warpfold::sequence::slices
