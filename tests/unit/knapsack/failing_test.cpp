#include "failing.hpp"

#include <chrono>
#include <thread>

#include "allocations.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"

namespace warpfold::knapsack {
namespace {

Options by(const std::string& algorithm, Options options) {
  options.algorithm = algorithm;
  return options;
}

Problem large_problem(std::size_t n, std::int64_t capacity) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    items.push_back({100 + at * 7919 % 900, 1000 + at * 6007 % 9000});
  }
  return Problem(Kind::zero_one, std::move(items), capacity);
}

int threads_of_table(const Problem& problem, const Options& options) {
  return solve(problem, by("table", options), {false, ""}).report.threads;
}

TEST(FailingTable, RaisesWhatTheCallbackRaised) {
  const Problem problem = large_problem(2000, 1000000);
  test::expect_callback_failure_arrives([&](const Options& options) { return threads_of_table(problem, options); });
}

TEST(FailingTable, EndsWhereverItIsStopped) {
  const test::Watchdog watchdog;
  const Problem problem = large_problem(6000, 1000000);  // one thread's rows first, then all threads'
  for (const int microseconds : {50, 500, 5000}) {
    std::stop_source stop;
    Options options = test::on_threads(3);
    options.stop = stop.get_token();
    const std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      stop.request_stop();
    });
    EXPECT_THROW(threads_of_table(problem, options), Error);
  }
  test::expect_other_threads_gone();
}

TEST(FailingTable, RaisesThatAThreadFoundNoMemory) {
  const test::Watchdog watchdog;
  const Problem problem = large_problem(100, 200000);
  {
    const test::NoMemoryForOthers none;
    EXPECT_THROW(threads_of_table(problem, test::on_threads(4)), std::bad_alloc);
  }
  test::expect_other_threads_gone();
}

TEST(FailingTable, IsFilledByTheCallerWhereNoThreadStarts) {
  const Problem problem = large_problem(100, 200000);
  const std::int64_t value = solve(problem).solution.value;
  test::expect_solved_without_threads([&](const Options& options) {
    const auto [solution, report] = solve(problem, by("table", options), {false, ""});
    return solution.value == value ? report.threads : -1;
  });
}

TEST(FailingTable, TakesNoMoreThreadsThanTheCap) {
  const Problem problem = large_problem(100, 200000);
  test::expect_too_many_threads_are_capped([&](const Options& options) { return threads_of_table(problem, options); });
}

TEST(FailingTable, SaysThatASmallOneRanOnOneThread) {
  EXPECT_EQ(threads_of_table(large_problem(20, 10000), test::on_threads(4)), 1);
}

SubsetSum large_sum() {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 400; ++i) numbers.push_back(100000 + i * 6007 % 90000);
  return SubsetSum(std::move(numbers), 10000001);
}

int threads_of_bitset(const SubsetSum& problem, const Options& options) {
  return solve(problem, by("bitset", options)).report.threads;
}

TEST(FailingBitset, IsSolvedByTheCallerWhereNoThreadStarts) {
  const SubsetSum problem = large_sum();
  test::expect_solved_without_threads([&](const Options& options) { return threads_of_bitset(problem, options); });
}

TEST(FailingBitset, TakesNoMoreThreadsThanTheCap) {
  const SubsetSum problem = large_sum();
  test::expect_too_many_threads_are_capped([&](const Options& options) { return threads_of_bitset(problem, options); });
  EXPECT_EQ(threads_of_bitset(problem, test::on_threads(100000)), 2);
}

}  // namespace
}  // namespace warpfold::knapsack
