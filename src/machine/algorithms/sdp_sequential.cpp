#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program sequential(Thread pe, Array<Value> st, const SdpProblem* problem) {
  if (pe.id != 0) co_return;
  const auto& a = problem->offsets;
  for (std::uint64_t i = a[0]; i < problem->n; ++i) {
    const Value first = co_await st.read(i - a[0]);
    co_await st.write(i, first);
    for (std::size_t j = 1; j < a.size(); ++j) {
      const Value own = co_await st.read(i);
      const Value term = co_await st.read(i - a[j]);
      co_await st.write(i, problem->combine(own, term));
    }
  }
}

RunResult run_sdp_sequential(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array("ST", problem.table);
  simulation.run([&](Thread pe) { return sequential(pe, st, &problem); });
  const std::uint64_t steps = (problem.n - problem.first()) * (3 * problem.terms() - 1);
  RunResult result = sdp_result(request, simulation, problem, st, steps, 1);
  result.formula = steps * (formulas::has_latency(request.machine) ? request.machine.latency : 1);
  result.formula_text = "(n - a_0) (3 k - 1) l";
  return result;
}

}  // namespace

Algorithm sdp_sequential() {
  return sdp_algorithm("sdp-sequential", "Fills a table of n entries with one thread, a term after the other.",
                       "Pipeline 2018 and p-fold 2023, Fig. 1", run_sdp_sequential);
}

}  // namespace warpfold::machine
