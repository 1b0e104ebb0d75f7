#include "warpfold/tiles/tile_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "tiles/exchange/tile_tickets.hpp"
#include "tiles/tuning.hpp"
#include "warpfold/run/team.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

TileScheduler::TileScheduler(std::size_t tiles, double operations, std::size_t group)
    : tiles_(tiles),
      group_(group),
      groups_((tiles + group_ - 1) / group_),
      operations_(operations),
      final_(new std::atomic<bool>[tile_number(0, tiles)]()) {}

TileScheduler::TileScheduler(std::size_t tiles, double operations)
    : TileScheduler(tiles, operations, fastest_group(tiles)) {}

std::size_t TileScheduler::fastest_group(std::size_t tiles) {
  if (tiles < grouped_from_tiles) return 1;
  return tiles < large_groups_from_tiles ? 2 : 4;
}

int TileScheduler::useful_threads(std::size_t tiles, int threads) {
  return tiles < 4 ? 1 : static_cast<int>(std::min(static_cast<std::size_t>(threads), tiles));
}

double TileScheduler::count(std::size_t tiles) {
  const auto m = static_cast<double>(tiles);
  return m * (m - 1) * (m - 2) / 6 + m * (m + 1) / 2;
}

int TileScheduler::run(int threads, SolveMonitor& monitor, TileKernel& work, TableExchange* exchange) {
  exchange_ = exchange;
  caller_ = std::this_thread::get_id();
  turns_left_ = turns_of_own();
  poll_exchange();
  std::size_t reported = 0;
  const int ran = parallel(threads, [&](int thread) {
    try {
      take_turns(thread == 0 ? &reported : nullptr, monitor, work);
    } catch (...) {
      abandoned_ = true;
      throw;
    }
  });
  monitor.check();
  static_cast<void>(report(reported, monitor));
  return ran;
}

void TileScheduler::take_turns(std::size_t* reported, SolveMonitor& monitor, TileKernel& work) {
  std::size_t distance = 0;
  std::size_t before = 0;  // turns on the diagonals up to `distance`
  for (std::size_t turn = next_++; turn < tile_number(0, groups_); turn = next_++) {
    while (turn >= before + groups_ - distance) before += groups_ - distance++;
    const std::size_t group_i = turn - before;
    if (exchange_ && exchange_->comes(group_i, group_i + distance)) continue;
    if (monitor.stopped()) abandoned_ = true;
    if (!finish_group(group_i * group_, (group_i + distance) * group_, work)) return;
    if (exchange_) {
      exchange_->made(group_i, group_i + distance);
      --turns_left_;
    }
    if (reported) *reported = report(*reported, monitor);
  }
  while (reported && turns_left_ > 0 && !abandoned_) {  // other threads still wait for what comes
    if (monitor.stopped()) abandoned_ = true;
    poll_exchange();
    back_off();
  }
}

std::size_t TileScheduler::turns_of_own() const {
  std::size_t turns = 0;
  for (std::size_t j = 0; exchange_ && j < groups_; ++j) {
    for (std::size_t i = 0; i <= j; ++i) turns += exchange_->comes(i, j) ? 0 : 1;
  }
  return turns;
}

/// Only the thread that started the run polls.
void TileScheduler::poll_exchange() {
  if (!exchange_ || std::this_thread::get_id() != caller_) return;
  exchange_->progress([this](std::size_t i, std::size_t j) { take_over(i, j); });
}

/// Marks the tiles of a super-tile that has come as final.
void TileScheduler::take_over(std::size_t group_i, std::size_t group_j) {
  for (std::size_t j = group_j * group_; j < std::min((group_j + 1) * group_, tiles_); ++j) {
    for (std::size_t i = group_i * group_; i < std::min((group_i + 1) * group_, j + 1); ++i) {
      final_[tile_number(i, j)].store(true, std::memory_order_release);
      done_ += std::max<std::size_t>(j - i, 1);
    }
  }
}

