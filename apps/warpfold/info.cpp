#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "core/quantity.hpp"
#include "core/size_text.hpp"
#include "result.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app {

namespace {

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
  for (const CommandEntry& entry : commands()) {
    if (!entry.algorithms) continue;
    for (const AlgorithmInfo& algorithm : entry.algorithms()) {
      algorithms[entry.name].push_back({{"name", algorithm.name},
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
  fmt::print("cpu: {}; instruction sets {}\n", quantity(thread_count(0), "thread"),
             fmt::join(instruction_sets(), ", "));
  if (!has_cuda()) fmt::print("cuda: not compiled\n");
  if (has_cuda() && gpus().empty()) fmt::print("cuda: compiled, no GPU found\n");
  for (const GpuInfo& gpu : gpus()) {
    fmt::print("cuda:{}: {}, compute capability {}, {} multiprocessors, {}\n", gpu.index, gpu.name,
               gpu.compute_capability, gpu.multiprocessors, bytes_text(static_cast<double>(gpu.memory_bytes)));
  }
  for (const CommandEntry& entry : commands()) {
    if (!entry.algorithms) continue;
    fmt::print("\n{}\n", entry.name);
    for (const AlgorithmInfo& algorithm : entry.algorithms()) {
      fmt::print("  {:<24} {:<5} {}\n", algorithm.name, algorithm.device, algorithm.description);
      if (!algorithm.takes.empty()) fmt::print("  {:<30} {}\n", "", algorithm.takes);
    }
  }
}

}  // namespace

void add_info(Command command) {
  command.examples("warpfold info", "warpfold info --json");
  auto json = std::make_shared<bool>(false);
  command.in(Group::output).flag("--json", *json, json_help);
  command.runs([json] { *json ? print_as_json() : print_as_text(); });
}

}  // namespace warpfold::app
