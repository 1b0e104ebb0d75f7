#include "run/allowance.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace warpfold {

namespace {

namespace fs = std::filesystem;

/// The number at the start of a file. Empty if the file says "max" or "-1" or cannot be read.
std::optional<double> number_in(const fs::path& file) {
  double number = 0;
  if (std::ifstream(file) >> number && number >= 0) return number;
  return std::nullopt;
}

std::optional<double> processors_of(const fs::path& group) {
  double quota = 0;
  double period = 0;
  if (std::ifstream(group / "cpu.max") >> quota >> period && period > 0) return quota / period;
  const auto old_quota = number_in(group / "cpu.cfs_quota_us");
  const auto old_period = number_in(group / "cpu.cfs_period_us");
  if (old_quota && old_period && *old_period > 0) return *old_quota / *old_period;
  return std::nullopt;
}

std::optional<double> bytes_of(const fs::path& group) {
  const auto bytes = number_in(group / "memory.max");
  return bytes ? bytes : number_in(group / "memory.limit_in_bytes");
}

/// Applies the group at mount/path and all groups above it. A container may see the path of its host but only its own
/// group, mounted at the top. A missing group limits nothing.
void apply_groups(const fs::path& mount, const fs::path& path, Allowance& allowance) {
  for (fs::path below = path;; below = below.parent_path()) {
    const fs::path group = mount / below;
    if (const auto processors = processors_of(group)) {
      allowance.processors = std::min(allowance.processors, *processors);
    }
    if (const auto bytes = bytes_of(group); bytes && *bytes < 9e18) {
      allowance.bytes = std::min(allowance.bytes, static_cast<std::size_t>(*bytes));
    }
    if (below.empty()) return;
  }
}

/// The allowance of the machine and the control groups. Read once, because the files take 100 microseconds.
const Allowance& fixed_allowance() {
  static const Allowance fixed = [] {
    Allowance allowance = control_group_allowance("/proc/self/cgroup", "/sys/fs/cgroup");
    const auto physical =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    allowance.bytes = std::min(allowance.bytes, physical);
    return allowance;
  }();
  return fixed;
}

}  // namespace

Allowance control_group_allowance(const fs::path& membership, const fs::path& mount) {
  Allowance allowance;
  std::ifstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // "4:memory:/path", or "0::/path" of version 2
    const std::size_t controllers = line.find(':') + 1;
    const std::size_t path = line.find(":/", controllers);
    if (controllers == 0 || path == std::string::npos) continue;
    const std::string names = line.substr(controllers, path - controllers);
    if (names.empty() || names.find("cpu") != std::string::npos || names == "memory") {
      apply_groups(mount / names, line.substr(path + 2), allowance);
    }
  }
  return allowance;
}

Allowance process_allowance() {
  Allowance allowance = fixed_allowance();
  cpu_set_t affinity;
  CPU_ZERO(&affinity);
  const int processors = sched_getaffinity(0, sizeof affinity, &affinity) == 0 ? CPU_COUNT(&affinity) : 1;
  allowance.processors = std::min<double>(allowance.processors, processors);
  return allowance;
}

std::size_t allowed_bytes() { return fixed_allowance().bytes; }

}  // namespace warpfold
