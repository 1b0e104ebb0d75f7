#include <fmt/format.h>

#include "papers/papers.hpp"
#include "papers/traced.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

/// A sequence of addresses, one a thread.
TracedRun sequence(const std::vector<std::int64_t>& addresses, std::uint32_t latency) {
  machine::RunRequest request{.machine = machine::umm(4, latency),
                              .threads = static_cast<std::uint32_t>(addresses.size())};
  request.lists["addresses"] = addresses;
  return traced("sequential", request);
}

/// The addresses are chosen by us, with the gaps where the text has them.
Drawing figure_3() {
  const TracedRun run = sequence({2, 3, 4, 5, 8, 9, 10, 14, 15, 16, 17, 18}, 5);
  const auto& access = run.result.report.phases.front().sequences.front();
  return {{run.command,
           {access_grid(run, "Twelve threads, an address each; gaps behind threads 3 and 6")},
           {fmt::format("length {}, fragmentation {}", access.length, access.fragmentation)}}};
}

/// The addresses are chosen by us: three groups for the first warp, one for the second.
Drawing figure_5() {
  const TracedRun run = sequence({0, 1, 6, 11, 12, 13, 14, 15}, 5);
  const auto& total = run.result.report.total;
  return {{run.command,
           {stage_grid(run, "The stages that enter the pipeline, an address group each")},
           {fmt::format("{} stages + 5 - 1 = {} time units", total.stages, total.time_units.count)}}};
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "umm-dynamic-programming-2013/";
  return {{id + "figure-3", paper, "A sequential access of length 12 and fragmentation 2",
           "the addresses, w = 4, l = 5", figure_3},
          {id + "figure-5", paper, "Two warps in the pipeline of the UMM, w = 4, l = 5", "the addresses", figure_5}};
}

}  // namespace warpfold::papers::umm_2013
