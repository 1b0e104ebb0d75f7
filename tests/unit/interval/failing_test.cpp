#include "failing.hpp"

#include <array>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::interval {
namespace {

struct SomeWeights {
  explicit SomeWeights(std::size_t vertices) : n(vertices), values(n * n) {
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at * 7919 % 1000);
  }
  [[nodiscard]] Triangulation<float> problem() const { return Triangulation<float>({values.data(), n, n, n}); }

  std::size_t n;
  std::vector<float> values;
};

int threads_of_triangulation(const Options& options) {
  const SomeWeights weights(1600);
  return solve(weights.problem(), options).report.threads;
}

int threads_of_batch(const Options& options) {
  const SomeWeights weights(200);
  const std::vector<Triangulation<float>> problems(100, weights.problem());
  return solve_batch(std::span<const Triangulation<float>>(problems), options).report.threads;
}

std::vector<std::int64_t> dimensions(std::int64_t count) {
  std::vector<std::int64_t> list;
  for (std::int64_t t = 0; t < count; ++t) list.push_back(1 + t * 7919 % 100);
  return list;
}

Outcome<ChainTables<double>> tables_of_chain(const Options& options) {
  return chain_tables<double>(MatrixChain(dimensions(500)), options);
}

/// A split that fails in a thread that the solver started.
struct FailingElsewhere {
  using Semiring = MinPlus<double>;
  std::thread::id caller = std::this_thread::get_id();

  double leaf(std::size_t) const { return 0; }
  double weight(std::size_t, std::size_t) const { return 0; }
  double split(std::size_t i, std::size_t k, std::size_t j) const {
    if (std::this_thread::get_id() != caller) throw std::bad_alloc();
    return static_cast<double>(i + k + j);
  }
};

TEST(FailingTriangulation, RaisesWhatTheCallbackRaised) {
  test::expect_callback_failure_arrives(threads_of_triangulation);
}

TEST(FailingTriangulation, AnswersAStopWhileItsStructureIsTraced) {
  const SomeWeights weights(400);
  for (const char* algorithm : {"tiled", "reference"}) {
    test::expect_stop_ends_the_trace([&](Options options) {
      options.algorithm = algorithm;
      return solve(weights.problem(), options).solution.cost;
    });
  }
}

TEST(FailingChain, AnswersAStopWhileItsStructureIsTraced) {
  const MatrixChain chain(dimensions(400));
  test::expect_stop_ends_the_trace([&](Options options) {
    options.algorithm = "dp";
    return solve(chain, options).solution.splits;
  });
}

TEST(FailingTriangulation, IsSolvedByTheCallerWhereNoThreadStarts) {
  test::expect_solved_without_threads(threads_of_triangulation);
}

TEST(FailingTriangulation, TakesNoMoreThreadsThanTheCap) {
  test::expect_too_many_threads_are_capped(threads_of_triangulation);
}

TEST(FailingBatchOfTriangulations, RaisesWhatTheCallbackRaised) {
  test::expect_callback_failure_arrives(threads_of_batch);
}

TEST(FailingBatchOfTriangulations, IsSolvedByTheCallerWhereNoThreadStarts) {
  test::expect_solved_without_threads(threads_of_batch);
}

TEST(FailingBatchOfTriangulations, TakesNoMoreThreadsThanTheCap) {
  test::expect_too_many_threads_are_capped(threads_of_batch);
}

TEST(FailingChainTables, RaiseWhatTheCallbackRaised) {
  test::expect_callback_failure_arrives([](const Options& options) { static_cast<void>(tables_of_chain(options)); });
}

TEST(FailingChainTables, AreFilledByTheCallerWhereNoThreadStarts) {
  test::expect_solved_without_threads([](const Options& options) { return tables_of_chain(options).report.threads; });
}

TEST(FailingRecurrence, RaisesWhatASplitRaisedInAnotherThread) {
  const test::Watchdog watchdog;
  EXPECT_THROW(static_cast<void>(solve_recurrence(FailingElsewhere(), 700, test::on_threads(4))), std::bad_alloc);
  test::expect_other_threads_gone();
}

TEST(FailingRecurrences, RaiseWhatASplitRaisedInAnotherThread) {
  const test::Watchdog watchdog;
  const std::vector<FailingElsewhere> recurrences(50);
  const std::vector<std::size_t> points(50, 200);
  EXPECT_THROW(static_cast<void>(solve_recurrences(std::span<const FailingElsewhere>(recurrences),
                                                   std::span<const std::size_t>(points), test::on_threads(4))),
               std::bad_alloc);
  test::expect_other_threads_gone();
}

}  // namespace
}  // namespace warpfold::interval
