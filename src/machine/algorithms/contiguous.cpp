#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program contiguous(Thread pe, Array<Value> m, Value* seen) {
  for (std::uint64_t i = pe.id; i < m.size(); i += pe.count) seen[i] = co_await m.read(i);
}

RunResult run_contiguous(const RunRequest& request) {
  const auto values = words_of(request);
  std::vector<Value> seen(request.n, -1);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array("m", values);
  simulation.run([&](Thread pe) { return contiguous(pe, m, seen.data()); });
  RunResult result = result_of(request, simulation, seen == values, request.n);
  bound_by_size(result, request);
  result.inputs["words"] = values;
  result.formula = formulas::contiguous(request.machine, request.threads, request.n);
  result.formula_text = "ceil(n/w) + ceil(n/p) (l - 1)";
  return result;
}

}  // namespace

Algorithm contiguous_access() {
  return {"contiguous",
          "Reads n words, p neighbors at a time.",
          "Memory machines 2012, section III, Theorem 1",
          run_contiguous,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
