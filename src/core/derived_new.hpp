#pragma once

#include <cstddef>
#include <new>

/// Include it in one file of a program that replaces operator new and operator delete of single objects. It defines the
/// array and nothrow forms by them. The language's own forms would call the replacement, but those of a sanitizer would
/// not. The functions are not inlined, because the compiler would then see only one half of each pair.

[[gnu::noinline]] void* operator new[](std::size_t bytes) { return operator new(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return operator new(bytes, alignment);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept { operator delete(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}
