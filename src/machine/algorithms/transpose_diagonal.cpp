#include "machine/algorithms/list.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

Program transpose(Thread pe, Array<Value> a, Array<Value> b, std::uint32_t side) {
  co_await phase("copy a to b");
  for (std::uint64_t q = pe.id; q < a.size(); q += pe.count) {
    const Value x = co_await a.read(q);
    co_await b.write(q, x);
  }
  co_await phase("diagonal copy b to a");
  for (std::uint64_t q = pe.id; q < a.size(); q += pe.count) {
    const std::uint64_t j = q / side, k = q % side, diagonal = (j + k) % side;
    const Value x = co_await b.read(k * side + diagonal);
    co_await a.write(diagonal * side + k, x);
  }
}

RunResult run_transpose_diagonal(const RunRequest& request) {
  const std::uint32_t side = side_of(request);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto b = simulation.array<Value>("b", request.n);
  simulation.run([&](Thread pe) { return transpose(pe, a, b, side); });
  RunResult result = transpose_result(request, simulation, a, values, side);
  if (!formulas::has_latency(request.machine) || formulas::divides(request.machine, side)) {
    result.formula = formulas::transpose_diagonal(request.machine, request.threads, side);
    result.formula_text =
        formulas::has_groups(request.machine) ? "2 (n/w + n (l - 1)/p) + 2 (n + n (l - 1)/p)" : "4 (n/w + n (l - 1)/p)";
  }
  return result;
}

}  // namespace

Algorithm transpose_diagonal() {
  return {"transpose-diagonal",
          "Transposes a square array of n words along diagonals, without bank conflicts where w divides the side.",
          "Memory machines 2012, section IV, Lemma 2",
          run_transpose_diagonal,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
