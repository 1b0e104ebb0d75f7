#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "knapsack/core.hpp"
#include "knapsack/core_pieces.hpp"
#include "knapsack/core_states.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::knapsack {

/// One search for a better packing with one surrogate: the core grows from the break outwards, a piece a step.
class CoreSearch {
 public:
  CoreSearch(std::span<const Piece> pieces, std::int64_t capacity, Surrogate surrogate);

  [[nodiscard]] const CorePieces& pieces() const { return pieces_; }
  /// The number of pieces that were tried both ways.
  [[nodiscard]] std::size_t enumerated() const { return steps_.size(); }
  [[nodiscard]] const CoreStates& states() const { return states_; }

  enum class End { exhausted, bound_met, long_list, out_of_budget };

  /// Grows the core until no state can beat `best`. Stops early at a list of `longest` states. A second call goes on
  /// from there.
  End run(std::int64_t& best, std::size_t longest, const CoreBudget& budget, const SolveMonitor& monitor);

  /// Returns the packing of the best state that `run` found.
  [[nodiscard]] std::vector<char> packing(const SolveMonitor& monitor);

 private:
  [[nodiscard]] bool has_untried() const { return low_ > 0 || high_ < pieces_.size(); }
  void start();
  void skip_hopeless(std::int64_t best);
  bool next_step(std::int64_t best);
  [[nodiscard]] CoreRates rates() const;
  std::size_t search_again(std::size_t count, CoreState& state, const SolveMonitor& monitor);
  [[nodiscard]] std::vector<CoreRates> rates_within(std::size_t count) const;

  CorePieces pieces_;
  std::size_t low_;   ///< untried pieces before it are packed
  std::size_t high_;  ///< untried pieces from it on are left out
  bool turn_ = false;
  CoreStates states_;
  std::vector<CoreStep> steps_;
  CoreState found_{};
  std::size_t found_step_ = 0;
};

}  // namespace warpfold::knapsack
