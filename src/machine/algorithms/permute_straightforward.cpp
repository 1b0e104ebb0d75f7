#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/formulas.hpp"

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

/// The largest number of writes to one bank, over all warps. The destinations are distinct.
std::uint64_t bank_stages(const Machine& machine, const std::vector<std::uint32_t>& destination) {
  std::uint64_t stages = 0;
  std::vector<std::uint32_t> of_bank(machine.width);
  for (std::size_t first = 0; first < destination.size(); first += machine.warp_size()) {
    const std::size_t end = std::min(first + machine.warp_size(), destination.size());
    std::ranges::fill(of_bank, 0);
    for (std::size_t i = first; i < end; ++i) ++of_bank[destination[i] % machine.width];
    stages += std::ranges::max(of_bank);
  }
  return stages;
}

std::uint64_t write_time(const RunRequest& request, const std::vector<std::uint32_t>& destination) {
  const Machine& machine = request.machine;
  const std::uint64_t contiguous = formulas::contiguous(machine, request.threads, request.n);
  if (machine.kind == Kind::pram || machine.kind == Kind::bpram) return contiguous;
  std::uint64_t stages = 0;
  if (machine.kind == Kind::dmm) {
    stages = bank_stages(machine, destination);
  } else {
    std::vector<formulas::AccessRun> runs;
    for (const std::uint32_t address : destination) runs.push_back({address, 1});
    return formulas::sequential(machine, request.threads, runs);
  }
  return contiguous - formulas::ceil_div(request.n, formulas::words_of_stage(machine)) + stages;
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
