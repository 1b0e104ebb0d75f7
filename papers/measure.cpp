#include "papers/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <numeric>

#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::papers {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return name;
}

}  // namespace

bool has_gpu() { return !gpus().empty(); }

std::string this_machine() {
  const int threads = thread_count(0);
  return fmt::format("{}, {} thread{}; {}", processor(), threads, threads == 1 ? "" : "s",
                     has_gpu() ? gpus().front().name : no_gpu);
}

double timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return seconds_since(start);
}

Cell Meter::seconds(double operations, const std::function<double()>& run) {
  constexpr double falling_rate = 2;  // a larger table may no longer fit a cache
  constexpr std::size_t max_runs = 5;
  if (max_seconds_ <= 0 || per_operation_ * operations * falling_rate > max_seconds_) return not_measured;
  constexpr double short_seconds = 0.2;
  std::vector<double> seconds{run()};
  if (seconds.front() < short_seconds) seconds.clear();  // the first run was the warm-up
  double total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  while (seconds.empty() || (seconds.size() < max_runs && total < std::min(1.0, max_seconds_))) {
    seconds.push_back(run());
    total += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  per_operation_ = median / operations;
  Cell cell = median;
  cell.spread = (seconds.back() - seconds.front()) / median;
  cell.fastest = seconds.front();
  return cell;
}

std::string measuring_note(const RunOptions& options) {
  if (options.row_seconds <= 0) return "nothing was measured on this machine";
  if (std::isinf(options.row_seconds)) return "this machine: medians of up to 5 runs within a second, or one run";
  return fmt::format(
      "this machine: medians of up to 5 runs within a second, or one run; rows that would take over {:.3g} s only with "
      "--measure",
      options.row_seconds);
}

}  // namespace warpfold::papers
