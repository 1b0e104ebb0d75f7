#pragma once

#include <gmp.h>

#include <string>

namespace warpfold {

/// The decimal digits of an unsigned integer of `count` limbs, the lowest limb first.
inline std::string decimal(const mp_limb_t* limbs, std::size_t count) {
  mpz_t number;
  mpz_roinit_n(number, limbs, static_cast<mp_size_t>(count));
  std::string digits(mpz_sizeinbase(number, 10) + 2, '\0');
  mpz_get_str(digits.data(), 10, number);
  digits.resize(digits.find('\0'));
  return digits;
}

}  // namespace warpfold
