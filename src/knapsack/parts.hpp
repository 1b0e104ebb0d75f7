#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "knapsack/cells.hpp"
#include "knapsack/table.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::knapsack {

/// Packs 0-1 rows by ascending weight. The packing leaves out the heaviest piece if a best one does (of equal weights
/// the last), then the next, and so on.
///
/// A row's decision bits tell which cells its piece raised. The packing follows them from the last row down. Many rows
/// have more bits than caches hold. So the rows are cut into parts, and a first pass keeps the cells at each part's
/// start. Then each part, from the last one down, is computed again from its start, for the cells that its pieces'
/// weight reaches from the packing's capacity. A large part is cut again.
///
/// For n uniform weights whose sum is twice the capacity C, k parts have n C / k cells together.
template <class T>
class PartsPacker {
 public:
  /// Runs rows over cells on `threads` threads. Takes the halos from the same budget.
  using Run = std::function<void(const Table<T>& table, T* best, const Decisions& decisions)>;

  /// At most `max_marked` bytes of decisions are kept at a time.
  PartsPacker(std::span<const Row<T>> rows, std::size_t max_marked, int threads, Budget& budget, Run run)
      : rows_(rows),
        max_marked_(max_marked),
        threads_(threads),
        budget_(budget),
        run_(std::move(run)),
        taken_(rows.size(), 0) {}

  /// Returns which rows are taken.
  [[nodiscard]] std::vector<char> packing(std::int64_t capacity) {
    pack({}, rows_.size(), capacity);
    return taken_;
  }

 private:
  /// Memory, and its part of the budget.
  struct Block {
    Budget::Reservation memory;
    Cells<std::byte> bytes;

    template <class U>
    [[nodiscard]] U* as() const {
      return reinterpret_cast<U*>(bytes.get());
    }
  };

  /// The cells after the first `rows` rows, from capacity `base` on: those that later rows need.
  struct Start {
    std::size_t rows = 0;
    std::int64_t weight = 0;  ///< of these rows together, like the value
    T value = 0;
    std::int64_t base = 0;
    Block block = {};

    [[nodiscard]] T* cells() const { return block.template as<T>(); }
  };

  /// Packs the rows from `start` to `last`. Returns the capacity that remains for those before.
  std::int64_t pack(const Start& start, std::size_t last, std::int64_t capacity);
  /// The same by `kept` + 1 parts. `state` is a copy of `start`.
  std::int64_t pack_parts(const Start& start, Start state, std::size_t last, std::int64_t capacity, std::size_t kept);
  /// The same by decision bits.
  std::int64_t mark(Start state, std::size_t last, std::int64_t capacity);

  /// Copies the cells for the capacities from `lowest` on.
  Start copy(const Start& start, std::int64_t lowest, std::int64_t capacity);
  /// Runs the rows up to `last`. Capacities below `lowest` are not wanted afterwards.
  void advance(Start& state, std::size_t last, std::int64_t capacity, std::int64_t lowest,
               const Decisions& decisions = {});

  /// Blocks are used again: memory that is touched for the first time takes as long as many rows.
  Block take_block(std::size_t bytes);
  void give_back(Block block);

  /// The bytes that are left besides the halos of rows up to `last`.
  [[nodiscard]] std::size_t bytes_left(std::size_t last, std::int64_t capacity) const;
  [[nodiscard]] std::size_t rows_up_to(std::int64_t weight) const;
  [[nodiscard]] std::int64_t weight_of(std::size_t first, std::size_t last) const;

  std::span<const Row<T>> rows_;
  std::size_t max_marked_;
  int threads_;
  Budget& budget_;
  Run run_;
  std::vector<char> taken_;
  std::vector<Block> spare_;  ///< by ascending size
};

}  // namespace warpfold::knapsack
