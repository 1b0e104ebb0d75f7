#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "warpfold/machine/machine.hpp"

namespace warpfold::machine {

/// Returns how many stages of the pipeline the requests of one warp occupy. The memories differ in this function only.
///
/// `addresses` are those of the warp's requesting threads. They may be reordered. No addresses occupy 0 stages. Equal
/// addresses count once on the DMM and the UMM.
///
/// * DMM: the largest number of distinct addresses in one bank.
/// * UMM: the number of distinct address groups.
/// * BPRAM: the number of requests / width, rounded up. All threads are one warp.
/// * PRAM: 1. All threads are one warp.
///
/// With width 4:
///
///     {0, 1, 5, 10}   banks 0 1 1 2,  groups 0 0 1 2: 2 stages on the DMM, 3 on the UMM
///     {8, 9, 14, 15}  banks 0 1 2 3,  groups 2 2 3 3: 1 stage on the DMM, 2 on the UMM
[[nodiscard]] inline std::uint32_t stages(Kind kind, std::uint32_t width, std::span<Address> addresses) {
  if (addresses.empty()) return 0;
  if (kind == Kind::pram) return 1;
  if (kind == Kind::bpram) return static_cast<std::uint32_t>((addresses.size() + width - 1) / width);
  if (!std::ranges::is_sorted(addresses)) std::ranges::sort(addresses);
  if (addresses.back() - addresses.front() < width && kind == Kind::dmm) return 1;
  const auto end = std::unique(addresses.begin(), addresses.end());
  addresses = addresses.first(static_cast<std::size_t>(end - addresses.begin()));
  for (Address& address : addresses) address = kind == Kind::dmm ? address % width : address / width;
  if (kind == Kind::dmm) std::ranges::sort(addresses);
  std::uint32_t distinct = 0, longest = 0, run = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const bool fresh = i == 0 || addresses[i] != addresses[i - 1];
    distinct += fresh;
    run = fresh ? 1 : run + 1;
    longest = std::max(longest, run);
  }
  return kind == Kind::dmm ? longest : distinct;
}

}  // namespace warpfold::machine
