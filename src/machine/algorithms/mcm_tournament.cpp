#include <algorithm>
#include <bit>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/mcm.hpp"
#include "machine/algorithms/sdp_common.hpp"

namespace warpfold::machine {

namespace {

/// Thread j holds term j of an element. A tournament through b finds the smallest term.
Program tournament(Thread pe, Array<Value> st, Array<Value> b, const Chain* chain) {
  const std::uint64_t j = pe.id;
  for (std::uint64_t diagonal = 1; diagonal < chain->n; ++diagonal) {
    for (std::uint64_t row = 0; row + diagonal < chain->n; ++row) {
      Value best = 0;
      if (j < diagonal) {
        const ChainTerm term = term_of(*chain, row, diagonal, j);
        const Value left = co_await st.read(term.left);
        const Value right = co_await st.read(term.right);
        best = left + right + term.weight;
      }
      co_await barrier();
      for (std::uint64_t s = 1; s < diagonal; s *= 2) {
        if (j < diagonal && j % (2 * s) == s) co_await b.write(j, best);
        co_await barrier();
        if (j % (2 * s) == 0 && j + s < diagonal) best = std::min(best, co_await b.read(j + s));
        co_await barrier();
      }
      if (j == 0) co_await st.write(chain->start(diagonal) + row, best);
      co_await barrier();
    }
  }
}

RunResult run_mcm_tournament(const RunRequest& request) {
  const Chain chain = chain_of(request);
  need_threads(request, chain.n - 1, "n - 1");
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array<Value>("ST", chain.size());
  const auto b = simulation.array<Value>("b", chain.n);
  simulation.run([&](Thread pe) { return tournament(pe, st, b, &chain); });
  std::uint64_t steps = 0;
  for (std::uint64_t d = 1; d < chain.n; ++d) steps += (chain.n - d) * (3 + 2 * std::bit_width(d - 1));
  RunResult result = chain_result(request, simulation, chain, simulation.values(st), steps, chain.n - 1);
  if (result.formula) result.formula_text += " = sum over diagonals d of (n - d) (3 + 2 ceil(log d))";
  return result;
}

}  // namespace

Algorithm mcm_tournament() {
  return chain_algorithm(
      "mcm-tournament",
      "Optimal order of a chain of n matrices, an element after the other, the least of its terms by "
      "n - 1 threads in a tournament.",
      "Pipeline 2018, section I", run_mcm_tournament);
}

}  // namespace warpfold::machine
