#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace warpfold {

/// What the system gives for an allocation: huge pages where it is large, which are fast, or small ones, each when it
/// is touched first, for tables of which a part alone is filled.
enum class Pages { huge, as_touched };

/// `bytes` bytes aligned to a cache line or a page. Raises std::bad_alloc.
[[nodiscard]] void* allocate_tiles(std::size_t bytes, Pages pages = Pages::huge);

/// Of as many bytes, as they were allocated.
void free_tiles(void* memory, std::size_t bytes, Pages pages = Pages::huge) noexcept;

/// Asks the system for huge pages where memory not yet touched covers whole ones.
void advise_huge_pages(void* memory, std::size_t bytes);

/// `size` values in such memory, default-constructed: numbers are undefined.
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
