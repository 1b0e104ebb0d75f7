#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpfold {

/// The prime 2^61 - 1. Integers of any length are compared modulo it.
inline constexpr std::uint64_t comparing_prime = 2305843009213693951;

/// The integer of these decimal digits modulo `modulus` > 0. Nothing if the text is empty or has any other character.
inline std::optional<std::uint64_t> residue(std::string_view digits, std::uint64_t modulus) {
  if (digits.empty()) return std::nullopt;
  unsigned __int128 rest = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    rest = (10 * rest + static_cast<unsigned>(digit - '0')) % modulus;
  }
  return static_cast<std::uint64_t>(rest);
}

}  // namespace warpfold
