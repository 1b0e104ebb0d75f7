#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/io/npy.hpp"

namespace warpfold::app {

/// Writes the entries of a matrix or of a batch. Those of or-and are Booleans.
template <class T>
void write_values(const std::string& path, const std::vector<T>& values, const std::vector<std::size_t>& extents) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    io::write_npy_bool(path, values, extents);
  } else {
    io::write_npy<T>(path, values, extents);
  }
}

}  // namespace warpfold::app
