// A program of your own for the memory machines: a sum by halving, with more and more threads.
// --- snippet
#include <iostream>
#include <numeric>
#include <vector>

#include "warpfold/machine/simulation.hpp"

using namespace warpfold::machine;

/// Each round adds the upper half of the remaining words to the lower half.
static Program sum(Thread t, Array<int> a) {
  for (std::uint32_t half = a.size() / 2; half > 0; half /= 2) {
    for (std::uint32_t i = t.id; i < half; i += t.count) {
      const int x = co_await a.read(i);
      const int y = co_await a.read(i + half);
      co_await a.write(i, x + y);
    }
    co_await barrier();  // the next round reads what other threads wrote
  }
}

int main() {
  std::vector<int> words(1024);
  std::iota(words.begin(), words.end(), 1);
  for (const std::uint32_t threads : {32u, 128u, 512u, 2048u}) {
    Simulation simulation(umm(/*width*/ 32, /*latency*/ 20), threads);
    const auto a = simulation.array("a", words);
    simulation.run([&](Thread t) { return sum(t, a); });
    std::cout << threads << " threads: " << simulation.values(a)[0] << " after " << simulation.time_units().count
              << " time units\n";
  }
}
