#pragma once

#include <bit>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "run/cuda.hpp"
#include "tiles/exchange/table_places.hpp"
#include "tiles/exchange/tile_tickets.hpp"
#include "tiles/gpu/device_run.hpp"
#include "tiles/gpu/table_handle.hpp"

/// Tables of other processes, to which a kernel here writes as to its own GPU's.
namespace warpfold::tiles::device {

/// For other processes: an empty one where this system gives none.
[[nodiscard]] inline TableHandle handle_of(const TableCopy& table) {
  static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(TableHandle::Memory));
  TableHandle handle;
  cudaIpcMemHandle_t tables, counters;
  const bool given = cudaIpcGetMemHandle(&tables, table.tables) == cudaSuccess &&
                     cudaIpcGetMemHandle(&counters, table.ready - first_ready) == cudaSuccess &&
                     cudaDeviceGetPCIBusId(handle.gpu.data(), static_cast<int>(handle.gpu.size()),
                                           warpfold::cuda::DeviceScope::current()) == cudaSuccess;
  cudaGetLastError();  // what is not given is no failure
  if (!given) return {};
  handle.tables = std::bit_cast<TableHandle::Memory>(tables);
  handle.counters = std::bit_cast<TableHandle::Memory>(counters);
  return handle;
}

/// Whether a kernel of the current device may write to the memory of that GPU, and count there: it is the same, or
/// NVLink joins them.
[[nodiscard]] inline bool reaches(const TableHandle& handle) {
  int gpu = 0, counts = 0;
  const int own = warpfold::cuda::DeviceScope::current();
  const bool known =
      handle.gpu.front() != '\0' && cudaDeviceGetByPCIBusId(&gpu, handle.gpu.data()) == cudaSuccess &&
      (gpu == own || cudaDeviceGetP2PAttribute(&counts, cudaDevP2PAttrNativeAtomicSupported, own, gpu) == cudaSuccess);
  cudaGetLastError();
  return known && (gpu == own || counts != 0);
}

/// Those that are open, on the device that was current then. It ends before one of them does, and once nothing here
/// writes there.
class PeerTables {
 public:
  /// Takes a reader up, unless its memory cannot be reached from the current device; says whether it has.
  bool open(const TableReader& reader) {
    if (peers_.size() == max_further_copies || !reaches(reader.handle)) return false;
    Peer peer{Memory(reader.handle.tables), Memory(reader.handle.counters), reader.needs};
    if (!peer.tables.data() || !peer.counters.data()) return false;
    peers_.push_back(std::move(peer));
    return true;
  }

  /// In the order in which they were taken up.
  [[nodiscard]] std::vector<TableCopy> copies() const {
    std::vector<TableCopy> all;
    for (const Peer& peer : peers_) {
      all.push_back({peer.tables.data(), reinterpret_cast<unsigned*>(peer.counters.data()) + first_ready});
    }
    return all;
  }

  /// What is to be said of the tiles of super-tile (I,J), which is made here: who does not need it.
  [[nodiscard]] unsigned withheld(std::size_t i, std::size_t j) const {
    unsigned said = 0;
    for (unsigned copy = 1; const Peer& peer : peers_) {
      if (!peer.needs(i, j)) said |= withheld_from(copy);
      ++copy;
    }
    return said;
  }

 private:
  /// Memory of another process, as this one sees it; null where the system does not show it.
  class Memory {
   public:
    explicit Memory(const TableHandle::Memory& handle) {
      const auto opened =
          cudaIpcOpenMemHandle(&data_, std::bit_cast<cudaIpcMemHandle_t>(handle), cudaIpcMemLazyEnablePeerAccess);
      if (opened == cudaSuccess) return;
      cudaGetLastError();
      data_ = nullptr;
    }
    ~Memory() {
      if (data_) cudaIpcCloseMemHandle(data_);
    }
    Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Memory& operator=(Memory&&) = delete;

    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

   private:
    void* data_ = nullptr;
  };

  struct Peer {
    Memory tables, counters;
    std::function<bool(std::size_t, std::size_t)> needs;
  };

  std::vector<Peer> peers_;
};

}  // namespace warpfold::tiles::device
