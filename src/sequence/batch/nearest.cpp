#include "sequence/batch/nearest.hpp"

#include <algorithm>
#include <utility>

namespace warpfold::sequence::batch {

namespace {

/// The least of both bounds; nothing: none.
std::optional<std::uint32_t> tighter(std::optional<std::uint32_t> one, std::optional<std::uint32_t> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

}  // namespace

void Nearest::add(const Neighbor& neighbor) {
  if (heap_.size() == k_) {
    if (heap_.empty() || heap_.front() < neighbor) return;
    std::ranges::pop_heap(heap_);
    heap_.pop_back();
  }
  heap_.push_back(neighbor);
  std::ranges::push_heap(heap_);
}

void NearestOfAll::add(int member, std::size_t i, const Neighbor& neighbor) {
  if (max_distance_ && neighbor.distance > *max_distance_) return;
  of_[static_cast<std::size_t>(member)][i].add(neighbor);
}

std::optional<std::uint32_t> NearestOfAll::bound(int member, std::size_t i) const {
  return tighter(max_distance_, of_[static_cast<std::size_t>(member)][i].bound());
}

std::optional<std::uint32_t> NearestOfAll::bound(int member, std::span<const std::uint32_t> some) const {
  std::uint32_t most = 0;
  for (const auto i : some) {
    const auto of_one = bound(member, i);
    if (!of_one) return {};
    most = std::max(most, *of_one);
  }
  return most;
}

std::vector<std::vector<Neighbor>> NearestOfAll::merged() {
  std::vector<std::vector<Neighbor>> found;
  for (std::size_t i = 0; i < of_[0].size(); ++i) {
    for (std::size_t member = 1; member < of_.size(); ++member) {
      for (const Neighbor& neighbor : of_[member][i].heap()) of_[0][i].add(neighbor);
    }
    std::ranges::sort(of_[0][i].heap());
    found.push_back(std::move(of_[0][i].heap()));
  }
  return found;
}

}  // namespace warpfold::sequence::batch
