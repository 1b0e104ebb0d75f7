#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/mcm.hpp"
#include "machine/algorithms/sdp_common.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

struct Views {
  Array<Value> left, right, own;  ///< of the one table, under the names of the paper's substeps
};

/// One term. Substeps 1 and 2 read the operands, 3 computes, 4 updates the element.
Program add_term(Views st, const Chain* chain, std::uint64_t row, std::uint64_t split, std::uint64_t column,
                 bool first) {
  const Value left = co_await st.left.read(chain->at(row, split - 1));
  const Value right = co_await st.right.read(chain->at(split, column));
  Value value = left + right + chain->weight(row, split, column);
  if (first) {
    co_await skip();
  } else {
    value = std::min(value, co_await st.own.read(chain->at(row, column)));
  }
  co_await st.own.write(chain->at(row, column), value);
}

/// Fig. 8: thread j adds the j-th term, in the order of the split, to the element j behind the head. The printed guard
/// "i_j <= k_(i_j)" is never true. The intended guard is a term that the element has, of an element to be computed.
/// From n = 4 on an operand is not always final when it is read.
Program printed(Thread pe, Views st, const Chain* chain) {
  const std::uint64_t j = pe.id;
  if (j + 1 >= chain->n) co_return;
  std::uint64_t diagonal = 1;  // of this thread's element
  for (std::uint64_t head = chain->n; head + 2 <= chain->size() + chain->n; ++head) {
    if (head >= chain->n + j && head - j < chain->size()) {
      const std::uint64_t i = head - j;
      while (diagonal + 1 < chain->n && i >= chain->start(diagonal + 1)) ++diagonal;
      const std::uint64_t row = i - chain->start(diagonal);
      if (j < diagonal) co_await add_term(st, chain, row, row + 1 + j, row + diagonal, j == 0);
    }
    co_await barrier();
  }
}

/// The order of UMM-OPT. Once diagonal r-1 is final, stage r adds every term whose larger operand is on it, to the
/// diagonals r .. 2r-1. Thread i takes row i, so that no two threads read or write one element. Each diagonal d gets
/// each of its d terms once, in n (n-1) / 2 steps in all.
Program by_stages(Thread pe, Views st, const Chain* chain) {
  const std::uint64_t row = pe.id, n = chain->n;
  if (row + 1 >= n) co_return;
  for (std::uint64_t r = 1; r < n; ++r) {
    for (std::uint64_t diagonal = r; diagonal <= std::min(n - 1, 2 * r - 1); ++diagonal) {
      const bool first = diagonal + 2 >= 2 * r;  // no earlier stage reaches this diagonal
      const std::uint64_t column = row + diagonal;
      if (column < n) co_await add_term(st, chain, row, row + r, column, first);
      co_await barrier();
      if (diagonal == 2 * r - 1) continue;  // both operands are on diagonal r-1, so it is the same term
      if (column < n) co_await add_term(st, chain, row, column - r + 1, column, false);
      co_await barrier();
    }
  }
}

/// The exact lockstep time of `by_stages`: every access is contiguous. Diagonal d takes 4 d - 1 of them.
std::uint64_t time_by_stages(const Machine& machine, const Chain& chain) {
  std::uint64_t time = 0;
  for (std::uint64_t d = 1; d < chain.n; ++d) {
    const std::uint64_t count = chain.n - d;
    const auto stages = [&](std::uint64_t address) { return formulas::progression_stages(machine, address, 1, count); };
    for (std::uint64_t j = 1; j <= d; ++j) time += stages(chain.start(j - 1)) + stages(chain.start(d - j) + j);
    time += (2 * d - 1) * stages(chain.start(d));
    if (formulas::has_latency(machine)) time += (4 * d - 1) * (machine.latency - 1);
  }
  return time;
}

RunResult run_mcm(const RunRequest& request) {
  const Chain chain = chain_of(request);
  need_threads(request, request.n - 1, "n - 1");
  Simulation simulation(request.machine, request.threads, request.options);
  const auto st = simulation.array<Value>("ST", chain.size());
  const Views views{simulation.named(st, "left"), simulation.named(st, "right"), simulation.named(st, "ST[i]")};
  simulation.run(
      [&](Thread pe) { return request.as_printed ? printed(pe, views, &chain) : by_stages(pe, views, &chain); });
  const auto table = simulation.values(st);
  const std::uint64_t n = chain.n;
  const std::uint64_t steps = request.as_printed ? chain.size() - 2 : n * (n - 1) / 2;
  // Four accesses per step; three if every term is the first of its element: as printed, the first n steps.
  const std::uint64_t memory_steps = request.as_printed ? 4 * steps - std::min(n, steps) : (n - 1) * (2 * n - 1);
  RunResult result = chain_result(request, simulation, chain, table, memory_steps, n - 1);
  result.formula.reset();
  result.formula_text.clear();
  if (!request.as_printed) {
    result.formula = time_by_stages(request.machine, chain);
    result.formula_text = "sum over diagonals d of (4 d - 1) (l - 1) + the stages of 4 d - 1 contiguous accesses";
  }
  result.counts["pipeline_steps"] = steps;
  return result;
}

}  // namespace

Algorithm mcm_pipeline() {
  return chain_algorithm("mcm-pipeline",
                         "Optimal order of a chain of n matrices with n - 1 threads: n (n - 1) / 2 steps of a term "
                         "each, n (n + 1) / 2 - 2 in the printed order, which reads operands too early.",
                         "Pipeline 2018, Fig. 8", run_mcm, true);
}

}  // namespace warpfold::machine
