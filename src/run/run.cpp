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
}

Device parse_device(const std::string& text) {
  if (text == "auto") return {};
  if (text == "cpu") return {Device::Kind::cpu, 0};
  if (text == "cuda") return {Device::Kind::cuda, 0};
  if (text.starts_with("cuda:")) {
    const char* first = text.data() + 5;
    const char* last = text.data() + text.size();
    Device device{Device::Kind::cuda, 0};
    const auto [end, error] = std::from_chars(first, last, device.index);
    if (error == std::errc() && end == last && device.index >= 0) return device;
  }
  throw Error(ErrorKind::usage, fmt::format("device '{}' is unknown: auto, cpu, cuda or cuda:N is accepted", text));
}

std::string to_string(const Device& device) {
  switch (device.kind) {
    case Device::Kind::automatic:
      return "auto";
    case Device::Kind::cpu:
      return "cpu";
    case Device::Kind::cuda:
      return fmt::format("cuda:{}", device.index);
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
  static_cast<void>(budget.take(bytes));
}

Watch::Watch(const Options& options, double total)
    : options_(options), progress_{0, total}, next_report_(std::chrono::steady_clock::now() + report_interval) {
  check();
}

bool Watch::stopped() const {
  return options_.stop.stop_requested() ||
         (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline);
}

void Watch::check() const {
  if (options_.stop.stop_requested()) throw Error(ErrorKind::cancelled, "the solve was cancelled");
  if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline) {
    throw Error(ErrorKind::time_limit, "the time limit was reached");
  }
}

void Watch::advance(double amount) {
  progress_.done = std::min(progress_.done + amount, progress_.total);
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  constexpr auto never = std::chrono::steady_clock::time_point::max();  // once the end was told
  const bool ended = progress_.done >= progress_.total;
  if (next_report_ == never || (now < next_report_ && !ended)) return;
  next_report_ = ended ? never : now + report_interval;
  options_.progress(progress_);
}

}  // namespace warpfold
