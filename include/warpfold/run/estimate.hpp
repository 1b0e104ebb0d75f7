#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpfold {

/// What a solve needs: its algorithm, wall-clock seconds, and peak memory in bytes. `bytes` is host memory besides the
/// caller's data (Report::peak_bytes), `device_bytes` is the memory of one GPU (Report::peak_device_bytes).
struct ResourceEstimate {
  std::string algorithm;
  double seconds = 0;
  std::size_t bytes = 0;
  std::size_t device_bytes = 0;
};

/// The prediction of a solve. The seconds are measured on this machine if a small problem can stand for a large one.
/// Otherwise they come from tuning.hpp, which names the machine they were measured on.
struct Estimate : ResourceEstimate {
  double operations = 0;  ///< elementary operations of the recurrence; 0 if unknown before the solve
  /// Set if the data decides how far the first algorithm goes. The members above are then its minimum, and these the
  /// worst case. The worst case includes the algorithm that runs if the first one gives up.
  std::optional<ResourceEstimate> worst_case = {};
};

}  // namespace warpfold
