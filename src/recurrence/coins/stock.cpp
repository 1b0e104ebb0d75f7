#include "recurrence/coins/stock.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"

namespace warpfold::recurrence {

namespace {

/// Limited stock, one coin at a time: G'(a) = min over t <= s of G(a - t c) + t. Along the amounts of one residue
/// modulo c this is the minimum of G(a_i) - i over a sliding window. A queue holds the candidates that may still win.
class StockTable {
 public:
  StockTable(const CoinSystem& system, Amount amount, bool keeps_choices, Context& context)
      : system_(system),
        size_(static_cast<std::size_t>(amount) + 1),
        budget_(context.budget),
        taken_(take_table(amount, bytes_an_amount(system, keeps_choices), context.budget)),
        monitor_(context.options, static_cast<double>(size_) * static_cast<double>(system.coins().size())),
        ticker_(monitor_, steps_between_checks),
        choices_(keeps_choices ? system.coins().size() : 0) {
    grow(fewest_, size_, unreachable, monitor_);
    fewest_[0] = 0;
    for (std::size_t j = 0; j < system.coins().size(); ++j) {
      if (keeps_choices) grow(choices_[j], size_, 0, monitor_);
      add_coin(j);
    }
  }

  /// The bytes besides the queue.
  [[nodiscard]] static std::size_t bytes_an_amount(const CoinSystem& system, bool keeps_choices) {
    return sizeof(std::int32_t) * (1 + (keeps_choices ? system.coins().size() : 0));
  }
  /// The bytes of the first queue, with which every coin of at most the amount begins.
  [[nodiscard]] static std::size_t min_queue_bytes(const CoinSystem& system, Amount amount) {
    return smallest_coin(system) <= amount ? first_queue * sizeof(Waiting) : 0;
  }
  /// The bytes of the largest queue for amounts up to this, and of the one before its last growth.
  [[nodiscard]] static std::size_t max_queue_bytes(const CoinSystem& system, Amount amount) {
    const auto steps = static_cast<std::size_t>(amount / smallest_coin(system) + 1);
    return steps <= first_queue ? min_queue_bytes(system, amount) : 3 * std::bit_ceil(steps) / 2 * sizeof(Waiting);
  }

  [[nodiscard]] const std::vector<std::int32_t>& fewest() const { return fewest_; }
  [[nodiscard]] std::vector<std::int32_t> take_fewest() { return std::move(fewest_); }

  [[nodiscard]] std::vector<Amount> walk(Amount amount) const {
    std::vector<Amount> used(system_.coins().size(), 0);
    for (std::size_t j = used.size(); j-- > 0;) {
      used[j] = choices_[j][static_cast<std::size_t>(amount)];
      amount -= used[j] * system_.coins()[j];
    }
    return used;
  }

 private:
  using Waiting = std::pair<std::int64_t, std::size_t>;
  static constexpr std::size_t first_queue = 1024;

  [[nodiscard]] static Amount smallest_coin(const CoinSystem& system) {
    return *std::min_element(system.coins().begin(), system.coins().end());
  }

  void add_coin(std::size_t j) {
    const auto coin = static_cast<std::uint64_t>(system_.coins()[j]);
    const auto stock = static_cast<std::uint64_t>(system_.stock()[j]);
    if (coin >= size_) return;
    for (std::size_t residue = 0; residue < std::min<std::uint64_t>(coin, size_); ++residue) {
      add_along(residue, static_cast<std::size_t>(coin), stock, j);
    }
    monitor_.advance(static_cast<double>(size_));
  }

  void add_along(std::size_t residue, std::size_t coin, std::uint64_t stock, std::size_t j) {
    queue_.clear();
    std::size_t front = 0;
    for (std::size_t i = 0, a = residue; a < size_; ++i, a += coin) {
      ticker_.tick();
      if (fewest_[a] < unreachable) {
        const std::int64_t value = fewest_[a] - static_cast<std::int64_t>(i);
        while (queue_.size() > front && queue_.back().first > value) queue_.pop_back();
        if (queue_.size() == queue_.capacity()) grow_queue();
        queue_.emplace_back(value, i);
      }
      while (front < queue_.size() && i - queue_[front].second > stock) ++front;
      if (front == queue_.size()) continue;
      const std::size_t taken = i - queue_[front].second;
      fewest_[a] = static_cast<std::int32_t>(queue_[front].first + static_cast<std::int64_t>(i));
      if (!choices_.empty()) choices_[j][a] = static_cast<std::int32_t>(taken);
    }
  }

  /// Both queues exist while it grows.
  void grow_queue() {
    const std::size_t larger = std::max(first_queue, 2 * queue_.capacity());
    Budget::Reservation taken = budget_.reserve(larger, sizeof(Waiting));
    queue_.reserve(larger);
    queue_taken_ = std::move(taken);
  }

  const CoinSystem& system_;
  const std::size_t size_;
  Budget& budget_;
  Budget::Reservation taken_;        // the memory of the tables
  Budget::Reservation queue_taken_;  // the memory of the queue
  SolveMonitor monitor_;
  PeriodicCheck ticker_;
  std::vector<std::int32_t> fewest_;
  std::vector<std::vector<std::int32_t>> choices_;  // how many of coin j the best payment of a with coins 0 .. j has
  std::vector<Waiting> queue_;                      // G(a_i) - i, and i
};

}  // namespace

Change pay_by_stock(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  __int128 total = 0;
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    total += static_cast<__int128>(system.coins()[j]) * system.stock()[j];
  }
  if (total < amount) no_coins_give(amount);
  const StockTable table(system, amount, true, context);
  if (table.fewest()[static_cast<std::size_t>(amount)] == unreachable) no_coins_give(amount);
  return change_of(table.walk(amount));
}

std::vector<std::int32_t> fewest_by_stock(const Payment& payment, Context& context) {
  return StockTable(payment.system, payment.amount, false, context).take_fewest();
}

std::size_t bytes_of_stock(const Payment& payment, bool keeps_choices) {
  const auto& [system, amount] = payment;
  return table_bytes(amount, StockTable::bytes_an_amount(system, keeps_choices)) +
         StockTable::min_queue_bytes(system, amount);
}

double seconds_of_stock(const Payment& payment) {
  return tuning::stock_step_seconds * static_cast<double>(payment.amount) *
         static_cast<double>(payment.system.coins().size());
}

ResourceEstimate worst_case_of_stock(const ResourceEstimate& expected, const Payment& payment, const Options&,
                                     const std::optional<ResourceEstimate>&) {
  const auto& [system, amount] = payment;
  ResourceEstimate most = expected;
  most.bytes += StockTable::max_queue_bytes(system, amount) - StockTable::min_queue_bytes(system, amount);
  return most;
}

}  // namespace warpfold::recurrence
