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
#include "tiles/gpu/table_handle.hpp"

/// Tables of other processes on this host. A kernel writes to them as to its own GPU's, through CUDA IPC.
namespace warpfold::tiles::device {

/// A handle for other processes. Empty if this system supports no IPC.
[[nodiscard]] inline TableHandle handle_of(const TableCopy& table) {
  static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(TableHandle::Memory));
  TableHandle handle;
  cudaIpcMemHandle_t tables, counters;
  const bool given = cudaIpcGetMemHandle(&tables, table.tables) == cudaSuccess &&
                     cudaIpcGetMemHandle(&counters, table.ready - first_ready) == cudaSuccess &&
                     cudaDeviceGetPCIBusId(handle.gpu.data(), static_cast<int>(handle.gpu.size()),
                                           warpfold::cuda::DeviceScope::current()) == cudaSuccess;
  cudaGetLastError();  // an unsupported handle is no failure
  if (!given) return {};
  handle.tables = std::bit_cast<TableHandle::Memory>(tables);
  handle.counters = std::bit_cast<TableHandle::Memory>(counters);
  return handle;
}

/// Whether a kernel of the current device may write to that GPU's memory and use atomics there. True for the same GPU
/// and across NVLink.
[[nodiscard]] inline bool reaches(const TableHandle& handle) {
  int gpu = 0, counts = 0;
  const int own = warpfold::cuda::DeviceScope::current();
  const bool known =
      handle.gpu.front() != '\0' && cudaDeviceGetByPCIBusId(&gpu, handle.gpu.data()) == cudaSuccess &&
      (gpu == own || cudaDeviceGetP2PAttribute(&counts, cudaDevP2PAttrNativeAtomicSupported, own, gpu) == cudaSuccess);
  cudaGetLastError();
  return known && (gpu == own || counts != 0);
}

/// The open tables of other processes, opened on the device that was current. It must be destroyed before any of those
/// processes ends, and after all kernels that write there.
class PeerTables {
 public:
  /// Adds a reader and returns true. Returns false if the current device cannot reach its memory.
  bool open(const TableReader& reader) {
    if (peers_.size() == max_further_copies || !reaches(reader.handle)) return false;
    Peer peer{Memory(reader.handle.tables), Memory(reader.handle.counters), reader.needs};
    if (!peer.tables.data() || !peer.counters.data()) return false;
    peers_.push_back(std::move(peer));
    return true;
  }

  /// The tables, in the order in which they were added.
  [[nodiscard]] std::vector<TableCopy> copies() const {
    std::vector<TableCopy> all;
    for (const Peer& peer : peers_) {
      all.push_back({peer.tables.data(), reinterpret_cast<unsigned*>(peer.counters.data()) + first_ready});
    }
    return all;
  }

  /// The word for the tiles of super-tile (I,J), which this process makes: which readers do not need it.
  [[nodiscard]] unsigned withheld(std::size_t i, std::size_t j) const {
    unsigned said = 0;
    for (unsigned copy = 1; const Peer& peer : peers_) {
      if (!peer.needs(i, j)) said |= withheld_from(copy);
      ++copy;
    }
    return said;
  }

 private:
  /// Memory of another process, mapped into this one. Null if the system does not allow it.
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
