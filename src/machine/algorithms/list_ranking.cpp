#include <fmt/format.h>

#include <bit>
#include <utility>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

/// The list in memory. The last node is its own successor. `jump` and `rank_there` are `next` and `rank` at the
/// pointer's target.
struct Nodes {
  Array<Value> next, rank, jump, rank_there;
};

Nodes make_nodes(Simulation& simulation, const std::vector<Value>& next) {
  const auto successors = simulation.array("next", next);
  const auto rank = simulation.array<Value>("rank", next.size());
  return {successors, rank, simulation.named(successors, "next[next]"), simulation.named(rank, "rank[next]")};
}

/// In each round a pointer takes over its target's pointer, and so spans twice the distance. Two copies alternate: with
/// fewer threads than nodes a round takes several steps.
Program rank_by_jumping(Thread pe, Nodes from, Nodes to, std::uint64_t rounds) {
  const std::uint64_t n = from.next.size();
  co_await phase("start");
  for (std::uint64_t i = pe.id; i < n; i += pe.count) {
    const Value next = co_await from.next.read(i);
    co_await from.rank.write(i, next == static_cast<Value>(i) ? 0 : 1);
  }
  co_await phase("jumps");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = pe.id; i < n; i += pe.count) {
      const auto next = static_cast<std::uint64_t>(co_await from.next.read(i));
      const Value rank = co_await from.rank.read(i);
      const Value jump = co_await from.jump.read(next);
      const Value rank_there = co_await from.rank_there.read(next);
      co_await to.next.write(i, jump);
      co_await to.rank.write(i, rank + rank_there);
    }
    co_await barrier();
    std::swap(from, to);
  }
}

/// Returns a list whose nodes are in random order in memory.
std::vector<Value> random_list(const RunRequest& request) {
  const auto order = random_permutation(request);
  std::vector<Value> next(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    next[order[place]] = order[place + 1 < order.size() ? place + 1 : place];
  }
  return next;
}

/// Returns how many nodes come after each. Raises Error{input} if the nodes are not one list.
std::vector<Value> plain_ranks(const std::vector<Value>& next) {
  const std::size_t n = next.size();
  constexpr Value none = -1;
  std::vector<Value> before(n, none), ranks(n, none);
  Value node = none;  // the last node
  for (std::size_t i = 0; i < n; ++i) {
    if (next[i] >= static_cast<Value>(n)) {
      throw Error(ErrorKind::input, fmt::format("entry {} of next is {}: 0 to {} is accepted", i, next[i], n - 1));
    }
    (next[i] == static_cast<Value>(i) ? node : before[static_cast<std::size_t>(next[i])]) = static_cast<Value>(i);
  }
  std::size_t ranked = 0;
  for (; node != none && ranks[static_cast<std::size_t>(node)] == none; ++ranked) {
    ranks[static_cast<std::size_t>(node)] = static_cast<Value>(ranked);
    node = before[static_cast<std::size_t>(node)];
  }
  if (ranked == n) return ranks;
  throw Error(ErrorKind::input,
              fmt::format("next joins {} of {} nodes: one list of all, its last node its own successor, is accepted",
                          ranked, n));
}

RunResult run_list_ranking(const RunRequest& request) {
  const std::uint64_t n = request.n;
  accept_n(request, n >= 1 && n <= (std::uint64_t{1} << 31), "1 to 2^31 nodes");
  const auto next = given_or(request, "next", [&] { return random_list(request); });
  const auto expected = plain_ranks(next);
  const auto rounds = n < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(n - 2));  // ceil(log2(n - 1))
  Simulation simulation(request.machine, request.threads, request.options);
  const Nodes nodes = make_nodes(simulation, next), others = make_nodes(simulation, std::vector<Value>(n));
  simulation.run([&](Thread pe) { return rank_by_jumping(pe, nodes, others, rounds); });
  const auto& ranked = rounds % 2 == 0 ? nodes : others;
  const auto ranks = simulation.values(ranked.rank);
  RunResult result = result_of(request, simulation, ranks == expected, 2 * n - 1);
  result.inputs["next"] = next;
  result.outputs["rank"] = ranks;
  if (!formulas::has_latency(request.machine)) {
    result.formula = (2 + 6 * rounds) * formulas::contiguous(request.machine, request.threads, n);
    result.formula_text = "(2 + 6 ceil(log2(n - 1))) ceil(n/p), where any words are read at once";
  }
  result.bound = formulas::list_ranking_bound(request.machine, request.threads, n);
  result.bound_text =
      "(n + n l/p + l) log n, a stage for each node's jump; n/w in place of n on the PRAM and the BPRAM";
  return result;
}

}  // namespace

Algorithm list_ranking() {
  return {"list-ranking",
          "How many nodes of a linked list of n, in random order in memory, come after each, by pointer jumping.",
          "Wyllie 1979; future work of Memory machines 2012, section VII",
          run_list_ranking,
          flat_machines(),
          false,
          {},
          {{"next", "the node after each, the last one its own", 0, (Value{1} << 31) - 1, "n", one_each}}};
}

}  // namespace warpfold::machine
