#pragma once

#include <cstdint>
#include <limits>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold::recurrence::cuda {

/// Min or max of i32 on a GPU, with or without weights: which candidate wins, and which result is "no value". Host code
/// can call it as well.
///
/// Why `finish` is correct with weights, for min (max mirrors it), with B = blank and W = bound:
///
/// * A problem proves 4 W < 2^31 - 1 = 2 B + 1, so 2 W < B, because B is odd.
/// * A final value is B or in [-W, W], and a weight is in [-W, W]. W holds for outputs of the table only: values after
///   its end may grow further. So no kernel passes on a value of an output after the end.
/// * For an output of the table, value plus weight is in [-W, W] by the definition of W. A sum with B, for "no value"
///   or for a missing offset, is in [B - W, 2 B]. Neither overflows, and one comparison tells them apart: W < B - W.
template <bool IsMin, bool IsWeighted>
struct Rule {
  static constexpr bool is_min = IsMin;
  static constexpr bool is_weighted = IsWeighted;

  /// The value for places outside the table and for missing offsets. With weights it means "no value". It loses against
  /// every candidate.
  static constexpr std::int32_t blank = [] {
    using Limits = std::numeric_limits<std::int32_t>;
    if (IsWeighted) return IsMin ? infinity<std::int32_t> : -infinity<std::int32_t>;
    return IsMin ? Limits::max() : Limits::min();
  }();
  /// Without weights: the entry in join_near that marks a present offset.
  static constexpr std::int32_t present = IsMin ? INT32_MIN : INT32_MAX;

  std::int32_t bound;  ///< with weights: Problem::bound()

  constexpr std::int32_t better(std::int32_t a, std::int32_t b) const { return IsMin ? least(a, b) : greatest(a, b); }
  constexpr std::int32_t join(std::int32_t best, std::int32_t value, std::int32_t weight) const {
    return better(best, IsWeighted ? value + weight : value);
  }
  /// The same if `near` also tells whether the offset is present: a blank if not, else its weight, or without weights
  /// `present`.
  constexpr std::int32_t join_near(std::int32_t best, std::int32_t value, std::int32_t near) const {
    if (IsWeighted) return better(best, value + near);
    return better(best, IsMin ? greatest(value, near) : least(value, near));
  }
  /// "No value" plus a weight is "no value" again.
  constexpr std::int32_t finish(std::int32_t value) const {
    if (!IsWeighted) return value;
    if (IsMin) return value >= blank - bound ? blank : value;
    return value <= blank + bound ? blank : value;
  }

 private:
  static constexpr std::int32_t least(std::int32_t a, std::int32_t b) { return b < a ? b : a; }
  static constexpr std::int32_t greatest(std::int32_t a, std::int32_t b) { return a < b ? b : a; }
};

}  // namespace warpfold::recurrence::cuda
