#pragma once

#include <cstdint>

#include "warpfold/permutation/word.hpp"

/// Calls the macro M(T) for each type of a word that is moved.
#define WARPFOLD_FOR_EACH_WORD_TYPE(M) \
  M(std::uint8_t) M(std::uint16_t) M(std::uint32_t) M(std::uint64_t) M(float) M(double) M(Wide)
