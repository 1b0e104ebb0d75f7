#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "interval_input.hpp"
#include "verify.hpp"
#include "warpfold/interval/search_tree.hpp"

namespace warpfold::app {

namespace {

struct Shape {
  std::vector<std::int64_t> left, right;  ///< the children of each key, -1 for none
  std::int64_t root = -1;
};

/// The children that the parents say, or what is wrong with them.
Flaw read_shape(const std::vector<std::int64_t>& parents, Shape& shape) {
  const auto n = static_cast<std::int64_t>(parents.size());
  shape.left.assign(parents.size(), -1);
  shape.right.assign(parents.size(), -1);
  for (std::int64_t key = 0; key < n; ++key) {
    const std::int64_t parent = parents[static_cast<std::size_t>(key)];
    if (parent < -1 || parent >= n || parent == key) return fmt::format("'parents' entry {} is {}", key, parent);
    std::int64_t& place = parent < 0     ? shape.root
                          : key < parent ? shape.left[static_cast<std::size_t>(parent)]
                                         : shape.right[static_cast<std::size_t>(parent)];
    if (place != -1) return fmt::format("keys {} and {} hang at the same place", place, key);
    place = key;
  }
  return std::nullopt;
}

/// The depth of each key, 1 for the root; 0 for a key that the walk in order does not meet in its turn.
std::vector<double> depths_in_order(const Shape& shape) {
  std::vector<double> depth(shape.left.size(), 0);
  std::vector<std::pair<std::int64_t, double>> path;
  std::int64_t next = 0;
  std::int64_t key = shape.root;
  double below = 1;
  while ((key >= 0 && path.size() <= depth.size()) || !path.empty()) {
    for (; key >= 0 && path.size() <= depth.size(); key = shape.left[static_cast<std::size_t>(key)])
      path.emplace_back(key, below++);
    if (path.size() > depth.size()) return std::vector<double>(depth.size(), 0);  // a cycle
    const auto [here, level] = path.back();
    path.pop_back();
    if (here != next++) return std::vector<double>(depth.size(), 0);
    depth[static_cast<std::size_t>(here)] = level;
    key = shape.right[static_cast<std::size_t>(here)];
    below = level + 1;
  }
  return depth;
}

std::vector<double> reals(const io::Numbers& numbers) {
  std::vector<double> values;
  for (std::size_t i = 0; i < numbers.size(); ++i) values.push_back(numbers.real(i));
  return values;
}

/// A key costs its weight times its depth; a gap hangs below the deeper of its two neighbours.
template <class Sum, class T>
Sum cost_of(const std::vector<T>& keys, const std::vector<T>& gaps, const std::vector<double>& depth) {
  Sum cost = 0;
  for (std::size_t key = 0; key < keys.size(); ++key)
    cost += static_cast<Sum>(keys[key]) * static_cast<Sum>(depth[key]);
  for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
    const double left = gap > 0 ? depth[gap - 1] : 0;
    const double right = gap < depth.size() ? depth[gap] : 0;
    cost += static_cast<Sum>(gaps[gap]) * static_cast<Sum>(std::max(left, right) + 1);
  }
  return cost;
}

/// Whole weights solved in whole numbers are compared exactly, others to the roundings of their type.
Flaw cost_flaw(const TreeWeights& weights, const std::vector<double>& depth, const Json& solution) {
  const Json& stated = solution.at("cost");
  const auto dtype = solution.at("dtype").get<std::string>();
  Json cost;
  if (weights.whole() && dtype.starts_with('i')) {
    cost = exact_number(fmt::format("{}", cost_of<interval::Wide>(weights.keys.wholes, weights.gaps.wholes, depth)));
  } else {
    cost = cost_of<double>(reals(weights.keys), reals(weights.gaps), depth);
  }
  if (is_same_cost(stated, cost, dtype)) return std::nullopt;
  return fmt::format("'cost' is {}, the tree costs {}", json_text(stated), json_text(cost));
}

}  // namespace

Flaws verify_tree(const std::vector<std::string>& instance, const Json& solution) {
  const TreeWeights weights = read_tree_weights(instance);
  const auto parents = wholes<std::int64_t>(solution.at("parents"));
  if (Flaw flaw = flaw_of_run(solution, weights.keys.size())) return {flaw};
  if (parents.size() != weights.keys.size()) {
    return {fmt::format("'parents' has {} entries, there are {} keys", parents.size(), weights.keys.size())};
  }
  if (weights.gaps.size() != parents.size() + 1) return {"the instance's q is not one longer than its p"};
  Shape shape;
  if (Flaw flaw = read_shape(parents, shape)) return {flaw};
  if (whole<std::int64_t>(solution.at("root")) != shape.root)
    return {fmt::format("'root' is {}, of the parents it is {}", json_text(solution.at("root")), shape.root)};
  const std::vector<double> depth = depths_in_order(shape);
  const auto missed = std::find(depth.begin(), depth.end(), 0.0);
  if (missed != depth.end()) return {fmt::format("key {} is not in its place in the order", missed - depth.begin())};
  return {std::nullopt, cost_flaw(weights, depth, solution)};
}

Json tree_optimum(const std::vector<std::string>& instance, const Json& solution, Options limits) {
  const TreeWeights weights = read_tree_weights(instance);
  limits.algorithm = solution.at("algorithm") == "knuth" ? "dp" : "knuth";
  return with_dtype(solution.at("dtype").get<std::string>(), [&]<class T>(T) {
    const interval::SearchTree<T> tree(numbers_as<T>("p", weights.keys, false),
                                       numbers_as<T>("q", weights.gaps, false));
    return Json(interval::solve(tree, limits).solution.cost);
  });
}

}  // namespace warpfold::app
