#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold {

/// Solves many problems of any family at once, each by one thread of the CPU; solutions stand in the order of the
/// problems, the report is of all of them together. Raises what the family's `solve` raises for one of them.
/// (interval::solve_batch takes triangulations to a GPU, too.)
template <class Problem>
[[nodiscard]] auto solve_batch(std::span<const Problem> problems, const Options& options = {}) {
  using Solution = decltype(solve(problems.front(), options).solution);
  const auto start = std::chrono::steady_clock::now();
  Outcome<std::vector<Solution>> outcome{std::vector<Solution>(problems.size()), {}};
  if (options.device.kind == Device::Kind::cuda) {
    throw Error(ErrorKind::device, "a batch is solved on the CPU: --device auto or cpu is accepted");
  }
  Budget budget(options);
  Options each = options;
  each.budget = &budget;
  each.device = {Device::Kind::cpu, 0};
  each.threads = 1;
  each.progress = nullptr;
  Watch watch(options, static_cast<double>(problems.size()));
  std::vector<std::string> algorithms(problems.size());
  const auto useful = std::min(problems.size(), static_cast<std::size_t>(thread_count(options.threads)));
  Team team(std::max(1, static_cast<int>(useful)));
  team.loop(problems.size(), [&](std::size_t at, int member) {
    watch.check();
    auto solved = solve(problems[at], each);
    outcome.solution[at] = std::move(solved.solution);
    algorithms[at] = std::move(solved.report.algorithm);
    if (member == 0) watch.advance(1);
  });
  outcome.report.device = "cpu";
  outcome.report.threads = team.size();
  const bool alike =
      std::adjacent_find(algorithms.begin(), algorithms.end(), std::not_equal_to<>()) == algorithms.end();
  outcome.report.algorithm = algorithms.empty() ? "" : alike ? algorithms.front() : "several";
  outcome.report.peak_bytes = budget.peak();
  outcome.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace warpfold
