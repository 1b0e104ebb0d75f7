#pragma once

#include <cstdint>

/// Letters of DNA and RNA as sets of bases.
namespace warpfold::formats {

inline constexpr const char* accepted_bases =
    "A, C, G, T, U and the ambiguity letters R, Y, S, W, K, M, B, D, H, V, N are accepted as sets of bases";

/// The bases of a letter: 1 for A, 2 for C, 4 for G, 8 for T. 0 for any other symbol.
[[nodiscard]] std::uint32_t bases_of_letter(std::uint32_t letter);

}  // namespace warpfold::formats
