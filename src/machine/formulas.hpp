#pragma once

#include <cstdint>

#include "warpfold/machine/machine.hpp"

/// Times in closed form, apart from the programs: pure functions of the problem's size n, p threads, width w and
/// latency l. "Exact" ones equal what the lockstep simulation measures; each comment says where the paper rounds.
namespace warpfold::machine::formulas {

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// No program makes `accesses` accesses with p threads in less: a stage serves at most w of them, and a thread makes
/// one in l time units. max(ceil(A/w) + l - 1, ceil(A/p) l); without latency or width where the machine has none.
[[nodiscard]] std::uint64_t accesses_lower_bound(const Machine& machine, std::uint32_t p, std::uint64_t accesses);

/// n/w + nl/p with every constant 1 (n/p on the PRAM, n/w + n/p on the BPRAM): the papers' optimal time.
[[nodiscard]] double optimal(const Machine& machine, std::uint32_t p, double n);

/// Exact: one contiguous access of n words by p threads. ceil(n/w) + ceil(n/p) (l - 1) on the DMM and the UMM, where
/// 2012, section III, has (p/w + l - 1) n/p and assumes that p divides n.
[[nodiscard]] std::uint64_t contiguous(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Exact: one stride access of n words, s = n/p a whole number. (G p/w + l - 1) s on the DMM, G = gcd(s, w), and
/// (min(s, w) p/w + l - 1) s on the UMM: 2012, section III, bounds the groups of s < w by s, and s it is.
[[nodiscard]] std::uint64_t stride(const Machine& machine, std::uint32_t p, std::uint64_t n);

/// Table I of 2012, the row of the stride access, with every constant 1: n G/w + n l/p on the DMM,
/// min(n, n/w n/p) + n l/p on the UMM.
[[nodiscard]] double stride_bound(const Machine& machine, std::uint32_t p, std::uint64_t n);

}  // namespace warpfold::machine::formulas
