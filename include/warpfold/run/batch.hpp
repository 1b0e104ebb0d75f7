#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/run/run.hpp"

namespace warpfold {

namespace detail {

/// What every batch goes through on the CPU: solve(at, options) for at = 0 .. count-1, each by one of several threads,
/// with the options of one, out of one budget; it returns how many of all `operations` it took, for the progress. What
/// finds no memory beside the others comes again after them, and its thread ends; alone, it has to find it. The
/// report's threads are those that began. Raises Error{device} for a GPU and what `solve` and a SolveMonitor raise.
Report solve_each(std::size_t count, double operations, const Options& options,
                  const std::function<double(std::size_t at, const Options& each)>& solve);

}  // namespace detail

/// Solves many problems of any family at once, each by one thread of the CPU; solutions stand in the order of the
/// problems, the report is of all of them together. Fewer threads solve where memory is short, and progress counts
/// problems. Raises what the family's `solve` raises for one of them.
/// (interval::solve_batch takes triangulations to a GPU, too.)
template <class Problem>
[[nodiscard]] auto solve_batch(std::span<const Problem> problems, const Options& options = {}) {
  using Solution = decltype(solve(problems.front(), options).solution);
  std::vector<Solution> solutions(problems.size());
  std::vector<std::string> algorithms(problems.size());
  Report report = detail::solve_each(problems.size(), static_cast<double>(problems.size()), options,
                                     [&](std::size_t at, const Options& each) {
                                       auto solved = solve(problems[at], each);
                                       solutions[at] = std::move(solved.solution);
                                       algorithms[at] = std::move(solved.report.algorithm);
                                       return 1.0;
                                     });
  const bool alike =
      std::adjacent_find(algorithms.begin(), algorithms.end(), std::not_equal_to<>()) == algorithms.end();
  report.algorithm = algorithms.empty() ? "" : alike ? algorithms.front() : "several";
  return Outcome<std::vector<Solution>>{std::move(solutions), std::move(report)};
}

}  // namespace warpfold
