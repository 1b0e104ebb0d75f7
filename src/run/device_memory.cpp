#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "core/size_text.hpp"
#include "run/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold {
namespace cuda {

namespace {

using Place = Memory::Place;

constexpr std::size_t granule = 512;  ///< block sizes are multiples of it, so that small blocks can replace each other

/// The bytes that may stay idle, of each device's memory or of pinned memory. include/warpfold/run/devices.hpp states
/// both.
constexpr std::size_t max_idle_bytes(Place place) { return std::size_t{place == Place::device ? 1024U : 64U} << 20; }
constexpr std::size_t max_idle_blocks = 64;

}  // namespace

/// The idle blocks, the one that has been idle longest first.
class MemoryPool {
 public:
  using Block = Memory::Block;

  Block take(Place place, std::size_t bytes) {
    Block block{nullptr, (bytes + granule - 1) / granule * granule, place, 0};
    if (place == Place::device) block.device = DeviceScope::current();
    if (take_idle(block)) return block;
    cudaError_t status = allocate(block);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      release();
      status = allocate(block);
    }
    check(status, place == Place::device ? "allocate memory" : "pin memory of the host");
    return block;
  }

  void give_back(const Block& block) {
    std::vector<Block> dropped;
    {
      const std::lock_guard lock(mutex_);
      idle_.push_back(block);
      std::size_t bytes = 0, blocks = 0;
      for (std::size_t at = idle_.size(); at-- > 0;) {
        if (!alike(idle_[at], block)) continue;
        bytes += idle_[at].bytes;
        if (bytes <= max_idle_bytes(block.place) && ++blocks <= max_idle_blocks) continue;
        dropped.push_back(idle_[at]);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    free(dropped);
  }

  void release() {
    std::vector<Block> dropped;
    {
      const std::lock_guard lock(mutex_);
      dropped.swap(idle_);
    }
    free(dropped);
  }

  std::size_t idle_bytes(int device) {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const Block& block : idle_) bytes += alike(block, {nullptr, 0, Place::device, device}) ? block.bytes : 0;
    return bytes;
  }

 private:
  static bool alike(const Block& x, const Block& y) { return x.place == y.place && x.device == y.device; }

  /// Takes the smallest idle block that is large enough and at most a quarter larger.
  bool take_idle(Block& block) {
    const std::lock_guard lock(mutex_);
    auto best = idle_.end();
    for (auto at = idle_.begin(); at != idle_.end(); ++at) {
      if (!alike(*at, block) || at->bytes < block.bytes || at->bytes > block.bytes + block.bytes / 4) continue;
      if (best == idle_.end() || at->bytes < best->bytes) best = at;
    }
    if (best == idle_.end()) return false;
    block = *best;
    idle_.erase(best);
    return true;
  }

  static cudaError_t allocate(Block& block) {
    void** data = reinterpret_cast<void**>(&block.data);
    if (block.place == Place::device) return cudaMalloc(data, block.bytes);
    return cudaHostAlloc(data, block.bytes, cudaHostAllocPortable);
  }

  static void free(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.place == Place::device) {
        cudaFree(block.data);
      } else {
        cudaFreeHost(block.data);
      }
    }
  }

  std::mutex mutex_;
  std::vector<Block> idle_;
};

namespace {

/// Never destroyed: at exit the driver may be gone already. It frees the memory itself.
MemoryPool& pool() {
  static MemoryPool& only = *new MemoryPool;
  return only;
}

}  // namespace

Memory::Memory(Place place, std::size_t bytes) {
  if (bytes > 0) block_ = pool().take(place, bytes);
}

Memory::~Memory() {
  if (block_.data) pool().give_back(block_);
}

}  // namespace cuda

std::size_t cuda::free_bytes(int gpu) {
  const DeviceScope scope(gpu);
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "tell its free memory");
  return free + pool().idle_bytes(gpu);
}

void release_memory() { cuda::pool().release(); }

void check_device_memory(const Options& options, std::size_t bytes, int gpu) {
  if (bytes > options.max_device_memory) {
    throw Error(ErrorKind::memory_limit, "the solve needs " + bytes_text(static_cast<double>(bytes)) +
                                             " of the GPU, the limit is " +
                                             bytes_text(static_cast<double>(options.max_device_memory)));
  }
  const cuda::DeviceScope scope(gpu);
  if (bytes <= cuda::pool().idle_bytes(gpu)) return;  // faster than asking the driver
  const std::size_t free = cuda::free_bytes(gpu);
  if (bytes > free) {
    throw Error(ErrorKind::memory_limit, "the solve needs " + bytes_text(static_cast<double>(bytes)) +
                                             " of the GPU, cuda:" + std::to_string(gpu) + " has " +
                                             bytes_text(static_cast<double>(free)) + " free");
  }
}

}  // namespace warpfold
