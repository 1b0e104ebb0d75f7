#include "machine/algorithms/list.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// As printed, every thread exchanges a[j][k] and a[k][j], so each pair is exchanged twice.
Program transpose(Thread pe, Array<Value> a, std::uint32_t side, bool as_printed) {
  for (std::uint64_t q = pe.id; q < a.size(); q += pe.count) {
    const std::uint64_t j = q / side, k = q % side;
    if (j < k || as_printed) {
      const Value x = co_await a.read(j * side + k);
      const Value y = co_await a.read(k * side + j);
      co_await a.write(j * side + k, y);
      co_await a.write(k * side + j, x);
    } else {
      for (int access = 0; access < 4; ++access) co_await skip();
    }
  }
}

RunResult run_transpose_straightforward(const RunRequest& request) {
  const std::uint32_t side = side_of(request);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  simulation.run([&](Thread pe) { return transpose(pe, a, side, request.as_printed); });
  RunResult result = transpose_result(request, simulation, a, values, side);
  const bool banks = formulas::has_latency(request.machine);
  if (banks) {
    result.bound = formulas::transpose_bound(request.machine, request.threads, side, request.as_printed);
    result.bound_text = request.machine.kind == Kind::dmm ? "n/w gcd(sqrt n, w) + n l/p"
                        : request.as_printed              ? "min(n, n/w n/p) + n l/p"
                                                          : "min(n, n/w sqrt n) + n l/p";
  }
  if (banks && formulas::divides(request.machine, side)) {
    result.formula = formulas::transpose_straightforward(request.machine, request.threads, side, request.as_printed);
    result.formula_text = request.as_printed ? "2 (n/w + n (l - 1)/p) + 2 (n + n (l - 1)/p)"
                                             : "2 warps + s (s - 1) + 4 steps (l - 1), of those with an exchange";
  }
  return result;
}

}  // namespace

Algorithm transpose_straightforward() {
  return {"transpose-straightforward",
          "Transposes a square array of n words by exchanging pairs; as printed, each pair twice.",
          "Memory machines 2012, section IV",
          run_transpose_straightforward,
          flat_machines(),
          true,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
