#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>

namespace warpfold {

/// The processors and bytes of memory that a process may use.
struct Allowance {
  double processors = std::numeric_limits<double>::infinity();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();

  bool operator==(const Allowance&) const = default;
};

/// The least that the control groups in `membership` (/proc/self/cgroup) and the groups above them allow. Reads both
/// versions of control groups, mounted at `mount` (/sys/fs/cgroup). A file that cannot be read limits nothing.
[[nodiscard]] Allowance control_group_allowance(const std::filesystem::path& membership,
                                                const std::filesystem::path& mount);

/// The allowance of this process: its affinity, the machine's memory, and its control groups as of the first call.
[[nodiscard]] Allowance process_allowance();

/// The bytes of that allowance. It does not read the affinity, because small problems take microseconds.
[[nodiscard]] std::size_t allowed_bytes();

}  // namespace warpfold
