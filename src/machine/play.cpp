#include "warpfold/machine/play.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// An access pattern of the page: an algorithm with its parameters.
struct PlayPattern {
  const char* name;
  const char* algorithm;
  std::map<std::string, std::uint64_t> parameters;
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
  };
  return all;
}

constexpr std::array<std::uint32_t, 3> widths = {4, 8, 16};
constexpr std::array<std::uint32_t, 4> latencies = {1, 2, 5, 20};
constexpr std::array<std::uint32_t, 3> thread_counts = {16, 32, 64};
constexpr std::array<std::uint64_t, 3> sizes = {16, 64, 256};
constexpr std::array kinds = {Kind::dmm, Kind::umm};

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

/// A pattern's runs with every latency, which share their accesses: "KEY":{..}. Empty where the algorithm does not
/// accept the machine or the size.
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

std::string all_runs() {
  std::string out;
  for (std::size_t pattern = 0; pattern < play_patterns().size(); ++pattern) {
    for (const Kind kind : kinds) {
      for (const std::uint32_t width : widths) {
        for (const std::uint32_t threads : thread_counts) {
          for (const std::uint64_t n : sizes) {
            const std::string runs = runs_at(pattern, kind, width, threads, n);
            if (!runs.empty()) out += (out.empty() ? "" : ",\n") + runs;
          }
        }
      }
    }
  }
  return out;
}

}  // namespace

std::string play_html() {
  std::string names;
  for (const PlayPattern& pattern : play_patterns())
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", pattern.name);
  return fmt::format(
      "{}{{\"patterns\":[{}],\"machines\":[\"dmm\",\"umm\"],\"widths\":[{}],\"latencies\":[{}],"
      "\"threads\":[{}],\"sizes\":[{}],\n\"runs\":{{{}}}}}{}",
      play_page_before, names, fmt::join(widths, ","), fmt::join(latencies, ","), fmt::join(thread_counts, ","),
      fmt::join(sizes, ","), all_runs(), play_page_after);
}

}  // namespace warpfold::machine
