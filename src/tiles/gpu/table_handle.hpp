#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace warpfold::tiles {

/// Lets another process of the same host write to a table on a GPU. Plain bytes that can be sent.
struct TableHandle {
  using Memory = std::array<char, 64>;  ///< a cudaIpcMemHandle_t

  std::array<char, 16> gpu = {};  ///< its PCI bus ID; empty if no other process may write
  Memory tables = {}, counters = {};
};

/// A table of another process that needs some of the super-tiles that this one makes.
struct TableReader {
  TableHandle handle;
  std::function<bool(std::size_t i, std::size_t j)> needs;  ///< super-tile (I,J)
};

/// Where a GPU has its tables, or its part of the only table, and the states of the first table's tiles (Job::ready).
struct TableCopy {
  std::byte* tables;
  unsigned* ready;
};

}  // namespace warpfold::tiles
