#pragma once

#include <algorithm>
#include <vector>

#include "tiles/gpu/by_teams.cuh"
#include "tiles/gpu/workspace.cuh"

/// How the host starts the solver's kernels.
namespace warpfold::tiles::device {

inline constexpr std::size_t all_blocks = ~std::size_t{0};  ///< as many as there are places

/// The launch of a kernel on one GPU.
struct Grid {
  unsigned blocks;
  std::size_t shared_bytes;
};

/// The shared memory of a block of a kernel with chunks of `depth` terms, compiled for this capability.
template <class Rules>
constexpr std::size_t shared_bytes_of(int depth, [[maybe_unused]] int capability) {
  if constexpr (requires { Rules::shared_bytes(depth, capability); }) {
    return static_cast<std::size_t>(Rules::shared_bytes(depth, capability));
  } else {
    return static_cast<std::size_t>(Layout<typename Rules::Value>::shared_bytes(depth));
  }
}

/// One block for every place on the current device, or one for each task if those are fewer. `Depth`: terms of a chunk.
template <class Rules, int Depth>
Grid grid_of(std::size_t tasks) {
  using Value = typename Rules::Value;
  const auto kernel = fill_tables<Rules, Depth>;
  const int depth = depth_of_kernel<Value, Depth>(kernel);
  const std::size_t shared_bytes = shared_bytes_of<Rules>(depth, warpfold::cuda::capability_of(kernel));
  std::size_t places = warpfold::cuda::resident_blocks(kernel, block_threads * teams_of<Rules>(), shared_bytes);
  if constexpr (requires { Rules::max_blocks; }) places = std::min<std::size_t>(places, Rules::max_blocks);
  return {static_cast<unsigned>(std::min(tasks, places)), shared_bytes};
}

/// Starts the kernel of these rules: see launch_each.
template <class Rules, int Depth, class RulesOf>
void launch_kernel(Workspace<typename Rules::Value>& workspace, const RulesOf& rules_of, cudaStream_t stream,
                   std::size_t max_blocks = all_blocks) {
  const std::size_t gpus = workspace.gpus(), tasks_a_gpu = (workspace.tasks() + gpus - 1) / gpus;
  std::vector<Grid> grids;  // before any launch: the driver may load a GPU's code only after another's kernel has ended
  workspace.prepare([&] { grids.push_back(grid_of<Rules, Depth>(std::min(tasks_a_gpu, max_blocks))); });
  auto grid = grids.begin();
  workspace.start(rules_of, stream, [&](const Solve<Rules>& solve, cudaStream_t own) {
    const dim3 threads(block_threads, teams_of<Rules>());
    fill_tables<Rules, Depth><<<grid->blocks, threads, grid->shared_bytes, own>>>(solve);
    warpfold::cuda::check_launch("start the solver");
    ++grid;
  });
}

/// Whether ByTeams fills the tables of these rules.
template <class Rules, int Depth>
bool fills_by_teams(const Workspace<typename Rules::Value>& workspace) {
  if constexpr (requires { requires Rules::fills_by_teams; }) {
    const auto kernel = fill_tables<ByTeams<Rules>, Depth>;
    const auto processors = static_cast<std::size_t>(warpfold::cuda::attribute(cudaDevAttrMultiProcessorCount));
    const int depth = depth_of_kernel<typename Rules::Value, Depth>(kernel);
    return (Rules::large_by_teams || teams_gain(workspace.tiles(), processors)) && workspace.fills_one_table_alone() &&
           shared_bytes_of<ByTeams<Rules>>(depth, 0) <= warpfold::cuda::max_shared_bytes();
  }
  return false;
}

/// Fills the workspace's tables. `stream` belongs to the current device. rules_of(gpu), counted from 0, gives the rules
/// of a GPU, whose pointers refer to copies on that GPU. `max_blocks`: of each GPU.
template <class Rules, int Depth = by_capability, class RulesOf>
void launch_each(Workspace<typename Rules::Value>& workspace, const RulesOf& rules_of, cudaStream_t stream,
                 std::size_t max_blocks = all_blocks) {
  if (!fills_by_teams<Rules, Depth>(workspace)) {
    return launch_kernel<Rules, Depth>(workspace, rules_of, stream, max_blocks);
  }
  if constexpr (requires { requires Rules::fills_by_teams; }) {
    launch_kernel<ByTeams<Rules>, Depth>(
        workspace, [&](unsigned gpu) { return ByTeams<Rules>{rules_of(gpu)}; }, stream, max_blocks);
  }
}

/// The same with the same rules on all GPUs.
template <class Rules, int Depth = by_capability>
void launch(Workspace<typename Rules::Value>& workspace, const Rules& rules, cudaStream_t stream,
            std::size_t max_blocks = all_blocks) {
  launch_each<Rules, Depth>(
      workspace, [&](unsigned) { return rules; }, stream, max_blocks);
}

}  // namespace warpfold::tiles::device
