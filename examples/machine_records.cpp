// Reading one field of many records: how they should lie in shared memory (a DMM) and in global memory (a UMM).
#include <iostream>

#include "warpfold/machine/simulation.hpp"

using namespace warpfold::machine;

constexpr std::uint32_t records = 1024;

static Program read_field(Thread t, Array<int> memory, std::uint32_t pitch) {
  for (std::uint32_t i = t.id; i < records; i += t.count) co_await memory.read(i * pitch);
}

static std::uint64_t time_units(const Machine& machine, std::uint32_t pitch) {
  Simulation simulation(machine, /*threads*/ 256);
  const auto memory = simulation.array<int>("records", records * pitch);
  simulation.run([&](Thread t) { return read_field(t, memory, pitch); });
  return simulation.time_units().count;
}

int main() {
  const Machine shared = dmm(/*width*/ 32, /*latency*/ 1), global = umm(/*width*/ 32, /*latency*/ 1);
  const auto show = [&](const char* layout, std::uint32_t pitch) {
    std::cout << layout << ": " << time_units(shared, pitch) << " on the DMM, " << time_units(global, pitch)
              << " on the UMM\n";
  };
  show("records of 4 words", 4);                   // 4 words of a warp lie in each bank that it asks for
  show("records of 4 words and 1 of padding", 5);  // 5 and 32 have no common factor: all banks, but more groups
  show("an array of its own for the field", 1);    // neighbors
}
