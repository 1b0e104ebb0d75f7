#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace warpfold {

/// `bytes` bytes aligned to a cache line, large ones to huge pages, which the system is asked for. Raises
/// std::bad_alloc.
[[nodiscard]] void* allocate_tiles(std::size_t bytes);

/// Of as many bytes.
void free_tiles(void* memory, std::size_t bytes) noexcept;

/// Asks the system for huge pages where memory not yet touched covers whole ones.
void advise_huge_pages(void* memory, std::size_t bytes);

/// `size` values in such memory, default-constructed: numbers are undefined.
template <class T>
class TileStorage {
 public:
  explicit TileStorage(std::size_t size) : data_(static_cast<T*>(allocate_tiles(size * sizeof(T)))), size_(size) {
    std::uninitialized_default_construct_n(data_, size);
  }
  ~TileStorage() {
    std::destroy_n(data_, size_);
    free_tiles(data_, size_ * sizeof(T));
  }
  TileStorage(TileStorage&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  TileStorage& operator=(TileStorage&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_;
  std::size_t size_;
};

}  // namespace warpfold
