#include "knapsack/core.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "knapsack/core_search.hpp"
#include "knapsack/core_surrogate.hpp"
#include "knapsack/tuning.hpp"

namespace warpfold::knapsack {

namespace {

CoreResult take_all(std::span<const Piece> pieces) {
  CoreResult result;
  result.finished = true;
  result.taken.assign(pieces.size(), 1);
  for (const Piece& piece : pieces) result.value += piece.value;
  return result;
}

/// The bytes of a search without its lists.
std::size_t core_bytes(std::size_t pieces) {
  return pieces * (sizeof(CorePiece) + sizeof(Piece) + 2 * sizeof(std::uint64_t));
}

/// A plain search and, if its list grows long, one with a bound on the number of pieces.
class BothSearches {
 public:
  using End = CoreSearch::End;

  BothSearches(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
               const SolveMonitor& monitor)
      : all_(pieces),
        capacity_(capacity),
        budget_(budget),
        monitor_(monitor),
        own_bytes_(core_bytes(pieces.size())),
        bounded_bytes_(pieces.size() * sizeof(CorePiece)),
        plain_(pieces, capacity, {}) {
    result_.value = -1;
  }

  CoreResult run() {
    plain_.pieces().greedy(result_.value, result_.taken);
    End end = advance(plain_, tuning::core_long_list, budget_.states, 0);
    if (end == End::long_list) end = run_bounded();
    if (end == End::long_list) {
      const std::size_t beside = bounded_ ? bounded_bytes_ + bounded_->states().bytes() : 0;
      end = advance(plain_, SIZE_MAX, budget_.states, beside);
    }
    result_.finished = end != End::out_of_budget;
    result_.peak_bytes = own_bytes_;
    account(plain_);
    if (bounded_) {
      account(*bounded_);
      result_.peak_bytes += bounded_bytes_;
    }
    if (result_.finished && winner_) result_.taken = winner_->packing(monitor_);
    return std::move(result_);
  }

 private:
  /// `beside`: the bytes that the other search holds.
  End advance(CoreSearch& search, std::size_t longest, double states, std::size_t beside) {
    const std::int64_t before = result_.value;
    const std::size_t for_lists = budget_.bytes - std::min(budget_.bytes, own_bytes_ + beside);
    const End end = search.run(result_.value, longest, {states, for_lists}, monitor_);
    if (result_.value > before) winner_ = &search;
    return end;
  }

  /// Returns long_list if the number of pieces gives no bound, or does not help. The plain search then goes on.
  End run_bounded() {
    const auto surrogate = cardinality_surrogate(all_, capacity_, plain_.pieces(), result_.value);
    if (!surrogate) return End::long_list;
    bounded_.emplace(all_, capacity_, *surrogate);
    result_.cardinality_bound = true;
    if (bounded_->pieces().greedy(result_.value, result_.taken)) winner_ = nullptr;
    const End end = advance(*bounded_, SIZE_MAX, std::min(budget_.states, tuning::core_surrogate_states),
                            bounded_bytes_ + plain_.states().bytes());
    return end == End::out_of_budget ? End::long_list : end;
  }

  void account(const CoreSearch& search) {
    result_.enumerated = std::max(result_.enumerated, search.enumerated());
    result_.max_states = std::max(result_.max_states, search.states().max_size());
    result_.states += search.states().visited();
    result_.peak_bytes += search.states().bytes();
  }

  std::span<const Piece> all_;
  std::int64_t capacity_;
  const CoreBudget& budget_;
  const SolveMonitor& monitor_;
  std::size_t own_bytes_, bounded_bytes_;  ///< of both searches, and of the bounded one, without lists
  CoreSearch plain_;
  std::optional<CoreSearch> bounded_;
  CoreSearch* winner_ = nullptr;  ///< found the best packing; null: a greedy packing is the best
  CoreResult result_;
};

CoreResult search(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
                  const SolveMonitor& monitor) {
  if (core_bytes(pieces.size()) <= budget.bytes) return BothSearches(pieces, capacity, budget, monitor).run();
  CoreResult none;
  none.value = -1;
  return none;
}

}  // namespace

std::size_t min_core_bytes(std::size_t pieces) { return pieces * sizeof(Piece) + core_bytes(pieces); }

double min_core_seconds(std::size_t pieces) { return tuning::core_piece_seconds * static_cast<double>(pieces); }

ResourceEstimate worst_case_of_core(std::size_t pieces, const CoreBudget& budget) {
  constexpr double searches = 3;  // a plain one, a bounded one, and the plain one again
  constexpr double lists = 2;     // of the plain one and of the bounded one
  constexpr double largest = 0x1p62;
  // A step visits two states for each one of its list, and may leave as many. The previous list exists beside the
  // current one.
  const double list_bytes = std::min(static_cast<double>(budget.bytes), 2.5 * budget.states * sizeof(CoreState));
  return {"core", min_core_seconds(pieces) + searches * budget.states / tuning::core_states_per_second,
          min_core_bytes(pieces) + pieces * sizeof(CorePiece) +
              static_cast<std::size_t>(std::min(lists * list_bytes, largest))};
}

CoreResult core(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
                const SolveMonitor& monitor) {
  std::int64_t divisor = 0;
  std::int64_t total = 0;
  for (const Piece& piece : pieces) {
    if (divisor != 1) divisor = std::gcd(divisor, piece.weight);
    total += piece.weight;
  }
  if (total <= capacity) return take_all(pieces);
  if (divisor == 1) return search(pieces, capacity, budget, monitor);
  std::vector<Piece> divided(pieces.begin(), pieces.end());
  for (Piece& piece : divided) piece.weight /= divisor;
  return search(divided, capacity / divisor, budget, monitor);
}

}  // namespace warpfold::knapsack
