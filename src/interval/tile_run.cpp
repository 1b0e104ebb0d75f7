#include "warpfold/interval/tile_run.hpp"

#include <thread>

#include "interval/tile_table.hpp"
#include "warpfold/core/parallel.hpp"

namespace warpfold::interval {

TileRun::TileRun(std::size_t tiles, double operations)
    : tiles_(tiles), operations_(operations), final_(new std::atomic<bool>[tile_number(0, tiles)]()) {}

void TileRun::run(int threads, Watch& watch, const std::function<bool(std::size_t, std::size_t)>& finish) {
  parallel(threads, [&](int thread) {
    try {
      take_tiles(thread == 0, watch, finish);
    } catch (...) {
      abandoned_ = true;
      throw;
    }
  });
  watch.check();
}

bool TileRun::wait_for(std::size_t i, std::size_t j) const {
  const std::atomic<bool>& flag = final_[tile_number(i, j)];
  for (int turns = 0; !flag.load(std::memory_order_acquire); ++turns) {
    if (abandoned_) return false;
    if (turns > 1000) std::this_thread::yield();
  }
  return true;
}

void TileRun::take_tiles(bool reports, Watch& watch, const std::function<bool(std::size_t, std::size_t)>& finish) {
  std::size_t distance = 0;
  std::size_t before = 0;  // tiles on the diagonals up to `distance`
  double reported = 0;
  for (std::size_t task = next_++; task < tile_number(0, tiles_); task = next_++) {
    while (task >= before + tiles_ - distance) before += tiles_ - distance++;
    const std::size_t i = task - before;
    if (abandoned_ || watch.stopped()) {
      abandoned_ = true;
      return;
    }
    if (!finish(i, i + distance)) return;
    final_[tile_number(i, i + distance)].store(true, std::memory_order_release);
    done_ += static_cast<double>(distance + 1) * operations_;
    if (!reports) continue;
    watch.advance(done_ - reported);
    reported = done_;
  }
}

}  // namespace warpfold::interval
