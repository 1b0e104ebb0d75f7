#pragma once

namespace warpfold::minplus {

/// What the processor can do at all: (min,+) results per second of `threads` threads together, every operand but one
/// broadcast in registers, one addition and one minimum each, on the best (or forced) instruction set. The best of five
/// runs of some 30 ms. T is int16_t (additions saturate), int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] double measure_ceiling(int threads);

}  // namespace warpfold::minplus
