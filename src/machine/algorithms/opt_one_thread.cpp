#include "machine/algorithms/list.hpp"
#include "machine/algorithms/triangulation.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Thread 0 reads every weight once, solves in its own memory and writes the optimum. The other threads are idle.
Program opt_one_thread(Thread thread, std::uint64_t n, Array<Value> c, Array<Value> optimum) {
  if (thread.id > 0) co_return;
  std::vector<Value> weights(n * n);
  for (std::uint64_t i = 0; i + 2 < n; ++i) {
    for (std::uint64_t j = i + 2, last = i == 0 ? n - 2 : n - 1; j <= last; ++j) {
      weights[i * n + j] = co_await c.read(i * n + j);
    }
  }
  co_await optimum.write(0, plain_triangulation(n, weights));
}

RunResult run_opt_one_thread(const RunRequest& request) {
  const Chords chords = chords_for(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto c = simulation.array("c", chords.matrix);
  const auto optimum = simulation.array<Value>("optimum", 1);
  simulation.run([&](Thread thread) { return opt_one_thread(thread, request.n, c, optimum); });
  const Value cost = simulation.values(optimum)[0];
  RunResult result = optimum_result(request, simulation, cost, chords);
  result.outputs["optimum"] = {cost};
  result.formula = formulas::opt_one_thread(request.machine, request.n);
  result.formula_text = "(n(n-3)/2 + 1) l";
  result.bound_text = "";
  result.bound = std::nullopt;
  return result;
}

}  // namespace

Algorithm opt_one_thread() {
  return {
      "opt-one-thread",
      "Optimal triangulation of an n-gon by one thread, which reads every weight once and keeps the table in its own "
      "memory, where operations take no time units.",
      "below the bound of UMM 2013, Theorem 3, which assumes threads that keep O(1) words",
      run_opt_one_thread,
      flat_machines(),
      false,
      {},
      {chords_list()}};
}

}  // namespace warpfold::machine
