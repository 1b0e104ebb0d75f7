#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace warpfold::tiles {

/// What lets another process of the same host write to a table on a GPU: bytes that may be sent.
struct TableHandle {
  using Memory = std::array<char, 64>;  ///< a cudaIpcMemHandle_t

  std::array<char, 16> gpu = {};  ///< its PCI bus; empty where nobody else may write
  Memory tables = {}, counters = {};
};

/// A table of another process that needs some of what this one makes.
struct TableReader {
  TableHandle handle;
  std::function<bool(std::size_t i, std::size_t j)> needs;  ///< super-tile (I,J)
};

}  // namespace warpfold::tiles
