#include <algorithm>
#include <bit>

#include "machine/algorithms/common.hpp"
#include "machine/algorithms/list.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Merges runs of `run` words, sorted alternately up and down, into runs of twice the length, until one is left. A
/// thread takes the pair of words `distance` apart, and always writes both.
Program bitonic(Thread pe, Array<Value> low_word, Array<Value> high_word) {
  const std::uint64_t n = low_word.size();
  for (std::uint64_t run = 1; run < n; run *= 2) {
    for (std::uint64_t distance = run; distance > 0; distance /= 2) {
      for (std::uint64_t pair = pe.id; pair < n / 2; pair += pe.count) {
        const std::uint64_t low = pair / distance * 2 * distance + pair % distance, high = low + distance;
        const bool upwards = (low & (2 * run)) == 0;
        const Value x = co_await low_word.read(low);
        const Value y = co_await high_word.read(high);
        co_await low_word.write(low, upwards ? std::min(x, y) : std::max(x, y));
        co_await high_word.write(high, upwards ? std::max(x, y) : std::min(x, y));
      }
      co_await barrier();
    }
  }
}

std::uint64_t differing(const std::vector<Value>& one, const std::vector<Value>& other) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < one.size(); ++i) count += one[i] != other[i];
  return count;
}

bool are_powers_of_2(const Machine& machine) {
  return std::has_single_bit(machine.width) && std::has_single_bit(machine.warp_size());
}

RunResult run_bitonic_sort(const RunRequest& request) {
  const std::uint64_t n = request.n;
  accept_n(request, std::has_single_bit(n) && n <= (std::uint64_t{1} << 31), "a power of 2 up to 2^31");
  const auto values = words_of(request);
  auto sorted = values;
  std::ranges::sort(sorted);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("low words", values);
  const auto high = simulation.named(a, "high words");
  simulation.run([&](Thread pe) { return bitonic(pe, a, high); });
  const auto after = simulation.values(a);
  RunResult result = result_of(request, simulation, after == sorted, n > 1 ? n + differing(values, sorted) : 0);
  result.inputs["words"] = values;
  result.outputs["a"] = after;
  if (!formulas::has_latency(request.machine) || are_powers_of_2(request.machine)) {
    result.formula = formulas::bitonic_sort(request.machine, request.threads, n);
    result.formula_text =
        "sum over merges m = 1 .. log n of 4 m (n/(2 w) + ceil(n/(2 p))(l - 1)), and where n > w 4 min(m, log w) n/(2 "
        "w)";
  }
  result.bound = formulas::bitonic_sort_bound(request.machine, request.threads, n);
  result.bound_text = "(n/w + n l/p + l) log^2 n";
  return result;
}

}  // namespace

Algorithm bitonic_sort() {
  return {"bitonic-sort",
          "Sorts n words, n a power of 2, by Batcher's network of comparisons, in place.",
          "Batcher 1968; future work of Memory machines 2012, section VII",
          run_bitonic_sort,
          flat_machines(),
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
