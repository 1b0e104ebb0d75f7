#include <fmt/format.h>

#include <vector>

#include "interval_input.hpp"
#include "verify.hpp"

namespace warpfold::app {

namespace {

using interval::Split;
using interval::Wide;

/// The flaw of the splits as one complete order of n matrices, each interval before those inside it.
Flaw order_flaw(const std::vector<Split>& splits, std::uint32_t n) {
  std::size_t at = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, n}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    if (at == splits.size()) return fmt::format("'splits' has no entry for ({},{})", i, j);
    const Split& split = splits[at++];
    if (split.i != i || split.j != j || split.k <= i || split.k >= j) {
      return fmt::format("'splits' entry {} is [{},{},{}], where ({},{}) is to be split", at - 1, split.i, split.k,
                         split.j, i, j);
    }
    open.emplace_back(split.k, j);
    open.emplace_back(i, split.k);
  }
  if (at != splits.size()) return fmt::format("'splits' has {} entries, {} were expected", splits.size(), at);
  return std::nullopt;
}

}  // namespace

Flaws verify_chain(const std::string& instance, const Json& solution) {
  const interval::MatrixChain chain = read_chain(instance);
  const auto& p = chain.dimensions();
  if (Flaw flaw = flaw_of_run(solution, chain.size())) return {flaw};
  interval::ChainSolution stated;
  for (const Json& split : solution.at("splits")) {
    const auto [i, k, j] = triple(split);
    stated.splits.push_back({i, k, j});
  }
  if (Flaw flaw = order_flaw(stated.splits, static_cast<std::uint32_t>(chain.size()))) return {flaw};
  if (solution.at("order") != interval::parentheses(stated)) return {"'order' is not that of the splits"};
  if (solution.at("path") != Json(interval::contraction_path(stated))) return {"'path' is not that of the splits"};
  for (const Split& split : stated.splits) stated.cost += Wide{p[split.i]} * p[split.k] * p[split.j];
  if (is_same_cost(solution.at("cost"), exact_number(fmt::format("{}", stated.cost)), "")) return {};
  return {std::nullopt, fmt::format("'cost' is {}, the splits cost {}", json_text(solution.at("cost")), stated.cost)};
}

Json chain_optimum(const std::string& instance, const Json& solution, Options limits) {
  limits.algorithm = solution.at("algorithm") == "hu-shing" ? "dp" : "hu-shing";
  return exact_number(fmt::format("{}", interval::solve(read_chain(instance), limits).solution.cost));
}

}  // namespace warpfold::app
