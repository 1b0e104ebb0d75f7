#pragma once

namespace warpfold::fuzz {

/// The driver's counts for one input.
struct Tally {
  bool on_gpu = false;  ///< whether its problem was also solved on a GPU
  bool large = false;   ///< whether it reached a GPU's tiled kernels
};
inline Tally tally;

}  // namespace warpfold::fuzz
