#include "machine/algorithms/list.hpp"
#include "machine/algorithms/mcm.hpp"
#include "machine/algorithms/sdp_common.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program sequential(Thread pe, Array<Value> st, const Chain* chain) {
  if (pe.id != 0) co_return;
  for (std::uint64_t diagonal = 1; diagonal < chain->n; ++diagonal) {
    for (std::uint64_t row = 0; row + diagonal < chain->n; ++row) co_await compute_element(st, chain, row, diagonal);
  }
}

RunResult run_mcm_sequential(const RunRequest& request) {
  const Chain chain = chain_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array<Value>("ST", chain.size());
  simulation.run([&](Thread pe) { return sequential(pe, st, &chain); });
  const std::uint64_t n = chain.n, steps = 2 * (n * n * n - n) / 6 + n * (n - 1) / 2;
  RunResult result = chain_result(request, simulation, chain, simulation.values(st), steps, 1);
  result.formula = steps * (formulas::has_latency(request.machine) ? request.machine.latency : 1);
  result.formula_text = "((n^3 - n)/3 + n (n - 1)/2) l";
  return result;
}

}  // namespace

Algorithm mcm_sequential() {
  return chain_algorithm("mcm-sequential",
                         "Optimal order of a chain of n matrices with one thread, a term after the other.",
                         "Pipeline 2018, section I", run_mcm_sequential);
}

}  // namespace warpfold::machine