/// Finishes the tiles of a group, rows from the last and columns from the first. False if the run was abandoned.
bool TileScheduler::finish_group(std::size_t first_i, std::size_t first_j, TileKernel& work) {
  const std::size_t end_i = std::min(first_i + group_, tiles_);
  const std::size_t end_j = std::min(first_j + group_, tiles_);
  for (std::size_t i = first_i; i < end_i; ++i) {
    for (std::size_t j = std::max(i, first_j); j < end_j; ++j) work.clear(i, j);
  }
  if (!accumulate_between(first_i, end_i, first_j, end_j, work)) return false;
  for (std::size_t i = end_i; i-- > first_i;) {
    for (std::size_t j = std::max(i, first_j); j < end_j; ++j) {
      if (!finish_tile(i, end_i, first_j, j, work)) return false;
      final_[tile_number(i, j)].store(true, std::memory_order_release);
    }
  }
  return true;
}

/// Applies the products of a group's tiles with middle tiles outside the group. Consecutive products share an operand.
bool TileScheduler::accumulate_between(std::size_t first_i, std::size_t end_i, std::size_t first_j, std::size_t end_j,
                                       TileKernel& work) {
  const std::size_t count = first_j > end_i ? first_j - end_i : 0;
  const auto middle = [&](std::size_t turn) {
    return end_i - 1 + middle_out(static_cast<unsigned>(turn), static_cast<unsigned>(count + 1));
  };
  for (std::size_t turn = 0; turn < count; ++turn) {
    if (abandoned_) return false;
    poll_exchange();
    const std::size_t k = middle(turn);
    const std::size_t next_k = turn + 1 < count ? middle(turn + 1) : k;
    for (std::size_t i = first_i; i < end_i; ++i) {
      for (std::size_t j = first_j; j < end_j; ++j) {
        TileProduct next{first_i, next_k, first_j};
        if (i + 1 < end_i) next = {i + 1, k, first_j};
        if (j + 1 < end_j) next = {i, k, j + 1};
        if (!accumulate({i, k, j}, next, work)) return false;
      }
    }
  }
  return true;
}

/// Applies the products of tile (i,j) with middle tiles i+1 .. end_i-1 and first_j .. j-1, and closes it.
bool TileScheduler::finish_tile(std::size_t i, std::size_t end_i, std::size_t first_j, std::size_t j,
                                TileKernel& work) {
  const TileProduct closing{i, i, j};
  for (std::size_t k = i + 1; k < std::min(end_i, j); ++k) {
    if (!accumulate({i, k, j}, closing, work)) return false;
  }
  for (std::size_t k = std::max(first_j, end_i); k < j; ++k) {
    if (!accumulate({i, k, j}, closing, work)) return false;
  }
  // Tile (i,j-1) was final before it was an operand here, and so on inwards. Only the diagonal may be missing.
  if (i != j && (!wait_for(i, i) || !wait_for(j, j))) return false;
  work.close(i, j);
  ++done_;
  return true;
}

/// False if the run was abandoned during the wait for an operand.
bool TileScheduler::accumulate(const TileProduct& product, const TileProduct& next, TileKernel& work) {
  if (!wait_for(product.i, product.k) || !wait_for(product.k, product.j)) return false;
  work.accumulate(product, next);
  ++done_;
  return true;
}

bool TileScheduler::wait_for(std::size_t i, std::size_t j) {
  const std::atomic<bool>& flag = final_[tile_number(i, j)];
  for (int turns = 0; !flag.load(std::memory_order_acquire); ++turns) {
    if (abandoned_) return false;
    poll_exchange();
    if (turns > 1000) back_off();
  }
  return true;
}

/// The thread or process that makes the missing tile may need this processor. Sleeping frees it for another process
/// sooner.
void TileScheduler::back_off() const {
  if (exchange_) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  } else {
    std::this_thread::yield();
  }
}

/// Tells the monitor what is new, and returns the count that it now knows.
std::size_t TileScheduler::report(std::size_t reported, SolveMonitor& monitor) const {
  const std::size_t done = done_;
  monitor.advance(static_cast<double>(done - reported) * operations_);
  return done;
}

}  // namespace warpfold::tiles
