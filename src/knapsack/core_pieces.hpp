#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/knapsack/problem.hpp"

namespace warpfold::knapsack {

/// A surrogate constraint, sum (weight + multiplier) <= capacity + multiplier * count. The capacity and a bound on the
/// number of pieces imply it. Multiplier 0 is the capacity itself.
struct Surrogate {
  std::int64_t multiplier = 0;
  std::int64_t count = 0;

  [[nodiscard]] std::int64_t load_limit(std::int64_t capacity) const { return capacity + multiplier * count; }
};

/// A piece with its weight in the surrogate constraint, weight + S.
struct CorePiece {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::int64_t load = 0;
  std::uint32_t index = 0;
};

/// The pieces by descending value / load, and the break packing: the pieces before the first one that exceeds the load
/// limit.
class CorePieces {
 public:
  /// The sums of a packing's pieces.
  struct Sums {
    std::int64_t value = 0;
    std::int64_t weight = 0;
    std::int64_t load = 0;
  };

  CorePieces(std::span<const Piece> pieces, std::int64_t capacity, Surrogate surrogate);

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] const CorePiece& operator[](std::size_t at) const { return order_[at]; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] std::int64_t load_limit() const { return load_limit_; }

  /// The first piece that is not in the break packing.
  [[nodiscard]] std::size_t break_at() const { return break_; }
  [[nodiscard]] const Sums& break_sums() const { return sums_; }
  /// Whether the break packing has each of the caller's pieces.
  [[nodiscard]] std::vector<char> break_packing() const;

  /// The upper bound on every packing's value.
  [[nodiscard]] std::int64_t upper_bound() const;

  /// Whether trying the piece at `i` both ways can beat `best`: the break packing's linear bound with that piece
  /// forced.
  [[nodiscard]] bool worthwhile(std::size_t i, std::int64_t best) const {
    if (break_ == order_.size()) return true;
    const CorePiece& next = order_[break_];
    const std::int64_t sign = i >= break_ ? 1 : -1;
    const __int128 room = static_cast<__int128>(load_limit_ - sums_.load - sign * order_[i].load) * next.value;
    return room >= static_cast<__int128>(best + 1 - sums_.value - sign * order_[i].value) * next.load;
  }

  /// The greedy packing, improved by one more or one fewer piece. If its value is above `best`, sets both and returns
  /// true.
  bool greedy(std::int64_t& best, std::vector<char>& taken) const;

  /// Whether a product of the bounds (`CoreStates::merge`) may exceed 64 bits.
  [[nodiscard]] bool products_overflow() const;

 private:
  void sort(std::span<const Piece> pieces);
  void pack_prefix();
  void arrange_ties();

  std::int64_t capacity_;
  Surrogate surrogate_;
  std::int64_t load_limit_;
  std::vector<CorePiece> order_;
  std::size_t break_ = 0;
  Sums sums_;
};

}  // namespace warpfold::knapsack
