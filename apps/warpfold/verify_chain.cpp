#include <fmt/format.h>

#include "interval_input.hpp"
#include "verify.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::app {

namespace {

interval::ChainSolution chain_solution(const Json& solution) {
  interval::ChainSolution stated;
  const auto cost = io::json_number(value_at(solution, "cost"));
  if (!cost || !cost->is_integral) {
    throw MalformedSolution(fmt::format("'cost' is {}, no integer below 2^126", json_text(value_at(solution, "cost"))));
  }
  stated.cost = cost->exact;
  for (const Json& split : list_at(solution, "splits")) {
    const auto [i, k, j] = triple(split);
    stated.splits.push_back({i, k, j});
  }
  return stated;
}

}  // namespace

Verdict verify_chain(const Files& instance, const Json& solution, const Options& limits) {
  const interval::MatrixChain chain = read_chain(instance[0]);
  if (Violation violation = find_run_violation(solution, chain.size())) return infeasible(*violation);
  const interval::ChainSolution stated = chain_solution(solution);
  Verdict verdict = interval::verify(chain, stated, limits);
  if (!verdict.is_feasible) return verdict;
  if (value_at(solution, "order") != interval::parentheses(stated))
    return infeasible("'order' is not that of the splits");
  if (value_at(solution, "path") != Json(interval::contraction_path(stated))) {
    return infeasible("'path' is not that of the splits");
  }
  return verdict;
}

Json chain_optimum(const Files& instance, const Json& solution, Options limits) {
  limits.algorithm = value_at(solution, "algorithm") == "hu-shing" ? "dp" : "hu-shing";
  return exact_number(fmt::format("{}", interval::solve(read_chain(instance[0]), limits).solution.cost));
}

}  // namespace warpfold::app
