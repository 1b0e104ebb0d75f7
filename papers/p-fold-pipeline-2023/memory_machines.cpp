#include <fmt/format.h>

#include "papers/papers.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using namespace machine;

/// The gain of p elements at a time on machines where a step costs latency and stages.
Table on_memory_machines(const RunOptions& options) {
  constexpr std::uint64_t n = 4096, k = 4, smallest = 96, largest = 160;
  Table table{{key("p"), key("machine"), key("threads"), counted("pipeline steps"), counted("stages"),
               counted("time units"), counted("p = 1 over it")},
              {},
              {},
              Chart{0, {1}, {5}}};
  for (const std::uint32_t l : {1u, 10u, 100u}) {
    for (const Machine& machine : {dmm(32, l), umm(32, l)}) {
      double single = 0;
      for (const std::uint64_t fold : {1, 2, 4, 8, 16, 24, 32}) {
        RunRequest request{.machine = machine, .threads = 128, .n = n, .seed = options.seed};
        request.parameters = {{"terms", k}, {"smallest", smallest}, {"largest", largest}, {"fold", fold}};
        const RunResult result = machine::run(find_algorithm("sdp-p-fold"), request);
        if (fold > result.counts.at("largest_fold")) continue;  // a larger fold would read too early
        const Counters& total = result.report.total;
        const auto time = static_cast<double>(total.time_units.count);
        if (fold == 1) single = time;
        table.rows.push_back({fold, to_string(machine), fold * k, result.counts.at("pipeline_steps"), total.stages,
                              total.time_units.count, single / time});
      }
    }
  }
  table.notes = {fmt::format("n = {}, k = {} offsets drawn from {} .. {}, w = 32", n, k, smallest, largest),
                 "a step of p k threads takes little more than one of k while it has few stages beside its latency"};
  return table;
}

}  // namespace

std::vector<Experiment> machine_experiments() {
  return {{"p-fold-pipeline-2023/memory-machines", paper, "The p-fold pipeline on the DMM and the UMM",
           on_memory_machines}};
}

}  // namespace warpfold::papers::p_fold_2023
