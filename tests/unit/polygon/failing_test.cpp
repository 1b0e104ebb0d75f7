#include "failing.hpp"

#include "allocations.hpp"
#include "sanitizers.hpp"
#include "unit/polygon/round_outline.hpp"
#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon {
namespace {

Triangulation<double> round_problem(std::size_t n) {
  const Outline outline = test::round_outline(n);
  const VisibilityGraph graph = interior_chords(outline);
  const auto length = [&](std::size_t i, std::size_t j) {
    return chord_weight(Weight::length, outline[i], outline[j]);
  };
  return {graph, chord_weights<double>(graph, length)};
}

Outcome<interval::Solution<double>> solve_sparse(const Triangulation<double>& problem, Options options) {
  options.algorithm = "sparse";
  return solve(problem, options);
}

TEST(FailingSparse, RaisesWhatTheCallbackRaised) {
  const auto problem = round_problem(1200);
  warpfold::test::expect_callback_failure_arrives(
      [&](const Options& options) { static_cast<void>(solve_sparse(problem, options)); });
}

TEST(FailingSparse, AnswersAStopWhileItsStructureIsTraced) {
  const auto problem = round_problem(100);
  warpfold::test::expect_stop_ends_the_trace(
      [&](const Options& options) { return solve_sparse(problem, options).solution; });
}

TEST(FailingSparse, IsSolvedByTheCallerWhereNoThreadStarts) {
  const auto problem = round_problem(600);
  const double cost = solve_sparse(problem, warpfold::test::on_threads(1)).solution.cost;
  warpfold::test::expect_solved_without_threads([&](const Options& options) {
    const auto result = solve_sparse(problem, options);
    return result.solution.cost == cost ? result.report.threads : -1;
  });
}

TEST(FailingSparse, SaysHowManyThreadsRan) {
  const auto problem = round_problem(200);  // three blocks a side
  warpfold::test::expect_too_many_threads_are_capped(
      [&](const Options& options) { return solve_sparse(problem, options).report.threads; });
  EXPECT_EQ(solve_sparse(problem, warpfold::test::on_threads(100000)).report.threads, 3);
  EXPECT_EQ(solve_sparse(round_problem(100), warpfold::test::on_threads(2)).report.threads, 1);
}

/// GEOS checks it. GEOS reports failed allocations in its own ways.
TEST(FailingOutline, RaisesBadAllocWhicheverAllocationFails) {
  if (warpfold::test::under_address_sanitizer)
    GTEST_SKIP() << "GEOS 3.11 loses the vertices of a ring that it cannot make";
  const std::vector<Point> vertices = test::round_outline(100).vertices();
  int refused = 0;
  bool was_met = true;
  for (std::int64_t number = 0; was_met; ++number) {
    std::vector<Point> given = vertices;
    const warpfold::test::FailingAllocation failing(number);
    try {
      static_cast<void>(Outline(std::move(given)));
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    was_met = failing.was_met();
  }
  EXPECT_GT(refused, 10) << "GEOS' allocations were not met";
}

TEST(FailingChords, RaiseThatAThreadFoundNoMemory) {
  const warpfold::test::Watchdog watchdog;
  const Outline outline = test::round_outline(1000);
  {
    const warpfold::test::NoMemoryForOthers none;
    EXPECT_THROW(static_cast<void>(interior_chords(outline, warpfold::test::on_threads(4))), std::bad_alloc);
  }
  warpfold::test::expect_other_threads_gone();
}

TEST(FailingChords, AreListedByTheCallerWhereNoThreadStarts) {
  const Outline outline = test::round_outline(600);
  warpfold::test::expect_solved_without_threads(
      [&](const Options& options) { return interior_chords(outline, options).ends.size() == 600 * 599 / 2 ? 1 : -1; });
}

TEST(FailingChords, TakeNoMoreThreadsThanTheCap) {
  const Outline outline = test::round_outline(2000);
  warpfold::test::expect_too_many_threads_are_capped([&](const Options& options) {
    return interior_chords(outline, options).ends.size() == 2000 * 1999 / 2 ? 1 : 1000000;
  });
}

}  // namespace
}  // namespace warpfold::polygon
