#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::knapsack {

/// Choose numbers, each at most once, so that their sum is as large as possible but at most `target`.
///
/// Numbers may be negative. With D = sum of the |x| of all x < 0, the sum of chosen numbers is
///
///     sum of |x| over chosen x > 0 + sum of |x| over x < 0 that are left out - D,
///
/// so the solvers work on the magnitudes |x| and the target `target` + D, and what they choose of the negative numbers
/// is left out. The result is the same optimum.
///
/// Raises Error{infeasible} if every subset's sum is above the target, which is then below -D, and Error{overflow} if 4
/// * (sum of the magnitudes) >= 2^63.
class SubsetSum {
 public:
  SubsetSum(std::vector<std::int64_t> numbers, std::int64_t target);

  [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return numbers_; }
  [[nodiscard]] std::int64_t target() const { return target_; }
  /// Returns the sum of the magnitudes.
  [[nodiscard]] std::int64_t total() const { return total_; }
  /// Returns D, 0 without negative numbers.
  [[nodiscard]] std::int64_t deficit() const { return deficit_; }
  /// Returns the problem of the magnitudes and the target `target` + D.
  [[nodiscard]] SubsetSum of_magnitudes() const;

 private:
  std::vector<std::int64_t> numbers_;
  std::int64_t target_;
  std::int64_t total_ = 0;
  std::int64_t deficit_ = 0;
};

/// The largest sum that is at most the target, and its numbers.
struct SubsetSumSolution {
  std::int64_t sum = 0;
  std::vector<std::size_t> items;  ///< sorted indices of the chosen numbers
  std::string reason;              ///< one sentence on why this algorithm ran
};

/// Returns the algorithms that `Options::algorithm` accepts, each with its operations.
[[nodiscard]] std::vector<AlgorithmInfo> subset_sum_algorithms();

/// Returns the sum closest to the target from below, and numbers that have it.
///
/// Every algorithm gives the same sum. If several choices of numbers have it, "core" and "bitset" may give different
/// ones, each the same for every instruction set and number of threads. A memory limit may change the choice.
///
/// Options::algorithm forces an algorithm; the report names the one that ran. Raises Error{usage} for an unknown
/// algorithm. Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
[[nodiscard]] Outcome<SubsetSumSolution> solve(const SubsetSum& problem, const Options& options = {});

/// Returns the time and memory that `solve` would take. Raises what `solve` raises for the options. The numbers decide
/// how far "core" has to go, and whether it gives up for "bitset".
[[nodiscard]] Estimate estimate(const SubsetSum& problem, const Options& options = {});

/// The number of subsets whose sum is exactly the target, in decimal. Each number 0 doubles it.
struct SubsetCount {
  std::string digits;
};
/// Counts the subsets whose sum is exactly the target. With `modulus` > 0 the result is the remainder. It runs on the
/// CPU, by one algorithm. Options that name one for the closest sum are accepted too.
///
/// Raises Error{usage} for another algorithm and for a modulus above 2^62, and Error{device} if the options name a GPU.
/// Cost: O(n target) additions of n-bit numbers, or of words with a modulus.
[[nodiscard]] Outcome<SubsetCount> count_subsets(const SubsetSum& problem, std::uint64_t modulus = 0,
                                                 const Options& options = {});

/// Returns the time and memory that `count_subsets` would take.
[[nodiscard]] Estimate estimate_count(const SubsetSum& problem, std::uint64_t modulus = 0);

}  // namespace warpfold::knapsack
