#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace warpfold::sequence {

/// Memory that is aligned for vectors, set to a value.
template <class T>
[[nodiscard]] hwy::AlignedFreeUniquePtr<T[]> aligned(std::size_t count, T value = 0) {
  auto memory = hwy::AllocateAligned<T>(std::max<std::size_t>(count, 1));
  if (!memory) throw std::bad_alloc();
  std::fill_n(memory.get(), count, value);
  return memory;
}

}  // namespace warpfold::sequence
