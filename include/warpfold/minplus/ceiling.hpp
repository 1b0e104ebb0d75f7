#pragma once

namespace warpfold::minplus {

/// Returns the ceiling of the processor: (min,+) results per second of `threads` threads together. Every operand is in
/// registers except one, which is broadcast. A result takes one addition and one minimum. It runs on the best (or
/// forced) instruction set, and is the best of five runs of some 30 ms. T is int16_t (additions saturate), int32_t,
/// int64_t, float or double.
template <class T>
[[nodiscard]] double measure_ceiling(int threads);

}  // namespace warpfold::minplus
