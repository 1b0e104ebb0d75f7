#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program sum_by_halving(Thread pe, Array<Value> a) {
  for (std::uint64_t n = a.size(); n > 1;) {
    const std::uint64_t half = (n + 1) / 2;
    for (std::uint64_t i = pe.id; i < n - half; i += pe.count) {
      const Value x = co_await a.read(i);
      const Value y = co_await a.read(i + half);
      co_await a.write(i, x + y);
    }
    co_await barrier();
    n = half;
  }
}

namespace {

RunResult run_sum(const RunRequest& request) {
  accept_n(request, request.n >= 1, "1 or more words");
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  simulation.run([&](Thread pe) { return sum_by_halving(pe, a); });
  const Value sum = simulation.values(a)[0];
  const bool correct = sum == std::accumulate(values.begin(), values.end(), Value{0});
  RunResult result = result_of(request, simulation, correct, request.n > 1 ? request.n : 0);
  result.inputs["words"] = values;
  result.outputs["sum"] = {sum};
  result.formula = formulas::sum(request.machine, request.threads, request.n);
  result.formula_text = "sum over rounds of three accesses to half of the words";
  result.bound = formulas::tree_bound(request.machine, request.threads, request.n);
  result.bound_text = "n/w + n l/p + l log n";
  return result;
}

}  // namespace

Algorithm sum_of_words() {
  return {"sum",
          "The sum of n words by halving.",
          "cited by UMM 2013, section I",
          run_sum,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
