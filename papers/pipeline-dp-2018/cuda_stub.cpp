#include "papers/pipeline-dp-2018/mcm.hpp"
#include "papers/pipeline-dp-2018/pipelines.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the kernels in a build without CUDA.
namespace warpfold::papers::pipeline_2018 {

PipelineRun solve(const Problem<std::int32_t>&, const Schedule&, int, SolveMonitor&, std::span<std::int32_t>) {
  reject_cuda();
}

McmRun solve_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier, int, SolveMonitor&) {
  check_mcm(dimensions, form, barrier);
  reject_cuda();
}

}  // namespace warpfold::papers::pipeline_2018
