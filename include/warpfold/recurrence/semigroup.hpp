#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

/// The product of the last `length` elements of a growing sequence, for any semigroup. Cost: at most 3 products per
/// element, and memory for 2 * length elements.
///
/// The sequence is cut into pieces of `length` elements. A window is the end of one piece times the beginning of the
/// next.
template <class Value, class Combine>
class SlidingWindow {
 public:
  SlidingWindow(std::size_t length, Combine combine) : length_(length), combine_(std::move(combine)) {
    piece_.reserve(length);
    suffix_.reserve(length);
  }

  void push(const Value& value) {
    if (piece_.size() == length_) close_piece();
    prefix_ = piece_.empty() ? value : combine_(prefix_, value);
    piece_.push_back(value);
  }

  /// Returns the product, with the oldest element leftmost. At least `length` elements must have been pushed.
  [[nodiscard]] Value product() const {
    return piece_.size() == length_ ? prefix_ : combine_(suffix_[piece_.size()], prefix_);
  }

 private:
  /// Sets suffix_[t] to the product of the piece's elements from t on.
  void close_piece() {
    std::swap(piece_, suffix_);
    for (std::size_t t = length_ - 1; t-- > 0;) suffix_[t] = combine_(suffix_[t], suffix_[t + 1]);
    piece_.clear();
  }

  std::size_t length_;
  Combine combine_;
  std::vector<Value> piece_;   // the current piece
  std::vector<Value> suffix_;  // products of the previous piece
  Value prefix_{};             // the product of piece_
};

/// A run of consecutive offsets low .. high. They are offsets[first] .. offsets[first + length - 1] of a descending
/// list.
struct Run {
  std::int64_t high = 0;
  std::int64_t low = 0;
  std::size_t first = 0;

  [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(high - low + 1); }
  bool operator==(const Run&) const = default;
};

/// Cuts descending offsets into the longest runs of consecutive ones. `together(j)` tells whether offset j may share a
/// run with offset j - 1. A run too short to gain from a window is cut into single offsets.
template <class Together>
[[nodiscard]] std::vector<Run> find_runs(std::span<const std::int64_t> offsets, const Together& together) {
  constexpr std::size_t products_of_window = 3;  // for each value
  std::vector<Run> runs;
  for (std::size_t first = 0, last = 0; first < offsets.size(); first = last) {
    for (last = first + 1; last < offsets.size() && offsets[last] == offsets[last - 1] - 1 && together(last);) ++last;
    if (last - first > products_of_window) {
      runs.push_back({offsets[first], offsets[last - 1], first});
    } else {
      for (std::size_t j = first; j < last; ++j) runs.push_back({offsets[j], offsets[j], j});
    }
  }
  return runs;
}

/// For i = given .. n-1 in order: calls finish(i, product), where product combines lift(source, run) over all runs,
/// oldest element first. Calls `tick(i)` before each i.
template <class Value, class Combine, class Lift, class Finish, class Tick>
void fold_runs(std::span<const Run> runs, std::size_t given, std::size_t n, const Combine& combine, const Lift& lift,
               const Finish& finish, const Tick& tick) {
  std::vector<SlidingWindow<Value, Combine>> windows;
  for (const Run& run : runs) {
    windows.emplace_back(run.length(), combine);
    if (run.length() == 1) continue;
    const std::size_t newest = given - static_cast<std::size_t>(run.low);  // ST[given] pushes this one itself
    for (std::size_t source = given - static_cast<std::size_t>(run.high); source < newest; ++source) {
      windows.back().push(lift(source, run));
    }
  }
  const auto product = [&](std::size_t r, std::size_t i) {
    const Value newest = lift(i - static_cast<std::size_t>(runs[r].low), runs[r]);
    if (runs[r].length() == 1) return newest;
    windows[r].push(newest);
    return windows[r].product();
  };
  for (std::size_t i = given; i < n; ++i) {
    tick(i);
    Value value = product(0, i);
    for (std::size_t r = 1; r < runs.size(); ++r) value = combine(value, product(r, i));
    finish(i, std::move(value));
  }
}

/// Fills the table ST[i] = ST[i - a_0] * ST[i - a_1] * ... for a semigroup of the caller. `combine` must be
/// associative. It is applied in this order, largest offset first, so it need not commute.
///
/// `offsets` are in any order, without duplicates. `initial` has as many values as the largest offset. Returns n
/// values.
///
/// Raises Error{input} for other offsets, initial values or n, and Error{memory_limit} if there is no memory for n
/// values.
///
/// Cost: 3 products per value for each run of 4 or more consecutive offsets, and one for any other offset. One thread.
template <class Value, class Combine>
[[nodiscard]] std::vector<Value> solve_semigroup(std::vector<std::int64_t> offsets, std::vector<Value> initial,
                                                 std::size_t n, const Combine& combine) {
  std::sort(offsets.begin(), offsets.end(), std::greater<>());
  if (offsets.empty() || offsets.back() < 1) {
    throw Error(ErrorKind::input, "offsets: at least one is needed, and each of them at least 1");
  }
  if (const auto twice = std::adjacent_find(offsets.begin(), offsets.end()); twice != offsets.end()) {
    throw Error(ErrorKind::input, "offset " + std::to_string(*twice) + " occurs twice: each may occur once");
  }
  if (initial.size() != static_cast<std::size_t>(offsets.front()) || n < initial.size()) {
    throw Error(ErrorKind::input, "initial has " + std::to_string(initial.size()) + " values and n is " +
                                      std::to_string(n) + ": as many as the largest offset, " +
                                      std::to_string(offsets.front()) + ", and an n of at least that are accepted");
  }
  std::vector<Value> table = std::move(initial);
  const std::size_t given = table.size();
  const auto refuse = [n] {
    throw Error(ErrorKind::memory_limit, std::to_string(n) + " values: more than memory can hold");
  };
  if (n > table.max_size()) refuse();
  try {
    table.reserve(n);
  } catch (const std::bad_alloc&) {
    refuse();
  }
  const std::vector<Run> runs = find_runs(offsets, [](std::size_t) { return true; });
  fold_runs<Value>(
      runs, given, n, combine, [&](std::size_t source, const Run&) { return table[source]; },
      [&](std::size_t, Value&& value) { table.push_back(std::move(value)); }, [](std::size_t) {});
  return table;
}

}  // namespace warpfold::recurrence
