#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"

/// Follows the recipe for a backend (docs/explanation/HACKING.md) from a caller's side. The steps are those of a
/// backend in the library, so what the recipe says of an entry of the list is tested here.
namespace warpfold::recurrence::extra_backend {
namespace {

using Value = std::int32_t;

/// Step 1, the function: unweighted min. Gives up 13, if it may.
Solution<Value> by_scan(const Problem<Value>& problem, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(problem.n(), sizeof(Value));
  if (context.next && problem.initial()[0] == 13) context.give_up("13 is first");
  SolveMonitor monitor(context.options, problem.operations());
  Solution<Value> solution{{problem.initial().begin(), problem.initial().end()}};
  for (std::size_t i = problem.initial().size(); i < problem.n(); ++i) {
    Value least = solution.values[i - static_cast<std::size_t>(problem.smallest_offset())];
    for (const std::int64_t a : problem.offsets())
      least = std::min(least, solution.values[i - static_cast<std::size_t>(a)]);
    solution.values.push_back(least);
    monitor.advance(static_cast<double>(problem.offsets().size()));
  }
  return solution;
}

/// Step 3, the entry. A negative cost makes it the cheapest.
RecurrenceBackend<Value> scan() {
  return {.info = {"scan", "cpu", "unweighted min", "n k operations"},
          .cost = [](const Problem<Value>&, const Options&) { return -1.0; },
          .bytes = [](const Problem<Value>& problem, const Options&) { return problem.n() * sizeof(Value); },
          .run = by_scan,
          .unsupported_reason = [](const Problem<Value>& problem) -> std::string {
            return problem.op() == Op::min && !problem.is_weighted() ? "" : "solves unweighted min only";
          },
          .operations = [](const Problem<Value>& problem) { return problem.operations(); },
          .seconds = [](const RecurrenceBackend<Value>&, const Problem<Value>& problem,
                        const Options&) { return 1e-9 * problem.operations(); },
          .hands_on_to = "blocks"};
}

Problem<Value> unweighted(std::size_t n, Value first = 5, std::vector<Value> weights = {}) {
  Statement<Value> statement{.op = Op::min, .offsets = {7, 3, 1}, .n = n, .weights = std::move(weights)};
  for (Value i = 0; i < 7; ++i) statement.initial.push_back(i == 0 ? first : first + 11 * i % 7);
  return Problem<Value>(statement);
}

Outcome<Solution<Value>> solved_with_scan(const Problem<Value>& problem, const std::string& algorithm) {
  const RecurrenceBackend<Value> own = scan();
  return solve(problem, test::by(algorithm), {&own, 1});
}

/// Step 5, the comparison with the reference.
TEST(ExtraBackend, HasTheReferencesBits) {
  for (const std::size_t n : {7, 8, 63, 64, 65, 1000}) {
    const auto found = solved_with_scan(unweighted(n), "scan");
    EXPECT_EQ(found.report.algorithm, "scan");
    EXPECT_EQ(found.solution.values, solved_with_scan(unweighted(n), "reference").solution.values) << n;
  }
}

TEST(ExtraBackend, RunsByItselfWhereItIsTheCheapestUnlessItRunsOnlyIfNamed) {
  EXPECT_EQ(solved_with_scan(unweighted(100), "").report.algorithm, "scan");
  RecurrenceBackend<Value> own = scan();
  own.explicit_only = true;
  EXPECT_NE(solve(unweighted(100), {}, {&own, 1}).report.algorithm, "scan");
}

TEST(ExtraBackend, HandsOnToTheLibrarysWhereItGivesUp) {
  const auto found = solved_with_scan(unweighted(100, 13), "");
  EXPECT_EQ(found.report.algorithm, "blocks");
  EXPECT_EQ(found.solution.values, solved_with_scan(unweighted(100, 13), "reference").solution.values);
  EXPECT_EQ(solved_with_scan(unweighted(100, 13), "scan").report.algorithm, "scan")
      << "a named algorithm does not hand on";
}

TEST(ExtraBackend, IsNamedWithTheOthersWhereAnAlgorithmIsRejected) {
  const auto message = [](const Problem<Value>& problem, const std::string& algorithm) -> std::string {
    try {
      static_cast<void>(solved_with_scan(problem, algorithm));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(unweighted(100, 5, {1, 2, 3}), "scan"),
            "algorithm 'scan' solves unweighted min only: reference, runs, blocks are accepted");
  EXPECT_NE(message(unweighted(100), "scam").find("blocks, scan are accepted"), std::string::npos);
}

TEST(ExtraBackend, IsEstimatedByItsEntry) {
  const RecurrenceBackend<Value> own = scan();
  const Problem<Value> problem = unweighted(1000);
  const Estimate expected = estimate(problem, test::by("scan"), {&own, 1});
  EXPECT_EQ(expected.algorithm, "scan");
  EXPECT_EQ(expected.operations, problem.operations());
  EXPECT_EQ(expected.bytes, solved_with_scan(problem, "scan").report.peak_bytes);
}

}  // namespace
}  // namespace warpfold::recurrence::extra_backend
