#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// The table of the 0-1 knapsack, (items + 1) rows of capacity + 1 entries, row after row. Entry x is the larger of
/// entry x - row and, if the item fits, entry x - row - weight plus the item's profit.
struct KnapsackInput {
  std::vector<Value> weights, profits;
  std::uint64_t row = 1;  ///< capacity + 1

  [[nodiscard]] std::uint64_t items() const { return weights.size(); }
  [[nodiscard]] std::uint64_t size() const { return (items() + 1) * row; }
  [[nodiscard]] std::uint64_t weight(std::uint64_t item) const { return static_cast<std::uint64_t>(weights[item]); }
};

std::vector<Value> random_weights(const RunRequest& request, std::uint64_t capacity) {
  const std::uint64_t lightest = request.parameter("lightest", 1);
  accept_parameter(lightest >= 1 && lightest <= capacity, "lightest", lightest, "1 to the capacity");
  auto weights = random_values(request, request.n, request.seed, capacity - lightest + 1);
  for (Value& weight : weights) weight += static_cast<Value>(lightest);
  return weights;
}

std::vector<Value> random_profits(const RunRequest& request) {
  auto profits = random_values(request, request.n, request.seed + 1);
  for (Value& profit : profits) ++profit;
  return profits;
}

std::vector<Value> sack_solution(const KnapsackInput& sack) {
  std::vector<Value> table(sack.size());
  for (std::uint64_t x = sack.row; x < sack.size(); ++x) {
    const std::uint64_t item = x / sack.row - 1, room = x % sack.row;
    table[x] = table[x - sack.row];
    if (room >= sack.weight(item)) {
      table[x] = std::max(table[x], table[x - sack.row - sack.weight(item)] + sack.profits[item]);
    }
  }
  return table;
}

/// The p-fold pipeline of two terms. The first p threads add the term that takes the item. The other p threads add the
/// term that leaves it, p steps of the head later.
Program p_fold(Thread pe, Array<Value> st, const KnapsackInput* sack, std::uint64_t p) {
  const std::uint64_t j = pe.id, n = sack->size(), row = sack->row;
  if (j >= 2 * p) co_return;
  for (std::uint64_t head = row + p - 1; head <= n - 1 + 2 * p - 1; head += p) {
    if (head >= row + j && head - j < n) {
      const std::uint64_t x = head - j, item = x / row - 1;
      Value best = 0;
      if (j >= p) {
        best = co_await st.read(x - row);
        best = std::max(best, co_await st.read(x));
      } else if (x % row >= sack->weight(item)) {
        best = co_await st.read(x - row - sack->weight(item)) + sack->profits[item];
        co_await skip();
      } else {
        co_await skip();
        co_await skip();
      }
      co_await st.write(x, best);
    }
    co_await barrier();
  }
}

RunResult run_knapsack(const RunRequest& request) {
  accept_n(request, request.n >= 1 && request.n <= 1u << 20, "1 to 2^20 items");
  const std::uint64_t capacity = request.parameter("capacity", 63);
  accept_parameter(capacity >= 1 && capacity <= 1u << 20, "capacity", capacity, "1 to 2^20");
  const KnapsackInput sack{given_or(request, "weights", [&] { return random_weights(request, capacity); }),
                           given_or(request, "profits", [&] { return random_profits(request); }), capacity + 1};
  check_data(request, sack.size());
  // An item that does not fit reads nothing.
  const std::uint64_t lightest = std::min(sack.row, static_cast<std::uint64_t>(std::ranges::min(sack.weights)));
  const std::uint64_t most = (sack.row + lightest) / 2;
  const std::uint64_t usual = request.as_printed ? sack.row : std::clamp<std::uint64_t>(request.threads / 2, 1, most);
  const std::uint64_t p = request.parameter("fold", usual);
  accept_parameter(p >= 1 && p <= request.threads, "fold", p, "1 to the number of threads");
  need_threads(request, 2 * p, "two for each of the p elements of a step");
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array<Value>("ST", sack.size());
  simulation.run([&](Thread pe) { return p_fold(pe, st, &sack, p); });
  const std::uint64_t heads = 2 + (sack.size() - 1 - sack.row) / p;
  const auto table = simulation.values(st);
  // The first step has first terms only: a read, if one of its p capacities holds the first item, and a write.
  const std::uint64_t memory_steps = 3 * heads - (p > static_cast<std::uint64_t>(sack.weights.front()) ? 1 : 2);
  RunResult result = sdp_result(request, simulation, table == sack_solution(sack), sack.size(), memory_steps, 2 * p);
  result.inputs = {{"weights", sack.weights}, {"profits", sack.profits}};
  result.outputs["ST"] = table;
  result.counts["fold"] = p;
  result.counts["largest_fold"] = most;
  result.counts["pipeline_steps"] = heads;
  return result;
}

}  // namespace

Algorithm knapsack_p_fold() {
  return {"knapsack-p-fold",
          "0-1 knapsack of n items by the p-fold pipeline of two terms, p at most (C + 1 + w_min) / 2; as printed "
          "p = C + 1, more than is right.",
          "P-fold 2023, section 4.3",
          run_knapsack,
          flat_machines(),
          true,
          {{"capacity", "C (default 63)"},
           {"lightest", "smallest weight to draw (default 1)"},
           {"fold", "p; default: the largest that is right and that the threads allow"}},
          {{"weights", "of the items", 0, 1 << 20, "n", one_each, {"lightest"}},
           {"profits", "of the items", 0, Value{1} << 40, "n", one_each}}};
}

}  // namespace warpfold::machine
