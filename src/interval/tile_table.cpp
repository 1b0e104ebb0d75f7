#include "interval/tile_table.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace warpfold::interval {

namespace {
constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
}  // namespace

template <class T>
TileStorage<T>::TileStorage(std::size_t size) {
  const std::size_t bytes = size * sizeof(T);
  const std::size_t alignment = bytes < huge_page ? cache_line : huge_page;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  data_.reset(static_cast<T*>(std::aligned_alloc(alignment, rounded)));
  if (!data_) throw std::bad_alloc();
  if (alignment == huge_page) madvise(data_.get(), rounded, MADV_HUGEPAGE);  // a hint: without it the solve is slower
}

template class TileStorage<std::int32_t>;
template class TileStorage<std::int64_t>;
template class TileStorage<float>;
template class TileStorage<double>;

}  // namespace warpfold::interval
