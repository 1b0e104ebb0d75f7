#include "warpfold/knapsack/subset_sum.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::fuzz {
namespace {

using knapsack::SubsetSum;

/// The number of subsets for each sum 0 .. target, modulo 2^64.
std::vector<std::uint64_t> counts(const std::vector<std::int64_t>& numbers, std::int64_t target) {
  std::vector<std::uint64_t> ways(static_cast<std::size_t>(target) + 1, 0);
  ways[0] = 1;
  for (const std::int64_t number : numbers) {
    for (std::int64_t s = target; s >= number; --s) ways[s] += ways[s - number];
  }
  return ways;
}

/// The largest subset sum below the target. Counts modulo 2^64 may hide it beyond 63 numbers.
std::int64_t best_sum(const std::vector<std::int64_t>& numbers, std::int64_t target) {
  std::vector<bool> reached(static_cast<std::size_t>(target) + 1, false);
  reached[0] = true;
  for (const std::int64_t number : numbers) {
    for (std::int64_t s = target; s >= number; --s) reached[s] = reached[s] || reached[s - number];
  }
  while (!reached[target]) --target;
  return target;
}

void sum(Bytes& bytes) {
  const std::int64_t most = bytes.pick<std::int64_t>({3, 64, 1000});
  std::vector<std::int64_t> numbers(bytes.below(bytes.pick({5, 30, 90})));
  for (std::int64_t& number : numbers) number = bytes.between(0, most) * bytes.pick<std::int64_t>({1, 2, 2, 4});
  const std::int64_t target = bytes.between(0, bytes.pick<std::int64_t>({1, 130, 2000, 9000}));
  const SubsetSum problem = stated([&] { return SubsetSum(numbers, target); });
  const std::string text = fmt::format("subset sum of {} numbers, target {}", numbers.size(), target);
  const std::vector<std::string> algorithms = {"core", "bitset", ""};
  expect_alike(text, bits(best_sum(numbers, target)), algorithms, [&](const Options& options) {
    const auto solution = solve(problem, options).solution;
    expect(verify(problem, solution), text + " by '" + options.algorithm + "'");
    return bits(solution.sum);
  });
  expect_each_alike(text, algorithms,
                    [&](const Options& options) { return bits(solve(problem, options).solution.items); });

  const std::uint64_t modulus = std::uint64_t{1} << 62;
  const std::string count = fmt::format("{}", counts(numbers, target).back() % modulus);
  expect_alike(text + ", counted", count, {""},
               [&](const Options& options) { return count_subsets(problem, modulus, options).solution.digits; });
  expect(verify(problem, count_subsets(problem).solution), text + ", counted");
  const SubsetSum other(shuffled(bytes, numbers), target);
  expect(count_subsets(other).solution.digits == count_subsets(problem).solution.digits,
         text + ": numbers in another order count otherwise");
  expect(solve(other).solution.sum == solve(problem).solution.sum, text + ": numbers in another order");
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, warpfold::fuzz::sum);
}
