#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program stride(Thread pe, Array<Value> m, Value* seen) {
  const std::uint64_t s = m.size() / pe.count;
  for (std::uint64_t t = 0; t < s; ++t) seen[pe.id * s + t] = co_await m.read(pe.id * s + t);
}

RunResult run_stride(const RunRequest& request) {
  accept_n(request, request.n % request.threads == 0, "a multiple of the threads (the paper's s = n/p is whole)");
  const auto values = words_of(request);
  std::vector<Value> seen(request.n, -1);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array("m", values);
  simulation.run([&](Thread pe) { return stride(pe, m, seen.data()); });
  RunResult result = result_of(request, simulation, seen == values, request.n);
  result.inputs["words"] = values;
  bound_by_size(result, request);
  result.bound = formulas::stride_bound(request.machine, request.threads, request.n);
  if (request.machine.kind == Kind::dmm) result.bound_text = "n/w G + n l/p, G = gcd(n/p, w)";
  if (formulas::has_groups(request.machine)) result.bound_text = "min(n, n/w n/p) + n l/p";
  result.formula = formulas::stride(request.machine, request.threads, request.n);
  result.formula_text =
      request.machine.kind == Kind::dmm ? "(gcd(n/p, w) p/w + l - 1) n/p" : "(min(n/p, w) p/w + l - 1) n/p";
  return result;
}

}  // namespace

Algorithm stride_access() {
  return {"stride",
          "Reads n words, each thread its own n/p neighbors.",
          "Memory machines 2012, section III, Theorem 1",
          run_stride,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
