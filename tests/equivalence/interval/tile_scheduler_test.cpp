#include "warpfold/tiles/tile_scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "sanitizers.hpp"
#include "tiles/exchange/tile_tickets.hpp"
#include "warpfold/interval/recurrence.hpp"

/// Every order of a run, for all group sizes and numbers of threads.
namespace warpfold::interval {
namespace {

using tiles::TileKernel;
using tiles::TileProduct;
using tiles::TileScheduler;

constexpr std::size_t groups[] = {1, 2, 3, 4};
constexpr int threads_used[] = {1, 2, 3, 5};

/// Counts operations on tiles, and checks that their operands are final.
class CountingWork final : public TileKernel {
 public:
  void clear(std::size_t i, std::size_t j) override {
    const std::lock_guard lock(mutex_);
    ++cleared_[{i, j}];
  }
  void accumulate(const TileProduct& product, const TileProduct& /*next*/) override {
    const auto [i, k, j] = product;
    const std::lock_guard lock(mutex_);
    ++products_[{i, k, j}];
    wrong_ += closed_[{i, k}] != 1 || closed_[{k, j}] != 1 || cleared_[{i, j}] != 1 || closed_[{i, j}] != 0;
  }
  void close(std::size_t i, std::size_t j) override {
    const std::lock_guard lock(mutex_);
    wrong_ += i < j && (closed_[{i, i}] != 1 || closed_[{j, j}] != 1);
    for (std::size_t k = i + 1; k < j; ++k) wrong_ += products_[{i, k, j}] != 1;
    ++closed_[{i, j}];
  }

  /// Takes a tile that others have made.
  void take_over(std::size_t i, std::size_t j) {
    const std::lock_guard lock(mutex_);
    wrong_ += cleared_[{i, j}] != 0;
    cleared_[{i, j}] = closed_[{i, j}] = 1;
    for (std::size_t k = i + 1; k < j; ++k) ++products_[{i, k, j}];
  }

  void expect_all_once(std::size_t tiles) {
    for (std::size_t i = 0; i < tiles; ++i) {
      for (std::size_t j = i; j < tiles; ++j) {
        EXPECT_EQ((cleared_[{i, j}]), 1) << i << " " << j;
        EXPECT_EQ((closed_[{i, j}]), 1) << i << " " << j;
        for (std::size_t k = i + 1; k < j; ++k) EXPECT_EQ((products_[{i, k, j}]), 1) << i << " " << k << " " << j;
      }
    }
    EXPECT_EQ(products_.size(), tiles * (tiles - 1) * (tiles - 2) / 6);
    EXPECT_EQ(wrong_, 0) << "operations on tiles that were not final";
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::size_t>, int> cleared_, closed_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, int> products_;
  int wrong_ = 0;
};

TEST(TileScheduler, AppliesEveryProductOfTilesOnceToFinalOperands) {
  for (const std::size_t tiles : {1, 2, 3, 4, 5, 6, 7, 13}) {
    for (const std::size_t group : groups) {
      for (const int threads : threads_used) {
        SCOPED_TRACE(testing::Message() << tiles << " tiles in groups of " << group << ", " << threads << " threads");
        const Options options;
        SolveMonitor monitor(options, TileScheduler::count(tiles));
        CountingWork work;
        TileScheduler(tiles, 1, group).run(threads, monitor, work);
        work.expect_all_once(tiles);
      }
    }
  }
}

/// Keeps the order of each tile's products.
class OrderedWork final : public TileKernel {
 public:
  void clear(std::size_t /*i*/, std::size_t /*j*/) override {}
  void accumulate(const TileProduct& product, const TileProduct& /*next*/) override {
    const std::lock_guard lock(mutex_);
    middles[{product.i, product.j}].push_back(product.k - product.i);
  }
  void close(std::size_t /*i*/, std::size_t /*j*/) override {}

  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> middles;

