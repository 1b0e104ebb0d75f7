#include <bit>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// Thread j holds term j. In round s it gives its term away, or takes the one s further on. Neighbors combine, so the
/// order of the terms is kept.
Program tournament(Thread pe, Array<Value> st, Array<Value> b, const SdpProblem* problem) {
  const auto& a = problem->offsets;
  const std::uint64_t j = pe.id;
  if (j >= a.size()) co_return;
  for (std::uint64_t i = a[0]; i < problem->n; ++i) {
    Value term = co_await st.read(i - a[j]);
    for (std::uint64_t s = 1; s < a.size(); s *= 2) {
      if (j % (2 * s) == s) co_await b.write(j, term);
      co_await barrier();
      if (j % (2 * s) == 0 && j + s < a.size()) term = problem->combine(term, co_await b.read(j + s));
      co_await barrier();
    }
    if (j == 0) co_await st.write(i, term);
    co_await barrier();
  }
}

RunResult run_tournament(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  need_threads(request, problem.terms(), "one for each term");
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array("ST", problem.table);
  const auto b = simulation.array<Value>("b", problem.terms());
  simulation.run([&](Thread pe) { return tournament(pe, st, b, &problem); });
  const std::uint64_t rounds = std::bit_width(problem.terms() - 1);
  const std::uint64_t steps = (problem.n - problem.first()) * (2 * rounds + 2);
  return sdp_result(request, simulation, problem, st, steps, problem.terms());
}

}  // namespace

Algorithm sdp_tournament() {
  return sdp_algorithm("sdp-tournament",
                       "Fills a table of n entries one by one, k threads combining the terms of each in ceil(log2 k) "
                       "rounds: (n - a_0) (2 ceil(log2 k) + 2) memory steps.",
                       "Pipeline 2018, section II-B; p-fold 2023, section 2.2", run_tournament);
}

}  // namespace warpfold::machine
