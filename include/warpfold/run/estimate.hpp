#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpfold {

/// What a solve takes: its algorithm, wall-clock seconds, and the most bytes of the host's memory that it holds besides
/// the caller's data (Report::peak_bytes), and of a GPU's (Report::peak_device_bytes).
struct ResourceEstimate {
  std::string algorithm;
  double seconds = 0;
  std::size_t bytes = 0;
  std::size_t device_bytes = 0;
};

/// What a solve would take, told before it. Seconds are of this machine where a small problem could be timed, else of
/// the one that tuning.hpp names.
struct Estimate : ResourceEstimate {
  double operations = 0;  ///< elementary ones of the recurrence; 0 where they cannot be told beforehand
  /// Set where the instance decides how far the first algorithm goes: the needs are then the least, and these the most,
  /// with the algorithm that runs where the first one gives up.
  std::optional<ResourceEstimate> worst_case = {};
};

}  // namespace warpfold
