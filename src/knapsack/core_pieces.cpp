#include "knapsack/core_pieces.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "knapsack/tuning.hpp"

namespace warpfold::knapsack {

namespace {

bool better_ratio(const CorePiece& a, const CorePiece& b) {
  const __int128 left = static_cast<__int128>(a.value) * b.load;
  const __int128 right = static_cast<__int128>(b.value) * a.load;
  return left != right ? left > right : a.index < b.index;
}

bool same_ratio(const CorePiece& a, const CorePiece& b) {
  return static_cast<__int128>(a.value) * b.load == static_cast<__int128>(b.value) * a.load;
}

/// Sorts the pieces by descending ratio, rounded to float. A key's lower half is the piece's index.
std::vector<std::uint64_t> keys_by_ratio(std::span<const Piece> pieces, std::int64_t multiplier) {
  std::vector<std::uint64_t> keys(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto ratio =
        static_cast<float>(static_cast<double>(pieces[i].value) / static_cast<double>(pieces[i].weight + multiplier));
    keys[i] = static_cast<std::uint64_t>(~std::bit_cast<std::uint32_t>(ratio)) << 32 | i;
  }
  static const hwy::Sorter sorter;
  sorter(keys.data(), keys.size(), hwy::SortAscending());
  return keys;
}

/// Orders pieces of one ratio so that a few exchanges among them reach every small change of weight.
class TieArrangement {
 public:
  /// `packed` of the pieces come before the break. `room` is the weight that is left for them.
  TieArrangement(std::span<CorePiece> ties, std::size_t packed, std::int64_t room) : ties_(ties), room_(room) {
    std::sort(ties.begin(), ties.end(), [](const CorePiece& a, const CorePiece& b) { return a.weight < b.weight; });
    split(packed);
  }

  void arrange() {
    // Exchanges next to the break only add weight, or only remove some.
    const bool below = heavier_.size() < lighter_.size();
    leave_room_for_exchanges(below);
    while (room_ > 0 && fixed_in_.size() < 3 && fill_room()) continue;
    std::reverse(lighter_.begin(), lighter_.end());
    if (below) {
      std::reverse(in_.begin(), in_.end());
      std::swap(lighter_, heavier_);
    }
    auto to = ties_.begin();
    for (const auto* part : {&fixed_in_, &in_, &heavier_, &lighter_, &fixed_out_}) {
      to = std::copy(part->begin(), part->end(), to);
    }
  }

 private:
  /// Packs the heaviest run of `packed` neighbors by weight that fits.
  void split(std::size_t packed) {
    std::size_t shift = 0;
    for (std::size_t i = 0; i < packed; ++i) room_ -= ties_[i].weight;
    while (packed + shift < ties_.size() && ties_[packed + shift].weight - ties_[shift].weight <= room_) {
      room_ -= ties_[packed + shift].weight - ties_[shift].weight;
      ++shift;
    }
    const auto first = ties_.begin() + static_cast<std::ptrdiff_t>(shift);
    const auto last = first + static_cast<std::ptrdiff_t>(packed);
    lighter_.assign(ties_.begin(), first);
    in_.assign(first, last);
    heavier_.assign(last, ties_.end());
  }

  /// Leaves, or exceeds by, about as much weight as half a dozen exchanges next to the break change.
  void leave_room_for_exchanges(bool below) {
    constexpr std::size_t near = 12;
    if (in_.size() > near && !below && heavier_.size() > near) {
      room_ -= 3 * (heavier_[near].weight - in_[in_.size() - near].weight);
    } else if (in_.size() > near && below && lighter_.size() > near) {
      room_ += 3 * (in_[near].weight - lighter_[lighter_.size() - near].weight);
    }
  }

  /// Exchanges the pair, one of `in_` for one of `heavier_` (both by ascending weight), that fills the room best. The
  /// pair moves far from the break, so that it stays.
  bool fill_room() {
    std::int64_t best = 0;
    std::size_t best_in = 0;
    std::size_t best_heavier = 0;
    std::size_t j = 0;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      while (j < heavier_.size() && heavier_[j].weight - in_[i].weight <= room_) ++j;
      if (j == 0 || heavier_[j - 1].weight - in_[i].weight <= best) continue;
      best = heavier_[j - 1].weight - in_[i].weight;
      best_in = i;
      best_heavier = j - 1;
    }
    if (best == 0) return false;
    room_ -= best;
    move(heavier_, best_heavier, fixed_in_);
    move(in_, best_in, fixed_out_);
    return true;
  }

  static void move(std::vector<CorePiece>& from, std::size_t at, std::vector<CorePiece>& to) {
    to.push_back(from[at]);
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
  }

