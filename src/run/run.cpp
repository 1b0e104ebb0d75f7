#include "warpfold/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "run/allowance.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold {

namespace {

constexpr auto report_interval = std::chrono::milliseconds(50);

/// Parses a list such as "0,1". Empty if it is no such list.
std::vector<int> parse_indices(const std::string& text) {
  std::vector<int> indices;
  const char* last = text.data() + text.size();
  for (const char* at = text.data();; ++at) {  // after a comma
    int index = -1;
    const auto [end, error] = std::from_chars(at, last, index);
    if (error != std::errc() || index < 0 || (end != last && *end != ',')) return {};
    indices.push_back(index);
    if (end == last) return indices;
    at = end;
  }
}

}  // namespace

Device parse_device(const std::string& text) {
  if (text == "auto") return {};
  if (text == "cpu") return {Device::Kind::cpu, 0};
  if (text == "cuda") return {Device::Kind::cuda, 0};
  if (text == "cuda:all") return {.kind = Device::Kind::cuda, .all = true};
  const std::vector<int> indices = text.starts_with("cuda:") ? parse_indices(text.substr(5)) : std::vector<int>();
  if (indices.empty()) {
    throw Error(ErrorKind::usage, fmt::format("device '{}' is unknown: {}", text, accepted_devices));
  }
  for (auto at = indices.begin(); at != indices.end(); ++at) {
    if (std::find(indices.begin(), at, *at) == at) continue;
    throw Error(ErrorKind::usage, fmt::format("device '{}' names GPU {} twice: {}", text, *at, accepted_devices));
  }
  return {Device::Kind::cuda, indices.front(), {indices.begin() + 1, indices.end()}};
}

std::string to_string(const Device& device) {
  switch (device.kind) {
    case Device::Kind::automatic:
      return "auto";
    case Device::Kind::cpu:
      return "cpu";
    case Device::Kind::cuda:
      if (device.all) return "cuda:all";
      return fmt::format("cuda:{}{}{}", device.index, device.more.empty() ? "" : ",", fmt::join(device.more, ","));
  }
  return "auto";
}

int thread_count(int requested) {
  if (requested < 0) {
    throw Error(ErrorKind::usage, fmt::format("threads is {}: 0 (all allowed) or more is accepted", requested));
  }
  if (requested == 1) return 1;
  const int allowed = std::max(1, static_cast<int>(std::ceil(process_allowance().processors)));
  return requested == 0 ? allowed : std::min(requested, 8 * allowed);
}

void check_memory(const Options& options, std::size_t bytes) {
  Budget budget(options);
  static_cast<void>(budget.reserve(bytes));
}

SolveMonitor::SolveMonitor(const Options& options, double total)
    : options_(options), progress_{0, total}, next_report_(std::chrono::steady_clock::now() + report_interval) {
  check();
}

bool SolveMonitor::stopped() const {
  return options_.stop.stop_requested() ||
         (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline);
}

void SolveMonitor::check() const {
  if (options_.stop.stop_requested()) throw Error(ErrorKind::cancelled, "the solve was cancelled");
  if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) {
    throw Error(ErrorKind::time_limit, "the time limit was reached");
  }
}

void SolveMonitor::advance(double amount) {
  progress_.done = std::min(progress_.done + amount, progress_.total);
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  constexpr auto never = std::chrono::steady_clock::time_point::max();  // after the end was reported
  const bool ended = progress_.done >= progress_.total;
  if (next_report_ == never || (now < next_report_ && !ended)) return;
  next_report_ = ended ? never : now + report_interval;
  options_.progress(progress_);
}

}  // namespace warpfold
