#include <algorithm>
#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sums.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Each multiprocessor has `chunks` chunks of one word per thread, one after another. levels[0] holds a chunk.
Program prefix_sums_by_chunks(Thread t, Array<Value> a, Array<Value> parts, std::vector<Array<Value>> levels,
                              std::uint64_t chunks) {
  const Array<Value> block = levels[0];
  const std::uint64_t q = t.local_count, first = t.multiprocessor * chunks * q;
  const std::uint64_t end = std::min<std::uint64_t>(first + chunks * q, a.size());
  Value sum = 0, carry = 0;
  co_await phase("parts");
  for (std::uint64_t i = first + t.local_id; i < end; i += q) {
    const Value x = co_await a.read(i);
    sum += x;
  }
  co_await total_of_block(t, block, sum, &sum);
  if (t.local_id == 0) co_await parts.write(t.multiprocessor, sum);
  co_await phase("carries");
  for (std::uint64_t before = t.local_id; before < t.multiprocessor; before += q) {
    const Value x = co_await parts.read(before);
    carry += x;
  }
  co_await total_of_block(t, block, carry, &carry);
  co_await phase("chunks");
  for (std::uint64_t chunk = first; chunk < end; chunk += q) {
    const std::uint64_t i = chunk + t.local_id;
    Value x = 0;
    if (i < end) x = co_await a.read(i);
    co_await barrier();
    co_await block.write(t.local_id, x);
    co_await barrier();
    co_await prefix_sums(within_multiprocessor(t), levels);
    x = co_await block.read(t.local_id);
    const Value of_chunk = co_await block.read(q - 1);
    if (i < end) co_await a.write(i, carry + x);
    carry += of_chunk;
    co_await barrier();
  }
}

RunResult run_prefix_sums_hmm(const RunRequest& request) {
  const Machine& machine = request.machine;
  accept_n(request, request.n >= 1, "1 or more words");
  const std::uint64_t q = request.threads / machine.multiprocessors;
  const auto values = words_of(request);
  Simulation simulation(machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto parts = simulation.array<Value>("parts", machine.multiprocessors);
  std::vector<Array<Value>> levels = {simulation.shared_array<Value>("chunk", q)};
  while (levels.back().size() > 1) {
    levels.push_back(simulation.shared_array<Value>("sums of pairs", levels.back().size() / 2));
  }
  const std::uint64_t chunks = formulas::ceil_div(formulas::ceil_div(request.n, q), machine.multiprocessors);
  simulation.run([&](Thread t) { return prefix_sums_by_chunks(t, a, parts, levels, chunks); });
  std::vector<Value> expected(values.size());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  const auto sums = simulation.values(a);
  RunResult result = result_of(request, simulation, sums == expected, 2 * request.n - 1);
  result.inputs["words"] = values;
  result.outputs["a"] = sums;
  result.formula = formulas::prefix_sums_hmm(machine, request.threads, request.n);
  result.formula_text =
      "3 (ceil(n/w) + C (l - 1)), d parts and their totals, C times the prefix sums of q = p/d words in shared "
      "memory, C = ceil(n/(q d))";
  result.bound = formulas::prefix_sums_hmm_bound(machine, request.threads, request.n);
  result.bound_text = "n/w + n l/p + l + d + d d/w + (n/p + 1)(q/w + l' log q), q = p/d threads of a multiprocessor";
  return result;
}

}  // namespace

Algorithm prefix_sums_of_words_hmm() {
  return {"prefix-sums-hmm",
          "The prefix sums of n words: each multiprocessor adds up its part, and with the parts before it carries on "
          "through its own, chunk by chunk in shared memory.",
          "the scan by blocks of CUDA programmers; a hybrid machine is future work of Memory machines 2012",
          run_prefix_sums_hmm,
          {Kind::hmm},
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
