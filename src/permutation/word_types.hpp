#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "warpfold/core/error.hpp"
#include "warpfold/permutation/word.hpp"

/// Calls the macro M(T) for each type of a word that is moved.
#define WARPFOLD_FOR_EACH_WORD_TYPE(M) \
  M(std::uint8_t) M(std::uint16_t) M(std::uint32_t) M(std::uint64_t) M(float) M(double) M(Wide)

namespace warpfold::permutation {

/// Raises Error{usage} unless words have 1, 2, 4, 8 or 16 bytes.
inline void check_word_bytes(std::size_t bytes) {
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return;
  throw Error(ErrorKind::usage, "words of " + std::to_string(bytes) + " bytes: 1, 2, 4, 8 and 16 are accepted");
}

/// Returns visit(Word{}) for the type that stands for words of this size. `Widest` has 16 bytes.
template <class Widest = Wide, class Visit>
auto with_word(std::size_t bytes, const Visit& visit) {
  switch (bytes) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    case 8:
      return visit(std::uint64_t{});
    default:
      return visit(Widest{});
  }
}

}  // namespace warpfold::permutation
