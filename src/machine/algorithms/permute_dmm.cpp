#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/formulas.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::machine {

namespace {

Program permute(Thread pe, Array<Value> a, Array<Value> b, const permutation::BankSchedule* schedule,
                const std::uint32_t* destination) {
  co_await phase("copy a to b");
  for (std::uint64_t i = pe.id; i < a.size(); i += pe.count) {
    const Value x = co_await a.read(i);
    co_await b.write(i, x);
  }
  co_await phase("permute b to a");
  for (std::uint64_t i = pe.id; i < schedule->sources.size(); i += pe.count) {
    const std::uint32_t source = schedule->sources[i];
    if (source == permutation::idle) {
      co_await skip();
      co_await skip();
    } else {
      const Value x = co_await b.read(source);
      co_await a.write(destination[source], x);
    }
  }
}

RunResult run_permute_dmm(const RunRequest& request) {
  const auto destination = permutation_of(request);
  const auto schedule = permutation::conflict_free_schedule(destination, request.machine.width, request.seed);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto b = simulation.array<Value>("b", request.n);
  simulation.run([&](Thread pe) { return permute(pe, a, b, &schedule, destination.data()); });
  RunResult result = permute_result(request, simulation, a, values, destination);
  const Machine& machine = request.machine;
  // Rounds that are not full may use different banks. A warp of another size than a round may then take less.
  if (machine.kind == Kind::dmm && (machine.warp_size() == machine.width || request.n % machine.width == 0)) {
    result.formula = 4 * formulas::contiguous(request.machine, request.threads, request.n);
    result.formula_text = "4 (n/w + n (l - 1)/p)";
  }
  return result;
}

}  // namespace

Algorithm permute_dmm() {
  return {"permute-dmm",
          "Moves n words along a permutation without bank conflicts, in rounds found by edge coloring (the threads "
          "know their schedule, as in the paper).",
          "Memory machines 2012, section V, Theorem 6",
          run_permute_dmm,
          {Kind::dmm, Kind::umm, Kind::hmm},
          false,
          {},
          permute_lists()};
}

}  // namespace warpfold::machine
