#pragma once

#include <chrono>

namespace warpfold {

/// Wall-clock seconds since `start`, as a Report gives them.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace warpfold
