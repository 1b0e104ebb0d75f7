#include "warpfold/machine/program.hpp"

#include <array>
#include <memory>
#include <vector>

namespace warpfold::machine::detail {

namespace {

constexpr std::size_t granule = 64, largest_pooled = 4096, chunk_bytes = std::size_t{1} << 18;

/// Coroutine frames by size class. A host thread reuses the frames that it frees. Their chunks are freed when the
/// thread ends.
class FramePool {
 public:
  void* take(std::size_t size_class) {
    auto& free = free_[size_class];
    if (free.empty()) refill(size_class);
    void* frame = free.back();
    free.pop_back();
    return frame;
  }

  void give(void* frame, std::size_t size_class) noexcept { free_[size_class].push_back(frame); }

 private:
  void refill(std::size_t size_class) {
    const std::size_t bytes = size_class * granule, frames = chunk_bytes / bytes;
    chunks_.push_back(std::make_unique<std::byte[]>(frames * bytes));
    frames_[size_class] += frames;
    free_[size_class].reserve(frames_[size_class]);  // so that freeing a frame never allocates
    for (std::size_t i = frames; i > 0; --i) free_[size_class].push_back(chunks_.back().get() + (i - 1) * bytes);
  }

  std::array<std::vector<void*>, largest_pooled / granule + 1> free_;
  std::array<std::size_t, largest_pooled / granule + 1> frames_{};
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
};

FramePool& pool() {
  thread_local FramePool frames;
  return frames;
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  return bytes > largest_pooled ? ::operator new(bytes) : pool().take((bytes + granule - 1) / granule);
}

void free_frame(void* frame, std::size_t bytes) noexcept {
  if (bytes > largest_pooled) {
    ::operator delete(frame);
  } else {
    pool().give(frame, (bytes + granule - 1) / granule);
  }
}

}  // namespace warpfold::machine::detail
