#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program total_of_block(Thread t, Array<Value> block, Value own, Value* total) {
  co_await barrier();
  co_await block.write(t.local_id, own);
  co_await barrier();
  co_await sum_by_halving(within_multiprocessor(t), block);
  *total = co_await block.read(0);
  co_await barrier();
}

namespace {

Program own_words(Thread pe, Array<Value> a, Value* sum) {
  *sum = 0;
  for (std::uint64_t i = pe.id; i < a.size(); i += pe.count) {
    const Value x = co_await a.read(i);
    *sum += x;
  }
}

Program sum_by_blocks(Thread t, Array<Value> a, Array<Value> parts, Array<Value> block) {
  Value sum = 0;
  co_await phase("parts");
  co_await own_words(t, a, &sum);
  co_await total_of_block(t, block, sum, &sum);
  if (t.local_id == 0) co_await parts.write(t.multiprocessor, sum);
  co_await phase("total");
  if (t.multiprocessor == 0) {
    co_await own_words(within_multiprocessor(t), parts, &sum);
    co_await total_of_block(t, block, sum, &sum);
    if (t.local_id == 0) co_await parts.write(0, sum);
  }
}

RunResult run_sum_hmm(const RunRequest& request) {
  const Machine& machine = request.machine;
  accept_n(request, request.n >= 1, "1 or more words");
  const auto values = words_of(request);
  Simulation simulation(machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto parts = simulation.array<Value>("parts", machine.multiprocessors);
  const auto block = simulation.shared_array<Value>("block", request.threads / machine.multiprocessors);
  simulation.run([&](Thread t) { return sum_by_blocks(t, a, parts, block); });
  const bool correct = simulation.values(parts)[0] == std::accumulate(values.begin(), values.end(), Value{0});
  RunResult result = result_of(request, simulation, correct, request.n);
  result.inputs["words"] = values;
  result.outputs["sum"] = {simulation.values(parts)[0]};
  result.formula = formulas::sum_hmm(machine, request.threads, request.n);
  result.formula_text = "n words and then d parts read once, each time a total of q = p/d words in shared memory";
  result.bound = formulas::sum_hmm_bound(machine, request.threads, request.n);
  result.bound_text = "n/w + n l/p + l + d + q/w + l' log q, q = p/d threads of a multiprocessor";
  return result;
}

}  // namespace

Algorithm sum_of_words_hmm() {
  return {"sum-hmm",
          "The sum of n words: each thread adds its own, each multiprocessor those of its threads by halving in shared "
          "memory, and the first one the multiprocessors'.",
          "the reduction by blocks of CUDA programmers; a hybrid machine is future work of Memory machines 2012",
          run_sum_hmm,
          {Kind::hmm},
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
