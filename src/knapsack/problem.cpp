#include "warpfold/knapsack/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {

namespace {

constexpr __int128 largest = std::numeric_limits<std::int64_t>::max() / 4;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::input, message); }

void check_item(Kind kind, const Item& item, std::size_t i) {
  const auto need = [&](const char* what, std::int64_t value) {
    if (value < 0) refuse(fmt::format("item {}: {} {}: 0 or more is accepted", i, what, value));
  };
  need("value", item.value);
  need("weight", item.weight);
  need("number of copies", item.copies);
  if (kind == Kind::zero_one && item.copies > 1) {
    refuse(fmt::format("item {}: {} copies in a 0-1 problem: 0 or 1 is accepted", i, item.copies));
  }
  if (kind == Kind::unbounded && item.weight == 0 && item.value > 0) {
    refuse(fmt::format("item {}: value {} without weight, unbounded: the best value would be infinite", i, item.value));
  }
}

}  // namespace

Problem::Problem(Kind kind, std::vector<Item> items, std::int64_t capacity)
    : kind_(kind), items_(std::move(items)), capacity_(capacity), largest_total_(0) {
  if (kind < Kind::zero_one || kind > Kind::unbounded) {
    throw Error(ErrorKind::usage, fmt::format("kind {} is unknown", static_cast<int>(kind)));
  }
  if (capacity < 0) refuse(fmt::format("capacity {}: 0 or more is accepted", capacity));
  if (items_.size() > std::numeric_limits<std::uint32_t>::max()) {
    refuse(fmt::format("{} items: at most 2^32 - 1 are accepted", items_.size()));
  }
  __int128 value = 0;
  __int128 weight = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    check_item(kind, items_[i], i);
    const __int128 copies = max_copies(i);
    const __int128 item_value = copies * items_[i].value;
    // Packing only one unbounded item loses at most a factor of two against the ratio bound.
    value = kind == Kind::unbounded ? std::max(value, 2 * item_value) : value + item_value;
    weight =
        kind == Kind::unbounded ? std::max<__int128>(weight, items_[i].weight) : weight + copies * items_[i].weight;
    if (value > largest || weight > largest) {
      throw Error(ErrorKind::overflow, fmt::format("item {}: the total {} no longer fits: below 2^61 is accepted", i,
                                                   value > largest ? "value" : "weight"));
    }
  }
  largest_total_ = static_cast<std::int64_t>(value);
}

std::int64_t Problem::max_copies(std::size_t i) const {
  const Item& item = items_[i];
  if (kind_ == Kind::unbounded) return item.weight == 0 ? 0 : capacity_ / item.weight;
  return item.weight == 0 ? item.copies : std::min(item.copies, capacity_ / item.weight);
}

std::vector<Piece> pieces(const Problem& problem) {
  std::vector<Piece> result;
  result.reserve(problem.items().size());
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    const Item& item = problem.items()[i];
    if (item.weight == 0 || item.value == 0) continue;
    std::int64_t left = problem.max_copies(i);
    for (std::int64_t count = 1; left > 0; count *= 2) {
      const std::int64_t taken = std::min(count, left);
      result.push_back({item.value * taken, item.weight * taken, static_cast<std::uint32_t>(i), taken});
      left -= taken;
    }
  }
  return result;
}

}  // namespace warpfold::knapsack
