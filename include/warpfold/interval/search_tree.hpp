#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// The binary search tree of least expected depth (Knuth, Optimum binary search trees, Acta Informatica 1, 1971):
///
///     value(i,j) = W(i,j) + min over i<k<=j of value(i,k-1) + value(k,j),    value(i,i) = q_i,
///     W(i,j) = q_i + p_(i+1) + q_(i+1) + .. + p_j + q_j
///
/// p_k is the weight of key k, q_k that of the gap after it. The answer is value(0,n).
///
/// Weights are not negative. So the root of (i,j) is between the roots of (i,j-1) and (i+1,j), and all searches
/// together take O(n^2) steps.
namespace warpfold::interval {

/// An upper bound of the cost of any tree, if all weights add up to `sum`. No tree is deeper than n, and a gap is one
/// deeper than the deepest key.
[[nodiscard]] constexpr double max_tree_cost(double sum, std::size_t keys) {
  return sum * (static_cast<double>(keys) + 1);
}

/// Keys 0 .. n-1 with weights p, and gaps 0 .. n with weights q. Immutable. T is int32_t, int64_t, float or double.
template <class T>
class SearchTree {
 public:
  /// Raises Error{input} if there is no key, if q is not one longer than p, or if a weight is negative or not finite.
  /// Raises Error{overflow} if `max_tree_cost` is a quarter of T's largest value or more.
  SearchTree(std::vector<T> keys, std::vector<T> gaps);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const std::vector<T>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<T>& gaps() const { return gaps_; }

 private:
  std::vector<T> keys_;
  std::vector<T> gaps_;
};

/// The least expected depth and a tree that attains it.
template <class T>
struct TreeSolution {
  T cost{};
  std::uint32_t root = 0;
  std::vector<std::int64_t> parents;  ///< of each key; -1 for the root
};

/// The algorithms that Options::algorithm accepts: "knuth" and "dp".
[[nodiscard]] std::vector<AlgorithmInfo> tree_algorithms();

/// Finds the optimal tree. The cost is exact for integers. Ties go to the smallest root.
///
/// "knuth", the default, takes O(n^2) steps and (n+1)(n+2)/2 values. "dp" searches every root among all keys, O(n^3)
/// steps. With rounded sums of floats, the two may differ by rounding, because the root ranges of "knuth" hold only up
/// to it.
///
/// Raises Error{usage} for an unknown algorithm, Error{time_limit}, Error{memory_limit} and Error{cancelled} as the
/// options ask.
template <class T>
[[nodiscard]] Outcome<TreeSolution<T>> solve(const SearchTree<T>& tree, const Options& options = {});

/// Estimates `solve`. Raises what `solve` raises for the options.
template <class T>
[[nodiscard]] Estimate estimate(const SearchTree<T>& tree, const Options& options = {});

}  // namespace warpfold::interval
