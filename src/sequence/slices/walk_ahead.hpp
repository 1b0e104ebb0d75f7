#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// Walks back through parts of a table whose cells are computed again for it.
namespace warpfold::sequence::slices {

/// The part that the walk is in, and then those that it comes to if it goes straight to cell (0,0). At most `count`.
/// `part_of(i, j)`: the part that has a cell.
template <class PartOf>
auto parts_ahead(const Walk& walk, std::size_t count, const PartOf& part_of) {
  std::vector parts = {part_of(walk.i, walk.j)};
  const auto add = [&](std::size_t i, std::size_t j) {
    const auto part = part_of(i, j);
    if (parts.size() < count && std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  };
  const std::size_t length = std::max(walk.i, walk.j);
  for (std::size_t gone = tuning::ahead_step; parts.size() < count && gone < length; gone += tuning::ahead_step) {
    const double left = 1 - static_cast<double>(gone) / static_cast<double>(length);
    const auto i = static_cast<std::size_t>(std::ceil(left * static_cast<double>(walk.i)));
    const auto j = static_cast<std::size_t>(std::ceil(left * static_cast<double>(walk.j)));
    const auto aside = static_cast<std::size_t>(tuning::ahead_aside * std::sqrt(static_cast<double>(gone)));
    add(i, j);
    add(i, std::min(j + aside, walk.j));
    add(i, std::max(j, aside + 1) - aside);
  }
  return parts;
}

/// The script of the walk from a cell. A team computes several parts at a time: those ahead.
///
/// * `parts.slots()`: the parts that can be kept at a time.
/// * `parts.part_of(i, j)`: the part that has a cell.
/// * `parts.fetch(list)`: called before parts are computed.
/// * `parts.compute(part, slot, member, end)`: computes a part, if `end` is not null only what a walk from there needs.
/// * `parts.walk_back(slot, walk)`: walks until it leaves the part.
template <class Parts>
Script walk_by_parts(Walk walk, Parts& parts, Team& team, const SolveMonitor& monitor) {
  const auto part_of = [&](std::size_t i, std::size_t j) { return parts.part_of(i, j); };
  while (walk.i > 0 && walk.j > 0) {
    monitor.check();
    const auto ahead = parts_ahead(walk, parts.slots(), part_of);
    parts.fetch(ahead);
    const auto compute = [&](std::size_t slot, int member) {
      parts.compute(ahead[slot], slot, member, slot == 0 ? &walk : nullptr);
    };
    if (ahead.size() == 1) {
      compute(0, 0);
    } else {
      team.parallel_for(ahead.size(), compute);
    }
    for (auto at = ahead.begin(); at != ahead.end(); at = std::ranges::find(ahead, part_of(walk.i, walk.j))) {
      parts.walk_back(static_cast<std::size_t>(at - ahead.begin()), walk);
      if (walk.i == 0 || walk.j == 0) break;
    }
  }
  return walk.finished();
}

}  // namespace warpfold::sequence::slices
