#include <fmt/format.h>

#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Each thread adds up a block of n/p neighboring words, the totals become prefix sums over a tree, and each thread
/// goes through its block again. Blocks are read with a stride, as on the PRAM, where that costs nothing.
Program by_blocks(Thread pe, Array<Value> a, std::vector<Array<Value>> totals) {
  const std::uint64_t size = a.size() / pe.count, first = pe.id * size;
  co_await phase("totals");
  Value total = 0;
  for (std::uint64_t i = first; i < first + size; ++i) total += co_await a.read(i);
  co_await totals[0].write(pe.id, total);
  co_await phase("prefix sums of the totals");
  co_await prefix_sums(pe, totals);
  co_await phase("blocks");
  Value sum = co_await totals[0].read(pe.id) - total;
  for (std::uint64_t i = first; i < first + size; ++i) {
    sum += co_await a.read(i);
    co_await a.write(i, sum);
  }
}

RunResult run_prefix_sums_blocks(const RunRequest& request) {
  const std::uint64_t n = request.n, p = request.threads;
  accept_n(request, n >= p && n % p == 0, fmt::format("a multiple of the {} threads", p).c_str());
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  std::vector<Array<Value>> totals = {simulation.array<Value>("totals", p)};
  while (totals.back().size() > 1) {
    totals.push_back(simulation.array<Value>("sums of pairs", totals.back().size() / 2));
  }
  simulation.run([&](Thread pe) { return by_blocks(pe, a, totals); });
  std::vector<Value> expected(values.size());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  const auto sums = simulation.values(a);
  RunResult result = result_of(request, simulation, sums == expected, n > 1 ? 2 * n - 1 : 0);
  result.inputs["words"] = values;
  result.outputs["a"] = sums;
  result.formula = formulas::prefix_sums_blocks(request.machine, request.threads, n);
  result.formula_text = "three stride accesses to n words, two accesses to p, and the prefix sums of p words";
  result.bound = formulas::prefix_sums_blocks_bound(request.machine, request.threads, n);
  result.bound_text =
      formulas::has_latency(request.machine) ? "min(n, n/w n/p) + n l/p + l log p" : "n/w + n/p + log p";
  if (request.machine.kind == Kind::dmm) result.bound_text = "n/w gcd(n/p, w) + n l/p + l log p";
  return result;
}

}  // namespace

Algorithm prefix_sums_by_blocks() {
  return {"prefix-sums-blocks",
          "The prefix sums of n words by blocks of n/p neighboring words, a block a thread, as on the PRAM.",
          "the PRAM's algorithm of textbooks",
          run_prefix_sums_blocks,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
