#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold {

namespace {

bool is_named(const Candidate& candidate, const std::string& text) {
  return text == candidate.info->name || (candidate.has_parameters && text.starts_with(candidate.info->name + ":"));
}

bool is_on(const Candidate& candidate, const Device& device) {
  return device.kind == Device::Kind::automatic || candidate.on_gpu() == (device.kind == Device::Kind::cuda);
}

using Positions = std::vector<std::size_t>;

template <class Condition>
Positions those_of(const Positions& positions, const Condition& condition) {
  Positions found;
  std::copy_if(positions.begin(), positions.end(), std::back_inserter(found), condition);
  return found;
}

std::string names_of(std::span<const Candidate> candidates, const Positions& positions) {
  std::vector<std::string> names;
  for (const std::size_t at : positions) {
    const std::string& name = candidates[at].info->name;
    if (!candidates[at].runs || std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
  }
  return fmt::format("{} {} accepted", fmt::join(names, ", "), names.size() == 1 ? "is" : "are");
}

/// Why a candidate does not run. A reason that says nothing after a colon is completed by the algorithms that run.
std::string reason_of(std::span<const Candidate> candidates, const Candidate& rejected, const Positions& others) {
  const std::string& reason = rejected.unsupported_reason;
  const Positions able = those_of(
      others, [&](std::size_t at) { return candidates[at].runs && candidates[at].unsupported_reason.empty(); });
  if (able.empty() || reason.find(": ") != std::string::npos) return reason;
  return fmt::format("{}: {}", reason, names_of(candidates, able));
}

/// Those of `positions` that run on as many GPUs as the device names. Never empty.
Positions on_so_many_gpus(std::span<const Candidate> candidates, const Positions& positions, const Device& device) {
  if (device.kind != Device::Kind::cuda || !device.is_several()) return positions;
  Positions found = those_of(positions, [&](std::size_t at) { return candidates[at].supports_multi_gpu; });
  if (!found.empty()) return found;
  const std::string& name = candidates[positions.front()].info->name;
  throw Error(ErrorKind::usage, fmt::format("algorithm '{}' does not run on several GPUs ({}): cuda:N is accepted",
                                            name, to_string(device)));
}

/// The positions that the options allow. Never empty.
Positions allowed(std::span<const Candidate> candidates, const std::string& name, const Device& device) {
  Positions all(candidates.size());
  for (std::size_t at = 0; at < all.size(); ++at) all[at] = at;
  const Positions on_device = those_of(all, [&](std::size_t at) { return is_on(candidates[at], device); });
  if (on_device.empty()) {
    throw Error(ErrorKind::device, "this build solves it on the CPU only: device auto or cpu is accepted");
  }
  const auto named = [&](std::size_t at) { return name.empty() || is_named(candidates[at], name); };
  const Positions found = those_of(on_device, named);
  if (found.empty()) {
    if (those_of(all, named).empty()) {
      const bool has_gpu = has_cuda() || std::any_of(candidates.begin(), candidates.end(),
                                                     [](const Candidate& candidate) { return candidate.on_gpu(); });
      const Positions accepted =
          those_of(on_device, [&](std::size_t at) { return candidates[at].unsupported_reason.empty(); });
      throw Error(ErrorKind::usage,
                  fmt::format("algorithm '{}' is unknown: {}{}", name,
                              names_of(candidates, accepted.empty() ? on_device : accepted),
                              has_gpu ? "" : "; this build has no CUDA code, and so none that runs on a GPU"));
    }
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' does not run on {}: {}", name, to_string(device),
                                              names_of(candidates, on_device)));
  }
  const Positions able = those_of(on_so_many_gpus(candidates, found, device), [&](std::size_t at) {
    const Candidate& candidate = candidates[at];
    if (!candidate.runs || !candidate.unsupported_reason.empty()) return false;
    return !name.empty() || !candidate.explicit_only;
  });
  if (able.empty()) {
    const Candidate& candidate = candidates[found.front()];
    throw Error(ErrorKind::usage,
                fmt::format("algorithm '{}' {}", candidate.info->name, reason_of(candidates, candidate, on_device)));
  }
  return able;
}

std::size_t cheapest(std::span<const Candidate> candidates, const Positions& positions) {
  return *std::min_element(positions.begin(), positions.end(),
                           [&](std::size_t a, std::size_t b) { return candidates[a].cost < candidates[b].cost; });
}

}  // namespace

Choice choose(std::span<const Candidate> candidates, const Options& options,
              const std::function<bool(std::size_t on_cpu)>& gpu_pays) {
  // an invalid number is rejected for every backend
  if (options.threads < 0) static_cast<void>(thread_count(options.threads));
  const Positions able = allowed(candidates, options.algorithm, options.device);
  const std::size_t first = cheapest(candidates, able);
  if (!candidates[first].on_gpu() || options.device.kind == Device::Kind::cuda) return {first, {}};
  const Positions on_cpu = those_of(able, [&](std::size_t at) { return !candidates[at].on_gpu(); });
  if (on_cpu.empty()) return {first, {}};
  const std::size_t instead = cheapest(candidates, on_cpu);
  return gpu_pays(instead) ? Choice{first, instead} : Choice{instead, {}};
}

void run_choice(const Choice& choice, const Device& device, Report& report,
                const std::function<void(std::size_t)>& run) {
  if (!choice.instead) return run(choice.first);
  std::string reason = "there is not enough memory";
  try {
    return run(choice.first);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::memory_limit) throw;
    reason = error.what();
  } catch (const std::bad_alloc&) {
  }
  report = {};
  run(*choice.instead);
  report.fallback_reason =
      fmt::format("{}: {}", gpu_name(device), reason);  // last, because the backend may fill in a whole report
}

}  // namespace warpfold
