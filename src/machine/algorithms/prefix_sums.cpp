#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program prefix_sums(Thread pe, std::vector<Array<Value>> levels) {
  const std::uint64_t p = pe.count;
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    const Array<Value> here = levels[k], above = levels[k + 1];
    for (std::uint64_t i = pe.id; i < above.size(); i += p) {
      const Value x = co_await here.read(2 * i);
      const Value y = co_await here.read(2 * i + 1);
      co_await above.write(i, x + y);
    }
    co_await barrier();
  }
  for (std::size_t k = levels.size() - 1; k-- > 0;) {
    const Array<Value> here = levels[k], above = levels[k + 1];
    for (std::uint64_t i = pe.id; i < above.size(); i += p) {
      const Value x = co_await above.read(i);
      co_await here.write(2 * i + 1, x);
    }
    co_await barrier();
    for (std::uint64_t i = pe.id; i < (here.size() - 1) / 2; i += p) {
      const Value x = co_await above.read(i);
      const Value y = co_await here.read(2 * i + 2);
      co_await here.write(2 * i + 2, x + y);
    }
    co_await barrier();
  }
}

namespace {

RunResult run_prefix_sums(const RunRequest& request) {
  accept_n(request, request.n >= 1, "1 or more words");
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  std::vector<Array<Value>> levels = {simulation.array("a", values)};
  while (levels.back().size() > 1) {
    levels.push_back(simulation.array<Value>("sums of pairs", levels.back().size() / 2));
  }
  simulation.run([&](Thread pe) { return prefix_sums(pe, levels); });
  std::vector<Value> expected(values.size());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  const auto sums = simulation.values(levels[0]);
  RunResult result = result_of(request, simulation, sums == expected, request.n > 1 ? 2 * request.n - 1 : 0);
  result.inputs["words"] = values;
  result.outputs["a"] = sums;
  result.formula = formulas::prefix_sums(request.machine, request.threads, request.n);
  result.formula_text = "sum over levels of eight accesses to half of the words";
  result.bound = formulas::tree_bound(request.machine, request.threads, request.n);
  result.bound_text = "n/w + n l/p + l log n";
  return result;
}

}  // namespace

Algorithm prefix_sums_of_words() {
  return {"prefix-sums",
          "The prefix sums of n words over a tree of pairwise sums.",
          "cited by UMM 2013, section I",
          run_prefix_sums,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
