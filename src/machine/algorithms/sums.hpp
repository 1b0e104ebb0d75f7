#pragma once

#include <vector>

#include "machine/algorithms/common.hpp"

/// Helpers of the sums and prefix sums: programs for one memory, which the HMM runs in its shared memories.
namespace warpfold::machine {

/// Joins two words.
using Combine = Value (*)(Value, Value);

inline Value plus(Value a, Value b) { return a + b; }

/// Leaves the sum of the array, or its words joined by another operation, at its first place. Other places are changed.
[[nodiscard]] Program sum_by_halving(Thread pe, Array<Value> a, Combine combine = plus);

/// Computes prefix sums. levels[0] is the array. levels[k + 1] is room for the sums of the pairs of levels[k], up to a
/// level of one word. On the way down each level becomes its own prefix sums.
[[nodiscard]] Program prefix_sums(Thread pe, std::vector<Array<Value>> levels);

/// Returns to every thread the total over the threads of its multiprocessor, by a shared array of one word per thread.
[[nodiscard]] Program total_of_block(Thread t, Array<Value> block, Value own, Value* total);

}  // namespace warpfold::machine
