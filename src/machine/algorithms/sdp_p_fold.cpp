#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// The paper's loop. Its head runs to (n-1) + (k-1)p. That leaves the last elements unfinished if p does not divide n -
/// 1 - a_0 - (p - 1). The correct end is (n-1) + kp - 1.
std::uint64_t last_head(std::uint64_t n, std::uint64_t k, std::uint64_t p, bool as_printed) {
  return as_printed ? n - 1 + (k - 1) * p : n - 1 + k * p - 1;
}

/// Thread j adds term j / p to the element j behind the head, which moves p elements a step.
Program p_fold(Thread pe, SdpViews st, const SdpProblem* problem, std::uint64_t p, std::uint64_t last) {
  const auto& a = problem->offsets;
  const std::uint64_t j = pe.id, q = j / p;
  if (q >= a.size()) co_return;
  for (std::uint64_t head = a[0] + p - 1; head <= last; head += p) {
    if (is_active(*problem, head, j)) co_await add_term(st, problem, head - j, q);
    co_await barrier();
  }
}

RunResult run_p_fold(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  const std::uint64_t n = problem.n, k = problem.terms();
  const std::uint64_t most = largest_fold(problem.offsets);
  const std::uint64_t p = request.parameter("fold", std::clamp<std::uint64_t>(request.threads / k, 1, most));
  accept_parameter(p >= 1 && p <= request.threads, "fold", p, "1 to the number of threads");
  need_threads(request, p * k, "p for each term");
  Simulation simulation(request.machine, request.threads, request.options);
  const SdpViews st = sdp_views(simulation, problem);
  const std::uint64_t last = last_head(n, k, p, request.as_printed), first = problem.first() + p - 1;
  simulation.run([&](Thread pe) { return p_fold(pe, st, &problem, p, last); });
  const std::uint64_t heads = last < first ? 0 : (last - first) / p + 1;
  const std::uint64_t steps = heads == 0 ? 0 : k == 1 ? 2 * heads : 3 * heads - 1;
  RunResult result = sdp_result(request, simulation, problem, st.own, steps, p * k);
  if (!request.as_printed) result.formula_text += " = 3 (k + floor((n - 1 - a_0) / p)) - 1";
  result.counts["fold"] = p;
  result.counts["largest_fold"] = most;
  result.counts["pipeline_steps"] = heads;
  result.counts["full_steps"] = full_steps(problem, p, last);
  result.counts["read_collisions"] = collisions_of_run(problem, p, last);
  return result;
}

}  // namespace

Algorithm sdp_p_fold() {
  return sdp_algorithm(
      "sdp-p-fold",
      "Fills a table of n entries with p k threads, thread j adding term j / p: k + floor((n - 1 - a_0) / p) pipeline "
      "steps.",
      "P-fold 2023, Fig. 6", run_p_fold, true,
      {{"fold", "p; default: the largest that is right, min of a_q / (k - q), and that the threads allow"}});
}

}  // namespace warpfold::machine
