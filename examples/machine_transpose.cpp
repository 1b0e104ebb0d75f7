// A transpose as in GPU programs: through a tile in shared memory, whose rows may be padded.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

#include "warpfold/machine/simulation.hpp"

using namespace warpfold::machine;

constexpr std::uint32_t width = 8, side = 64, multiprocessors = 4;

/// A multiprocessor has a thread for each word of a tile. Global memory is accessed only along rows. The tile is read
/// along its columns, whose words are `pitch` apart. If the pitch is the width, they are all in one bank.
static Program transpose(Thread t, Array<int> from, Array<int> to, Array<int> tile, std::uint32_t pitch) {
  const std::uint32_t across = side / width, row = t.local_id / width, column = t.local_id % width;
  for (std::uint32_t i = t.multiprocessor; i < across * across; i += multiprocessors) {
    const std::uint32_t up = i / across * width, left = i % across * width;
    const int x = co_await from.read((up + row) * side + left + column);
    co_await tile.write(row * pitch + column, x);
    co_await barrier();  // another thread reads the word
    const int y = co_await tile.read(column * pitch + row);
    co_await to.write((left + row) * side + up + column, y);
    co_await barrier();
  }
}

int main() {
  std::vector<int> words(side * side);
  std::iota(words.begin(), words.end(), 0);
  for (const std::uint32_t pitch : {width, width + 1}) {
    Simulation simulation(hmm(multiprocessors, width, /*latency*/ 20, /*shared_latency*/ 2),
                          multiprocessors * width * width);
    const auto from = simulation.array("from", words), to = simulation.array<int>("to", words.size());
    const auto tile = simulation.shared_array<int>("tile", width * pitch);
    simulation.run([&](Thread t) { return transpose(t, from, to, tile, pitch); });
    bool right = true;
    const auto result = simulation.values(to);
    for (std::uint32_t k = 0; k < result.size(); ++k) right &= result[k] == words[k % side * side + k / side];
    std::cout << "pitch " << pitch << ": " << (right ? "right" : "wrong") << " after " << simulation.time_units().count
              << " time units, at most " << simulation.report().total.histogram.size() - 1 << " stages a warp\n";
  }
}
