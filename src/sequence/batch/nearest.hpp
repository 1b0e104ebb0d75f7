#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "warpfold/sequence/batch.hpp"

namespace warpfold::sequence::batch {

/// The k nearest so far, with the furthest in front.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}
  void add(const Neighbor& neighbor);
  /// The largest distance that may still be added.
  [[nodiscard]] std::optional<std::uint32_t> bound() const {
    if (k_ == 0) return 0;
    return heap_.size() == k_ ? std::optional(heap_.front().distance) : std::nullopt;
  }
  [[nodiscard]] std::vector<Neighbor>& heap() { return heap_; }

 private:
  std::size_t k_;
  std::vector<Neighbor> heap_;
};

/// The nearest of every A[i], as each member has found them.
class NearestOfAll {
 public:
  NearestOfAll(std::size_t a, std::size_t k, std::optional<std::uint32_t> max_distance, int members)
      : max_distance_(max_distance), of_(static_cast<std::size_t>(members), std::vector<Nearest>(a, Nearest(k))) {}

  void add(int member, std::size_t i, const Neighbor& neighbor);
  [[nodiscard]] std::optional<std::uint32_t> bound(int member, std::size_t i) const;
  /// The bound of some.
  [[nodiscard]] std::optional<std::uint32_t> bound(int member, std::span<const std::uint32_t> some) const;
  [[nodiscard]] std::vector<std::vector<Neighbor>> merged();

 private:
  std::optional<std::uint32_t> max_distance_;
  std::vector<std::vector<Nearest>> of_;
};

}  // namespace warpfold::sequence::batch
