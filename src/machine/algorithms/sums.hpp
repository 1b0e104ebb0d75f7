#pragma once

#include <vector>

#include "machine/algorithms/common.hpp"

/// What the sums and prefix sums share: programs of one memory, which the HMM runs in its shared memories.
namespace warpfold::machine {

/// Leaves the sum of the array at its first place, and others changed.
[[nodiscard]] Program sum_by_halving(Thread pe, Array<Value> a);

/// levels[0] is the array, levels[k + 1] room for the sums of the pairs of levels[k], up to a level of one word; on the
/// way down each becomes its own prefix sums.
[[nodiscard]] Program prefix_sums(Thread pe, std::vector<Array<Value>> levels);

/// For every thread the total of what the threads of its multiprocessor bring, over a shared array of a word a thread.
[[nodiscard]] Program total_of_block(Thread t, Array<Value> block, Value own, Value* total);

}  // namespace warpfold::machine
