#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// The binary search tree of least expected depth (Knuth, Optimum binary search trees, Acta Informatica 1, 1971).
///
///     value(i,j) = W(i,j) + min over i<k<=j of value(i,k-1) + value(k,j),    value(i,i) = q_i,
///     W(i,j) = q_i + p_(i+1) + q_(i+1) + .. + p_j + q_j,
///
/// where p_k weighs key k and q_k the gap behind it. The answer is value(0,n). The root of (i,j) need only be sought
/// between the roots of (i,j-1) and (i+1,j), for weights that are not negative: O(n^2) steps in all.
namespace warpfold::interval {

/// What no tree of so many keys costs more than, where all weights add up to `sum`: no tree is deeper than n, and a gap
/// lies one deeper than the deepest key.
[[nodiscard]] constexpr double max_tree_cost(double sum, std::size_t keys) {
  return sum * (static_cast<double>(keys) + 1);
}

/// Keys 0 .. n-1 with weights p, and gaps 0 .. n with weights q. Immutable. T: std::int32_t, std::int64_t, float or
/// double.
template <class T>
class SearchTree {
 public:
  /// Raises Error{input} where q is not one longer than p, there is no key, or a weight is negative or not finite;
  /// Error{overflow} where `max_tree_cost` is a quarter of T's largest or more.
  SearchTree(std::vector<T> keys, std::vector<T> gaps);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const std::vector<T>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<T>& gaps() const { return gaps_; }

 private:
  std::vector<T> keys_;
  std::vector<T> gaps_;
};

/// The least expected depth, and a tree that has it.
template <class T>
struct TreeSolution {
  T cost{};
  std::uint32_t root = 0;
  std::vector<std::int64_t> parents;  ///< of each key; -1 for the root
};

/// The names that Options::algorithm accepts: "knuth" and "dp".
[[nodiscard]] std::vector<AlgorithmInfo> tree_algorithms();

/// The optimum, exact for integers, and its tree; ties go to the smallest root. "knuth", the default, takes O(n^2)
/// steps and (n+1)(n+2)/2 values; "dp" seeks every root among all keys, O(n^3). Where floats' sums are rounded, the
/// ranges of "knuth" hold up to that: its cost may be another than that of "dp" by as much. Raises Error{usage} for
/// another algorithm, Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
template <class T>
[[nodiscard]] Outcome<TreeSolution<T>> solve(const SearchTree<T>& tree, const Options& options = {});

/// What `solve` would take; raises what it raises for the options.
template <class T>
[[nodiscard]] Estimate estimate(const SearchTree<T>& tree, const Options& options = {});

}  // namespace warpfold::interval
