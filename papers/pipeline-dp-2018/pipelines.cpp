#include "papers/pipeline-dp-2018/pipelines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/number_types.hpp"
#include "recurrence/backends.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::papers::pipeline_2018 {

std::int64_t largest_fold(std::span<const std::int64_t> offsets) {
  const auto k = static_cast<std::int64_t>(offsets.size());
  std::int64_t least = offsets.front() / k;
  for (std::int64_t q = 1; q < k; ++q) least = std::min(least, offsets[static_cast<std::size_t>(q)] / (k - q));
  return least;
}

Problem<std::int32_t> random_problem(Op op, std::int64_t k, std::int64_t smallest, std::int64_t largest,
                                     std::size_t outputs, std::size_t n, std::mt19937_64& random) {
  std::vector<std::int64_t> pool(static_cast<std::size_t>(largest - smallest + 1));
  std::iota(pool.begin(), pool.end(), smallest);
  std::shuffle(pool.begin(), pool.end(), random);
  pool.resize(static_cast<std::size_t>(k));
  recurrence::Statement<std::int32_t> statement{op, pool, {}, 0, {}, 0};
  statement.initial.resize(static_cast<std::size_t>(*std::ranges::max_element(pool)));
  for (auto& value : statement.initial) value = static_cast<std::int32_t>(random() % 1'000'000'000);
  statement.n = n > 0 ? n : statement.initial.size() + outputs;
  return Problem<std::int32_t>(std::move(statement));
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

namespace {

/// A method with its name on the command line.
template <class T, Method method, Barrier barrier>
recurrence::Solution<T> solve_by(const Problem<T>& problem, Context& context) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const std::size_t n = problem.n();
    context.take_device_memory(device_bytes(n, problem.offsets().size()));
    return recurrence::filled_table(problem, n * sizeof(T), context, [&](SolveMonitor& monitor, std::span<T> table) {
      solve(problem, {method, barrier}, context.options.device.index, monitor, table);
    });
  } else {
    throw Error(ErrorKind::internal, "the papers' pipelines take i32");
  }
}

template <class T, Method method>
void add(std::vector<recurrence::RecurrenceBackend<T>>& list, const std::string& name, const std::string& what) {
  const auto bytes = [](const Problem<T>& problem, const Options&) { return problem.n() * sizeof(T); };
  const auto refusal = [](const Problem<T>& problem) -> std::string {
    if (problem.has_coefficients()) return "does not solve coefficients: device cpu is accepted";
    if (std::is_same_v<T, std::int32_t>) return "";
    return fmt::format("takes i32, this is {}: device cpu is accepted", dtype_name<T>());
  };
  const auto of_gpu = [](const Problem<T>& problem, const Options&) {
    return device_bytes(problem.n(), problem.offsets().size());
  };
  list.push_back({.info = {name, "cuda", what + "; a grid barrier a step", "n k operations"},
                  .bytes = bytes,
                  .run = solve_by<T, method, Barrier::grid>,
                  .unsupported_reason = refusal,
                  .device_bytes = of_gpu,
                  .explicit_only = true,
                  .operations = recurrence::operations_of<T>,
                  .seconds = recurrence::seconds_on_gpu<T>});
  list.push_back({.info = {name + "-launches", "cuda", what + "; a launch a step", "n k operations"},
                  .bytes = bytes,
                  .run = solve_by<T, method, Barrier::launch>,
                  .unsupported_reason = refusal,
                  .device_bytes = of_gpu,
                  .explicit_only = true,
                  .operations = recurrence::operations_of<T>,
                  .seconds = recurrence::seconds_on_gpu<T>});
}

}  // namespace

template <class T>
std::vector<recurrence::RecurrenceBackend<T>> backends() {
  std::vector<recurrence::RecurrenceBackend<T>> list;
  if (!has_cuda()) return list;
  add<T, Method::tournament>(list, "tournament", "the 2018 paper's NAIVE-PARALLEL: an element's terms by tournament");
  add<T, Method::pipeline>(list, "pipeline", "the 2018 paper's pipeline, k threads on k elements");
  add<T, Method::m_by_m>(list, "2-by-2", "two terms a thread, our reconstruction of the 2018 paper's remark");
  add<T, Method::p_fold>(list, "p-fold", "the 2023 paper's p-fold pipeline with the largest p that is right");
  return list;
}

#define WARPFOLD_INSTANTIATE(T) template std::vector<recurrence::RecurrenceBackend<T>> backends();
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::pipeline_2018
