#include <algorithm>
#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program sum_by_halving(Thread pe, Array<Value> a, Combine combine) {
  for (std::uint64_t n = a.size(); n > 1;) {
    const std::uint64_t half = (n + 1) / 2;
    for (std::uint64_t i = pe.id; i < n - half; i += pe.count) {
      const Value x = co_await a.read(i);
      const Value y = co_await a.read(i + half);
      co_await a.write(i, combine(x, y));
    }
    co_await barrier();
    n = half;
  }
}

namespace {

Value least(Value a, Value b) { return std::min(a, b); }

RunResult run_sum(const RunRequest& request) {
  accept_n(request, request.n >= 1, "1 or more words");
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const Combine combine = request.operation == "min" ? least : plus;
  simulation.run([&](Thread pe) { return sum_by_halving(pe, a, combine); });
  const Value result_word = simulation.values(a)[0];
  const bool correct = result_word == std::accumulate(values.begin() + 1, values.end(), values[0], combine);
  RunResult result = result_of(request, simulation, correct, request.n > 1 ? request.n : 0);
  result.inputs["words"] = values;
  result.outputs[combine == plus ? "sum" : "min"] = {result_word};
  result.formula = formulas::sum(request.machine, request.threads, request.n);
  result.formula_text = "sum over rounds of three accesses to half of the words";
  result.bound = formulas::tree_bound(request.machine, request.threads, request.n);
  result.bound_text = "n/w + n l/p + l log n";
  return result;
}

}  // namespace

Algorithm sum_of_words() {
  return {"sum",
          "The sum, or the minimum, of n words by halving.",
          "cited by UMM 2013, section I",
          run_sum,
          flat_machines(),
          false,
          {},
          {words_list()},
          {"sum", "min"}};
}

}  // namespace warpfold::machine
