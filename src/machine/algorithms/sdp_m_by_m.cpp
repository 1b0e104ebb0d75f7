#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// Thread t adds the terms tm .. tm+m-1, one after another, to m elements per round. It stays one element behind thread
/// t-1. So with consecutive offsets neighboring threads read m - 1 elements apart, while those of the pipeline all read
/// the same one. Elements up to head - T are final, T = ceil(k/m) threads. a_j >= k - j keeps every operand among them.
Program m_by_m(Thread pe, SdpViews st, const SdpProblem* problem, std::uint64_t m) {
  const auto& a = problem->offsets;
  const std::uint64_t t = pe.id, k = a.size(), n = problem->n, threads = (k + m - 1) / m;
  if (t >= threads) co_return;
  for (std::uint64_t round = a[0]; round <= n + threads - 2; round += m) {
    for (std::uint64_t head = round; head < round + m && head <= n + threads - 2; ++head) {
      if (is_active(*problem, head, t)) {
        const std::uint64_t i = head - t;
        Value value = 0;
        if (t == 0) {
          co_await skip();
        } else {
          value = co_await st.own.read(i);
        }
        for (std::uint64_t j = t * m; j < (t + 1) * m; ++j) {
          if (j >= k) {
            co_await skip();
          } else {
            const Value term = co_await st.operand.read(i - a[j]);
            value = j == 0 ? term : problem->combine(value, term);
          }
        }
        co_await st.own.write(i, value);
      }
      co_await barrier();
    }
  }
}

/// Every head but the first reads the element so far. Every head reads m terms and writes. At the last head only the
/// last thread works, and it has k - (T-1) m terms.
std::uint64_t memory_steps(std::uint64_t heads, std::uint64_t k, std::uint64_t m, std::uint64_t threads) {
  if (threads == 1) return heads * (k + 1);
  return heads * (m + 2) - 1 - (threads * m - k);
}

/// The largest number of threads that read one operand in one memory step of the run.
std::uint32_t collisions(const SdpProblem& problem, std::uint64_t m, std::uint64_t heads) {
  Readers readers(problem.n);
  for (std::uint64_t head = problem.first(); head < problem.first() + heads; ++head) {
    for (std::uint64_t v = 0; v < m; ++v) {
      for (std::uint64_t t = 0; t * m + v < problem.terms(); ++t) {
        if (is_active(problem, head, t)) readers.read(head - t - problem.offsets[t * m + v]);
      }
      readers.end_step();
    }
  }
  return readers.most();
}

RunResult run_m_by_m(const RunRequest& request) {
  const SdpProblem problem = sdp_problem(request);
  const std::uint64_t k = problem.terms(), m = request.parameter("m", std::min<std::uint64_t>(k, 2));
  accept_parameter(m >= 1 && m <= k, "m", m, "1 to the number of terms");
  const std::uint64_t threads = (k + m - 1) / m;
  need_threads(request, threads, "one for m terms");
  Simulation simulation(request.machine, request.threads, request.options);
  const SdpViews st = sdp_views(simulation, problem);
  simulation.run([&](Thread pe) { return m_by_m(pe, st, &problem, m); });
  const std::uint64_t heads = problem.n + threads - 1 - problem.first();
  RunResult result = sdp_result(request, simulation, problem, st.own, memory_steps(heads, k, m, threads), threads);
  result.formula_text += " = (m + 2) (n + T - 1 - a_0) - 1 - (T m - k), T = ceil(k/m)";
  result.counts["pipeline_steps"] = (heads + m - 1) / m;
  result.counts["longest_run"] = longest_run(problem.offsets);
  result.counts["read_collisions"] = collisions(problem, m, heads);
  return result;
}

}  // namespace

Algorithm sdp_m_by_m() {
  return sdp_algorithm(
      "sdp-m-by-m",
      "Fills a table of n entries with ceil(k/m) threads, each taking m terms of m elements a round. A reconstruction: "
      "m = 2 stands for the 2-by-2 pipeline, whose details are in a reference of the papers.",
      "Pipeline 2018, section III-A, and p-fold 2023, section 3.1, name it", run_m_by_m, false,
      {{"m", "terms that a thread takes of m elements a round (default 2)"}});
}

}  // namespace warpfold::machine
