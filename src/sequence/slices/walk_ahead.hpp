#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// Walks back through parts of a table whose cells are computed again for it. A team computes several parts at a time:
/// the one that the walk is in, and those that it comes to if it goes straight to cell (0,0).
namespace warpfold::sequence::slices {

/// A part up to row i and column j. `Part` says which.
template <class Part>
struct PartAhead {
  Part part;
  std::size_t i, j;
};

/// The parts ahead of a walk, its own first. At most `count`. `part_of(i, j)`: the part that has a cell.
template <class PartOf>
auto parts_ahead(const Walk& walk, std::size_t count, const PartOf& part_of) {
  using Part = decltype(part_of(walk.i, walk.j));
  std::vector<PartAhead<Part>> parts = {{part_of(walk.i, walk.j), walk.i, walk.j}};
  const auto add = [&](std::size_t i, std::size_t j, std::size_t last_i, std::size_t last_j) {
    const auto part = part_of(i, j);
    const auto found = std::ranges::find(parts, part, [](const auto& ahead) { return ahead.part; });
    if (found != parts.end()) {
      found->i = std::max(found->i, last_i);
      found->j = std::max(found->j, last_j);
    } else if (parts.size() < count) {
      parts.push_back({part, last_i, last_j});
    }
  };
  const std::size_t length = std::max(walk.i, walk.j);
  for (std::size_t gone = tuning::ahead_step; parts.size() < count && gone < length; gone += tuning::ahead_step) {
    const double left = 1 - static_cast<double>(gone) / static_cast<double>(length);
    const double drift = tuning::ahead_aside * std::sqrt(static_cast<double>(gone));
    const std::size_t aside = tuning::ahead_step + static_cast<std::size_t>(drift);
    const auto i = static_cast<std::size_t>(std::ceil(left * static_cast<double>(walk.i)));
    const auto j = static_cast<std::size_t>(std::ceil(left * static_cast<double>(walk.j)));
    const std::size_t last_i = std::min(i + aside, walk.i), last_j = std::min(j + aside, walk.j);
    add(last_i, j, last_i, last_j);
    add(i, last_j, last_i, last_j);
    add(i, j, last_i, last_j);
  }
  return parts;
}

/// Computes parts and walks through them. Each member walks through the parts that it has computed, whose cells are in
/// its caches, and then names the next part.
template <class Parts, class List>
void walk_through(Walk& walk, Parts& parts, const List& ahead, Team& team) {
  const auto members = static_cast<std::size_t>(team.size());
  const auto next_slot = [&] {
    if (walk.i == 0 || walk.j == 0) return ahead.size();
    const auto part = parts.part_of(walk.i, walk.j);
    const auto found = std::ranges::find_if(
        ahead, [&](const auto& known) { return known.part == part && walk.i <= known.i && walk.j <= known.j; });
    return static_cast<std::size_t>(found - ahead.begin());
  };
  const std::size_t stride = ahead.size() + 1;
  std::atomic<std::size_t> state = 0;  // turn * stride + slot; slot ahead.size(): the walk is beyond these parts
  team.run([&](int member) {
    const auto own = static_cast<std::size_t>(member);
    for (std::size_t slot = own; slot < ahead.size(); slot += members) parts.compute(ahead[slot], slot, member);
    team.barrier();
    for (std::size_t turn = 0;; ++turn) {
      team.wait(state, turn * stride);
      const std::size_t now = state.load(std::memory_order_acquire), slot = now % stride;
      turn = now / stride;
      if (slot == ahead.size()) return;
      if (slot % members != own) continue;
      parts.walk_back(slot, walk);
      state.store((turn + 1) * stride + next_slot(), std::memory_order_release);
    }
  });
}

/// Walks to row 0 or column 0, or to a part that this process does not have.
///
/// * `parts.slots()`: the parts that can be kept at a time.
/// * `parts.part_of(i, j)`: the part that has a cell.
/// * `parts.has(part)`: whether this process has it.
/// * `parts.fetch(list)`: called before parts are computed.
/// * `parts.compute(ahead, slot, member)`: computes a part up to a row and a column.
/// * `parts.walk_back(slot, walk)`: walks until it leaves the part.
template <class Parts>
void walk_by_parts(Walk& walk, Parts& parts, Team& team, const SolveMonitor& monitor) {
  const auto part_of = [&](std::size_t i, std::size_t j) { return parts.part_of(i, j); };
  while (walk.i > 0 && walk.j > 0 && parts.has(part_of(walk.i, walk.j))) {
    monitor.check();
    auto ahead = parts_ahead(walk, parts.slots(), part_of);
    std::erase_if(ahead, [&](const auto& next) { return !parts.has(next.part); });
    parts.fetch(ahead);
    if (ahead.size() == 1) {
      parts.compute(ahead[0], 0, 0);
      parts.walk_back(0, walk);
    } else {
      walk_through(walk, parts, ahead, team);
    }
  }
}

}  // namespace warpfold::sequence::slices
