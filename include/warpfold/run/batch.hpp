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

/// The options of one problem of a batch: one thread of the CPU, no progress callback, memory from the batch's budget.
[[nodiscard]] Options options_of_each(const Options& options, Budget& budget);

/// Tells `Options::failed` of an error of the problem `at` of a batch. Without such a function it raises the error
/// again, and the message begins with the problem's position. Returns false for an error that is not of one problem.
[[nodiscard]] bool tell_of_failure(const Options& options, std::size_t at, const Error& error);

/// Solves a batch on the CPU: calls solve(at, each) for at = 0 .. count-1 from several threads.
///
/// `each` has one thread, no progress callback, and a budget that all problems share. `solve` returns how many of the
/// `operations` it did, for progress. A problem that runs out of memory is retried after the others finish, with half
/// the threads. A problem that fails, for memory if it fails alone, is given to `tell_of_failure`.
///
/// The report's threads are the most that ran at one time. Raises Error{device} for a GPU, Error{usage} for a
/// checkpointer, and what `solve` and SolveMonitor raise.
Report solve_each(std::size_t count, double operations, const Options& options,
                  const std::function<double(std::size_t at, const Options& each)>& solve);

}  // namespace detail

/// Solves many problems of any family at once, each with one CPU thread.
///
/// Solutions are in the order of the problems. The report covers the whole batch; its algorithm is "several" if the
/// problems used different ones. Progress counts problems. Fewer threads run if memory is short.
///
/// The first problem that fails ends the batch, unless the options have a function `failed`. Raises what the family's
/// `solve` raises for one problem, Error{device} for a GPU and Error{usage} for a checkpointer. interval::solve_batch
/// solves triangulations on a GPU, too.
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
