#include "memory.hpp"

#include <cmath>
#include <vector>

#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::interval {
namespace {

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t at = 0; at < count; ++at) values[at] = static_cast<float>(at * 7919 % 1000);
  return values;
}

MatrixChain chain(std::size_t n) {
  std::vector<std::int64_t> dimensions;
  for (std::size_t t = 0; t <= n; ++t) dimensions.push_back(static_cast<std::int64_t>(1 + t * 7919 % 100));
  return MatrixChain(std::move(dimensions));
}

TEST(MemoryOfTriangulations, IsWhatTheReportSays) {
  const std::size_t n = 6000;
  const std::vector<float> weights = numbers(n * n);
  const Triangulation<float> problem({weights.data(), n, n, n});
  test::expect_reported_memory_is_held(
      [&](const Options& options) { return solve(problem, options).report.peak_bytes; });
}

/// Each thread holds at most one table. Only as many threads solve at once as the memory has room for.
TEST(MemoryOfBatches, IsSharedByTheThreads) {
  const std::size_t n = 1000;
  const std::vector<float> weights = numbers(n * n);
  const std::vector<Triangulation<float>> problems(8, Triangulation<float>({weights.data(), n, n, n}));
  const std::size_t one = solve(problems[0]).report.peak_bytes;
  Options options;
  options.threads = 2;
  const std::size_t both = solve_batch(std::span<const Triangulation<float>>(problems), options).report.peak_bytes;
  EXPECT_GE(both, one);
  EXPECT_LE(both, 2 * one);
  options.max_memory = 2 * one - 1;
  EXPECT_EQ(solve_batch(std::span<const Triangulation<float>>(problems), options).report.peak_bytes, one);
  options.max_memory = one - 1;
  EXPECT_THROW(static_cast<void>(solve_batch(std::span<const Triangulation<float>>(problems), options)), Error);
}

struct Sums {
  using Semiring = MinPlus<double>;
  double leaf(std::size_t i) const { return static_cast<double>(i % 7); }
  double weight(std::size_t, std::size_t) const { return 1; }
};

TEST(MemoryOfRecurrences, IsBoundedForAllThreadsTogether) {
  const std::vector<Sums> recurrences(50);
  const std::vector<std::size_t> points(50, 600);
  Options options;
  options.threads = 2;
  Budget whole(std::size_t{1} << 40, "there are");
  options.budget = &whole;
  const auto all = [&] { static_cast<void>(solve_recurrences(recurrences, points, options)); };
  all();
  const std::size_t one = IntervalTable<double>::bytes(600);
  EXPECT_GE(whole.peak(), one);
  EXPECT_LE(whole.peak(), 2 * one) << "two threads";
  options.max_memory = 2 * one - 1;
  EXPECT_NO_THROW(all()) << "one after the other";
  options.max_memory = one - 1;
  EXPECT_THROW(all(), Error);
}

TEST(MemoryOfChains, IsWhatTheReportSaysTablesIncluded) {
  const MatrixChain problem = chain(3000);
  test::expect_reported_memory_is_held(
      [&](const Options& options) { return chain_tables<std::int64_t>(problem, options).report.peak_bytes; });
}

TEST(MemoryOfTrees, IsWhatTheReportSays) {
  const SearchTree<double> tree(std::vector<double>(6000, 1), std::vector<double>(6001, 2));
  test::expect_reported_memory_is_held([&](const Options& options) { return solve(tree, options).report.peak_bytes; });
}

}  // namespace
}  // namespace warpfold::interval
