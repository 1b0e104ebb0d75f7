#include "machine/formulas.hpp"

#include <algorithm>
#include <numeric>

namespace warpfold::machine::formulas {

std::uint64_t accesses_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t accesses) {
  if (accesses == 0) return 0;
  const std::uint64_t turns = ceil_div(accesses, p);
  if (machine.kind == Kind::pram) return turns;
  if (machine.kind == Kind::bpram) return std::max(turns, ceil_div(accesses, machine.width));
  return std::max(ceil_div(accesses, machine.width) + machine.latency - 1, turns * machine.latency);
}

double optimal(const Machine& machine, std::uint32_t p, double n) {
  if (machine.kind == Kind::pram) return n / p;
  const double latency = machine.kind == Kind::bpram ? 1 : machine.latency;
  return n / machine.width + n * latency / p;
}

std::uint64_t contiguous(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t w = machine.width;
  if (machine.kind == Kind::pram) return ceil_div(n, p);
  if (machine.kind == Kind::bpram) return n / p * ceil_div(p, w) + ceil_div(n % p, w);
  return ceil_div(n, w) + ceil_div(n, p) * (machine.latency - 1);
}

std::uint64_t stride(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const std::uint64_t w = machine.width, s = n / p;
  if (machine.kind == Kind::pram) return s;
  if (machine.kind == Kind::bpram) return s * ceil_div(p, w);
  const std::uint64_t stages_of_a_warp = machine.kind == Kind::dmm ? std::gcd(s, w) : std::min(s, w);
  return (stages_of_a_warp * (p / w) + machine.latency - 1) * s;
}

double stride_bound(const Machine& machine, std::uint32_t p, std::uint64_t n) {
  const double words = static_cast<double>(n), w = machine.width, s = words / p, latency = words * machine.latency / p;
  const auto g = static_cast<double>(std::gcd(n / p, std::uint64_t{machine.width}));
  if (machine.kind == Kind::dmm) return words * g / w + latency;
  if (machine.kind == Kind::umm) return std::min(words, words / w * s) + latency;
  return optimal(machine, p, words);
}

}  // namespace warpfold::machine::formulas
