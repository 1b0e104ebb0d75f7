#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine/prediction.hpp"

namespace warpfold::bench {

/// Runs `work` and returns the counters of each kernel that it launches, in their order. CUPTI counts, which is loaded
/// at run time. Raises Error{device} with the reason if it is not there or may not count.
[[nodiscard]] std::vector<machine::KernelCounters> count_kernels(const std::vector<std::string>& counters,
                                                                 const std::function<void()>& work);

}  // namespace warpfold::bench
