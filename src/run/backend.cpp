#include "warpfold/run/backend.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/probe.hpp"

namespace warpfold {

namespace {

/// What Context::give_up throws.
struct GaveUp {
  std::string reason;
};

/// Whether this machine has a GPU that is started, or whose start takes less than this backend on the CPU.
bool gpu_pays(const BackendList& backends, std::size_t on_cpu) {
  if (!has_cuda()) return false;
  const double start_seconds = backends.options().gpu_start_seconds;
  const bool is_ready = start_seconds == 0 || is_gpu_started();
  return (is_ready || backends.estimate(on_cpu).seconds > start_seconds) && !gpus().empty();
}

}  // namespace

Context::Context(const Options& asked, Report& to_fill) : options(asked), budget(asked), report(to_fill) {
  options.budget = &budget;
  if (!asked.progress) return;
  options.progress = [this, tell = asked.progress](const Progress& progress) {
    told_ = expected_ > 0 ? of_all_parts(progress) : progress;
    tell(told_);
  };
}

Progress Context::of_all_parts(const Progress& part) {
  const bool is_next = part.total != part_.total || part.done < part_.done;
  if (is_next) before_ += part_.done;
  part_ = part;
  return {std::min(before_ + part.done, expected_), expected_};
}

[[noreturn]] void Context::give_up(std::string reason) { throw GaveUp{std::move(reason)}; }

void Context::take_device_memory(std::size_t bytes, std::size_t of_others) {
  check_device_memory(options, bytes, options.device.index);
  for (const int other : options.device.more) check_device_memory(options, of_others, other);
  report.peak_device_bytes = std::max({report.peak_device_bytes, bytes, of_others});
}

Device device_of(const AlgorithmInfo& backend, const Device& device) {
  return backend.device == "cuda" && has_cuda() ? find_gpus(device) : device;
}

std::string gpu_name(Device device) {
  device.kind = Device::Kind::cuda;
  return to_string(device);
}

void Context::finish(const AlgorithmInfo& ran, double seconds) const {
  if (options.progress && told_.done < told_.total) options.progress({told_.total, told_.total});
  if (report.device.empty()) report.device = ran.device == "cpu" ? "cpu" : gpu_name(options.device);
  if (report.algorithm.empty()) report.algorithm = ran.name;
  report.peak_bytes = std::max(report.peak_bytes, budget.peak());
  if (report.prepare_seconds + report.solve_seconds + report.traceback_seconds == 0) report.solve_seconds = seconds;
}

ResourceEstimate followed_by(const ResourceEstimate& first, const ResourceEstimate& next) {
  return {next.algorithm, first.seconds + next.seconds, std::max(first.bytes, next.bytes),
          std::max(first.device_bytes, next.device_bytes)};
}

void add_part(Report& whole, const Report& part) {
  if (!part.device.empty()) whole.device = part.device;
  if (!part.algorithm.empty()) whole.algorithm = part.algorithm;
  if (!part.fallback_reason.empty()) whole.fallback_reason = part.fallback_reason;
  whole.threads = std::max(whole.threads, part.threads);
  whole.prepare_seconds += part.prepare_seconds;
  whole.solve_seconds += part.solve_seconds;
  whole.traceback_seconds += part.traceback_seconds;
  whole.peak_bytes = std::max(whole.peak_bytes, part.peak_bytes);
  whole.peak_device_bytes = std::max(whole.peak_device_bytes, part.peak_device_bytes);
}

Choice choose_for(const BackendList& backends) {
  std::vector<Candidate> candidates;
  candidates.reserve(backends.count());
  for (std::size_t at = 0; at < backends.count(); ++at) candidates.push_back(backends.candidate(at));
  return choose(candidates, backends.options(), [&](std::size_t on_cpu) { return gpu_pays(backends, on_cpu); });
}

Estimate estimate_by(const BackendList& backends) {
  const std::size_t first = choose_for(backends).first;
  Estimate expected = backends.estimate(first);
  std::optional<ResourceEstimate> of_next;
  if (const auto next = backends.next(first, Budget(backends.options()).left())) of_next = backends.estimate(*next);
  expected.worst_case = backends.worst_case(first, expected, of_next);
  if (of_next) expected.worst_case = followed_by(expected.worst_case.value_or(expected), *of_next);
  return expected;
}

Report report_of_nothing(const BackendList& backends) {
  const AlgorithmInfo& info = backends.info(choose_for(backends).first);
  SolveMonitor(backends.options(), 1).advance(1);
  return {.device = info.device, .algorithm = info.name};
}

namespace {

void run_backend(BackendList& backends, std::size_t at, const std::string& gave_up, Report& report) {
  const auto start = std::chrono::steady_clock::now();
  Context context(backends.options(), report);
  const SolveMonitor before(backends.options(), 0);
  context.options.device = device_of(backends.info(at), context.options.device);
  context.gave_up = gave_up;
  const auto next = backends.next(at, context.budget.left());
  if (next) context.next = [&]() -> ResourceEstimate { return backends.estimate(*next); };
  try {
    backends.run(at, context);
  } catch (const GaveUp& end) {
    report.solve_seconds = seconds_since(start) - report.prepare_seconds;
    add_part(report, backends.solve_again(with_algorithm(backends.info(*next).name, context.options), end.reason));
  }
  context.finish(backends.info(at), seconds_since(start));
}

}  // namespace

Report solve_by(BackendList& backends, const std::string& gave_up) {
  Report report;
  run_choice(choose_for(backends), backends.options().device, report,
             [&](std::size_t at) { run_backend(backends, at, gave_up, report); });
  return report;
}

double probe_seconds(const AlgorithmInfo& backend, const std::function<void(Context&)>& run, const Options& options,
                     ProbeEnd end) {
  const bool on_gpu = backend.device == "cuda";
  Options probe;
  probe.device = options.device;
  probe.device.kind = on_gpu ? Device::Kind::cuda : Device::Kind::cpu;
  probe.threads = options.threads;
  probe.algorithm = options.algorithm;
  if (end == ProbeEnd::as_asked) {
    probe.stop = options.stop;
    probe.deadline = options.deadline;
  }
  probe.device = device_of(backend, probe.device);
  const auto run_once = [&] {
    Report unread;
    Context context(probe, unread);
    run(context);
  };
  if (on_gpu) run_once();
  const auto start = std::chrono::steady_clock::now();
  run_once();
  return seconds_since(start);
}

}  // namespace warpfold
