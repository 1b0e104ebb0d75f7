#include "failing.hpp"

#include <numeric>

#include "warpfold/recurrence/solve.hpp"

namespace warpfold::recurrence {
namespace {

Problem<std::int64_t> many_offsets(Op op) {
  Statement<std::int64_t> statement{op, {}, {}, 60000, {}, 0};
  for (std::int64_t j = 2000; j > 0; --j) statement.offsets.push_back(2 * j);
  statement.initial.resize(4000);
  std::iota(statement.initial.begin(), statement.initial.end(), 1);
  if (op == Op::min) statement.weights.assign(2000, 3);
  return Problem<std::int64_t>(std::move(statement));
}

Outcome<Solution<std::int64_t>> solve_blocks(Options options) {
  options.algorithm = "blocks";
  return solve(many_offsets(Op::min), options);
}

TEST(FailingBlocks, RaiseWhatTheCallbackRaised) {
  test::expect_callback_failure_arrives([](const Options& options) { static_cast<void>(solve_blocks(options)); });
}

TEST(FailingBlocks, AreFilledByTheCallerWhereNoThreadStarts) {
  const auto values = solve_blocks(test::on_threads(2)).solution.values;
  test::expect_solved_without_threads([&](const Options& options) {
    const auto outcome = solve_blocks(options);
    return outcome.solution.values == values ? outcome.report.threads : -1;
  });
}

TEST(FailingBlocks, TakeNoMoreThreadsThanTheCap) {
  test::expect_too_many_threads_are_capped([](const Options& options) { return solve_blocks(options).report.threads; });
}

}  // namespace
}  // namespace warpfold::recurrence
