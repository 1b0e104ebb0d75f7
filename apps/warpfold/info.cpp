#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.hpp"
#include "papers/papers.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app {

namespace {

struct CommandAlgorithms {
  const char* command;
  std::vector<AlgorithmInfo> algorithms;
};

/// The registry: what every command chooses from.
std::vector<CommandAlgorithms> all_algorithms() {
  std::vector<AlgorithmInfo> all_paths = paths::algorithms();
  all_paths.push_back(paths::algorithms_from_sources().front());  // the other takes one of those
  return {{"triangulate", with_papers(interval::algorithms(), papers::triangulation_backends<float>())},
          {"chain", interval::chain_algorithms()},
          {"tree", interval::tree_algorithms()},
          {"minplus", minplus::algorithms()},
          {"paths", std::move(all_paths)},
          {"recurrence", with_papers(recurrence::algorithms(), papers::recurrence_backends<std::int32_t>())},
          {"coins", recurrence::coin_algorithms()},
          {"knapsack", with_papers(knapsack::algorithms(), papers::packing_backends())},
          {"subset-sum", knapsack::subset_sum_algorithms()}};
}

void print_as_json() {
  Json devices = Json::array();
  for (const GpuInfo& gpu : gpus()) {
    devices.push_back({{"device", fmt::format("cuda:{}", gpu.index)},
                       {"name", gpu.name},
                       {"compute_capability", gpu.compute_capability},
                       {"multiprocessors", gpu.multiprocessors},
                       {"memory_bytes", gpu.memory_bytes}});
  }
  Json algorithms = Json::object();
  for (const CommandAlgorithms& entry : all_algorithms()) {
    for (const AlgorithmInfo& algorithm : entry.algorithms) {
      algorithms[entry.command].push_back({{"name", algorithm.name},
                                           {"device", algorithm.device},
                                           {"description", algorithm.description},
                                           {"takes", algorithm.takes}});
    }
  }
  print_json({{"command", "info"},
              {"version", version},
              {"threads", thread_count(0)},
              {"instruction_sets", instruction_sets()},
              {"cuda_compiled", has_cuda()},
              {"gpus", devices},
              {"algorithms", algorithms}});
}

void print_as_text() {
  fmt::print("warpfold {}\n", version);
  fmt::print("cpu: {} threads; instruction sets {}\n", thread_count(0), fmt::join(instruction_sets(), ", "));
  if (!has_cuda()) fmt::print("cuda: not compiled\n");
  if (has_cuda() && gpus().empty()) fmt::print("cuda: compiled, no GPU found\n");
  for (const GpuInfo& gpu : gpus()) {
    fmt::print("cuda:{}: {}, compute capability {}, {} multiprocessors, {:.0f} GiB\n", gpu.index, gpu.name,
               gpu.compute_capability, gpu.multiprocessors, static_cast<double>(gpu.memory_bytes) / (1 << 30));
  }
  for (const CommandAlgorithms& entry : all_algorithms()) {
    fmt::print("\n{}\n", entry.command);
    for (const AlgorithmInfo& algorithm : entry.algorithms) {
      fmt::print("  {:<24} {:<5} {}\n", algorithm.name, algorithm.device, algorithm.description);
      if (!algorithm.takes.empty()) fmt::print("  {:<30} {}\n", "", algorithm.takes);
    }
  }
}

}  // namespace

void add_info(Command program) {
  const Command command = program.add_command("info", "version, devices, instruction sets and algorithms");
  command.example("warpfold info");
  auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "print one JSON object");
  command.runs([json] { *json ? print_as_json() : print_as_text(); });
}

}  // namespace warpfold::app