 private:
  std::mutex mutex_;
};

TEST(TileScheduler, HasTheOrderThatAGpuTakesForTheSameSums) {
  for (const std::size_t tiles : {3, 4, 5, 9, 16, 17, 30}) {
    for (const std::size_t group : groups) {
      const Options options;
      SolveMonitor monitor(options, TileScheduler::count(tiles));
      OrderedWork work;
      TileScheduler(tiles, 1, group).run(3, monitor, work);
      for (const auto& [tile, middles] : work.middles) {
        const warpfold::tiles::TilePlace place{static_cast<unsigned>(tile.first), static_cast<unsigned>(tile.second)};
        const warpfold::tiles::MiddlesOfGroup middle(place, static_cast<unsigned>(group));
        for (unsigned step = 0; step < middles.size(); ++step) {
          ASSERT_EQ(middle(step), middles[step])
              << tiles << " tiles in groups of " << group << ": step " << step << " of " << place.i << "," << place.j;
        }
      }
    }
  }
}

/// Makes every third super-tile, one per poll, as soon as its operands are there.
class Elsewhere final : public TableExchange {
 public:
  Elsewhere(std::size_t tiles, std::size_t group, CountingWork& work)
      : tiles_(tiles), group_(group), along_((tiles + group - 1) / group), work_(work), there_(along_ * along_) {}

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override { return (i + 2 * j) % 3 == 0; }
  void made(std::size_t i, std::size_t j) override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(comes(i, j));
    there_[i * along_ + j] = true;
  }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = along_; i-- > 0;) {
      for (std::size_t j = i; j < along_; ++j) {
        if (!comes(i, j) || there_[i * along_ + j] || !may_be_made(i, j)) continue;
        there_[i * along_ + j] = true;
        for (std::size_t b = j * group_; b < std::min((j + 1) * group_, tiles_); ++b) {
          for (std::size_t a = i * group_; a < std::min((i + 1) * group_, b + 1); ++a) work_.take_over(a, b);
        }
        return arrived(i, j);
      }
    }
  }

 private:
  [[nodiscard]] bool may_be_made(std::size_t i, std::size_t j) const {
    for (std::size_t k = i; k < j; ++k) {
      if (!there_[i * along_ + k] || !there_[(k + 1) * along_ + j]) return false;
    }
    return true;
  }

  std::size_t tiles_, group_, along_;
  CountingWork& work_;
  std::mutex mutex_;
  std::vector<bool> there_;
};

TEST(TileScheduler, LeavesOutAndWaitsForWhatComesFromElsewhere) {
  for (const std::size_t tiles : {1, 2, 5, 7, 13}) {
    for (const std::size_t group : groups) {
      for (const int threads : threads_used) {
        SCOPED_TRACE(testing::Message() << tiles << " tiles in groups of " << group << ", " << threads << " threads");
        const Options options;
        SolveMonitor monitor(options, TileScheduler::count(tiles));
        CountingWork work;
        Elsewhere elsewhere(tiles, group, work);
        TileScheduler(tiles, 1, group).run(threads, monitor, work, &elsewhere);
        for (std::size_t t = 0; t < tiles * tiles; ++t)
          elsewhere.progress([](std::size_t, std::size_t) {});  // the last
        work.expect_all_once(tiles);
      }
    }
  }
}

/// value(i,j) = weight(i,j) times the sum over the splits.
template <class S>
struct Weighted {
  using Semiring = S;
  using T = typename S::Value;
  std::size_t n;
  std::vector<T> weights;

  explicit Weighted(std::size_t points) : n(points), weights(points * points) {
    std::mt19937 random(static_cast<unsigned>(points));
    for (T& weight : weights) weight = static_cast<T>(random() % 1000 + 1) / T{4};
  }
  T leaf(std::size_t i) const { return weights[i]; }
  T weight(std::size_t i, std::size_t j) const { return weights[i * n + j]; }

  /// The recurrence as written.
  [[nodiscard]] std::vector<T> table() const {
    std::vector<T> values(n * n, S::one());
    for (std::size_t i = n - 1; i-- > 0;) {
      values[i * n + i + 1] = leaf(i);
      for (std::size_t j = i + 2; j < n; ++j) {
        T best = S::zero();
        for (std::size_t k = i + 1; k < j; ++k) {
          best = S::plus(best, S::times(values[i * n + k], values[k * n + j]));
        }
        values[i * n + j] = S::times(best, weight(i, j));
      }
    }
    return values;
  }
};

