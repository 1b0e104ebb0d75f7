#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpfold {

/// Numbers of any length are compared modulo this prime, 2^61 - 1.
inline constexpr std::uint64_t comparing_prime = 2305843009213693951;

/// The number of these decimal digits modulo `modulus` > 0; nothing where there is anything else, or none.
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
