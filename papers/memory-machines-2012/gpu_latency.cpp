#include "papers/papers.hpp"
#include "papers/results.hpp"

namespace warpfold::papers::memory_machines_2012 {

/// Each of a chain's loads waits for the one before it.
Table gpu_latency(const RunOptions& options, const char* printed_shared, const char* printed_global) {
  const Results results(options, "h100", "machine_probe");
  Table table{{key("memory"), published("clock cycles"), recorded("clock cycles of a load", results.where()),
               recorded("of 32 threads with the stride 32")},
              {}};
  for (const auto& [space, printed] : {std::pair{"shared", printed_shared}, {"global", printed_global}}) {
    const auto cycles = [&](const char* index) {
      const auto cell = [&](const char* of) {
        return results.cell({{"work", "pattern"}, {"space", space}, {"bytes", 4}, {"index", index}}, of);
      };
      return quotient(cell("cycles"), cell("loads"), not_recorded);
    };
    table.rows.push_back({space, printed, cycles("i*1"), cycles("i*32")});
  }
  table.notes = {
      "a chain of loads by one warp: 32 threads read neighbors, or words that are 32 apart, which are in one "
      "bank of the shared memory",
      "the words of global memory come from the second-level cache", results.source()};
  return table;
}

}  // namespace warpfold::papers::memory_machines_2012
