#include "warpfold/core/tile_storage.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace warpfold {

namespace {
constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::size_t alignment_of(std::size_t bytes) { return bytes < huge_page ? cache_line : huge_page; }

}  // namespace

std::size_t held_bytes_of_tiles(std::size_t bytes) {
  return bytes < huge_page ? bytes : (bytes + huge_page - 1) / huge_page * huge_page + huge_page;
}

void* allocate_tiles(std::size_t bytes, Pages pages) {
  if (pages == Pages::as_touched) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, bytes, MADV_NOHUGEPAGE);  // a hint: may be refused
    return memory;
  }
  const std::size_t alignment = alignment_of(bytes);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = ::operator new(rounded, std::align_val_t(alignment));
  if (alignment == huge_page) advise_huge_pages(memory, rounded);
  return memory;
}

void free_tiles(void* memory, std::size_t bytes, Pages pages) noexcept {
  if (pages == Pages::as_touched) {
    if (memory) munmap(memory, bytes);
    return;
  }
  ::operator delete(memory, std::align_val_t(alignment_of(bytes)));
}

void advise_huge_pages(void* memory, std::size_t bytes) {
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + huge_page - 1) / huge_page * huge_page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / huge_page * huge_page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a hint: may be refused
}

}  // namespace warpfold
