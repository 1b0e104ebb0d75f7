#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// Thread j adds term j to the element j behind the head.
Program pipeline(Thread pe, SdpViews st, const SdpProblem* problem) {
  const auto& a = problem->offsets;
  const std::uint64_t j = pe.id, k = a.size(), n = problem->n;
  if (j >= k) co_return;
  for (std::uint64_t head = a[0]; head <= n + k - 2; ++head) {
    if (head == a[0]) co_await phase("warm-up");
    if (head == a[0] + k - 1) co_await phase("steady state");
    if (head == n) co_await phase("drain");
    if (is_active(*problem, head, j)) co_await add_term(st, problem, head - j, j);
    co_await barrier();
  }
}

RunResult run_pipeline(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  const std::uint64_t k = problem.terms();
  need_threads(request, k, "one for each term");
  Simulation simulation(request.machine, request.threads, request.options);
  const SdpViews st = sdp_views(simulation, problem);
  simulation.run([&](Thread pe) { return pipeline(pe, st, &problem); });
  // Each of the n + k - 1 - a_0 heads reads an operand, reads the element so far and writes it. If only thread 0 works,
  // no element is read: at the first head, and with one term at every head.
  const std::uint64_t heads = problem.n + k - 1 - problem.first();
  const std::uint64_t steps = k == 1 ? 2 * heads : 3 * heads - 1;
  RunResult result = sdp_result(request, simulation, problem, st.own, steps, k);
  result.formula_text += " = 3 (n + k - 1 - a_0) - 1";
  result.counts["pipeline_steps"] = heads;
  result.counts["full_steps"] = full_steps(problem, 1, problem.n + k - 2);
  result.counts["longest_run"] = longest_run(problem.offsets);
  result.counts["read_collisions"] = collisions_of_run(problem, 1, problem.n + k - 2);
  return result;
}

}  // namespace

Algorithm sdp_pipeline() {
  return sdp_algorithm("sdp-pipeline",
                       "Fills a table of n entries with k threads, thread j adding term j to the element j behind the "
                       "head: n + k - 1 - a_0 pipeline steps.",
                       "Pipeline 2018 and p-fold 2023, Fig. 2", run_pipeline);
}

}  // namespace warpfold::machine
