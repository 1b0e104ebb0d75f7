#include <fmt/format.h>

#include <map>

#include "papers/papers.hpp"
#include "papers/polygon.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

/// Section 4.1: eight threads' minima m_0 .. m_7, joined by halving. The last node is the block's minimum.
Drawing figure_8() {
  machine::RunRequest request{.machine = machine::dmm(8, 1), .threads = 8, .operation = "min"};
  request.lists["words"] = {14, 9, 17, 11, 8, 15, 10, 12};
  const TracedRun run = traced("sum", request);
  Graph tree{"The reduction: each node is the lesser of two", {}, {}};
  std::map<std::uint64_t, std::size_t> node_of;  // of each address
  const auto add = [&](std::uint64_t address, std::int64_t value, std::uint32_t round) {
    tree.nodes.push_back({fmt::format("m{} = {}", address, value), 40 + 84.0 * static_cast<double>(address),
                          16 + 60.0 * round, color(round)});
    node_of[address] = tree.nodes.size() - 1;
  };
  const auto& words = request.lists["words"];
  for (std::uint64_t address = 0; address < words.size(); ++address) add(address, words[address], 0);
  std::map<std::uint32_t, std::vector<std::uint64_t>> read_by;
  std::uint32_t round = 0;
  for (const auto& dispatch : run.trace.dispatches()) {
    if (dispatch.accesses.front().write) ++round;
    for (const auto& access : dispatch.accesses) {
      if (!access.write) {
        read_by[access.thread].push_back(access.address);
        continue;
      }
      const std::vector<std::size_t> operands = {node_of[read_by[access.thread][0]],
                                                 node_of[read_by[access.thread][1]]};
      add(access.address, static_cast<std::int64_t>(access.value), round);
      tree.edges.push_back({operands[0], node_of[access.address], fmt::format("thread {}", access.thread)});
      tree.edges.push_back({operands[1], node_of[access.address]});
      read_by[access.thread].clear();
    }
  }
  return {{run.command,
           {},
           {fmt::format("{} rounds; the threads of the upper half send their minima through shared memory", round)},
           {tree}}};
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "gpu-polygon-triangulation-2013/",
                    weights_are_ours = "the weights, of which the paper's are a picture";
  return {{id + "figure-1", paper, "A triangulation of a convex 8-gon", weights_are_ours,
           [] { return Drawing{triangulation_part()}; }},
          {id + "figure-2", paper, "The parse tree of a triangulation", weights_are_ours,
           [] { return Drawing{parse_tree_part()}; }},
          {id + "figure-3", paper, "A polygon cut off by a chord, and cut again", "i = 2, k = 4, j = 6",
           [] { return Drawing{cut_part()}; }},
          {id + "figure-4", paper, "The weights and the table M of an 8-gon", weights_are_ours,
           [] { return Drawing{weights_part()}; }},
          {id + "figure-5", paper, "The operands of one element of M", weights_are_ours,
           [] { return Drawing{operands_part()}; }},
          {id + "figure-8", paper, "The binary reduction of a block's minima", "the values, t = 8", figure_8}};
}

}  // namespace warpfold::papers::gpu_polygon_2013
