#include <fmt/format.h>

#include "interval_input.hpp"
#include "verify.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::app {

namespace {

template <class T>
interval::TreeSolution<T> tree_solution(const Json& solution) {
  return {number_at<T>(solution, "cost"), integer<std::uint32_t>(value_at(solution, "root")),
          integers<std::int64_t>(value_at(solution, "parents"))};
}

}  // namespace

Verdict verify_tree(const Files& instance, const Json& solution, const Options& limits) {
  const TreeWeights weights = read_tree_weights(instance);
  if (Violation violation = find_run_violation(solution, weights.keys.size())) return infeasible(*violation);
  if (weights.gaps.size() != weights.keys.size() + 1)
    return infeasible("the instance's q is not one longer than its p");
  return with_dtype(text_at(solution, "dtype"), [&]<class T>(T) {
    return interval::verify(tree_of<T>(instance, weights), tree_solution<T>(solution), limits);
  });
}

Json tree_optimum(const Files& instance, const Json& solution, Options limits) {
  const TreeWeights weights = read_tree_weights(instance);
  limits.algorithm = value_at(solution, "algorithm") == "knuth" ? "dp" : "knuth";
  return with_dtype(text_at(solution, "dtype"), [&]<class T>(T) {
    return Json(interval::solve(tree_of<T>(instance, weights), limits).solution.cost);
  });
}

}  // namespace warpfold::app
