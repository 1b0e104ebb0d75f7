#include <bit>
#include <utility>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// The last node is its own successor. `jump` and `rank_there` are `next` and `rank` where a pointer leads.
struct Nodes {
  Array<Value> next, rank, jump, rank_there;
};

Nodes make_nodes(Simulation& simulation, const std::vector<Value>& next) {
  const auto successors = simulation.array("next", next);
  const auto rank = simulation.array<Value>("rank", next.size());
  return {successors, rank, simulation.named(successors, "next[next]"), simulation.named(rank, "rank[next]")};
}

/// In each round a pointer takes over its target's, so that it leads twice as far. Two copies, from one to the other:
/// with fewer threads than nodes a round is no single step.
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

RunResult run_list_ranking(const RunRequest& request) {
  const std::uint64_t n = request.n;
  accept_n(request, n >= 1 && n <= (std::uint64_t{1} << 31), "1 to 2^31 nodes");
  const auto order = random_permutation(static_cast<std::uint32_t>(n), request.seed);
  std::vector<Value> next(n), expected(n);
  for (std::uint64_t place = 0; place < n; ++place) {
    next[order[place]] = order[place + 1 < n ? place + 1 : place];
    expected[order[place]] = static_cast<Value>(n - 1 - place);
  }
  const auto rounds = n < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(n - 2));  // ceil(log2(n - 1))
  Simulation simulation(request.machine, request.threads, request.options);
  const Nodes nodes = make_nodes(simulation, next), others = make_nodes(simulation, std::vector<Value>(n));
  simulation.run([&](Thread pe) { return rank_by_jumping(pe, nodes, others, rounds); });
  const auto& ranked = rounds % 2 == 0 ? nodes : others;
  RunResult result = result_of(request, simulation, simulation.values(ranked.rank) == expected, 2 * n - 1);
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
          "Wyllie 1979; future work of Memory machines 2012, section VII", run_list_ranking, flat_machines()};
}

}  // namespace warpfold::machine
