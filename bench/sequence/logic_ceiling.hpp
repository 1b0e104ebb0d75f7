#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../result.hpp"
#include "warpfold/run/team.hpp"

/// The highest rate of cells by the operations of src/sequence/slices/kernel.hpp, in registers. Only the planes of B
/// come from memory, through ports that the operations do not use.
namespace warpfold::bench {

#if defined(__x86_64__)
namespace logic {

using V256 = std::uint64_t __attribute__((vector_size(32)));
using V512 = std::uint64_t __attribute__((vector_size(64)));

inline constexpr std::size_t rounds = 4'000'000;
inline constexpr std::size_t chains = 2;  ///< independent columns: more would not fit into 16 registers
inline constexpr std::size_t columns = 16;

/// Sets whether the symbols of 256 or 512 rows differ from one of B's. (A vector that is returned would have an ABI.)
template <class V, int planes>
__attribute__((always_inline)) inline void compare(const V* row, const V* column, V& differs) {
  differs = row[0] ^ column[0];
  for (int p = 1; p < planes; ++p) differs |= row[p] ^ column[p];
}

template <class V, int planes>
__attribute__((always_inline)) inline std::uint64_t edit_cells(const V* memory) {
  V row[planes], plus[chains], minus[chains], h_plus[chains], h_minus[chains];
  for (int p = 0; p < planes; ++p) row[p] = memory[p];
  for (std::size_t c = 0; c < chains; ++c) {  // h and v differ, or the compiler would compute only one of them
    plus[c] = ~(minus[c] = memory[c]);
    h_plus[c] = ~(h_minus[c] = memory[c + chains]);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 2
    for (std::size_t c = 0; c < chains; ++c) {
      const V* const column = memory + (round * chains + c) % columns * planes;
      V one_more;
      compare<V, planes>(row, column, one_more);
      one_more &= ~(minus[c] | h_minus[c]);
      const V below_plus = minus[c] | (one_more & ~plus[c]);
      const V below_minus = plus[c] & ~one_more;
      plus[c] = h_minus[c] | (one_more & ~h_plus[c]);
      minus[c] = h_plus[c] & ~one_more;
      h_plus[c] = below_plus;
      h_minus[c] = below_minus;
    }
  }
  V all = {};
  for (std::size_t c = 0; c < chains; ++c) all ^= plus[c] ^ minus[c] ^ h_plus[c] ^ h_minus[c];
  return all[0];
}

template <class V, int planes>
__attribute__((always_inline)) inline std::uint64_t lcs_cells(const V* memory) {
  V row[planes], v[chains], h[chains];
  for (int p = 0; p < planes; ++p) row[p] = memory[p];
  for (std::size_t c = 0; c < chains; ++c) v[c] = memory[c], h[c] = memory[c + chains];
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 2
    for (std::size_t c = 0; c < chains; ++c) {
      V differs;
      compare<V, planes>(row, memory + (round * chains + c) % columns * planes, differs);
      const V below = (h[c] | ~differs) & ~v[c];
      v[c] = (v[c] | ~differs) & ~h[c];
      h[c] = below;
    }
  }
  V all = {};
  for (std::size_t c = 0; c < chains; ++c) all ^= v[c] ^ h[c];
  return all[0];
}

using Cells = std::uint64_t (*)(const void* memory);

template <int planes>
__attribute__((target("avx2"))) std::uint64_t edit_256(const void* memory) {
  return edit_cells<V256, planes>(static_cast<const V256*>(memory));
}
template <int planes>
__attribute__((target("avx512f"))) std::uint64_t edit_512(const void* memory) {
  return edit_cells<V512, planes>(static_cast<const V512*>(memory));
}
template <int planes>
__attribute__((target("avx2"))) std::uint64_t lcs_256(const void* memory) {
  return lcs_cells<V256, planes>(static_cast<const V256*>(memory));
}
template <int planes>
__attribute__((target("avx512f"))) std::uint64_t lcs_512(const void* memory) {
  return lcs_cells<V512, planes>(static_cast<const V512*>(memory));
}

template <int planes>
Cells cells_of(bool is_edit, bool is_wide) {
  if (is_edit) return is_wide ? edit_512<planes> : edit_256<planes>;
  return is_wide ? lcs_512<planes> : lcs_256<planes>;
}

inline Cells cells_for(bool is_edit, bool is_wide, int planes) {
  if (planes <= 2) return cells_of<2>(is_edit, is_wide);
  return planes <= 5 ? cells_of<5>(is_edit, is_wide) : cells_of<8>(is_edit, is_wide);
}

}  // namespace logic
#endif

/// Cells per second of `threads` threads, for 2, 5 or 8 planes; 0 without AVX2.
inline double logic_ceiling(bool is_edit, int planes, int threads) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return 0;
  const bool is_wide = __builtin_cpu_supports("avx512f");
  const auto run = logic::cells_for(is_edit, is_wide, planes);
  alignas(64) std::uint64_t memory[logic::columns * 8 * 8];
  for (std::size_t at = 0; at < std::size(memory); ++at) memory[at] = at * 0x9E3779B97F4A7C15;
  std::vector<std::uint64_t> sinks(static_cast<std::size_t>(threads));
  const auto timing = measure(
      9, [&] { parallel(threads, [&](int thread) { sinks[static_cast<std::size_t>(thread)] = run(memory); }); });
  return (is_wide ? 512.0 : 256.0) * logic::chains * logic::rounds * threads / timing.median_seconds;
#else
  static_cast<void>(is_edit), static_cast<void>(planes), static_cast<void>(threads);
  return 0;
#endif
}

}  // namespace warpfold::bench
