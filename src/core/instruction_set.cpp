#include "warpfold/core/instruction_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/highway.h>

#include <cstdint>

#include "warpfold/core/error.hpp"

namespace warpfold {

namespace {

/// The bits of HWY_TARGETS that the processor supports, regardless of what is forced.
std::int64_t offered_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (std::int64_t left = offered_targets(); left != 0; left &= left - 1) {  // the lowest bit is the best target
    names.emplace_back(hwy::TargetName(left & -left));
  }
  return names;
}

void force_instruction_set(const std::string& name) {
  if (name.empty()) return hwy::GetChosenTarget().Update(offered_targets());
  for (std::int64_t left = offered_targets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (name == hwy::TargetName(target)) return hwy::GetChosenTarget().Update(target);
  }
  throw Error(ErrorKind::usage, fmt::format("instruction set '{}' is not offered here: {} is accepted", name,
                                            fmt::join(instruction_sets(), ", ")));
}

}  // namespace warpfold
