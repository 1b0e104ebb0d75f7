#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace warpfold {

/// How the system backs an allocation. `huge`: huge pages for large allocations, which are fast. `as_touched`: small
/// pages, each on its first access, for tables that are filled in part.
enum class Pages { huge, as_touched };

/// Allocates `bytes` bytes, aligned to 64 bytes, to 2 MiB (from 2 MiB on, `huge`) or to a page (`as_touched`). Raises
/// std::bad_alloc.
[[nodiscard]] void* allocate_tiles(std::size_t bytes, Pages pages = Pages::huge);

/// The most bytes that the system holds for `allocate_tiles(bytes)` with huge pages: whole pages and their alignment.
[[nodiscard]] std::size_t held_bytes_of_tiles(std::size_t bytes);

/// Frees memory of `allocate_tiles`. `bytes` and `pages` are those of the allocation.
void free_tiles(void* memory, std::size_t bytes, Pages pages = Pages::huge) noexcept;

/// Asks the system to back the huge pages inside this memory as such. Call it before the memory is touched.
void advise_huge_pages(void* memory, std::size_t bytes);

/// `size` values in memory of `allocate_tiles`. They are default-constructed, so numbers are undefined.
template <class T>
class TileStorage {
 public:
  explicit TileStorage(std::size_t size, Pages pages = Pages::huge)
      : data_(static_cast<T*>(allocate_tiles(size * sizeof(T), pages))), size_(size), pages_(pages) {
    std::uninitialized_default_construct_n(data_, size);
  }
  ~TileStorage() {
    std::destroy_n(data_, size_);
    free_tiles(data_, size_ * sizeof(T), pages_);
  }
  TileStorage(TileStorage&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), pages_(other.pages_) {}
  TileStorage& operator=(TileStorage&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(pages_, other.pages_);
    return *this;
  }

  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_;
  std::size_t size_;
  Pages pages_;
};

}  // namespace warpfold
