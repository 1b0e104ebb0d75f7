#include <algorithm>
#include <cstdlib>
#include <limits>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program sequential(Thread thread, Array<Value> m, const Value* addresses, std::uint64_t n, Value* seen) {
  for (std::uint64_t i = thread.id; i < n; i += thread.count) {
    seen[i] = co_await m.read(static_cast<std::uint64_t>(addresses[i]));
  }
}

constexpr std::uint64_t words_of_a_memory = std::numeric_limits<Address>::max();

/// A sequence that begins at address `start` and has f gaps, spread evenly. Each gap is a jump over `jump` words.
std::vector<Value> fragmented(const RunRequest& request) {
  const std::uint64_t n = request.n, f = request.parameter("fragmentation", 0), start = request.parameter("start", 0),
                      jump = request.parameter("jump", std::uint64_t{2} * request.machine.width);
  accept_parameter("jump", jump, jump >= 1, "1 or more");
  accept_parameter("start", start, start <= words_of_a_memory, "an address below 2^32");
  accept_n(request, n > f || (n == 0 && f == 0), "more words than the fragmentation");
  accept_n(request, n <= words_of_a_memory - start && f <= (words_of_a_memory - start - n) / jump,
           "a sequence within 2^32 words");
  check_data(request, start + n + f * jump);
  std::vector<Value> addresses;
  auto next = static_cast<Value>(start);
  for (std::uint64_t run = 0; run <= f && n > 0; ++run) {
    for (std::uint64_t i = run * n / (f + 1); i < (run + 1) * n / (f + 1); ++i) addresses.push_back(next++);
    next += static_cast<Value>(jump);
  }
  return addresses;
}

std::vector<formulas::AccessRun> runs_of(const std::vector<Value>& addresses) {
  std::vector<formulas::AccessRun> runs;
  for (const Value address : addresses) {
    const auto next = static_cast<std::uint64_t>(address);
    if (!runs.empty() && next == runs.back().first + runs.back().length) {
      ++runs.back().length;
    } else {
      runs.push_back({next, 1});
    }
  }
  return runs;
}

/// The number of neighbors in the sequence that are not adjacent in the address space.
std::uint64_t gaps_of(const std::vector<Value>& addresses) {
  std::uint64_t gaps = 0;
  for (std::size_t i = 1; i < addresses.size(); ++i) gaps += std::abs(addresses[i] - addresses[i - 1]) > 1;
  return gaps;
}

RunResult run_sequential(const RunRequest& request) {
  const std::uint64_t n = request.n;
  const auto addresses = given_or(request, "addresses", [&] { return fragmented(request); });
  const std::vector<formulas::AccessRun> runs = runs_of(addresses);
  const std::uint64_t words = n == 0 ? 0 : static_cast<std::uint64_t>(std::ranges::max(addresses)) + 1;
  const auto values = random_values(request, words, request.seed);
  std::vector<Value> seen(n, -1);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array("m", values);
  simulation.run([&](Thread thread) { return sequential(thread, m, addresses.data(), n, seen.data()); });
  bool correct = true;
  for (std::uint64_t i = 0; i < n; ++i) correct &= seen[i] == values[static_cast<std::size_t>(addresses[i])];
  RunResult result = result_of(request, simulation, correct, n);
  if (request.machine.kind != Kind::dmm) {
    result.formula = formulas::sequential(request.machine, request.threads, runs);
    result.formula_text = "sum over warps of the groups of their runs + ceil(n/p) (l - 1)";
  }
  result.bound =
      static_cast<double>(formulas::sequential_bound(request.machine, request.threads, n, gaps_of(addresses)));
  result.bound_text = "2 n/w + 2 f + n (l - 1)/p";
  result.counts["fragmentation"] = gaps_of(addresses);
  result.inputs["addresses"] = addresses;
  return result;
}

}  // namespace

Algorithm sequential_access() {
  return {"sequential",
          "Reads n words at addresses of yours, or with a chosen fragmentation.",
          "UMM 2013, section II, Theorem 1",
          run_sequential,
          flat_machines(),
          false,
          {{"fragmentation", "gaps in the sequence, spread evenly (default 0)"},
           {"jump", "words that a gap skips; default: 2 w"},
           {"start", "first address of the sequence (default 0)"}},
          {{"addresses",
            "the sequence: thread i reads the i-th, the (i + p)-th, ..",
            0,
            Value{words_of_a_memory} - 1,
            "n",
            one_each,
            {"fragmentation", "jump", "start"}}}};
}

}  // namespace warpfold::machine
