#include "machine/algorithms/list.hpp"
#include "machine/algorithms/triangulation.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// As printed, the recurrence starts from M(i,j) = 0 for j - i <= 1 instead of M(i,i) = 0.
Program dp_opt(Thread thread, std::uint64_t n, Array<Value> m, Array<Value> c, bool as_printed) {
  const std::uint64_t p = thread.count;
  co_await clear_table(thread, n, m);
  for (std::uint64_t i = 1 + thread.id; as_printed && i <= n - 2; i += p) co_await m.write(i * n + i + 1, 0);
  for (std::uint64_t r = as_printed ? 2 : 1; r <= n - 2; ++r) {
    co_await phase("loop C");
    for (std::uint64_t i = 1 + thread.id; i <= n - r - 1; i += p) {
      for (std::uint64_t j = i; j <= i + r - 1; ++j) {
        const Value best = co_await m.read(i * n + i + r);
        const Value x = co_await m.read(i * n + j);
        const Value y = co_await m.read((j + 1) * n + i + r);
        co_await m.write(i * n + i + r, std::min(best, x + y));
      }
    }
    co_await phase("loop D");
    for (std::uint64_t i = 1 + thread.id; i <= n - r - 1; i += p) {
      const Value x = co_await m.read(i * n + i + r);
      const Value weight = co_await c.read((i - 1) * n + i + r);
      co_await m.write(i * n + i + r, x + weight);
    }
  }
}

RunResult run_dp_opt(const RunRequest& request) {
  const std::uint64_t n = request.n;
  const Chords chords = chords_for(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array<Value>("M", n * n);
  const auto c = simulation.array("c", chords.matrix);
  simulation.run([&](Thread thread) { return dp_opt(thread, n, m, c, request.as_printed); });
  RunResult result = opt_result(request, simulation, m, 2 * n - 1, chords);
  if (request.machine.kind != Kind::dmm) {
    result.formula = formulas::dp_opt(request.machine, request.threads, n, request.as_printed);
    result.formula_text = "sum over the accesses of groups + ceil(length/p) (l - 1)";
  }
  return result;
}

}  // namespace

Algorithm dp_opt_triangulation() {
  return {"dp-opt",
          "Optimal triangulation of an n-gon, diagonal by diagonal, a thread for each element; as printed, the "
          "recurrence's base case drops the chords of the first diagonal.",
          "UMM 2013, section III",
          run_dp_opt,
          flat_machines(),
          true,
          {},
          {chords_list()}};
}

}  // namespace warpfold::machine
