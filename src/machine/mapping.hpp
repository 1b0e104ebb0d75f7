#pragma once

#include "warpfold/machine/machine.hpp"

namespace warpfold::machine {

/// Mixes the bits of x: the finalizer of splitmix64.
[[nodiscard]] inline std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The address after the machine's mapping, in the same row of `width` words.
[[nodiscard]] inline Address mapped(const Machine& machine, Address address) {
  if (machine.mapping == Mapping::none) return address;
  const Address row = address / machine.width, column = address % machine.width;
  const std::uint64_t shift = scramble(scramble(machine.mapping_seed) + row) % machine.width;
  return row * machine.width + static_cast<Address>((column + shift) % machine.width);
}

}  // namespace warpfold::machine
