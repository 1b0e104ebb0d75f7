#include "memory.hpp"

#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"

namespace warpfold::knapsack {
namespace {

Problem drawn(Kind kind, std::size_t n, std::int64_t capacity) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    items.push_back({100 + at * 7919 % 900, capacity / 50 + at * 6007 % 9000});
  }
  return Problem(kind, std::move(items), capacity);
}

TEST(MemoryOfTables, IsWhatTheReportSays) {
  for (const bool items : {false, true}) {
    const Problem problem = drawn(Kind::zero_one, 200, 20000000);
    test::expect_reported_memory_is_held([&](Options options) {
      options.algorithm = "table";
      return solve(problem, options, {items, ""}).report.peak_bytes;
    });
  }
}

TEST(MemoryOfTables, IsWhatTheReportSaysForEveryCapacity) {
  for (const Kind kind : {Kind::zero_one, Kind::unbounded}) {
    const Problem problem = drawn(kind, 100, 10000000);
    test::expect_reported_memory_is_held([&](const Options& options) {
      Report report;
      report = every_capacity(problem, options).report;
      return report.peak_bytes;
    });
  }
}

TEST(MemoryOfReference, IsWhatTheReportSays) {
  const Problem problem = drawn(Kind::zero_one, 20, 1000000);
  test::expect_reported_memory_is_held([&](Options options) {
    options.algorithm = "reference";
    return solve(problem, options).report.peak_bytes;
  });
}

TEST(MemoryOfBitsets, IsWhatTheReportSays) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 100; ++i) numbers.push_back(10000000 + i * 600011 % 9000000);
  const SubsetSum problem(std::move(numbers), 700000001);
  test::expect_reported_memory_is_held([&](Options options) {
    options.algorithm = "bitset";
    return solve(problem, options).report.peak_bytes;
  });
}

}  // namespace
}  // namespace warpfold::knapsack
