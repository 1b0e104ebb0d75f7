#pragma once

#include <cstddef>
#include <optional>
#include <string>

/// What a user would use instead, for the problems of `warpfold bench all`.
namespace warpfold::app {

struct PeerTime {
  std::string name;  ///< the package, and the function if it has one for this
  double seconds = 0;
};

/// Returns the median time of the Python package that solves a random problem of that kind and size. Empty if no common
/// package does, if the `python3` of PATH does not have it, if it would take more than some seconds for that size, or
/// if it takes more than a minute.
[[nodiscard]] std::optional<PeerTime> time_of_peer(const std::string& work, std::size_t n);

}  // namespace warpfold::app
