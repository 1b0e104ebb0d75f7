#include "machine/algorithms/list.hpp"
#include "machine/algorithms/triangulation.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Table M under the names of Table I of the paper, so that each access is a sequence of its own.
struct Tables {
  std::uint64_t n;
  Array<Value> m, m_left, m_below, m_before, b, c;
  bool as_printed;
};

Program umm_opt(Thread thread, Tables table) {
  const auto& [n, m, m_left, m_below, m_before, b, c, as_printed] = table;
  const std::uint64_t p = thread.count;
  co_await clear_table(thread, n, m);
  for (std::uint64_t r = 1; r <= n - 2; ++r) {
    co_await phase("loop C");
    for (std::uint64_t i = 1 + thread.id, last = as_printed ? n - r - 1 : n - r; i <= last; i += p) {
      const Value x = co_await m_left.read(i * n + i + r - 1);
      co_await b.write(i, x);
    }
    const formulas::Trapezoid rows = formulas::umm_opt_rows(n, r);
    const std::uint64_t size = rows.size();
    co_await phase("loop D");
    for (std::uint64_t q = thread.id; q < size; q += p) {
      const auto [row, column] = rows.at(q);
      const std::uint64_t i = row + 1, j = i + r + column;
      const Value best = co_await m.read(i * n + j);
      const Value x = co_await m_left.read(i * n + i + r - 1);
      const Value y = co_await m_below.read((i + r) * n + j);
      co_await m.write(i * n + j, std::min(best, x + y));
    }
    co_await phase("loop E");
    for (std::uint64_t q = thread.id; q < size; q += p) {
      const auto [row, column] = rows.at(q);
      const std::uint64_t i = row + 1, j = i + r + column;
      const Value best = co_await m.read(i * n + j);
      const Value x = co_await m_before.read(i * n + j - r);
      const Value y = co_await b.read(j - r + 1);
      co_await m.write(i * n + j, std::min(best, x + y));
    }
    co_await phase("loop F");
    for (std::uint64_t i = 1 + thread.id; i <= n - r - 1; i += p) {
      const Value x = co_await m.read(i * n + i + r);
      const Value weight = co_await c.read((i - 1) * n + i + r);
      co_await m.write(i * n + i + r, x + weight);
    }
  }
}

RunResult run_umm_opt(const RunRequest& request) {
  const std::uint64_t n = request.n;
  const Chords chords = chords_for(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto m = simulation.array<Value>("M[i,j]", n * n);
  const Tables table{n,
                     m,
                     simulation.named(m, "M[i,i+r-1]"),
                     simulation.named(m, "M[i+r,j]"),
                     simulation.named(m, "M[i,j-r]"),
                     simulation.array<Value>("b", n),
                     simulation.array("c[i-1,i+r]", chords.matrix),
                     request.as_printed};
  simulation.run([&](Thread thread) { return umm_opt(thread, table); });
  RunResult result = opt_result(request, simulation, m, 2 * n - 1, chords);
  if (request.machine.kind != Kind::dmm) {
    result.formula = formulas::umm_opt(request.machine, request.threads, n, request.as_printed);
    result.formula_text = "sum over the loops' sequential accesses of groups + ceil(length/p) (l - 1)";
  }
  return result;
}

}  // namespace

Algorithm umm_opt_triangulation() {
  return {"umm-opt",
          "Optimal triangulation of an n-gon, each stage adding the terms whose larger operand is the last diagonal; "
          "as printed, Loop C misses the last element.",
          "UMM 2013, section IV, Theorems 2 and 3",
          run_umm_opt,
          flat_machines(),
          true,
          {},
          {chords_list()}};
}

}  // namespace warpfold::machine
