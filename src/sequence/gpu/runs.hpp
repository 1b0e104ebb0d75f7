#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "warpfold/sequence/script.hpp"

/// How a GPU returns scripts: each byte has an edit in its lowest 2 bits, and the steps but one above. Longer runs take
/// several bytes.
namespace warpfold::sequence::cuda {

inline constexpr unsigned max_run_steps = 64;

/// Calls `take(edit, steps)` for each run.
template <class Take>
void for_each_run(std::span<const std::uint8_t> runs, const Take& take) {
  for (const std::uint8_t run : runs) take(static_cast<Edit>(run & 3), (run >> 2) + 1U);
}

/// Appends runs to a script.
inline void add_runs(std::span<const std::uint8_t> runs, Script& script) {
  for_each_run(runs, [&](Edit edit, unsigned steps) { script.push(edit, steps); });
}

}  // namespace warpfold::sequence::cuda
