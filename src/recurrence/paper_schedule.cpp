#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "recurrence/paper_kernels.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence::paper {

std::int64_t largest_fold(std::span<const std::int64_t> offsets) {
  const auto k = static_cast<std::int64_t>(offsets.size());
  std::int64_t least = offsets.front() / k;
  for (std::int64_t q = 1; q < k; ++q) least = std::min(least, offsets[static_cast<std::size_t>(q)] / (k - q));
  return least;
}

const std::vector<Named>& named_schedules() {
  static const std::vector<Named> all = [] {
    std::vector<Named> list;
    for (const auto& [name, method, description] : std::initializer_list<std::tuple<const char*, Method, const char*>>{
             {"cuda-tournament", Method::tournament,
              "the 2018 paper's NAIVE-PARALLEL: an element's terms by tournament"},
             {"cuda-pipeline", Method::pipeline, "the 2018 paper's pipeline, k threads on k elements"},
             {"cuda-2-by-2", Method::m_by_m, "two terms a thread, our reconstruction of the 2018 paper's remark"},
             {"cuda-p-fold", Method::p_fold, "the 2023 paper's p-fold pipeline with the largest p that is right"}}) {
      list.push_back({{name, "cuda", fmt::format("{}; a grid barrier a step", description)}, {method, Barrier::grid}});
      list.push_back({{fmt::format("{}-launches", name), "cuda", fmt::format("{}; a launch a step", description)},
                      {method, Barrier::launch}});
    }
    return list;
  }();
  return all;
}

Pipeline make_pipeline(const Problem<std::int32_t>& problem, const Schedule& schedule) {
  Pipeline pipeline;
  pipeline.n = static_cast<std::int64_t>(problem.n());
  pipeline.given = problem.largest_offset();
  pipeline.k = static_cast<std::int64_t>(problem.offsets().size());
  if (schedule.method == Method::p_fold) {
    const std::int64_t most = largest_fold(problem.offsets());
    pipeline.fold = schedule.p == 0 ? most : schedule.p;
    pipeline.as_printed = schedule.as_printed;
    if (pipeline.fold < 1 || pipeline.fold > most) {
      throw Error(ErrorKind::usage,
                  fmt::format("p is {}: with these offsets, 1 to {} is accepted", pipeline.fold, most));
    }
  }
  if (schedule.method == Method::m_by_m) {
    pipeline.terms = schedule.m;
    if (schedule.m < 1 || schedule.m > pipeline.k) {
      throw Error(ErrorKind::usage,
                  fmt::format("m is {}: with {} offsets, 1 to {} is accepted", schedule.m, pipeline.k, pipeline.k));
    }
  }
  return pipeline;
}

}  // namespace warpfold::recurrence::paper
