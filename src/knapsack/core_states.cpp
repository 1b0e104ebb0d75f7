#include "knapsack/core_states.hpp"

#include <type_traits>
#include <utility>

#include "knapsack/tuning.hpp"

namespace warpfold::knapsack {

CoreState* CoreStateList::grow(std::size_t count, std::size_t used) {
  capacity_ = std::max<std::size_t>({used + count + 1, capacity_ + capacity_ / 4, min_bytes / sizeof(CoreState)});
  Cells<CoreState> larger = allocate_cells<CoreState>(capacity_);
  std::copy_n(states_.get(), used, larger.get());
  states_ = std::move(larger);
  return states_.get() + used;
}

void CoreStateList::close(CoreState* end) {
  constexpr std::int64_t beyond = std::int64_t{1} << 62;
  size_ = static_cast<std::size_t>(end - states_.get());
  *end = {beyond, 0, 0, 0};
}

void CoreStateList::swap(CoreStateList& other) noexcept {
  states_.swap(other.states_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

void CoreStates::start(const CoreState& first) {
  CoreState* at = states_.room_for(1, states_.begin());
  *at = first;
  states_.close(at + 1);
  steps_done_ = 0;
}

std::size_t CoreStates::bytes_of_step() const {
  return states_.bytes() +
         std::max({merged_.bytes(), 5 * states_.size() * sizeof(CoreState), CoreStateList::min_bytes});
}

namespace {

/// Whether the state with the step's change comes before the one without: by weight, of equal ones by value.
bool comes_first(const CoreState& with, const CoreState& without, const CoreStep& step) {
  const std::int64_t weight_with = with.weight + step.weight;
  const std::int64_t value_with = with.value + step.value;
  return weight_with < without.weight || (weight_with == without.weight && value_with > without.value);
}

/// Whether the untried pieces may lift a state above the aim. The state lacks this value and has this room.
template <bool wide>
bool is_hopeful(std::int64_t lacking, std::int64_t room, const CoreRates& rates) {
  using Product = std::conditional_t<wide, __int128, std::int64_t>;
  const std::int64_t rate_value = room >= 0 ? rates.gain_value : rates.loss_value;
  const std::int64_t rate_load = room >= 0 ? rates.gain_load : rates.loss_load;
  return static_cast<Product>(room) * rate_value >= static_cast<Product>(lacking) * rate_load;
}

}  // namespace

template <bool wide>
std::optional<CoreState> CoreStates::merge(const CoreStep& step, CoreAim aim, const CoreRates& rates) {
  const std::size_t size = states_.size();
  const std::uint64_t bit = std::uint64_t{1} << ((steps_done_++) % 64);
  const CoreState* without = states_.data();
  const CoreState* with = states_.data();
  CoreState* out = merged_.begin();
  std::int64_t highest = -1;
  std::optional<CoreState> found;
  for (std::size_t first = 0; first < 2 * size; first += tuning::core_visits_a_time) {
    const std::size_t visits = std::min(tuning::core_visits_a_time, 2 * size - first);
    out = merged_.room_for(visits, out);
    for (std::size_t visit = 0; visit < visits; ++visit) {
      const bool change = comes_first(*with, *without, step);
      // Not in a function of its own: GCC 12 then branches, 1.2 to 2.9 times as slow (2026-11-26, Intel Xeon).
      const CoreState* from = change ? with : without;
      CoreState state = *from;
      state.weight += change ? step.weight : 0;
      state.value += change ? step.value : 0;
      state.load += change ? step.load : 0;
      state.decisions = (state.decisions & ~bit) | (change ? bit : 0);
      with += change;
      without += !change;
      if (state.weight <= aim.capacity && state.value > aim.beat) {
        aim.beat = state.value;
        found = state;
      }
      const bool hopeful = is_hopeful<wide>(aim.beat + 1 - state.value, aim.load_limit - state.load, rates);
      *out = state;
      out += (state.value > highest) & hopeful;
      highest = std::max(highest, state.value);
    }
  }
  merged_.close(out);
  states_.swap(merged_);
  visited_ += 2.0 * static_cast<double>(size);
  max_size_ = std::max(max_size_, states_.size());
  return found;
}

template std::optional<CoreState> CoreStates::merge<false>(const CoreStep&, CoreAim, const CoreRates&);
template std::optional<CoreState> CoreStates::merge<true>(const CoreStep&, CoreAim, const CoreRates&);

}  // namespace warpfold::knapsack
