#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::knapsack {

/// Choose numbers, each at most once, whose sum is as close to `target` from below as possible.
/// Raises Error{input} for a negative number or target, Error{overflow} where 4 * (sum of the numbers) >= 2^63.
class SubsetSum {
 public:
  SubsetSum(std::vector<std::int64_t> numbers, std::int64_t target);

  [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return numbers_; }
  [[nodiscard]] std::int64_t target() const { return target_; }
  [[nodiscard]] std::int64_t total() const { return total_; }

 private:
  std::vector<std::int64_t> numbers_;
  std::int64_t target_;
  std::int64_t total_ = 0;
};

/// The sum that comes closest to the target from below, and whose it is.
struct SubsetSumSolution {
  std::int64_t sum = 0;
  std::vector<std::size_t> items;  ///< sorted indices of the chosen numbers
  std::string reason;              ///< one sentence: why this algorithm ran
};

/// "core" (the knapsack's, each value equal to its weight), or "bitset": one bit a sum, items found by halving: the
/// sums of both halves of the numbers, a pair of them that meets the best sum, and the same again within each half. It
/// takes n (target / 64) word operations at most twice, and 2 bits a sum.
[[nodiscard]] std::vector<AlgorithmInfo> subset_sum_algorithms();

/// The sum closest to the target from below, and numbers that have it. Every algorithm gives the same sum; where
/// several choices of numbers have it, "core" and "bitset" may each give another, the same for every instruction set
/// and number of threads. A memory limit may change the choice. Without Options::algorithm the report names the
/// algorithm that ran. Raises Error{usage} for an unknown algorithm, Error{time_limit}, Error{memory_limit} and
/// Error{cancelled} as the options ask.
[[nodiscard]] Outcome<SubsetSumSolution> solve(const SubsetSum& problem, const Options& options = {});

/// What `solve` would take; raises what it raises for the options. How far "core" has to go, and whether it gives up
/// for "bitset", depends on the numbers.
[[nodiscard]] Estimate estimate(const SubsetSum& problem, const Options& options = {});

/// The number of subsets whose sum is exactly the target, in decimal; numbers that are 0 double it. With `modulus` > 0
/// only its remainder. O(n target) additions of n-bit numbers, or of words with a modulus of at most 2^62.
struct SubsetCount {
  std::string digits;
};
/// Counts them, on the CPU alone, by one algorithm; options that name one for the closest sum are accepted, too. Raises
/// Error{usage} for another name and a modulus above 2^62, Error{device} for a GPU that is named.
[[nodiscard]] Outcome<SubsetCount> count_subsets(const SubsetSum& problem, std::uint64_t modulus = 0,
                                                 const Options& options = {});

/// What `count_subsets` would take.
[[nodiscard]] Estimate estimate_count(const SubsetSum& problem, std::uint64_t modulus = 0);

}  // namespace warpfold::knapsack
