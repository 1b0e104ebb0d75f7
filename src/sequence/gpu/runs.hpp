#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "warpfold/sequence/script.hpp"

/// How a GPU returns scripts: each byte has an edit in its lowest 2 bits, and the steps but one above. Longer runs take
/// several bytes.
namespace warpfold::sequence::cuda {

inline constexpr unsigned max_run_steps = 64;

/// Appends runs to a script.
inline void add_runs(std::span<const std::uint8_t> runs, Script& script) {
  for (const std::uint8_t run : runs) script.push(static_cast<Edit>(run & 3), (run >> 2) + 1U);
}

}  // namespace warpfold::sequence::cuda
