#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "knapsack/cells.hpp"

namespace warpfold::knapsack {

struct CoreState {
  std::int64_t weight;
  std::int64_t value;
  std::int64_t load;
  std::uint64_t decisions;  ///< bit (step mod 64): whether that step's change was made
};

/// One more piece that is tried both ways: packed although it is after the break, or left out although it is before.
struct CoreStep {
  std::uint32_t at;  ///< the piece's position in the order
  std::int64_t value;
  std::int64_t weight;
  std::int64_t load;
};

/// The best rate at which the untried pieces can turn load into value, and back.
struct CoreRates {
  std::int64_t gain_value = 0;
  std::int64_t gain_load = 1;
  std::int64_t loss_value = 1;
  std::int64_t loss_load = 0;
};

/// The aim of a search: more than `beat`, within the limits.
struct CoreAim {
  std::int64_t capacity;
  std::int64_t load_limit;
  std::int64_t beat;
};

/// States by ascending weight. After them comes one beyond every weight.
class CoreStateList {
 public:
  static constexpr std::size_t min_bytes = 1024 * sizeof(CoreState);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(CoreState); }
  [[nodiscard]] const CoreState* data() const { return states_.get(); }
  [[nodiscard]] CoreState* begin() { return states_.get(); }
  /// Makes room for `count` states from `end` on, and returns their new place.
  [[nodiscard]] CoreState* room_for(std::size_t count, CoreState* end) {
    const auto used = static_cast<std::size_t>(end - states_.get());
    return used + count + 1 <= capacity_ ? end : grow(count, used);
  }
  void close(CoreState* end);
  void swap(CoreStateList& other) noexcept;

 private:
  CoreState* grow(std::size_t count, std::size_t used);

  Cells<CoreState> states_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The states after some steps that may still lead to a better packing.
class CoreStates {
 public:
  /// Starts again from one state, before the first step.
  void start(const CoreState& first);

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  /// The size of the longest list so far.
  [[nodiscard]] std::size_t max_size() const { return max_size_; }
  /// The states visited in all steps so far.
  [[nodiscard]] double visited() const { return visited_; }
  /// The bytes of both lists, which never shrink.
  [[nodiscard]] std::size_t bytes() const { return states_.bytes() + merged_.bytes(); }
  /// The largest number of bytes that the next step may take: for twice as many states as now, and for as many again
  /// while they move.
  [[nodiscard]] std::size_t bytes_of_step() const;

  /// Merges the states with themselves after `step`, both sorted by weight. Drops dominated states, and those whose
  /// bound does not beat the best. Returns the best state that fits and beats the aim. Apart from that it is
  /// branch-free: 2 comparisons, 2 products and 32 bytes written per state visited. `wide`: the products may exceed 64
  /// bits.
  template <bool wide>
  std::optional<CoreState> merge(const CoreStep& step, CoreAim aim, const CoreRates& rates);

 private:
  CoreStateList states_;
  CoreStateList merged_;
  std::size_t steps_done_ = 0;
  std::size_t max_size_ = 0;
  double visited_ = 0;
};

}  // namespace warpfold::knapsack
