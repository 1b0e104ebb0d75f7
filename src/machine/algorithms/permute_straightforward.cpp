#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/formulas.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::machine {

namespace {

Program permute(Thread pe, Array<Value> a, Array<Value> b, const std::uint32_t* destination) {
  co_await phase("copy a to b");
  for (std::uint64_t i = pe.id; i < a.size(); i += pe.count) {
    const Value x = co_await a.read(i);
    co_await b.write(i, x);
  }
  co_await phase("permute b to a");
  for (std::uint64_t i = pe.id; i < a.size(); i += pe.count) {
    const Value x = co_await b.read(i);
    co_await a.write(destination[i], x);
  }
}

std::uint64_t write_time(const RunRequest& request, const std::vector<std::uint32_t>& destination) {
  const Machine& machine = request.machine;
  const std::uint64_t contiguous = formulas::contiguous(machine, request.threads, request.n);
  if (machine.kind == Kind::pram || machine.kind == Kind::bpram) return contiguous;
  std::uint64_t stages = 0;
  if (machine.kind == Kind::dmm) {
    std::vector<std::uint32_t> in_order(destination.size());
    for (std::uint32_t i = 0; i < in_order.size(); ++i) in_order[i] = i;
    stages = permutation::write_stages(destination, in_order, machine.width);
  } else {
    std::vector<formulas::AccessRun> runs;
    for (const std::uint32_t address : destination) runs.push_back({address, 1});
    return formulas::sequential(machine, request.threads, runs);
  }
  return contiguous - formulas::ceil_div(request.n, machine.width) + stages;
}

RunResult run_permute_straightforward(const RunRequest& request) {
  const auto destination = permutation_of(request);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto b = simulation.array<Value>("b", request.n);
  simulation.run([&](Thread pe) { return permute(pe, a, b, destination.data()); });
  RunResult result = permute_result(request, simulation, a, values, destination);
  result.formula =
      3 * formulas::contiguous(request.machine, request.threads, request.n) + write_time(request, destination);
  result.formula_text = "3 (n/w + n (l - 1)/p) + (stages of the writes) + n (l - 1)/p";
  return result;
}

}  // namespace

Algorithm permute_straightforward() {
  return {"permute-straightforward",
          "Moves n words along a permutation, in the order of the sources.",
          "Memory machines 2012, section V",
          run_permute_straightforward,
          flat_machines(),
          false,
          {},
          permute_lists()};
}

}  // namespace warpfold::machine
