#include "machine/algorithms/list.hpp"
#include "machine/algorithms/mcm.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// Thread i takes the element of row i.
Program by_diagonals(Thread pe, Array<Value> st, const Chain* chain) {
  for (std::uint64_t diagonal = 1; pe.id + diagonal < chain->n; ++diagonal) {
    co_await compute_element(st, chain, pe.id, diagonal);
    co_await barrier();
  }
}

RunResult run_mcm_diagonals(const RunRequest& request) {
  const Chain chain = chain_of(request);
  need_threads(request, chain.n - 1, "n - 1");
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array<Value>("ST", chain.size());
  simulation.run([&](Thread pe) { return by_diagonals(pe, st, &chain); });
  const std::uint64_t terms = chain.n * (chain.n - 1) / 2, steps = 2 * terms + chain.n - 1;
  RunResult result = chain_result(request, simulation, chain, simulation.values(st), steps, chain.n - 1);
  if (result.formula) result.formula_text += " = n (n - 1) + n - 1";
  result.counts["pipeline_steps"] = terms;
  return result;
}

}  // namespace

Algorithm mcm_diagonals() {
  return chain_algorithm("mcm-diagonals",
                         "Optimal order of a chain of n matrices, a diagonal after the other with a thread for each of "
                         "its elements: n (n - 1) / 2 steps of a term each.",
                         "the plain order, beside pipeline 2018, Fig. 8", run_mcm_diagonals);
}

}  // namespace warpfold::machine
