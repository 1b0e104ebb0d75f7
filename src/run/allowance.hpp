#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>

namespace warpfold {

/// What a process may use, of its machine or of the control group that it runs in.
struct Allowance {
  double processors = std::numeric_limits<double>::infinity();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();

  bool operator==(const Allowance&) const = default;
};

/// The least that the control groups listed in `membership` (/proc/self/cgroup) and those above them allow, of either
/// version, as they are mounted at `mount` (/sys/fs/cgroup). What cannot be read limits nothing.
[[nodiscard]] Allowance control_group_allowance(const std::filesystem::path& membership,
                                                const std::filesystem::path& mount);

/// This process's: its affinity, its machine's memory, its control groups as they were at the first call.
[[nodiscard]] Allowance process_allowance();

/// Its bytes alone, without looking at the affinity: small problems are solved in microseconds.
[[nodiscard]] std::size_t allowed_bytes();

}  // namespace warpfold
