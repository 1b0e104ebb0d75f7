#pragma once

#include <algorithm>
#include <vector>

#include "papers/measure.hpp"
#include "papers/pipeline-dp-2018/pipelines.hpp"

namespace warpfold::papers::pipeline_2018 {

/// The pipelines on this machine's GPU, with a grid barrier per step.
class OnThisGpu {
 public:
  explicit OnThisGpu(const RunOptions& options) : meter_(options) {}

  Cell seconds(const Problem<std::int32_t>& problem, const Schedule& schedule) {
    if (!has_gpu()) return no_gpu;
    return meter_.seconds(problem.operations(), [&] {
      const Options no_limits;
      SolveMonitor monitor(no_limits, 1);
      std::vector<std::int32_t> table(problem.n());
      std::ranges::copy(problem.initial(), table.begin());
      return solve(problem, schedule, 0, monitor, table).seconds;
    });
  }

 private:
  Meter meter_;
};

}  // namespace warpfold::papers::pipeline_2018
