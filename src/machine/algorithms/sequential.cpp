#include <limits>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program sequential(Thread thread, Array<Value> m, const std::uint32_t* addresses, std::uint64_t n, Value* seen) {
  for (std::uint64_t i = thread.id; i < n; i += thread.count) seen[i] = co_await m.read(addresses[i]);
}

/// f gaps, spread evenly, each a jump over 2 w words.
RunResult run_sequential(const RunRequest& request) {
  const std::uint64_t n = request.n, f = request.parameter("fragmentation", 0),
                      jump = std::uint64_t{2} * request.machine.width;
  constexpr std::uint64_t most = std::numeric_limits<Address>::max();
  accept_n(request, n > f || (n == 0 && f == 0), "more words than the fragmentation");
  accept_n(request, n <= most && f <= (most - n) / jump, "a sequence within 2^32 words");
  check_data(n + f * jump);
  std::vector<formulas::Run> runs;
  std::vector<std::uint32_t> addresses;
  for (std::uint64_t run = 0, next = 0; run <= f && n > 0; ++run) {
    const std::uint64_t begin = run * n / (f + 1), end = (run + 1) * n / (f + 1);
    runs.push_back({next, end - begin});
    for (std::uint64_t i = begin; i < end; ++i) addresses.push_back(static_cast<std::uint32_t>(next++));
    next += jump;
  }
  const auto values = random_values(n + f * jump, request.seed);
  std::vector<Value> seen(n, -1);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array("m", values);
  simulation.run([&](Thread thread) { return sequential(thread, m, addresses.data(), n, seen.data()); });
  bool correct = true;
  for (std::uint64_t i = 0; i < n; ++i) correct &= seen[i] == values[addresses[i]];
  RunResult result = result_of(request, simulation, correct, n);
  if (request.machine.kind != Kind::dmm) {
    result.formula = formulas::sequential(request.machine, request.threads, runs);
    result.formula_text = "sum over warps of the groups of their runs + ceil(n/p) (l - 1)";
  }
  result.bound = static_cast<double>(formulas::sequential_bound(request.machine, request.threads, n, f));
  result.bound_text = "2 n/w + 2 f + n (l - 1)/p";
  return result;
}

}  // namespace

Algorithm sequential_access() {
  return {"sequential",
          "Reads n words with a chosen fragmentation.",
          "UMM 2013, section II, Theorem 1",
          run_sequential,
          flat_machines(),
          false,
          {{"fragmentation", "gaps in the sequence, spread evenly, each over 2 w words; 0 unless told"}}};
}

}  // namespace warpfold::machine