  std::span<CorePiece> ties_;
  std::int64_t room_;
  std::vector<CorePiece> lighter_, in_, heavier_;  ///< the packed run, and the pieces on both sides of it
  std::vector<CorePiece> fixed_in_, fixed_out_;    ///< pieces that were exchanged to fill the room
};

}  // namespace

CorePieces::CorePieces(std::span<const Piece> pieces, std::int64_t capacity, Surrogate surrogate)
    : capacity_(capacity), surrogate_(surrogate), load_limit_(surrogate.load_limit(capacity)) {
  sort(pieces);
  pack_prefix();
  if (surrogate_.multiplier == 0 || break_ == order_.size()) return;
  arrange_ties();
  pack_prefix();
}

void CorePieces::sort(std::span<const Piece> pieces) {
  const std::int64_t add = surrogate_.multiplier;
  const std::vector<std::uint64_t> keys = keys_by_ratio(pieces, add);
  order_.resize(pieces.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(keys[i]);
    order_[i] = {pieces[index].value, pieces[index].weight, pieces[index].weight + add, index};
  }
  // Puts ratios that round to the same float into their exact order.
  for (std::size_t first = 0; first < keys.size();) {
    std::size_t last = first + 1;
    while (last < keys.size() && keys[last] >> 32 == keys[first] >> 32) ++last;
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(last);
    if (last - first > 1 && !std::is_sorted(begin, end, better_ratio)) std::sort(begin, end, better_ratio);
    first = last;
  }
}

void CorePieces::pack_prefix() {
  break_ = 0;
  sums_ = {};
  while (break_ < order_.size() && sums_.load + order_[break_].load <= load_limit_) {
    sums_.value += order_[break_].value;
    sums_.weight += order_[break_].weight;
    sums_.load += order_[break_++].load;
  }
}

/// Orders pieces of one ratio, which may be in any order. First come as many as the bound on their number says, with
/// about the weight that is left. Next to the break, on both sides, come those of similar weights.
void CorePieces::arrange_ties() {
  std::size_t first = break_;
  std::size_t last = break_ + 1;
  while (first > 0 && same_ratio(order_[first - 1], order_[break_])) --first;
  while (last < order_.size() && same_ratio(order_[last], order_[break_])) ++last;
  const auto count = static_cast<std::size_t>(surrogate_.count);
  if (last - first < tuning::core_ties || count <= first || count >= last) return;
  std::int64_t room = capacity_;
  for (std::size_t i = 0; i < first; ++i) room -= order_[i].weight;
  TieArrangement(std::span(order_).subspan(first, last - first), count - first, room).arrange();
}

std::vector<char> CorePieces::break_packing() const {
  std::vector<char> taken(order_.size(), 0);
  for (std::size_t i = 0; i < break_; ++i) taken[order_[i].index] = 1;
  return taken;
}

std::int64_t CorePieces::upper_bound() const {
  if (break_ == order_.size()) return sums_.value;
  const CorePiece& next = order_[break_];
  return sums_.value +
         static_cast<std::int64_t>(static_cast<__int128>(load_limit_ - sums_.load) * next.value / next.load);
}

bool CorePieces::greedy(std::int64_t& best, std::vector<char>& taken) const {
  if (sums_.weight > capacity_) return false;
  std::size_t changed = order_.size();
  std::int64_t value = sums_.value;
  const std::int64_t room = capacity_ - sums_.weight;
  for (std::size_t i = break_; i < order_.size(); ++i) {
    if (order_[i].weight <= room && sums_.value + order_[i].value > value) {
      value = sums_.value + order_[i].value;
      changed = i;
    }
  }
  const bool exchange = break_ < order_.size();
  for (std::size_t i = 0; exchange && i < break_; ++i) {
    const std::int64_t exchanged = sums_.value + order_[break_].value - order_[i].value;
    if (order_[break_].weight - order_[i].weight <= room && exchanged > value) {
      value = exchanged;
      changed = i;
    }
  }
  if (value <= best) return false;
  best = value;
  taken = break_packing();
  if (changed < order_.size()) {
    taken[order_[changed].index] = changed >= break_;
    if (changed < break_) taken[order_[break_].index] = 1;
  }
  return true;
}

bool CorePieces::products_overflow() const {
  std::int64_t most = 1;
  __int128 total = 1;
  for (const CorePiece& piece : order_) {
    most = std::max({most, piece.value, piece.load});
    total += std::max(piece.value, piece.load);
  }
  total += std::max<std::int64_t>(load_limit_ < 0 ? -load_limit_ : load_limit_, 0);
  return total * most * 2 > std::numeric_limits<std::int64_t>::max();
}

}  // namespace warpfold::knapsack