template <class S>
class WholeTable : public testing::Test {};
/// Counts show a product that is missing or applied twice, which a minimum may hide.
using Semirings = testing::Types<MinPlus<float>, MinPlus<std::int32_t>, MaxPlus<double>, MinMax<float>,
                                 CountingModulo<1'000'000'007>>;
TYPED_TEST_SUITE(WholeTable, Semirings);

TYPED_TEST(WholeTable, EqualsTheNaiveOneInEveryGroupSize) {
  using Solver = detail::TiledSolver<Weighted<TypeParam>>;
  for (const std::size_t tiles : {3, 4, 5, 6, 7}) {
    const std::size_t n = tiles * Solver::side - 5;
    const Weighted<TypeParam> recurrence(n);
    const auto expected = recurrence.table();
    for (const std::size_t group : groups) {
      for (const int threads : threads_used) {
        const Options options;
        SolveMonitor monitor(options, Solver::operations(n));
        Solver solver(recurrence, n);
        TileScheduler(tiles, 1, group).run(threads, monitor, solver);
        std::size_t different = 0;
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i; j < n; ++j) different += solver.table().value(i, j) != expected[i * n + j];
        }
        EXPECT_EQ(different, 0) << n << " points in groups of " << group << ", " << threads << " threads";
      }
    }
  }
}

/// Fails at tile (0,0) after the start of a tile that waits for it.
class FailsWhileAwaited final : public TileKernel {
 public:
  void clear(std::size_t i, std::size_t j) override {
    if (i < j) begun_ = true;
  }
  void accumulate(const TileProduct& /*product*/, const TileProduct& /*next*/) override {}
  void close(std::size_t i, std::size_t j) override {
    if (i > 0 || j > 0) return;
    for (int waited = 0; !begun_ && waited < 10'000; ++waited) rest();
    rest();
    throw std::runtime_error("no more");
  }

 private:
  static void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

  std::atomic<bool> begun_ = false;
};

TEST(TileScheduler, EndsThreadsThatWaitForATileWhoseThreadFails) {
  const Options options;
  SolveMonitor monitor(options, 1);
  FailsWhileAwaited work;
  EXPECT_THROW(TileScheduler(2, 1, 1).run(2, monitor, work), std::runtime_error);
}

/// Waits at random before and after each operation. This reveals a tile that does not wait for a flag, or raises it
/// early.
class Delayed final : public TileKernel {
 public:
  explicit Delayed(TileKernel& work) : work_(work) {}

  void clear(std::size_t i, std::size_t j) override {
    work_.clear(i, j);
    delay();
  }
  void accumulate(const TileProduct& product, const TileProduct& next) override {
    delay();
    work_.accumulate(product, next);
  }
  void close(std::size_t i, std::size_t j) override {
    delay();
    work_.close(i, j);
    delay();
  }

 private:
  /// Without yielding: beside another process, a yield would take as long as that process's turn.
  static void delay() {
    static std::atomic<unsigned> seed = 1;
    thread_local std::minstd_rand random(seed++);
    const auto drawn = random() % 64;
    if (drawn == 0) std::this_thread::sleep_for(std::chrono::microseconds(30));
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(drawn);
    while (drawn < 8 && std::chrono::steady_clock::now() < end) continue;
  }

  TileKernel& work_;
};

TEST(TileScheduler, GivesOneTableInTenThousandSolvesWithDelaysAtEveryFlag) {
  using Solver = detail::TiledSolver<Weighted<MinPlus<std::int32_t>>>;
  constexpr std::size_t tiles = 4, n = tiles * Solver::side - 5;
  const Weighted<MinPlus<std::int32_t>> recurrence(n);
  const auto expected = recurrence.table();
  constexpr int solves = test::under_sanitizer ? 1'000 : 10'000;
  for (int solve = 0; solve < solves && !testing::Test::HasFailure(); ++solve) {
    const Options options;
    SolveMonitor monitor(options, Solver::operations(n));
    Solver solver(recurrence, n);
    Delayed delayed(solver);
    TileScheduler(tiles, 1, groups[solve % 3]).run(2 + solve % 4, monitor, delayed);
    std::size_t different = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) different += solver.table().value(i, j) != expected[i * n + j];
    }
    EXPECT_EQ(different, 0) << "solve " << solve;
  }
}

}  // namespace
}  // namespace warpfold::interval
