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

/// Whole numbers beyond 64 bits come out of the JSON reader rounded.
bool is_cost(const Json& stated, Wide cost) {
  if (stated.is_number_unsigned()) return static_cast<Wide>(stated.get<std::uint64_t>()) == cost;
  return stated.is_number_float() && stated.get<double>() == static_cast<double>(cost);
}

}  // namespace

Flaw verify_chain(const std::string& instance, const Json& solution) {
  const interval::MatrixChain chain = read_chain(instance);
  const auto& p = chain.dimensions();
  if (solution.at("n") != chain.size())
    return fmt::format("'n' is {}, the chain has {}", solution.at("n").dump(), chain.size());
  interval::ChainSolution stated;
  for (const Json& split : solution.at("splits")) {
    stated.splits.push_back(
        {split.at(0).get<std::uint32_t>(), split.at(1).get<std::uint32_t>(), split.at(2).get<std::uint32_t>()});
  }
  if (Flaw flaw = order_flaw(stated.splits, static_cast<std::uint32_t>(chain.size()))) return flaw;
  for (const Split& split : stated.splits) stated.cost += Wide{p[split.i]} * p[split.k] * p[split.j];
  if (!is_cost(solution.at("cost"), stated.cost)) {
    return fmt::format("'cost' is {}, the splits cost {}", solution.at("cost").dump(), stated.cost);
  }
  if (solution.at("order") != interval::parentheses(stated)) return "'order' is not that of the splits";
  if (solution.at("path") != Json(interval::contraction_path(stated))) return "'path' is not that of the splits";
  return std::nullopt;
}

}  // namespace warpfold::app
