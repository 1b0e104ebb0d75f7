#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// The sequential algorithm with its inner loop "in parallel": ST[i] takes its first term, then threads 0 .. k-2 each
/// add one of the others. As printed all do so at once, and only one of their writes to ST[i] stays. In turn, as the
/// paper expects of a GPU, it takes as long as one thread.
Program naive(Thread pe, SdpViews st, const SdpProblem* problem, bool as_printed) {
  const std::uint64_t j = pe.id + 1, k = problem->terms();
  if (pe.id > 0 && j >= k) co_return;
  for (std::uint64_t i = problem->first(); i < problem->n; ++i) {
    if (pe.id == 0) co_await add_term(st, problem, i, 0);
    co_await barrier();
    for (std::uint64_t turn = 1; turn < (as_printed ? std::min<std::uint64_t>(k, 2) : k); ++turn) {
      if (as_printed || turn == j) co_await add_term(st, problem, i, j);
      co_await barrier();
    }
  }
}

RunResult run_naive(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  const std::uint64_t k = problem.terms(), active = std::max<std::uint64_t>(k - 1, 1);
  need_threads(request, active, "one for each term but the first");
  Simulation simulation(request.machine, request.threads, request.options);
  const SdpViews st = sdp_views(simulation, problem);
  simulation.run([&](Thread pe) { return naive(pe, st, &problem, request.as_printed); });
  const std::uint64_t of_element = request.as_printed && k > 1 ? 5 : 3 * k - 1;
  return sdp_result(request, simulation, problem, st.own, problem.new_words() * of_element,
                    request.as_printed ? active : 1);
}

}  // namespace

Algorithm sdp_naive() {
  return sdp_algorithm(
      "sdp-naive",
      "Fills a table of n entries one by one, k - 1 threads adding a term each to the same element, one "
      "after the other; as printed, all at once, so that terms are lost.",
      "Pipeline 2018, section II-B; p-fold 2023, section 2.2", run_naive, true);
}

}  // namespace warpfold::machine
