#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// Walks back through parts of a table whose cells are computed again for it. A team computes several parts at a time:
/// the one that the walk comes to next, and those that it comes to if it goes straight to cell (0,0).
namespace warpfold::sequence::slices {

/// A part up to row i and column j. `Part` says which.
template <class Part>
struct PartAhead {
  Part part;
  std::size_t i, j;
};

/// A cell that a walk has come to.
struct Cell {
  std::size_t i, j;
};

/// The parts ahead of a walk, its own first. At most `count`. `part_of(i, j)`: the part that has a cell.
template <class PartOf>
auto parts_ahead(const Cell& walk, std::size_t count, const PartOf& part_of) {
  std::vector parts = {PartAhead{part_of(walk.i, walk.j), walk.i, walk.j}};
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

/// A walk through parts that a team computes ahead of it. A member has a slot for one part at a time. It walks through
/// the part that it has computed, whose cells are in its caches, and then names the part that comes next. Members whose
/// parts the walk has left compute further ones meanwhile.
///
/// * `parts.slots()`: the parts that can be kept at a time.
/// * `parts.part_of(i, j)`: the part that has a cell.
/// * `parts.compute(ahead, slot, member)`: computes a part up to a row and a column.
/// * `parts.walk_back(slot, walk)`: walks until it leaves the part.
template <class Parts>
class WalkAhead {
 public:
  WalkAhead(Walk& walk, Parts& parts, Team& team, const SolveMonitor& monitor)
      : walk_(walk), parts_(parts), team_(team), monitor_(monitor), slots_(parts.slots()) {}

  void run() {
    begin_turn();
    team_.run([&](int member) {
      if (static_cast<std::size_t>(member) < slots_.size()) work(static_cast<std::size_t>(member));
    });
  }

 private:
  using Part = decltype(std::declval<Parts>().part_of(1, 1));
  using Ahead = PartAhead<Part>;
  enum class Task { walk, compute, wait, end };
  static constexpr std::size_t none = ~std::size_t{0}, over = none - 1;  ///< values of turn_

  void work(std::size_t own) {
    for (Task task = Task::wait; task != Task::end;) {
      const std::size_t seen = turns_.load(std::memory_order_acquire);
      task = next_task(own);
      if (task == Task::wait) team_.wait(turns_, seen + 1);
      if (task == Task::compute) parts_.compute(*slots_[own], own, static_cast<int>(own));
      if (task != Task::walk) continue;
      parts_.walk_back(own, walk_);
      monitor_.check();
      begin_turn();
    }
  }

  /// Finds the slot that has the part of the walk.
  void begin_turn() {
    const std::lock_guard lock(mutex_);
    at_ = {walk_.i, walk_.j};
    list_.clear();
    turn_.store(is_over() ? over : slot_of_walk(), std::memory_order_release);
    turns_.fetch_add(1, std::memory_order_release);
  }
  [[nodiscard]] bool is_over() const { return at_.i == 0 || at_.j == 0; }
  [[nodiscard]] std::size_t slot_of_walk() const {
    const Part part = parts_.part_of(at_.i, at_.j);
    const auto found = std::ranges::find_if(
        slots_, [&](const auto& slot) { return slot && slot->part == part && at_.i <= slot->i && at_.j <= slot->j; });
    return found == slots_.end() ? none : static_cast<std::size_t>(found - slots_.begin());
  }

  /// What a member does next. For `compute` its slot names the part.
  Task next_task(std::size_t own) {
    if (turn_.load(std::memory_order_acquire) == own) return Task::walk;
    const std::lock_guard lock(mutex_);
    if (turn_ == over) return Task::end;
    if (turn_ == own) return Task::walk;
    if (turn_ == none) {
      slots_[own] = Ahead{parts_.part_of(at_.i, at_.j), at_.i, at_.j};
      turn_ = own;
      return Task::compute;
    }
    find_parts_ahead();
    const auto has = [&](const std::optional<Ahead>& slot, const Ahead& ahead) {
      return slot && slot->part == ahead.part;
    };
    if (std::ranges::any_of(list_, [&](const Ahead& ahead) { return has(slots_[own], ahead); })) return Task::wait;
    const auto next = std::ranges::find_if(list_, [&](const Ahead& ahead) {
      return std::ranges::none_of(slots_, [&](const auto& slot) { return has(slot, ahead); });
    });
    if (next == list_.end()) return Task::wait;
    slots_[own] = *next;
    return Task::compute;
  }

  void find_parts_ahead() {
    if (!list_.empty()) return;
    list_ = parts_ahead(at_, slots_.size(), [&](std::size_t i, std::size_t j) { return parts_.part_of(i, j); });
  }

  Walk& walk_;
  Parts& parts_;
  Team& team_;
  const SolveMonitor& monitor_;
  std::mutex mutex_;  ///< of what follows
  std::vector<std::optional<Ahead>> slots_;
  std::vector<Ahead> list_;               ///< the parts ahead of the present turn, or empty
  Cell at_ = {};                          ///< where the present turn began
  std::atomic<std::size_t> turn_ = none;  ///< the slot of the walk
  std::atomic<std::size_t> turns_ = 0;
};

/// The script of the walk from a cell.
template <class Parts>
Script walk_by_parts(Walk walk, Parts& parts, Team& team, const SolveMonitor& monitor) {
  WalkAhead<Parts>(walk, parts, team, monitor).run();
  return walk.finished();
}

}  // namespace warpfold::sequence::slices
