#include "knapsack/core_search.hpp"

#include <optional>

#include "knapsack/tuning.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {

CoreSearch::CoreSearch(std::span<const Piece> pieces, std::int64_t capacity, Surrogate surrogate)
    : pieces_(pieces, capacity, surrogate), low_(pieces_.break_at()), high_(pieces_.break_at()) {}

CoreSearch::End CoreSearch::run(std::int64_t& best, std::size_t longest, const CoreBudget& budget,
                                const SolveMonitor& monitor) {
  if (budget.bytes < CoreStateList::min_bytes) return End::out_of_budget;
  const bool wide = pieces_.products_overflow();
  const std::int64_t bound = pieces_.upper_bound();
  if (steps_.empty()) start();
  while (states_.size() > 0 && has_untried()) {
    if (best >= bound) return End::bound_met;
    if (states_.size() > longest) return End::long_list;
    if (!next_step(best)) break;
    if (states_.visited() > budget.states || states_.bytes_of_step() > budget.bytes) return End::out_of_budget;
    if (states_.size() > tuning::core_watched_states) monitor.check();
    const CoreAim aim{pieces_.capacity(), pieces_.load_limit(), best};
    const auto found =
        wide ? states_.merge<true>(steps_.back(), aim, rates()) : states_.merge<false>(steps_.back(), aim, rates());
    if (!found) continue;
    best = found->value;
    found_ = *found;
    found_step_ = steps_.size() - 1;
  }
  return End::exhausted;
}

void CoreSearch::start() {
  const auto& [value, weight, load] = pieces_.break_sums();
  states_.start({weight, value, load, 0});
}

void CoreSearch::skip_hopeless(std::int64_t best) {
  while (high_ < pieces_.size() && !pieces_.worthwhile(high_, best)) ++high_;
  while (low_ > 0 && !pieces_.worthwhile(low_ - 1, best)) --low_;
}

/// Chooses the next piece, alternately from after and from before the break. Returns false if none is left.
bool CoreSearch::next_step(std::int64_t best) {
  skip_hopeless(best);
  if (!has_untried()) return false;
  turn_ = low_ == 0 || (high_ < pieces_.size() && !turn_);
  const std::size_t at = turn_ ? high_++ : --low_;
  const std::int64_t sign = turn_ ? 1 : -1;
  const CorePiece& piece = pieces_[at];
  steps_.push_back({static_cast<std::uint32_t>(at), sign * piece.value, sign * piece.weight, sign * piece.load});
  skip_hopeless(best);
  return true;
}

CoreRates CoreSearch::rates() const {
  CoreRates rates;
  if (high_ < pieces_.size()) {
    rates.gain_value = pieces_[high_].value;
    rates.gain_load = pieces_[high_].load;
  }
  if (low_ > 0) {
    rates.loss_value = pieces_[low_ - 1].value;
    rates.loss_load = pieces_[low_ - 1].load;
  }
  return rates;
}

std::vector<char> CoreSearch::packing(const SolveMonitor& monitor) {
  std::vector<char> taken = pieces_.break_packing();
  CoreState state = found_;
  std::size_t count = found_step_ + 1;
  while (true) {
    const std::size_t known = count > 64 ? count - 64 : 0;
    for (std::size_t step = known; step < count; ++step) {
      if ((state.decisions >> (step % 64) & 1) == 0) continue;
      taken[pieces_[steps_[step].at].index] = steps_[step].value > 0;
      state.value -= steps_[step].value;
      state.weight -= steps_[step].weight;
      state.load -= steps_[step].load;
    }
    if (known == 0) return taken;
    count = search_again(known, state, monitor);
  }
}

/// Finds the decisions of `state`, which the first `count` steps reach. Returns the number of steps after which it
/// was met. state.decisions has the last 64 of these decisions.
std::size_t CoreSearch::search_again(std::size_t count, CoreState& state, const SolveMonitor& monitor) {
  // Any packing completed by the known decisions satisfies the surrogate, so its slack belongs to this search too.
  const CoreAim aim{state.weight, state.load + (pieces_.load_limit() - found_.load), state.value - 1};
  const std::vector<CoreRates> rates = rates_within(count);
  start();
  for (std::size_t step = 0; step < count; ++step) {
    if (states_.size() > tuning::core_watched_states) monitor.check();
    const auto met = states_.merge<true>(steps_[step], aim, rates[step]);
    if (!met) continue;
    state = *met;
    return step + 1;
  }
  throw Error(ErrorKind::internal, "core: a state's older decisions were not found again");
}

std::vector<CoreRates> CoreSearch::rates_within(std::size_t count) const {
  std::vector<CoreRates> rates(count);
  CoreRates later;
  for (std::size_t step = count; step-- > 0;) {
    rates[step] = later;
    const CoreStep& s = steps_[step];
    if (s.value > 0) {
      later.gain_value = s.value;
      later.gain_load = s.load;
    } else {
      later.loss_value = -s.value;
      later.loss_load = -s.load;
    }
  }
  return rates;
}

}  // namespace warpfold::knapsack
