#pragma once

namespace warpfold::fuzz {

/// What the driver counts of one input.
struct Tally {
  bool on_gpu = false;  ///< its problem was solved on a GPU, too
  bool large = false;   ///< and is one of those that reach a GPU's tiled kernels
};
inline Tally tally;

}  // namespace warpfold::fuzz
