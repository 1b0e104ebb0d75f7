#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

bool is_runnable(const Stage& stage) {
  const bool threads = std::ranges::find(thread_counts, stage.threads) != thread_counts.end();
  if (stage.method == Method::thread_based) {
    return threads && stage.blocks == 1 && stage.arrangement != Arrangement::mirroring;
  }
  return threads && std::ranges::find(block_counts, stage.blocks) != block_counts.end() &&
         stage.arrangement != Arrangement::sliding;
}

bool may_follow(Arrangement before, Arrangement after) {
  return before == after || (before == Arrangement::sliding && after == Arrangement::mirroring);
}

}  // namespace

std::string to_string(const Stage& stage) {
  constexpr std::array arrangements{"naive", "sliding", "mirroring"};
  const auto* arrangement = arrangements[static_cast<std::size_t>(stage.arrangement)];
  if (stage.method == Method::thread_based) return fmt::format("TB({}) {}", stage.threads, arrangement);
  return fmt::format("BB({},{}) {}", stage.threads, stage.blocks, arrangement);
}

Plan uniform_plan(std::size_t n, const Stage& stage) { return Plan(n - 1, stage); }

std::vector<Stage> thread_based_stages(Arrangement arrangement) {
  std::vector<Stage> stages;
  for (const int threads : thread_counts) stages.push_back({Method::thread_based, arrangement, threads, 1});
  return stages;
}

std::vector<Stage> block_based_stages(Arrangement arrangement) {
  std::vector<Stage> stages;
  for (const int blocks : block_counts) {
    for (const int threads : thread_counts) stages.push_back({Method::block_based, arrangement, threads, blocks});
  }
  return stages;
}

std::vector<StageRun> stage_runs(const Plan& plan) {
  std::vector<StageRun> runs;
  for (std::size_t p = 0; p < plan.size(); ++p) {
    if (runs.empty() || runs.back().stage != plan[p]) runs.push_back({p, p, plan[p]});
    runs.back().last = p;
  }
  return runs;
}

void check_plan(const Plan& plan, std::size_t n) {
  if (n < 3 || plan.size() != n - 1) {
    throw Error(ErrorKind::usage, fmt::format("the plan has {} stages and the polygon {} vertices: 3 or more vertices "
                                              "and a stage less are accepted",
                                              plan.size(), n));
  }
  for (std::size_t p = 0; p < plan.size(); ++p) {
    if (!is_runnable(plan[p])) {
      throw Error(ErrorKind::usage,
                  fmt::format("stage {} is {}: TB(t) naive or sliding and BB(t,b) naive or mirroring, t = 32 .. 1024 "
                              "and b = 1 .. 8 powers of two, are accepted",
                              p, to_string(plan[p])));
    }
    if (p > 0 && !may_follow(plan[p - 1].arrangement, plan[p].arrangement)) {
      throw Error(ErrorKind::usage, fmt::format("stage {} is {} after {}: the arrangement may change from sliding to "
                                                "mirroring only",
                                                p, to_string(plan[p]), to_string(plan[p - 1])));
    }
  }
}

}  // namespace warpfold::papers::gpu_polygon_2013
