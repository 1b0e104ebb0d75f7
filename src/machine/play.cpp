#include "warpfold/machine/play.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "machine/play_page.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/trace_file.hpp"

namespace warpfold::machine {

namespace {

using Sizes = std::array<std::uint64_t, 3>;

/// A pattern of the figure: an algorithm with its parameters and sizes.
struct PlayPattern {
  const char* name;
  const char* algorithm;
  std::map<std::string, std::uint64_t> parameters;
  Sizes sizes = {16, 64, 256};
};

const std::vector<PlayPattern>& play_patterns() {
  static const std::vector<PlayPattern> all = {
      {"contiguous", "contiguous", {}},
      {"stride", "stride", {}},
      {"unaligned, from address 2 on", "sequential", {{"start", 2}}},
      {"with three gaps", "sequential", {{"fragmentation", 3}, {"jump", 5}}},
      {"transpose by rows and columns", "transpose-straightforward", {}},
      {"transpose along diagonals", "transpose-diagonal", {}},
      {"random permutation", "permute-straightforward", {}},
      {"colored permutation", "permute-dmm", {}},
      {"sum by halving", "sum", {}},
      {"transpose by rotation", "transpose-rotating", {}},
      {"permutation of each row", "permute-rows", {}},
      {"permutation in five steps", "permute-umm", {}},
      {"triangulation by diagonals, DP-OPT", "dp-opt", {}, {6, 8, 10}},
      {"triangulation along rows, UMM-OPT", "umm-opt", {}, {6, 8, 10}},
      {"pipeline of four terms", "sdp-pipeline", {}, {16, 32, 64}},
      {"p-fold pipeline of four terms", "sdp-p-fold", {{"smallest", 16}, {"largest", 24}}, {32, 48, 64}},
      {"pipeline of a matrix chain", "mcm-pipeline", {}, {4, 6, 8}},
      {"0-1 knapsack by the p-fold pipeline", "knapsack-p-fold", {{"capacity", 15}}, {2, 4, 8}},
  };
  return all;
}

constexpr std::array<std::uint32_t, 3> widths = {4, 8, 16};
constexpr std::array<std::uint32_t, 4> latencies = {1, 2, 5, 20};
constexpr std::array<std::uint32_t, 3> thread_counts = {16, 32, 64};
constexpr std::array kinds = {Kind::dmm, Kind::umm};
constexpr std::uint64_t max_accesses = 4000;  ///< of a run; the page would have megabytes of a longer one

/// The dispatches of a run: [warp, step, stages, thread, address, 1 for a write, stage, value, thread, ..].
std::string dispatches_of(const Recorder& trace) {
  std::string out;
  for (const Recorder::Dispatch& one : trace.dispatches()) {
    out += fmt::format("{}[{},{},{}", out.empty() ? "" : ",", one.warp, one.step, one.stages);
    for (const Recorder::Access& access : one.accesses) {
      out += fmt::format(",{},{},{},{},{}", access.thread, access.address, access.write ? 1 : 0, access.stage,
                         static_cast<std::int64_t>(access.value));
    }
    out += ']';
  }
  return out;
}

std::string starts_of(const Recorder& trace) {
  std::vector<std::uint64_t> starts;
  for (const Recorder::Dispatch& one : trace.dispatches()) starts.push_back(one.start.count);
  return fmt::format("{}", fmt::join(starts, ","));
}

/// The arguments that repeat a run but for its latency.
std::string command_of(const PlayPattern& pattern, Kind kind, std::uint32_t width, std::uint32_t threads,
                       std::uint64_t n) {
  std::string command = fmt::format("machine run {} --machine {} --width {} --threads {} -n {}", pattern.algorithm,
                                    to_string(kind), width, threads, n);
  for (const auto& [name, value] : pattern.parameters) command += fmt::format(" --{} {}", name, value);
  return command;
}

/// A pattern's runs with every latency, which share their accesses: "KEY":{..}. Empty if they are long, or if the
/// algorithm does not accept the machine or the size.
std::string runs_at(std::size_t pattern, Kind kind, std::uint32_t width, std::uint32_t threads, std::uint64_t n) {
  const PlayPattern& of = play_patterns()[pattern];
  std::string dispatches, times;
  for (const std::uint32_t latency : latencies) {
    const Machine machine = kind == Kind::dmm ? dmm(width, latency) : umm(width, latency);
    Recorder trace(machine);
    RunRequest request{.machine = machine, .threads = threads, .n = n, .parameters = of.parameters};
    request.options.observer = &trace;
    try {
      const RunResult result = run(find_algorithm(of.algorithm), request);
      if (result.report.total.accesses() > max_accesses) return "";
      dispatches = dispatches_of(trace);
      times += fmt::format("{}\"{}\":{{\"units\":{},\"starts\":[{}]}}", times.empty() ? "" : ",", latency,
                           result.report.total.time_units.count, starts_of(trace));
    } catch (const Error&) {
      return "";  // such as a stride access of fewer words than threads
    }
  }
  return fmt::format("\"{}/{}/{}/{}/{}\":{{\"command\":\"{}\",\"dispatches\":[{}],\"times\":{{{}}}}}", pattern,
                     to_string(kind), width, threads, n, command_of(of, kind, width, threads, n), dispatches, times);
}

std::string runs_of(std::size_t pattern) {
  std::string out;
  for (const Kind kind : kinds) {
    for (const std::uint32_t width : widths) {
      for (const std::uint32_t threads : thread_counts) {
        for (const std::uint64_t n : play_patterns()[pattern].sizes) {
          const std::string runs = runs_at(pattern, kind, width, threads, n);
          if (!runs.empty()) out += (out.empty() ? "" : ",\n") + runs;
        }
      }
    }
  }
  return out;
}

/// The patterns of these algorithms, in their order.
std::vector<std::size_t> patterns_of(const std::vector<std::string>& algorithms) {
  std::vector<std::size_t> patterns;
  for (const std::string& algorithm : algorithms) {
    for (std::size_t at = 0; at < play_patterns().size(); ++at) {
      if (play_patterns()[at].algorithm == algorithm) patterns.push_back(at);
    }
  }
  return patterns;
}

}  // namespace

Play::Play() {
  for (std::size_t pattern = 0; pattern < play_patterns().size(); ++pattern) runs_.push_back(runs_of(pattern));
}

std::string Play::page() const { return fmt::format("{}{}</html>\n", play_page_head, figure(algorithms())); }

std::string Play::figure(const std::vector<std::string>& algorithms) const {
  std::vector<std::string> patterns, runs;
  for (const std::size_t at : patterns_of(algorithms)) {
    const PlayPattern& pattern = play_patterns()[at];
    patterns.push_back(fmt::format("{{\"id\":{},\"name\":\"{}\",\"algorithm\":\"{}\",\"sizes\":[{}]}}", at,
                                   pattern.name, pattern.algorithm, fmt::join(pattern.sizes, ",")));
    runs.push_back(runs_[at]);
  }
  if (patterns.empty()) return "";
  return fmt::format(
      "{}{{\"patterns\":[{}],\"machines\":[\"dmm\",\"umm\"],\"widths\":[{}],\"latencies\":[{}],\"threads\":[{}],\n"
      "\"runs\":{{{}}}}}{}",
      play_before_data, fmt::join(patterns, ","), fmt::join(widths, ","), fmt::join(latencies, ","),
      fmt::join(thread_counts, ","), fmt::join(runs, ",\n"), play_after_data);
}

std::vector<std::string> Play::algorithms() {
  std::vector<std::string> names;
  for (const PlayPattern& pattern : play_patterns()) {
    if (std::ranges::find(names, pattern.algorithm) == names.end()) names.emplace_back(pattern.algorithm);
  }
  return names;
}

}  // namespace warpfold::machine
