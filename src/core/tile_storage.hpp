#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace warpfold {

/// `bytes` bytes aligned to a cache line, large ones to huge pages, which the system is asked for. Raises
/// std::bad_alloc. To be freed by std::free.
[[nodiscard]] void* allocate_tiles(std::size_t bytes);

/// Memory for `size` values of a number type, freed with its owner. Its contents are undefined.
template <class T>
class TileStorage {
 public:
  explicit TileStorage(std::size_t size) : data_(static_cast<T*>(allocate_tiles(size * sizeof(T)))) {}
  [[nodiscard]] T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
};

}  // namespace warpfold
